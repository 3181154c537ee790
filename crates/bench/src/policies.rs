//! Policies, domain by domain: how many problems are answered, in what time, and with how many pairs beside the best of the
//! reference.

use std::fmt::Write;

use crate::reference::Reference;
use crate::suite::Row;

/// What came of the problems of one domain. Times and pairs are summed over the problems that both sides have.
#[derive(Clone, Debug, Default, PartialEq)]
struct Domain {
    name: String,
    problems: usize,
    answered: usize,
    cpu: f64,
    other_cpu: f64,
    pairs: u64,
    other_pairs: u64,
}

impl Domain {
    fn add(&mut self, row: &Row, reference: &Reference) {
        self.problems += 1;
        if !row.own.is_answered() {
            return;
        }
        self.answered += 1;
        let known = reference.get(&row.instance.domain, &row.instance.name);
        if let Some(other) = known.and_then(|known| known.cpu.iter().flatten().copied().reduce(f64::min)) {
            self.cpu += row.own.cpu;
            self.other_cpu += other;
        }
        if let (Some(own), Some(other)) = (row.own.size, known.and_then(|known| known.size)) {
            self.pairs += own;
            self.other_pairs += other;
        }
    }

    fn line(&self, width: usize) -> String {
        let answered = format!("{}/{}", self.answered, self.problems);
        format!(
            "{:width$} {answered:>8} {:>9.2} {:>9.2} {:>7} {:>7}\n",
            self.name, self.cpu, self.other_cpu, self.pairs, self.other_pairs
        )
    }
}

/// A line for each domain and one for all; nothing if there is no policy among the answers.
pub fn by_domain(rows: &[Row], reference: &Reference) -> String {
    if rows.iter().all(|row| row.own.size.is_none()) {
        return String::new();
    }
    let mut domains: Vec<Domain> = Vec::new();
    let mut all = Domain { name: "all".to_owned(), ..Domain::default() };
    for row in rows {
        let name = &row.instance.domain;
        if domains.last().is_none_or(|last| last.name != *name) {
            domains.push(Domain { name: name.clone(), ..Domain::default() });
        }
        if let Some(own) = domains.last_mut() {
            own.add(row, reference);
        }
        all.add(row, reference);
    }
    let width = domains.iter().map(|domain| domain.name.len()).max().unwrap_or(0).max("domain".len());
    let mut text = String::new();
    let _ = writeln!(
        text,
        "\n{:width$} {:>8} {:>9} {:>9} {:>7} {:>7}",
        "domain", "answered", "cpu s", "best s", "pairs", "best"
    );
    domains.iter().chain([&all]).for_each(|domain| text.push_str(&domain.line(width)));
    text
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use expect_test::expect;

    use super::*;
    use crate::problems::Instance;
    use crate::suite::Run;

    #[test]
    fn domains_are_summed_where_both_sides_have_an_answer() {
        let row = |domain: &str, name: &str, verdict: &str, size, cpu| Row {
            instance: Instance {
                domain: domain.to_owned(),
                name: name.to_owned(),
                domain_file: PathBuf::new(),
                problem_file: PathBuf::new(),
            },
            own: Run { verdict: verdict.to_owned(), size, cpu, ..Run::default() },
            peers: Vec::new(),
        };
        let reference = "domain,instance,solvable,best,best_cpu,best_size\n\
            doors,p1,yes,prp,0.5,33\ndoors,p2,yes,,,\nfaults,p1,no,prp,0.25,\n";
        let reference = Reference::read(reference).unwrap();
        let rows = [
            row("doors", "p1", "solved", Some(32), 0.25),
            row("doors", "p2", "solved", Some(9), 1.0),
            row("doors", "p3", "stopped", None, 5.0),
            row("faults", "p1", "unsolvable", None, 0.125),
        ];
        expect![[r#"

            domain answered     cpu s    best s   pairs    best
            doors       2/3      0.25      0.50      32      33
            faults      1/1      0.12      0.25       0       0
            all         3/4      0.38      0.75      32      33
        "#]]
        .assert_eq(&by_domain(&rows, &reference));
        assert_eq!(by_domain(&rows[3..], &reference), "");
    }
}
