//! Rows for machines (CSV) and one table for people.

use std::fmt::Write;

use crate::reference::{Optimal, Reference};
use crate::suite::{PHASES, Peer, Row, Run};

/// Times below this are start-up and noise; a ratio is not judged slow for them.
const NOISE: f64 = 0.05;

/// The header of the CSV rows.
pub fn csv_header(peers: &[Peer]) -> Vec<String> {
    let mut header: Vec<String> =
        ["domain", "instance", "verdict", "cost", "length"].map(str::to_owned).to_vec();
    header.extend(PHASES.map(str::to_owned));
    header.extend(["wall", "cpu", "peak_mb", "peak_nodes", "ran"].map(str::to_owned));
    for peer in peers {
        for what in ["verdict", "cost", "cpu", "peak_mb"] {
            header.push(format!("{}_{what}", peer.name));
        }
    }
    header
}

/// One CSV row.
pub fn csv_row(row: &Row) -> Vec<String> {
    let own = &row.own;
    let mut fields = vec![row.instance.domain.clone(), row.instance.name.clone(), own.verdict.clone()];
    fields.push(plain(own.cost));
    fields.push(own.length.map(|length| length.to_string()).unwrap_or_default());
    fields.extend(own.phases.map(plain));
    fields.extend([seconds(own.wall), seconds(own.cpu), megabytes(own.peak_memory)]);
    fields.push(own.peak_nodes.map(|nodes| nodes.to_string()).unwrap_or_default());
    fields.push(own.ran.clone());
    for peer in &row.peers {
        fields.extend([
            peer.verdict.clone(),
            plain(peer.cost),
            seconds(peer.cpu),
            megabytes(peer.peak_memory),
        ]);
    }
    fields
}

fn plain(number: Option<f64>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

fn seconds(number: f64) -> String {
    format!("{number:.3}")
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / 1e6)
}

/// Whether an answer agrees with what is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It agrees.
    Right,
    /// It contradicts.
    Wrong,
    /// There is nothing to compare with.
    Unknown,
    /// There is no answer.
    Unanswered,
}

impl Judgement {
    /// Judges a run.
    pub fn of(run: &Run, optimal: Optimal) -> Judgement {
        match (run.verdict.as_str(), optimal) {
            ("stopped" | "killed", _) => Judgement::Unanswered,
            ("solved", Optimal::Cost(cost)) if run.cost == Some(cost) => Judgement::Right,
            ("unsolvable", Optimal::Unsolvable) | ("solved", Optimal::Solvable) => Judgement::Right,
            ("solved" | "unsolvable", Optimal::Unknown) => Judgement::Unknown,
            _ => Judgement::Wrong,
        }
    }

    fn mark(self) -> &'static str {
        match self {
            Judgement::Right => "ok",
            Judgement::Wrong => "WRONG",
            Judgement::Unknown => "?",
            Judgement::Unanswered => "-",
        }
    }
}

/// The comparison of a whole run.
#[derive(Debug)]
pub struct Table<'a> {
    rows: &'a [Row],
    reference: &'a Reference,
    /// Whom we compare with: planners of the reference, then peers that ran beside us. A peer that ran replaces
    /// the reference's times of the same name.
    names: Vec<String>,
}

impl<'a> Table<'a> {
    /// Compares rows with a reference and with the peers in them.
    pub fn new(rows: &'a [Row], reference: &'a Reference, peers: &[Peer]) -> Table<'a> {
        let mut names: Vec<String> = peers.iter().map(|peer| peer.name.clone()).collect();
        names.extend(
            reference.planners.iter().filter(|name| !peers.iter().any(|peer| peer.name == **name)).cloned(),
        );
        Table { rows, reference, names }
    }

    /// CPU seconds of everybody we compare with, in the order of the names.
    fn others(&self, row: &Row) -> Vec<Option<f64>> {
        let known = self.reference.get(&row.instance.domain, &row.instance.name);
        let of_peer = |i: usize| {
            let run = row.peers.get(i)?;
            run.is_solved().then_some(run.cpu)
        };
        let of_reference = |name: &String| {
            let i = self.reference.planners.iter().position(|planner| planner == name)?;
            known?.cpu[i]
        };
        let peers = row.peers.len();
        let find = |(i, name)| if i < peers { of_peer(i) } else { of_reference(name) };
        self.names.iter().enumerate().map(find).collect()
    }

    fn optimal(&self, row: &Row) -> Optimal {
        let known = self.reference.get(&row.instance.domain, &row.instance.name);
        known.map_or(Optimal::Unknown, |known| known.optimal)
    }

    /// Judgements of all rows. A peer with another cost is a contradiction too.
    pub fn judgements(&self) -> Vec<Judgement> {
        let judge = |row: &Row| {
            let other_cost =
                |peer: &Run| peer.is_solved() && row.own.is_solved() && peer.cost != row.own.cost;
            match Judgement::of(&row.own, self.optimal(row)) {
                _ if row.peers.iter().any(other_cost) => Judgement::Wrong,
                judgement => judgement,
            }
        };
        self.rows.iter().map(judge).collect()
    }

    /// The whole table with its summary.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let judgements = self.judgements();
        let width =
            self.rows.iter().map(|row| row.instance.title().len()).max().unwrap_or(0).max("problem".len());
        let _ = write!(text, "{:width$} {:>10} {:5} {:>9} {:>8}", "problem", "cost", "", "cpu s", "MB");
        for name in &self.names {
            let _ = write!(text, " {:>9}", format!("/{name}"));
        }
        text.push_str("  ran\n");
        for (row, judgement) in self.rows.iter().zip(&judgements) {
            let own = &row.own;
            let pairs = own.size.map(|size| format!("{size} pairs"));
            let cost = own.cost.map(|cost| cost.to_string()).or(pairs).unwrap_or_else(|| own.verdict.clone());
            let _ = write!(text, "{:width$} {cost:>10} {:5}", row.instance.title(), judgement.mark());
            let _ = write!(text, " {:>9.3} {:>8}", own.cpu, megabytes(own.peak_memory));
            for other in self.others(row) {
                let ratio = other
                    .filter(|_| own.is_solved())
                    .map_or("-".to_owned(), |other| ratio_text(own.cpu / other));
                let _ = write!(text, " {ratio:>9}");
            }
            let _ = writeln!(text, "  {}", own.ran);
        }
        self.summarise(&judgements, &mut text);
        text
    }

    fn summarise(&self, judgements: &[Judgement], text: &mut String) {
        let count = |wanted| judgements.iter().filter(|&&judgement| judgement == wanted).count();
        let answered = judgements.len() - count(Judgement::Unanswered);
        let cpu: f64 = self.rows.iter().map(|row| row.own.cpu).sum();
        let memory = self.rows.iter().map(|row| row.own.peak_memory).max().unwrap_or(0);
        let _ = writeln!(
            text,
            "\nanswered {answered} of {}: {} right, {} wrong, {} without a reference; {cpu:.1} s of CPU, at most {} MB",
            judgements.len(),
            count(Judgement::Right),
            count(Judgement::Wrong),
            count(Judgement::Unknown),
            megabytes(memory),
        );
        for (i, name) in self.names.iter().enumerate() {
            let ratio = |row: &Row| Some(row.own.cpu / self.others(row)[i].filter(|_| row.own.is_solved())?);
            let ratios: Vec<f64> = self.rows.iter().filter_map(ratio).collect();
            let solved = self.rows.iter().filter(|row| self.others(row)[i].is_some()).count();
            let _ = writeln!(
                text,
                "CPU against {name}: {} in the geometric mean of {} problems ({name} solves {solved})",
                geometric_mean(&ratios).map_or("-".to_owned(), ratio_text),
                ratios.len(),
            );
        }
        let slow = self.slow();
        if !slow.is_empty() {
            let _ = writeln!(text, "more than twice the best of the others (runs under {NOISE} s aside):");
            for (title, own, best) in slow {
                let own = own.map_or("not solved".to_owned(), |own| format!("{own:.3} s"));
                let _ = writeln!(text, "  {title}: {own} against {best:.3} s");
            }
        }
    }

    /// Problems that another planner solves in less than half our time: title, our seconds, theirs.
    fn slow(&self) -> Vec<(String, Option<f64>, f64)> {
        let judge = |row: &Row| {
            let best = self.others(row).into_iter().flatten().reduce(f64::min)?;
            let own = row.own.is_answered().then_some(row.own.cpu);
            let slow = own.is_none_or(|own| own > 2.0 * best && own > NOISE);
            slow.then(|| (row.instance.title(), own, best))
        };
        self.rows.iter().filter_map(judge).collect()
    }
}

/// Small ratios need more digits than large ones.
fn ratio_text(ratio: f64) -> String {
    if ratio < 10.0 { format!("x{ratio:.3}") } else { format!("x{ratio:.1}") }
}

/// The geometric mean; `None` of nothing.
pub fn geometric_mean(numbers: &[f64]) -> Option<f64> {
    if numbers.is_empty() {
        return None;
    }
    let logarithms: f64 = numbers.iter().map(|number| number.max(1e-4).ln()).sum();
    Some((logarithms / numbers.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use expect_test::expect;

    use super::*;
    use crate::problems::Instance;

    fn row(name: &str, verdict: &str, cost: Option<f64>, cpu: f64) -> Row {
        let instance = Instance {
            domain: "d".to_owned(),
            name: name.to_owned(),
            domain_file: PathBuf::new(),
            problem_file: PathBuf::new(),
        };
        let own = Run { verdict: verdict.to_owned(), cost, cpu, ran: "search".to_owned(), ..Run::default() };
        Row { instance, own, peers: Vec::new() }
    }

    #[test]
    fn one_table_tells_it_all() {
        let reference = "domain,instance,optimal,symk_cpu,lmcut_cpu\nd,p1,34,2.0,\nd,p2,7,1.0,0.1\nd,p3,unsolvable,,\n\
            d,p4,5,1,1\n";
        let reference = Reference::read(reference).unwrap();
        let rows = [
            row("p1", "solved", Some(34.0), 0.2),
            row("p2", "solved", Some(8.0), 0.4),
            row("p3", "unsolvable", None, 0.1),
            row("p4", "stopped", None, 60.0),
            row("p5", "solved", Some(1.0), 0.1),
        ];
        let table = Table::new(&rows, &reference, &[]);
        expect![[r#"
            problem       cost           cpu s       MB     /symk    /lmcut  ran
            d/p1            34 ok        0.200      0.0    x0.100         -  search
            d/p2             8 WRONG     0.400      0.0    x0.400    x4.000  search
            d/p3    unsolvable ok        0.100      0.0         -         -  search
            d/p4       stopped -        60.000      0.0         -         -  search
            d/p5             1 ?         0.100      0.0         -         -  search

            answered 4 of 5: 2 right, 1 wrong, 1 without a reference; 60.8 s of CPU, at most 0.0 MB
            CPU against symk: x0.200 in the geometric mean of 2 problems (symk solves 3)
            CPU against lmcut: x4.000 in the geometric mean of 1 problems (lmcut solves 2)
            more than twice the best of the others (runs under 0.05 s aside):
              d/p2: 0.400 s against 0.100 s
              d/p4: not solved against 1.000 s
        "#]]
        .assert_eq(&table.text());
    }

    #[test]
    fn a_peer_that_ran_replaces_the_reference_and_may_contradict() {
        let reference = Reference::read("domain,instance,optimal,symk_cpu\nd,p1,,9.0\n").unwrap();
        let mut row = row("p1", "solved", Some(3.0), 1.0);
        row.peers = vec![Run { verdict: "solved".to_owned(), cost: Some(2.0), cpu: 4.0, ..Run::default() }];
        let peers = [Peer::parse("symk=x {problem}").unwrap()];
        let rows = [row];
        let table = Table::new(&rows, &reference, &peers);
        assert_eq!(table.names, ["symk"]);
        assert_eq!(table.others(&rows[0]), [Some(4.0)]);
        assert_eq!(table.judgements(), [Judgement::Wrong]);
    }

    #[test]
    fn means_are_geometric() {
        assert_eq!(geometric_mean(&[]), None);
        assert!((geometric_mean(&[1.0, 4.0]).unwrap() - 2.0).abs() < 1e-12);
    }
}
