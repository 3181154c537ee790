//! Known optimal costs, and what other planners needed.

use crate::csv::Csv;

/// What is known of the problems: one row each.
#[derive(Clone, Debug, Default)]
pub struct Reference {
    rows: Vec<Known>,
    /// Names of the planners whose CPU times are given (columns `NAME_cpu`).
    pub planners: Vec<String>,
}

/// What is known of one problem.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Known {
    domain: String,
    instance: String,
    /// Its optimal cost, if known.
    pub optimal: Optimal,
    /// CPU seconds of each planner, in the order of [`Reference::planners`]; `None` if it found no plan.
    pub cpu: Vec<Option<f64>>,
    /// The pairs of the best policy that another planner found (column `best_size`).
    pub size: Option<u64>,
}

/// What is known of the optimal cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Optimal {
    /// Nothing.
    #[default]
    Unknown,
    /// There is no plan or policy.
    Unsolvable,
    /// There is a policy; those have no cost (column `solvable`).
    Solvable,
    /// It is this.
    Cost(f64),
}

/// Why a reference could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReferenceError {
    /// A column is missing.
    #[error("the reference has no column `{0}`")]
    MissingColumn(&'static str),
    /// A field is neither empty nor what it should be.
    #[error("`{field}` of {title} is no {expected}")]
    Field {
        /// The field as written.
        field: String,
        /// What it should be.
        expected: &'static str,
        /// The problem.
        title: String,
    },
}

impl Reference {
    /// Reads a table with the columns `domain`, `instance`, perhaps `optimal` or `solvable` (`yes`, `no`) and `best_size`, and any
    /// number of `NAME_cpu`.
    pub fn read(text: &str) -> Result<Reference, ReferenceError> {
        let table = Csv::read(text);
        let column = |name| table.column(name).ok_or(ReferenceError::MissingColumn(name));
        let (domain, instance) = (column("domain")?, column("instance")?);
        let (optimal, solvable) = (table.column("optimal"), table.column("solvable"));
        let size = table.column("best_size");
        let planners: Vec<(usize, String)> = table
            .header
            .iter()
            .enumerate()
            .filter_map(|(i, name)| Some((i, name.strip_suffix("_cpu")?.to_owned())))
            .collect();
        let mut rows = Vec::new();
        for row in &table.rows {
            let title = format!("{}/{}", row[domain], row[instance]);
            let number = |field: &str, expected| {
                field.trim().parse::<f64>().map_err(|_| ReferenceError::Field {
                    field: field.to_owned(),
                    expected,
                    title: title.clone(),
                })
            };
            let field = |column: Option<usize>| column.map_or("", |at| row[at].trim());
            let optimal = match (field(optimal), field(solvable)) {
                ("", "yes") => Optimal::Solvable,
                ("unsolvable", _) | ("", "no") => Optimal::Unsolvable,
                ("", _) => Optimal::Unknown,
                (cost, _) => Optimal::Cost(number(cost, "cost")?),
            };
            let size = match field(size) {
                "" => None,
                size => Some(number(size, "number of pairs")? as u64),
            };
            let mut cpu = Vec::new();
            for (i, _) in &planners {
                let field = row[*i].as_str();
                cpu.push(if field.is_empty() { None } else { Some(number(field, "time")?) });
            }
            let (domain, instance) = (row[domain].clone(), row[instance].clone());
            rows.push(Known { domain, instance, optimal, cpu, size });
        }
        Ok(Reference { rows, planners: planners.into_iter().map(|(_, name)| name).collect() })
    }

    /// What is known of a problem.
    pub fn get(&self, domain: &str, instance: &str) -> Option<&Known> {
        self.rows.iter().find(|row| row.domain == domain && row.instance == instance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_and_times_are_read() {
        let text = "domain,instance,optimal,symk_cpu,lmcut_cpu,best\na,p1,34,2.8,,SymK\na,p2,,,,\nb,p1,unsolvable,1,2,\n";
        let reference = Reference::read(text).unwrap();
        assert_eq!(reference.planners, ["symk", "lmcut"]);
        let known = reference.get("a", "p1").unwrap();
        assert_eq!(
            (known.optimal, known.cpu.as_slice()),
            (Optimal::Cost(34.0), [Some(2.8), None].as_slice())
        );
        assert_eq!(reference.get("a", "p2").unwrap().optimal, Optimal::Unknown);
        assert_eq!(reference.get("b", "p1").unwrap().optimal, Optimal::Unsolvable);
        assert!(reference.get("b", "p2").is_none());
    }

    #[test]
    fn what_is_known_of_policies_is_read() {
        let text = "domain,instance,solvable,best,best_cpu,best_size\na,p1,yes,prp,0.2,33\na,p2,no,prp,0.1,\na,p3,,,,\n";
        let reference = Reference::read(text).unwrap();
        let known = |name| reference.get("a", name).map(|known| (known.optimal, known.size)).unwrap();
        assert_eq!(known("p1"), (Optimal::Solvable, Some(33)));
        assert_eq!(known("p2"), (Optimal::Unsolvable, None));
        assert_eq!(known("p3"), (Optimal::Unknown, None));
    }

    #[test]
    fn nonsense_is_named() {
        let text = |text| Reference::read(text).unwrap_err().to_string();
        assert_eq!(text("domain,optimal\n"), "the reference has no column `instance`");
        assert_eq!(text("domain,instance,optimal\na,p1,many\n"), "`many` of a/p1 is no cost");
    }

    #[test]
    fn the_index_of_the_examples_is_a_reference() {
        let index = include_str!("../../../examples/index.csv");
        let reference = Reference::read(index).unwrap();
        assert_eq!(reference.get("trail", "p02.pddl").unwrap().optimal, Optimal::Cost(31.5));
        assert_eq!(reference.get("river", "p4.pddl").unwrap().optimal, Optimal::Unsolvable);
    }
}
