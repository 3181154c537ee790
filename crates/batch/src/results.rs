//! The folder of results: a file for each job, written all at once or not at all, and never a second time.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::error::BatchError;
use crate::job::{Job, Record};

/// A folder of results.
#[derive(Clone, Debug)]
pub struct Results {
    /// Where it is.
    pub folder: PathBuf,
}

/// What the folder has of a job.
#[derive(Clone, Debug, PartialEq)]
pub enum Stored {
    Missing,
    /// A result.
    Done(Box<Record>),
    /// The job was killed and is to be run again.
    Again(Box<Record>),
    /// The file is no result of this job: why.
    Damaged(String),
}

impl Stored {
    /// Whether there is a result.
    pub fn is_done(&self) -> bool {
        matches!(self, Stored::Done(_))
    }
}

/// Holds the folder until it is dropped.
#[derive(Debug)]
pub struct Hold(#[allow(dead_code, reason = "the lock lives as long as the file is open")] File);

impl Results {
    /// Opens a folder, and makes it if it is not there.
    pub fn create(folder: &Path) -> Result<Results, BatchError> {
        let results = Results { folder: folder.to_owned() };
        for own in [results.folder.join("jobs"), results.folder.join("slurm")] {
            fs::create_dir_all(&own)
                .map_err(|error| BatchError::file("cannot make the folder", &own, error))?;
        }
        Ok(results)
    }

    /// Lets no other run work on the folder; with `is_shared` other shared holders may.
    pub fn hold(&self, is_shared: bool) -> Result<Hold, BatchError> {
        let path = self.folder.join("lock");
        let file = File::options().create(true).append(true).open(&path);
        let file = file.map_err(|error| BatchError::file("cannot write", &path, error))?;
        let taken = if is_shared { file.try_lock_shared() } else { file.try_lock() };
        match taken {
            Err(TryLockError::WouldBlock) => {
                Err(BatchError::Busy { name: self.folder.display().to_string() })
            }
            // Some network file systems have no locks; results are still written once.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Hold(file)),
        }
    }

    fn file(&self, job: &str) -> PathBuf {
        self.folder.join("jobs").join(format!("{job}.json"))
    }

    /// Where files that a job wrote are kept.
    pub fn files(&self, job: &str) -> PathBuf {
        self.folder.join("files").join(job)
    }

    /// What there is of a job.
    pub fn load(&self, job: &Job) -> Result<Stored, BatchError> {
        let path = self.file(&job.id);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Stored::Missing),
            Err(error) => return Err(BatchError::file("cannot read", &path, error)),
        };
        Ok(match serde_json::from_slice::<Record>(&bytes) {
            Err(error) => Stored::Damaged(error.to_string()),
            Ok(record) if record.job != job.id || record.command != job.command => {
                Stored::Damaged("it belongs to another job".to_owned())
            }
            Ok(record) if record.outcome.is_final() => Stored::Done(Box::new(record)),
            Ok(record) => Stored::Again(Box::new(record)),
        })
    }

    /// Keeps a result, unless there is one: then that one stays, and `false` comes back.
    pub fn save(&self, job: &Job, record: &Record) -> Result<bool, BatchError> {
        let path = self.file(&job.id);
        let failed = |error| BatchError::file("cannot write", &path, error);
        let beside = self.folder.join("jobs").join(format!(".{}.{}.part", job.id, std::process::id()));
        let outcome = write(&beside, record).and_then(|()| match fs::hard_link(&beside, &path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            // Without hard links, a second writer would write the same.
            Err(_) => fs::rename(&beside, &path).map(|()| true),
        });
        let is_new = outcome.map_err(failed);
        let kept = match is_new {
            Ok(false) if !self.load(job)?.is_done() => {
                fs::rename(&beside, &path).map(|()| true).map_err(failed)
            }
            other => other,
        };
        // It has another name now, or is of no use.
        let _ = fs::remove_file(&beside);
        kept
    }
}

fn write(path: &Path, record: &Record) -> io::Result<()> {
    let mut text = serde_json::to_vec_pretty(record)?;
    text.push(b'\n');
    let mut file = File::create(path)?;
    file.write_all(&text)?;
    file.sync_all()
}

/// Moves a folder, also to another file system.
pub(crate) fn move_folder(from: &Path, to: &Path) -> io::Result<()> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    if fs::rename(from, to).is_ok() {
        return Ok(());
    }
    let beside = to.with_extension(format!("{}.part", std::process::id()));
    copy_folder(from, &beside)?;
    fs::rename(&beside, to)
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
