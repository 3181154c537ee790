//! Writes the tables of all pages and pictures of this folder, sorted by name.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    table(&root, &["md"], "include_str", &out.join("pages.rs"))?;
    table(&root.join("pictures"), &["png", "svg"], "include_bytes", &out.join("pictures.rs"))
}

/// The files of a folder with one of these endings, as a table of names and contents.
fn table(folder: &Path, endings: &[&str], include: &str, out: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()?
        .into_iter()
        .filter(|path| path.extension().is_some_and(|own| endings.iter().any(|ending| own == *ending)))
        .collect();
    files.sort();
    let mut text = "&[\n".to_owned();
    for file in &files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        writeln!(text, "    ({name:?}, {include}!({file:?})),").expect("strings grow");
    }
    text.push_str("]\n");
    fs::write(out, text)
}
