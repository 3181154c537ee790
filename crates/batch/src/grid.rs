//! Values for placeholders: lists, numbers from one to another, files, and rows of values that belong together.

use std::path::Path;

use crate::description::JobText;

/// A value for each placeholder of a job, in a fixed order.
pub(crate) type Parameters = Vec<(String, String)>;

/// What a job may take: for each axis the alternatives, each of which sets one placeholder or several.
pub(crate) struct Values {
    axes: Vec<Vec<Parameters>>,
}

/// More than this is a mistake.
const MOST_NUMBERS: i64 = 1_000_000;
const MOST_JOBS: usize = 1_000_000;

impl Values {
    pub(crate) fn read(job: &JobText, folder: &Path) -> Result<Values, String> {
        let mut axes = Vec::new();
        if !job.rows.is_empty() {
            let names: Vec<&String> = job.rows[0].keys().collect();
            let mut rows = Vec::new();
            for (number, row) in job.rows.iter().enumerate() {
                if !row.keys().eq(names.iter().copied()) {
                    return Err(format!("row {} has other names than the first", number + 1));
                }
                let cells = row.iter().map(|(name, value)| Ok((name.clone(), scalar(name, value)?)));
                rows.push(cells.collect::<Result<Parameters, String>>()?);
            }
            axes.push(rows);
        }
        for (name, value) in &job.grid {
            if job.rows.first().is_some_and(|row| row.contains_key(name)) {
                return Err(format!("`{name}` is both in the grid and in the rows"));
            }
            let alternatives = alternatives(name, value, folder)?;
            axes.push(alternatives.into_iter().map(|value| vec![(name.clone(), value)]).collect());
        }
        let jobs = axes.iter().try_fold(1usize, |count, axis| count.checked_mul(axis.len()));
        match jobs {
            Some(jobs) if jobs <= MOST_JOBS => Ok(Values { axes }),
            _ => Err(format!("more than {MOST_JOBS} jobs")),
        }
    }
}

/// All ways to take one alternative of each axis; the last axis changes first.
pub(crate) fn combinations(values: &Values) -> Vec<Parameters> {
    let mut all: Vec<Parameters> = vec![Vec::new()];
    for axis in &values.axes {
        let longer = all.iter().flat_map(|start| {
            axis.iter().map(move |more| start.iter().chain(more).cloned().collect::<Parameters>())
        });
        all = longer.collect();
    }
    all
}

fn scalar(name: &str, value: &toml::Value) -> Result<String, String> {
    match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        toml::Value::Float(number) => Ok(number.to_string()),
        toml::Value::Boolean(value) => Ok(value.to_string()),
        _ => Err(format!("a value of `{name}` must be a text or a number")),
    }
}

/// What a placeholder may be.
fn alternatives(name: &str, value: &toml::Value, folder: &Path) -> Result<Vec<String>, String> {
    let values = match value {
        toml::Value::Array(values) => values.iter().map(|value| scalar(name, value)).collect(),
        toml::Value::Table(table) => match (table.get("files"), table.get("from"), table.get("to")) {
            (Some(toml::Value::String(pattern)), None, None) if table.len() == 1 => files(pattern, folder),
            (None, Some(toml::Value::Integer(from)), Some(toml::Value::Integer(to))) => {
                let step = match table.get("step") {
                    None if table.len() == 2 => 1,
                    Some(&toml::Value::Integer(step)) if table.len() == 3 && step > 0 => step,
                    _ => return Err(format!("`{name}` needs `from`, `to` and perhaps a positive `step`")),
                };
                numbers(name, *from, *to, step)
            }
            _ => Err(format!("`{name}` needs a list, {{ files = \"*.pddl\" }} or {{ from = 1, to = 9 }}")),
        },
        single => scalar(name, single).map(|value| vec![value]),
    }?;
    match values.is_empty() {
        true => Err(format!("`{name}` has no value")),
        false => Ok(values),
    }
}

fn numbers(name: &str, from: i64, to: i64, step: i64) -> Result<Vec<String>, String> {
    if to.saturating_sub(from) / step > MOST_NUMBERS {
        return Err(format!("`{name}` has more than {MOST_NUMBERS} values"));
    }
    Ok((from..=to).step_by(step as usize).map(|number| number.to_string()).collect())
}

/// Files that fit a pattern, sorted, relative to the folder of the batch.
fn files(pattern: &str, folder: &Path) -> Result<Vec<String>, String> {
    let whole = folder.join(pattern);
    let whole = whole.to_str().ok_or("the path of the batch is not text")?;
    let found = glob::glob(whole).map_err(|error| format!("the pattern `{pattern}` is wrong: {error}"))?;
    let mut names = Vec::new();
    for path in found {
        let path = path.map_err(|error| format!("cannot look for `{pattern}`: {error}"))?;
        let relative = path.strip_prefix(folder).unwrap_or(&path);
        names.push(relative.to_str().ok_or_else(|| format!("{} is not text", path.display()))?.to_owned());
    }
    match names.is_empty() {
        true => Err(format!("no file fits `{pattern}`")),
        false => Ok(names),
    }
}
