//! A folder that keeps the layers and values of a game, a file for each.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use counterplay::game::{Archive, ArchiveError};

use crate::failure::Failure;

/// An archive in a folder.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Opens a folder, and makes it if it is not there.
    pub(super) fn open(path: &Path) -> Result<Folder, Failure> {
        fs::create_dir_all(path)
            .map_err(|error| Failure::Write { name: path.display().to_string(), error })?;
        Ok(Folder { path: path.to_owned() })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}.layer"))
    }
}

impl Archive for Folder {
    /// Writes beside the file and moves it into place, so that a run that is ended leaves no half record.
    fn save(&mut self, name: &str, bytes: &[u8]) -> Result<(), ArchiveError> {
        let beside = self.path.join(format!("{name}.part"));
        let write = || -> std::io::Result<()> {
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
