//! Writes the table of all example files: their paths in this folder, sorted, and their texts.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Folders with the problems of one area each are everything but this crate's own code.
const CODE: [&str; 2] = ["src", "target"];

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let mut files = Vec::new();
    for entry in fs::read_dir(&root)? {
        let entry = entry?;
        let is_code = entry.file_name().to_str().is_none_or(|name| CODE.contains(&name));
        if entry.file_type()?.is_dir() && !is_code {
            println!("cargo::rerun-if-changed={}", entry.path().display());
            collect(&entry.path(), &mut files)?;
        }
    }
    files.sort();
    let mut table = "&[\n".to_owned();
    for file in &files {
        let inside = file.strip_prefix(&root).expect("it was found in there");
        let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
        writeln!(table, "    ({:?}, include_str!({:?})),", parts.join("/"), file).expect("strings grow");
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("files.rs"), table)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), files)?;
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}
