//! A folder that keeps the layers and values of a game, a file for each.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use counterplay_ggp::archive::{Archive, ArchiveError};

/// An archive in a folder, for the doors that keep one.
#[derive(Debug)]
pub struct ArchiveFolder {
    path: PathBuf,
}

impl ArchiveFolder {
    /// Opens a folder, and makes it if it is not there.
    ///
    /// # Errors
    /// A folder that cannot be made.
    pub fn open(path: &Path) -> io::Result<ArchiveFolder> {
        fs::create_dir_all(path)?;
        Ok(ArchiveFolder { path: path.to_owned() })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}.layer"))
    }
}

impl Archive for ArchiveFolder {
    /// Writes beside the file and moves it into place, so that a run that is ended leaves no half record.
    fn save(&mut self, name: &str, bytes: &[u8]) -> Result<(), ArchiveError> {
        let beside = self.path.join(format!("{name}.part"));
        let write = || -> io::Result<()> {
            let mut file = File::create(&beside)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&beside, self.file(name))
        };
        write().map_err(|error| {
            // What could not be written whole is of no use; that it cannot be removed changes nothing.
            let _ = fs::remove_file(&beside);
            ArchiveError::Write { name: self.file(name).display().to_string(), error }
        })
    }

    fn load(&mut self, name: &str) -> Result<Option<Vec<u8>>, ArchiveError> {
        match fs::read(self.file(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(ArchiveError::Read { name: self.file(name).display().to_string(), error }),
        }
    }
}
