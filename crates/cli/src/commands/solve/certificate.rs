//! The files of a certificate.

use std::fs::{self, File};
use std::path::Path;

use counterplay::planning::CERTIFICATE_FILES;
use counterplay::{Answer, Budget};

use crate::failure::Failure;

/// Writes the files of the certificate to a folder. Files of an earlier certificate, and those of one that a limit cut short, are removed.
pub(super) fn write(answer: &mut Answer, folder: &Path, budget: &Budget) -> Result<(), Failure> {
    let failed = |name: &Path| {
        let name = name.display().to_string();
        move |error| Failure::Write { name, error }
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    remove(folder, &[]);
    answer.write_certificate(budget, |name| File::create(folder.join(name))).map_err(failed(folder))?;
    remove(folder, answer.certificate.as_ref().map_or(&[], |report| &report.files[..]));
    Ok(())
}

fn remove(folder: &Path, but: &[&str]) {
    for name in CERTIFICATE_FILES.iter().filter(|name| !but.contains(name)) {
        let file = folder.join(name);
        if fs::symlink_metadata(&file).is_ok_and(|data| data.is_file()) {
            // What cannot be removed cannot be written either, and writing says so.
            let _ = fs::remove_file(file);
        }
    }
}
