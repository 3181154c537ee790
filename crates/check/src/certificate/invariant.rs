//! A reader of invariants.
//!
//! ```text
//! unsolvable                  or   at-least COST
//! zone VAR=VALUE ...          facts; zones are numbered from 0
//! estimate BASE WEIGHT*ZONE ...
//! state COST VAR=VALUE ...    one value for each variable, in order
//! order VAR ...               the order in which nodes ask for variables
//! node NUMBER VAR SET ...     a set for each value; 0 is the empty set, 1 all states, nodes are numbered from 2
//! layer COST SET
//! end
//! ```

use counterplay_base::{Budget, BudgetPoll};

use super::layers::{Diagram, Layer};
use super::task::{Fact, FiniteTask};
use super::{CertificateClaim, CertificateFile, CertificateFlaw};

#[derive(Debug)]
pub(super) struct Invariant {
    pub(super) claim: CertificateClaim,
    pub(super) zones: Vec<Vec<Fact>>,
    pub(super) estimates: Vec<Estimate>,
    pub(super) states: Vec<Closed>,
    pub(super) diagram: Diagram,
    pub(super) layers: Vec<Layer>,
}

#[derive(Debug)]
pub(super) struct Estimate {
    pub(super) base: u64,
    /// Zones, each with its weight.
    pub(super) parts: Vec<(usize, u64)>,
    pub(super) line: usize,
}

#[derive(Debug)]
pub(super) struct Closed {
    pub(super) cost: u64,
    pub(super) values: Vec<u32>,
    pub(super) line: usize,
}

/// Reads an invariant about a task.
pub(super) fn read(text: &str, task: &FiniteTask, budget: &Budget) -> Result<Invariant, CertificateFlaw> {
    let mut poll = BudgetPoll::every(64);
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    let claim = match lines.next() {
        Some((line, text)) => {
            claim(text).ok_or_else(|| wrong(line, "expected `unsolvable` or `at-least COST`"))?
        }
        None => return Err(wrong(1, "the file is empty")),
    };
    let mut invariant = Invariant {
        claim,
        zones: Vec::new(),
        estimates: Vec::new(),
        states: Vec::new(),
        diagram: Diagram::default(),
        layers: Vec::new(),
    };
    let mut last = 1;
    for (line, text) in lines.by_ref() {
        poll.step(budget)?;
        last = line;
        let mut words = text.split_whitespace();
        match words.next() {
            Some("zone") => {
                let zone = words.map(|word| fact(word, task)).collect::<Option<Vec<Fact>>>();
                invariant
                    .zones
                    .push(zone.ok_or_else(|| wrong(line, "expected facts `VAR=VALUE` of the task"))?);
            }
            Some("estimate") => {
                let estimate = estimate(words, line, invariant.zones.len());
                invariant.estimates.push(estimate.ok_or_else(|| {
                    wrong(line, "expected a cost and parts `WEIGHT*ZONE` with zones from above, each once")
                })?);
            }
            Some("state") => {
                let state = state(words, line, task);
                invariant.states.push(state.ok_or_else(|| {
                    wrong(line, "expected a cost and one value for each variable, in order")
                })?);
            }
            Some("order") => {
                invariant.diagram.read_order(words, task).map_err(|what| wrong(line, what))?;
            }
            Some("node") => invariant.diagram.read_node(words, task).map_err(|what| wrong(line, what))?,
            Some("layer") => {
                let layer = invariant.diagram.read_layer(words, line).map_err(|what| wrong(line, what))?;
                invariant.layers.push(layer);
            }
            Some("end") if words.next().is_none() => {
                return match lines.find(|(_, text)| !text.trim().is_empty()) {
                    None => Ok(invariant),
                    Some((line, _)) => Err(wrong(line, "there is text after the end")),
                };
            }
            _ => {
                return Err(wrong(
                    line,
                    "expected `zone`, `estimate`, `state`, `order`, `node`, `layer` or `end`",
                ));
            }
        }
    }
    Err(wrong(last, "the file ends without `end`: it was cut off"))
}

fn wrong(line: usize, what: &str) -> CertificateFlaw {
    CertificateFlaw::Malformed { file: CertificateFile::Invariant, line, what: what.to_owned() }
}

fn claim(line: &str) -> Option<CertificateClaim> {
    match line.split_whitespace().collect::<Vec<_>>()[..] {
        ["unsolvable"] => Some(CertificateClaim::Unsolvable),
        ["at-least", cost] => cost.parse().ok().map(CertificateClaim::AtLeast),
        _ => None,
    }
}

fn fact(word: &str, task: &FiniteTask) -> Option<Fact> {
    let (var, value) = word.split_once('=')?;
    let (var, value) = (var.parse::<u32>().ok()?, value.parse::<u32>().ok()?);
    (value < *task.domains.get(var as usize)?).then_some((var, value))
}

fn estimate<'a>(mut words: impl Iterator<Item = &'a str>, line: usize, zones: usize) -> Option<Estimate> {
    let base = words.next()?.parse().ok()?;
    let mut parts: Vec<(usize, u64)> = Vec::new();
    for word in words {
        let (weight, zone) = word.split_once('*')?;
        let zone = zone.parse().ok().filter(|&zone| zone < zones)?;
        // In order, so that no zone counts twice.
        if parts.last().is_some_and(|&(last, _)| last >= zone) {
            return None;
        }
        parts.push((zone, weight.parse().ok()?));
    }
    Some(Estimate { base, parts, line })
}

fn state<'a>(mut words: impl Iterator<Item = &'a str>, line: usize, task: &FiniteTask) -> Option<Closed> {
    let cost = words.next()?.parse().ok()?;
    let mut values = Vec::new();
    for word in words {
        let (var, value) = fact(word, task)?;
        if var as usize != values.len() {
            return None;
        }
        values.push(value);
    }
    (values.len() == task.domains.len()).then_some(Closed { cost, values, line })
}
