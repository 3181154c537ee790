//! Plan files while the search goes on.
//!
//! The file always holds the best plan so far. A search that goes on to better plans also leaves each of them under a number of its own, as
//! anytime planners do in the competitions: `sas_plan.1`, `sas_plan.2`, and so on.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};

use counterplay::planning::Quality;

pub(super) struct PlanFiles {
    file: PathBuf,
    is_numbered: bool,
    written: Cell<u32>,
}

impl PlanFiles {
    /// Removes the plans of earlier runs: they must not pass for this run's answer.
    pub(super) fn begin(file: &Path, quality: Quality) -> PlanFiles {
        let files = PlanFiles {
            file: file.to_owned(),
            is_numbered: quality == Quality::Improve,
            written: Cell::new(0),
        };
        remove_stale(file);
        if files.is_numbered {
            (1..).map(|number| files.numbered(number)).take_while(|file| remove_stale(file)).for_each(drop);
        }
        files
    }

    /// Writes a better plan. If that fails, so does writing the last one, which says so.
    pub(super) fn better(&self, text: &str) {
        let is_device = fs::metadata(&self.file).is_ok_and(|data| !data.is_file());
        if is_device {
            return;
        }
        self.written.set(self.written.get() + 1);
        if self.is_numbered {
            let _ = fs::write(self.numbered(self.written.get()), text);
        }
        let _ = fs::write(&self.file, text);
    }

    /// The file for a plan among several.
    pub(super) fn numbered(&self, number: u32) -> PathBuf {
        let mut name = self.file.clone().into_os_string();
        name.push(format!(".{number}"));
        PathBuf::from(name)
    }
}

/// Removes a plan of an earlier run; whether there was one. Devices and the like are left alone, and so is an empty file: it holds
/// no plan, and the caller may have made it to reserve the name.
fn remove_stale(file: &Path) -> bool {
    let is_file = fs::symlink_metadata(file).is_ok_and(|data| data.is_file() && data.len() > 0);
    // If it cannot be removed, writing the plan will fail and say so.
    is_file && fs::remove_file(file).is_ok()
}
