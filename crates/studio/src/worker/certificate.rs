//! Certificates: written into memory, checked by the code that searches nothing, and passed on as texts.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use counterplay::planning::{
    Answer, CertificateTexts, CertificateValidity, CheckRequest, ClosureTexts, check_certificate_texts,
    check_closure_texts,
};
use counterplay::{Halt, Problem};
use serde_json::{Map, Value, json};

use super::Desk;

/// Files that are larger together are not passed on to the page; the command line writes them.
const MOST_BYTES: usize = 6 << 20;

/// A file in memory.
#[derive(Clone, Default)]
struct Memory(Rc<RefCell<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Desk<'_> {
    /// Writes and checks the certificate of an answer, if one was asked for: its files, and whether it is valid.
    pub(super) fn certify(&self, problem: &Problem, answer: &mut Answer) -> Result<Option<Value>, Halt> {
        if answer.certificate.is_none() {
            return Ok(None);
        }
        let mut files: Vec<(&'static str, Memory)> = Vec::new();
        let written = answer.write_certificate(self.budget, |name| {
            let memory = Memory::default();
            files.push((name, memory.clone()));
            Ok(memory)
        });
        written.expect("memory can be written");
        if !answer.certificate.as_ref().is_some_and(|report| report.written) {
            return Ok(None);
        }
        let texts: Vec<(&str, String)> = files
            .iter()
            .map(|(name, memory)| (*name, String::from_utf8_lossy(&memory.0.borrow()).into_owned()))
            .collect();
        let validity = self.check(problem, &texts)?;
        let bytes: usize = texts.iter().map(|(_, text)| text.len()).sum();
        let texts: Map<String, Value> = match bytes <= MOST_BYTES {
            true => texts.into_iter().map(|(name, text)| (name.to_owned(), json!(text))).collect(),
            false => Map::new(),
        };
        Ok(Some(json!({"validity": validity, "files": texts, "bytes": bytes})))
    }

    fn check(
        &self,
        problem: &Problem,
        texts: &[(&str, String)],
    ) -> Result<Option<CertificateValidity>, Halt> {
        let find =
            |wanted: &str| texts.iter().find(|(name, _)| *name == wanted).map(|(_, text)| text.clone());
        let Problem::Lifted(lifted) = problem else { return Ok(None) };
        let (plan, ranks, none) = (find("plan"), find("ranks.txt"), find("none.txt"));
        let checked = match (find("task.sas"), find("invariant.txt")) {
            (Some(task), Some(invariant)) => {
                let texts = CertificateTexts { task, invariant, plan };
                check_certificate_texts(&texts, Some(lifted), self.budget)
            }
            _ => {
                let texts = ClosureTexts { plan, ranks, none };
                check_closure_texts(&texts, lifted, &CheckRequest::default(), self.budget)
            }
        };
        match checked {
            Ok(validity) => Ok(Some(validity)),
            // The answer stands; that its certificate was not checked in time is told.
            Err(Halt::Limit(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
