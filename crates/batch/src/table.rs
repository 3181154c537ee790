//! All results in one table.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::description::Batch;
use crate::error::BatchError;
use crate::job::{Job, Record};
use crate::results::{Results, Stored};

/// A row for each job, in the order of the batch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    pub batch: String,
    /// Names of the columns that a row may have, in order.
    pub columns: Vec<String>,
    pub rows: Vec<Map<String, Value>>,
}

/// What stands in a cell.
pub type Cell = Value;

/// Fields that differ from run to run.
const MEASURED: [&str; 7] =
    ["seconds", "cpu_seconds", "peak_memory", "phases", "host", "playouts_per_second", "states_per_second"];

fn is_measured(name: &str) -> bool {
    MEASURED.contains(&name) || name.ends_with("_seconds")
}

impl Table {
    /// Joins results. Without measured values, a table depends on the batch and the program only.
    pub fn of(batch: &Batch, results: &Results, with_measured: bool) -> Result<Table, BatchError> {
        let mut table = Table { batch: batch.name.clone(), columns: Vec::new(), rows: Vec::new() };
        for job in &batch.jobs {
            let row = row(job, &results.load(job)?, with_measured);
            for name in row.keys().filter(|name| *name != "answer") {
                if !table.columns.contains(name) {
                    table.columns.push(name.clone());
                }
            }
            table.rows.push(row);
        }
        Ok(table)
    }

    /// As CSV. An answer that is no object has a column of its own only in JSON.
    pub fn csv(&self) -> String {
        let line = |cells: Vec<String>| cells.join(",") + "\n";
        let mut out = line(self.columns.iter().map(|name| quoted(name)).collect());
        for row in &self.rows {
            let cell = |name: &String| match row.get(name) {
                None | Some(Value::Null) => String::new(),
                Some(Value::String(text)) => quoted(text),
                Some(value) => quoted(&value.to_string()),
            };
            out += &line(self.columns.iter().map(cell).collect());
        }
        out
    }
}

fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

fn row(job: &Job, stored: &Stored, with_measured: bool) -> Map<String, Value> {
    let mut row = Map::new();
    row.insert("job".to_owned(), (job.number + 1).into());
    row.insert("group".to_owned(), job.group.clone().into());
    for (name, value) in &job.parameters {
        row.insert(name.clone(), value.clone().into());
    }
    match stored {
        Stored::Missing => _ = row.insert("outcome".to_owned(), "missing".into()),
        Stored::Damaged(why) => {
            row.insert("outcome".to_owned(), "damaged".into());
            row.insert("reason".to_owned(), why.clone().into());
        }
        Stored::Done(record) | Stored::Again(record) => fill(&mut row, record, with_measured),
    }
    row
}

fn fill(row: &mut Map<String, Value>, record: &Record, with_measured: bool) {
    row.insert("outcome".to_owned(), record.outcome.name().into());
    row.insert("reason".to_owned(), record.reason.clone().into());
    row.insert("exit".to_owned(), record.exit.into());
    if with_measured {
        row.insert("seconds".to_owned(), record.seconds.into());
        row.insert("cpu_seconds".to_owned(), record.cpu_seconds.into());
        row.insert("peak_memory".to_owned(), record.peak_memory.into());
        row.insert("host".to_owned(), record.host.clone().into());
    }
    row.insert("version".to_owned(), record.version.clone().into());
    let mut answer = record.answer.clone();
    if !with_measured {
        forget_measured(&mut answer);
    }
    if let Value::Object(fields) = &answer {
        let flat = fields.iter().filter(|(_, value)| !value.is_object() && !value.is_array());
        for (name, value) in flat {
            // A field of the answer never hides one of the job.
            let name = if row.contains_key(name) { format!("answer.{name}") } else { name.clone() };
            row.insert(name, value.clone());
        }
    }
    row.insert("answer".to_owned(), answer);
}

fn forget_measured(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !is_measured(name));
            fields.values_mut().for_each(forget_measured);
        }
        Value::Array(values) => values.iter_mut().for_each(forget_measured),
        _ => (),
    }
}
