//! The invariant as text, for the checker of this project.

use std::io::{self, Write};

use counterplay_base::Id as _;
use counterplay_task::Fact;

use crate::formula::facts_of;
use crate::invariant::{Claim, Invariant};

/// Writes the invariant: a line each for the claim, the zones, the estimates, the closed states, and the nodes and layers of diagrams. Facts are
/// pairs `variable=value`, numbered as in the translator format.
///
/// # Errors
/// A file that cannot be written.
pub fn write_invariant(invariant: &Invariant, out: &mut dyn Write) -> io::Result<()> {
    match invariant.claim {
        Claim::Unsolvable => writeln!(out, "unsolvable")?,
        Claim::AtLeast(cost) => writeln!(out, "at-least {cost}")?,
    }
    for zone in &invariant.zones {
        write!(out, "zone")?;
        write_facts(zone.iter().copied(), out)?;
    }
    for estimate in &invariant.estimates {
        write!(out, "estimate {}", estimate.base)?;
        for (zone, weight) in &estimate.parts {
            write!(out, " {weight}*{zone}")?;
        }
        writeln!(out)?;
    }
    for state in &invariant.states {
        write!(out, "state {}", state.g)?;
        write_facts(facts_of(&state.values), out)?;
    }
    if !invariant.layers.is_empty() {
        write!(out, "order")?;
        for var in &invariant.diagram.order {
            write!(out, " {}", var.index())?;
        }
        writeln!(out)?;
    }
    for (i, node) in invariant.diagram.nodes.iter().enumerate() {
        write!(out, "node {} {}", i + 2, node.var.index())?;
        for child in &node.children {
            write!(out, " {child}")?;
        }
        writeln!(out)?;
    }
    for layer in &invariant.layers {
        writeln!(out, "layer {} {}", layer.cost, layer.set)?;
    }
    writeln!(out, "end")
}

fn write_facts(facts: impl Iterator<Item = Fact>, out: &mut dyn Write) -> io::Result<()> {
    for fact in facts {
        write!(out, " {}={}", fact.var.index(), fact.value)?;
    }
    writeln!(out)
}
