//! Writes the documentation as a site: `cargo run -p counterplay-studio --example site -- target/book`.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).unwrap_or_else(|| "target/book".into()));
    let files = counterplay_studio::site();
    for (name, bytes) in &files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, bytes)?;
    }
    println!("{} files in {}", files.len(), folder.display());
    Ok(())
}
