//! Layers and values in memory, or in an archive and only those at hand in memory.

use counterplay_symbolic::{Ranked, StateSet, Unreadable};

use super::forward::{Forward, Layer};
use super::{Halt, Refusal, Solver};
use crate::archive::{
    ArchiveError, Kind, Records, put, put_large, put_outcomes, take, take_large, take_outcomes,
};

/// Values of a layer: each state has the number of its outcome, from 1 on, as rank; and how many states have each.
#[derive(Clone)]
pub(crate) struct Solved {
    pub(crate) values: Ranked,
    pub(crate) counts: Vec<u128>,
}

pub(crate) struct Store<'a> {
    pub(crate) records: Option<Records<'a>>,
    layers: Vec<Layer>,
    /// Values in memory, by layer.
    pub(crate) solved: Vec<Option<Solved>>,
}

/// How many states have each outcome, and the bytes of their diagram.
type Counted = (Vec<u128>, Vec<u8>);

impl<'a> Store<'a> {
    pub(crate) fn new(records: Option<Records<'a>>) -> Store<'a> {
        Store { records, layers: Vec::new(), solved: Vec::new() }
    }

    /// A layer from the archive.
    pub(crate) fn reached(&mut self, solver: &Solver<'_>, number: usize) -> Result<Option<Layer>, Halt> {
        let Some(records) = &mut self.records else { return Ok(None) };
        let Some(content) = records.load(Kind::Reach, number)? else { return Ok(None) };
        let mut rest = &content[..];
        let name = Kind::Reach.name(number);
        let outcomes = take_outcomes(&mut rest, solver.game.roles.len()).ok_or_else(|| damaged(&name))?;
        let mut sets = import(solver, &name, rest, outcomes.len() + 1)?.into_iter();
        let open = sets.next().expect("one more than outcomes");
        Ok(Some(Layer { open, ends: outcomes.into_iter().zip(sets).collect() }))
    }

    /// Keeps a new layer.
    pub(crate) fn reach(&mut self, solver: &Solver<'_>, number: usize, layer: &Layer) -> Result<(), Halt> {
        match &mut self.records {
            None => self.layers.push(layer.clone()),
            Some(records) => {
                let mut content = Vec::new();
                let rewards: Vec<&Vec<u32>> = layer.ends.iter().map(|(rewards, _)| rewards).collect();
                put_outcomes(&mut content, rewards.into_iter());
                let sets: Vec<&StateSet> =
                    std::iter::once(&layer.open).chain(layer.ends.iter().map(|(_, set)| set)).collect();
                content.extend(solver.space.export(&sets));
                records.save(Kind::Reach, number, &content)?;
            }
        }
        Ok(())
    }

    /// A layer that was kept.
    pub(crate) fn layer(&mut self, solver: &Solver<'_>, number: usize) -> Result<Layer, Halt> {
        match self.records {
            None => Ok(self.layers[number].clone()),
            Some(_) => self.reached(solver, number)?.ok_or_else(|| missing(Kind::Reach, number).into()),
        }
    }

    /// Notes that all layers are there.
    pub(crate) fn end(&mut self, figures: &Forward) -> Result<(), Halt> {
        let Some(records) = &mut self.records else { return Ok(()) };
        let mut content = Vec::new();
        put(&mut content, figures.layer_states.len() as u64);
        figures.layer_states.iter().for_each(|&states| put_large(&mut content, states));
        figures.layer_nodes.iter().for_each(|&nodes| put(&mut content, nodes));
        put_large(&mut content, figures.terminal);
        put_large(&mut content, figures.stuck);
        put_large(&mut content, figures.odd_rewards);
        put_outcomes(&mut content, figures.outcomes.iter());
        content.extend(figures.measure.as_deref().unwrap_or("").bytes());
        Ok(records.save(Kind::End, 0, &content)?)
    }

    /// The figures of all layers, if all are there.
    pub(crate) fn ended(&mut self, solver: &Solver<'_>) -> Result<Option<Forward>, Halt> {
        let Some(records) = &mut self.records else { return Ok(None) };
        let Some(content) = records.load(Kind::End, 0)? else { return Ok(None) };
        let read = |mut rest: &[u8]| {
            let count = take(&mut rest).filter(|&count| count <= content.len() as u64)?;
            let layer_states = (0..count).map(|_| take_large(&mut rest)).collect::<Option<Vec<u128>>>()?;
            let layer_nodes = (0..count).map(|_| take(&mut rest)).collect::<Option<Vec<u64>>>()?;
            let terminal = take_large(&mut rest)?;
            let stuck = take_large(&mut rest)?;
            let odd_rewards = take_large(&mut rest)?;
            let outcomes = take_outcomes(&mut rest, solver.game.roles.len())?;
            let measure = std::str::from_utf8(rest).ok()?;
            let measure = (!measure.is_empty()).then(|| measure.to_owned());
            Some(Forward { layer_states, layer_nodes, terminal, stuck, odd_rewards, measure, outcomes })
        };
        // What is used as an index or added up below must not be believed: a checksum tells accidents, not mistakes.
        let is_sound = |figures: &Forward| {
            let total = figures.layer_states.iter().try_fold(0u128, |sum, &count| sum.checked_add(count));
            total.is_some_and(|total| total > 0) && figures.outcomes.is_sorted_by(|one, other| one < other)
        };
        Ok(Some(read(&content).filter(is_sound).ok_or_else(|| damaged(&Kind::End.name(0)))?))
    }

    /// Keeps the values of a layer; with an archive, the one above is no longer held in memory.
    pub(crate) fn solve(
        &mut self,
        solver: &Solver<'_>,
        number: usize,
        outcomes: &[Vec<u32>],
        solved: Solved,
    ) -> Result<(), Halt> {
        if let Some(records) = &mut self.records {
            let mut content = Vec::new();
            put_outcomes(&mut content, outcomes.iter());
            solved.counts.iter().for_each(|&count| put_large(&mut content, count));
            content.extend(solver.space.export_ranked(&solved.values));
            records.save(Kind::Solved, number, &content)?;
            self.solved.iter_mut().for_each(|place| *place = None);
        }
        self.place(number, solved);
        Ok(())
    }

    fn place(&mut self, number: usize, solved: Solved) {
        if self.solved.len() <= number {
            self.solved.resize_with(number + 1, || None);
        }
        self.solved[number] = Some(solved);
    }

    /// Whether the archive has the values of a layer, and how many states have each outcome.
    pub(crate) fn counts(
        &mut self,
        solver: &Solver<'_>,
        number: usize,
        outcomes: &[Vec<u32>],
    ) -> Result<Option<Vec<u128>>, Halt> {
        Ok(self.content(solver, number, outcomes)?.map(|(counts, _)| counts))
    }

    /// Counts and diagram of a record of values.
    fn content(
        &mut self,
        solver: &Solver<'_>,
        number: usize,
        outcomes: &[Vec<u32>],
    ) -> Result<Option<Counted>, Halt> {
        let Some(records) = &mut self.records else { return Ok(None) };
        let Some(content) = records.load(Kind::Solved, number)? else { return Ok(None) };
        let name = Kind::Solved.name(number);
        let mut rest = &content[..];
        let own = take_outcomes(&mut rest, solver.game.roles.len()).ok_or_else(|| damaged(&name))?;
        if own != outcomes {
            return Err(ArchiveError::Foreign { name }.into());
        }
        let counts: Option<Vec<u128>> = own.iter().map(|_| take_large(&mut rest)).collect();
        Ok(Some((counts.ok_or_else(|| damaged(&name))?, rest.to_vec())))
    }

    /// The values of a layer.
    pub(crate) fn values(
        &mut self,
        solver: &Solver<'_>,
        number: usize,
        outcomes: &[Vec<u32>],
    ) -> Result<Solved, Halt> {
        if let Some(Some(solved)) = self.solved.get(number) {
            return Ok(solved.clone());
        }
        let (counts, rest) =
            self.content(solver, number, outcomes)?.ok_or_else(|| missing(Kind::Solved, number))?;
        let values = solver.space.import_ranked(&rest, outcomes.len() as u32);
        let values = values.map_err(|error| unreadable(&Kind::Solved.name(number), error))?;
        let solved = Solved { values, counts };
        self.place(number, solved.clone());
        Ok(solved)
    }
}

/// A record whose content contradicts itself or the others.
pub(crate) fn damaged(name: &str) -> Refusal {
    ArchiveError::Damaged { name: name.to_owned(), why: "its content is not in order".to_owned() }.into()
}

fn missing(kind: Kind, number: usize) -> Refusal {
    ArchiveError::Damaged { name: kind.name(number), why: "it is missing".to_owned() }.into()
}

fn import(solver: &Solver<'_>, name: &str, bytes: &[u8], count: usize) -> Result<Vec<StateSet>, Halt> {
    match solver.space.import(bytes) {
        Ok(sets) if sets.len() == count => Ok(sets),
        Ok(_) => Err(damaged(name).into()),
        Err(error) => Err(unreadable(name, error)),
    }
}

fn unreadable(name: &str, error: Unreadable) -> Halt {
    match error {
        Unreadable::Stopped(limit) => limit.into(),
        other => ArchiveError::Damaged { name: name.to_owned(), why: other.to_string() }.into(),
    }
}
