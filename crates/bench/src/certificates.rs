//! Certificates of a folder of problems: how large they are, and what it takes to write and to verify them.
//!
//! Each problem is solved with `--certificate`, in a process of its own; then VeriPB and `counterplay check` look at the files, which are removed
//! again. A row is written as soon as it is known, and rows that are there already are not measured again, so that a run that was ended
//! goes on where it was.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs, io};

use counterplay_system::child;
use serde_json::Value;

use crate::csv::Csv;
use crate::problems::Instance;

/// What is run, and within which limits.
#[derive(Clone, Debug)]
pub struct Certifier {
    /// The `counterplay` binary.
    pub binary: PathBuf,
    /// The VeriPB binary.
    pub veripb: PathBuf,
    /// CPU seconds for the search; as many again for the certificate.
    pub limit: f64,
    /// Memory for search and certificate, as the option wants it.
    pub memory: String,
    /// CPU seconds for VeriPB, and for the checker of this project.
    pub check_limit: f64,
    /// More options for `solve`.
    pub options: Vec<String>,
}

/// One problem.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CertificateRow {
    /// The folder of the problem.
    pub domain: String,
    /// Its file.
    pub instance: String,
    /// `solved`, `unsolvable`, `stopped`, or how the process ended.
    pub verdict: String,
    /// What the plan costs.
    pub cost: Option<f64>,
    /// CPU seconds of everything: reading, search, certificate and files.
    pub cpu: f64,
    /// Wall seconds of the search.
    pub search: Option<f64>,
    /// Wall seconds of finding the certificate and of writing its files.
    pub certificate: Option<f64>,
    /// Bytes of formula and proof; without a proof, of the invariant.
    pub bytes: Option<u64>,
    /// What the certificate consists of.
    pub parts: String,
    /// CPU seconds of VeriPB, if it accepts the proof.
    pub veripb: Option<f64>,
    /// CPU seconds of `counterplay check`, if it accepts the certificate.
    pub own: Option<f64>,
    /// What is missing, and why.
    pub remark: String,
}

/// The columns of the file of rows.
pub const CERTIFICATE_COLUMNS: [&str; 12] = [
    "domain",
    "instance",
    "verdict",
    "cost",
    "cpu",
    "search",
    "certificate",
    "bytes",
    "parts",
    "veripb",
    "own",
    "remark",
];

impl Certifier {
    /// Certifies and verifies one problem.
    ///
    /// # Errors
    /// A program that cannot be started.
    pub fn run(&self, instance: &Instance) -> io::Result<CertificateRow> {
        let folder = env::temp_dir().join(format!("counterplay-certificates-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let row = self.run_in(&folder, instance);
        let _ = fs::remove_dir_all(&folder);
        row
    }

    fn run_in(&self, folder: &Path, instance: &Instance) -> io::Result<CertificateRow> {
        let files = [&instance.domain_file, &instance.problem_file];
        let mut command = Command::new(&self.binary);
        command.arg("solve").args(files).arg("--json").arg("--certificate").arg(folder);
        command.args(["--cpu-limit", &format!("{}s", 2.0 * self.limit), "--memory-limit", &self.memory]);
        command.args(&self.options);
        let solved = child::run(&mut command, patience(2.0 * self.limit))?;
        let mut row = CertificateRow {
            domain: instance.domain.clone(),
            instance: instance.name.clone(),
            verdict: match (solved.killed, solved.code) {
                (true, _) => "killed".to_owned(),
                (false, Some(code)) => format!("exit {code}"),
                (false, None) => "signal".to_owned(),
            },
            cpu: solved.cpu.as_secs_f64(),
            ..CertificateRow::default()
        };
        if let Ok(answer) = serde_json::from_str::<Value>(&solved.stdout) {
            row.read_answer(&answer);
        }
        row.keep_limits(self.limit);
        if row.bytes.is_none() {
            return Ok(row);
        }
        if folder.join("proof.pbp").exists() {
            let mut command = Command::new(&self.veripb);
            command.arg(folder.join("task.opb")).arg(folder.join("proof.pbp"));
            let checked = child::run(&mut command, patience(self.check_limit))?;
            let cpu = checked.cpu.as_secs_f64();
            match checked.stdout.contains("VERIFIED UNSATISFIABLE") {
                true if cpu <= self.check_limit => row.veripb = Some(cpu),
                true => row.note(&format!("VeriPB took {cpu:.0} s")),
                false if checked.killed => row.note("VeriPB took too long"),
                false => row.note("VeriPB refuses it"),
            }
        }
        let mut command = Command::new(&self.binary);
        command.arg("check").args(files).arg("--certificate").arg(folder).arg("--json");
        command.args(["--cpu-limit", &format!("{}s", self.check_limit)]);
        let checked = child::run(&mut command, patience(self.check_limit))?;
        match checked.code {
            Some(0) => row.own = Some(checked.cpu.as_secs_f64()),
            Some(1) => row.note("the checker of this project refuses it"),
            _ => row.note("the checker of this project came to no end"),
        }
        Ok(row)
    }
}

/// The programs keep limits of CPU time; on a busy machine those take longer.
fn patience(limit: f64) -> Duration {
    Duration::try_from_secs_f64(limit * 4.0 + 20.0).unwrap_or(Duration::MAX)
}

impl CertificateRow {
    fn read_answer(&mut self, answer: &Value) {
        if let Some(verdict) = answer["verdict"].as_str() {
            self.verdict = verdict.to_owned();
        }
        self.cost = answer["cost"].as_f64();
        self.search = answer["phases"]["search"].as_f64();
        let certificate = &answer["certificate"];
        let parts =
            [("states", "states"), ("estimates", "estimates"), ("layers", "layers"), ("nodes", "nodes")];
        let parts = parts.map(|(field, word)| (certificate[field].as_u64().unwrap_or(0), word));
        let parts =
            parts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
        self.parts = parts.collect::<Vec<_>>().join(", ");
        if let Some(found) = certificate["seconds"].as_f64() {
            self.certificate = Some(found + certificate["write_seconds"].as_f64().unwrap_or(0.0));
        }
        if let Some(why) = certificate["why"].as_str() {
            self.note(why);
        }
        if certificate["written"] == true {
            self.bytes = certificate["bytes"].as_u64();
        }
    }

    /// Search and certificate share one limit when they are run; each must also keep its own. The wall time of a busy machine would judge too hard,
    /// so it is scaled to the CPU time of the process.
    fn keep_limits(&mut self, limit: f64) {
        let (Some(search), Some(certificate)) = (self.search, self.certificate) else { return };
        let scale = (self.cpu / (search + certificate)).min(1.0);
        let over = [("search", search), ("certificate", certificate)]
            .into_iter()
            .find(|(_, seconds)| seconds * scale > limit);
        if let Some((what, seconds)) = over {
            self.note(&format!("the {what} took {:.0} s", seconds * scale));
            self.bytes = None;
        }
    }

    fn note(&mut self, remark: &str) {
        if !self.remark.is_empty() {
            self.remark.push_str("; ");
        }
        self.remark.push_str(remark);
    }

    /// The fields for the file of rows.
    pub fn fields(&self) -> Vec<String> {
        let seconds = |number: Option<f64>| number.map(|number| format!("{number:.3}")).unwrap_or_default();
        vec![
            self.domain.clone(),
            self.instance.clone(),
            self.verdict.clone(),
            self.cost.map(|cost| cost.to_string()).unwrap_or_default(),
            seconds(Some(self.cpu)),
            seconds(self.search),
            seconds(self.certificate),
            self.bytes.map(|bytes| bytes.to_string()).unwrap_or_default(),
            self.parts.clone(),
            seconds(self.veripb),
            seconds(self.own),
            self.remark.clone(),
        ]
    }

    /// Rows of an earlier run; those that cannot be read are measured again.
    pub fn read_all(text: &str) -> Vec<CertificateRow> {
        let table = Csv::read(text);
        if table.header != CERTIFICATE_COLUMNS {
            return Vec::new();
        }
        let row = |fields: &Vec<String>| {
            let number = |at: usize| match fields[at].as_str() {
                "" => Some(None),
                text => text.parse::<f64>().ok().map(Some),
            };
            Some(CertificateRow {
                domain: fields[0].clone(),
                instance: fields[1].clone(),
                verdict: fields[2].clone(),
                cost: number(3)?,
                cpu: number(4)??,
                search: number(5)?,
                certificate: number(6)?,
                bytes: number(7)?.map(|bytes| bytes as u64),
                parts: fields[8].clone(),
                veripb: number(9)?,
                own: number(10)?,
                remark: fields[11].clone(),
            })
        };
        table.rows.iter().filter_map(row).collect()
    }
}

/// The table for the documentation, and how many certificates were accepted.
pub fn certificate_table(rows: &[CertificateRow]) -> String {
    let mut text = String::from(
        "| task | cost | search | certificate | bytes | VeriPB | own |\n|---|---|---|---|---|---|---|\n",
    );
    let seconds =
        |number: Option<f64>| number.map_or_else(|| "none".to_owned(), |number| format!("{number:.2}"));
    for row in rows {
        let fields = [
            format!("{} {}", row.domain, row.instance.trim_end_matches(".pddl")),
            row.cost.map_or_else(|| "?".to_owned(), |cost| cost.to_string()),
            seconds(row.search),
            seconds(row.certificate),
            row.bytes.map(size).unwrap_or_default(),
            seconds(row.veripb),
            seconds(row.own),
        ];
        text.push_str(&format!("| {} |\n", fields.join(" | ")));
    }
    let accepted = rows.iter().filter(|row| row.veripb.is_some()).count();
    let own = rows.iter().filter(|row| row.own.is_some()).count();
    let measured: Vec<f64> =
        rows.iter().filter(|row| row.veripb.is_some()).filter_map(CertificateRow::ratio).collect();
    let within = measured.iter().filter(|&&ratio| ratio <= MOST_RATIO).count();
    text.push_str(&format!(
        "\nVeriPB accepts {accepted} of {}, the checker of this project {own}. Where search and certificate take at least {LEAST} s together, the certificate takes at most {MOST_RATIO} times \
         the search in {within} of {}.\n",
        rows.len(),
        measured.len(),
    ));
    text
}

/// The certificate should take at most so many times the search.
const MOST_RATIO: f64 = 3.0;
/// Less time than this is start-up and noise.
const LEAST: f64 = 0.5;

impl CertificateRow {
    /// How much longer the certificate takes than the search, if that can be told.
    pub fn ratio(&self) -> Option<f64> {
        let (search, certificate) = (self.search?, self.certificate?);
        (search + certificate >= LEAST).then(|| certificate / search.max(0.001))
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..100_000 => format!("{} kB", bytes.div_ceil(1000)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_were_written() {
        let mut row = CertificateRow {
            domain: "blocks".to_owned(),
            instance: "p1.pddl".to_owned(),
            verdict: "solved".to_owned(),
            cost: Some(6.0),
            cpu: 2.5,
            search: Some(0.5),
            certificate: Some(1.75),
            bytes: Some(123_456),
            parts: "3 states, 1 estimates".to_owned(),
            veripb: Some(0.25),
            own: None,
            remark: "a, b".to_owned(),
        };
        let header = crate::csv::line(&CERTIFICATE_COLUMNS.map(str::to_owned));
        let text = header + &crate::csv::line(&row.fields());
        assert_eq!(CertificateRow::read_all(&text), [row.clone()]);
        assert_eq!(CertificateRow::read_all("a,b\n1,2\n"), []);
        let table = certificate_table(std::slice::from_ref(&row));
        assert!(table.contains("| blocks p1 | 6 | 0.50 | 1.75 | 0.1 MB | 0.25 | none |"), "{table}");
        assert!(table.contains("VeriPB accepts 1 of 1, the checker of this project 0."), "{table}");
        assert!(table.contains("in 0 of 1"), "{table}");
        row.search = Some(1.0);
        assert!(certificate_table(&[row]).contains("in 1 of 1"));
    }

    #[test]
    fn an_answer_is_read_and_limits_are_kept() {
        let answer = serde_json::json!({
            "verdict": "solved", "cost": 4, "phases": {"search": 2.0},
            "certificate": {"written": true, "bytes": 7, "states": 3, "seconds": 1.0, "write_seconds": 0.5},
        });
        let mut row = CertificateRow { cpu: 3.5, ..CertificateRow::default() };
        row.read_answer(&answer);
        assert_eq!((row.bytes, row.certificate, row.parts.as_str()), (Some(7), Some(1.5), "3 states"));
        row.keep_limits(2.0);
        assert_eq!(row.bytes, Some(7));
        row.keep_limits(1.9);
        assert_eq!((row.bytes, row.remark.as_str()), (None, "the search took 2 s"));
    }
}
