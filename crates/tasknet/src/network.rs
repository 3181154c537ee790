//! Task networks that are not yet carried out, with hash-consed identity.
//!
//! A network is a block of tasks, some of which wait for others of the block, followed by the rest of the network.
//! Where the order is total every block holds one task, and the whole is an agenda. Refining a task puts its
//! subtasks in its place, so what is done next never costs more than the block at the front, however long the
//! rest. Equal networks get equal ids as long as they came about in the same way.

use std::hash::Hash;

use counterplay_base::{Growth, Id, IdVec, id};
use rustc_hash::FxHashMap;

id! {
    /// One network of a [`Networks`] table. Equal ids mean equal networks.
    pub struct NetworkId;
}

/// A task of a block, and the positions of those it waits for.
type Member<T> = (T, Vec<u32>);

#[derive(Clone, Debug)]
enum Cell<T> {
    Empty,
    One(T, NetworkId),
    Block(Vec<Member<T>>, NetworkId),
}

/// A table in which every network occurs once.
#[derive(Clone, Debug)]
pub struct Networks<T> {
    cells: IdVec<NetworkId, Cell<T>>,
    lens: IdVec<NetworkId, usize>,
    ones: FxHashMap<(T, NetworkId), NetworkId>,
    blocks: FxHashMap<(Vec<Member<T>>, NetworkId), NetworkId>,
}

impl<T: Clone + Eq + Hash> Networks<T> {
    /// A table that knows only the empty network.
    pub fn new() -> Networks<T> {
        Networks {
            cells: vec![Cell::Empty].into(),
            lens: vec![0].into(),
            ones: FxHashMap::default(),
            blocks: FxHashMap::default(),
        }
    }

    /// The network with nothing to do.
    pub fn empty(&self) -> NetworkId {
        NetworkId::new(0)
    }

    /// Number of tasks of a network.
    pub fn len(&self, network: NetworkId) -> usize {
        self.lens[network]
    }

    /// Whether a network has nothing to do.
    pub fn is_empty(&self, network: NetworkId) -> bool {
        self.lens[network] == 0
    }

    /// Number of networks in the table.
    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// Bytes that `ahead` more networks would make the table take, where it has to grow for them.
    pub fn growth(&self, ahead: usize) -> usize {
        // Where the order is total there are no blocks, and none will come.
        let blocks = if self.blocks.is_empty() { 0 } else { self.blocks.growth(ahead) };
        self.cells.growth(ahead) + self.lens.growth(ahead) + self.ones.growth(ahead) + blocks
    }

    /// The tasks at the front, which may have to wait for each other.
    pub fn front(&self, network: NetworkId) -> impl Iterator<Item = &T> {
        let (one, block): (Option<&T>, &[Member<T>]) = match &self.cells[network] {
            Cell::Empty => (None, &[]),
            Cell::One(task, _) => (Some(task), &[]),
            Cell::Block(block, _) => (None, block),
        };
        one.into_iter().chain(block.iter().map(|(task, _)| task))
    }

    /// What follows the front.
    pub fn rest(&self, network: NetworkId) -> NetworkId {
        match &self.cells[network] {
            Cell::Empty => network,
            Cell::One(_, rest) | Cell::Block(_, rest) => *rest,
        }
    }

    /// All tasks, each after those it waits for.
    pub fn tasks(&self, mut network: NetworkId) -> Vec<T> {
        let mut tasks = Vec::with_capacity(self.len(network));
        while !self.is_empty(network) {
            tasks.extend(self.front(network).cloned());
            network = self.rest(network);
        }
        tasks
    }

    /// The task at a position of the front, if it waits for nothing.
    pub fn ready(&self, network: NetworkId, position: usize) -> Option<&T> {
        match &self.cells[network] {
            Cell::One(task, _) if position == 0 => Some(task),
            Cell::Block(block, _) => {
                block.get(position).filter(|(_, after)| after.is_empty()).map(|(task, _)| task)
            }
            _ => None,
        }
    }

    /// Whether only one task waits for nothing.
    pub fn is_forced(&self, network: NetworkId) -> bool {
        match &self.cells[network] {
            Cell::Empty | Cell::One(..) => true,
            Cell::Block(block, _) => block.iter().filter(|(_, after)| after.is_empty()).count() == 1,
        }
    }

    /// Tasks in front of a network. `after` names for each those before it, by smaller positions; without it
    /// the order is total.
    pub fn before<I>(&mut self, tasks: I, after: Option<&[Vec<usize>]>, rest: NetworkId) -> NetworkId
    where
        I: IntoIterator<Item = T>,
        I::IntoIter: DoubleEndedIterator,
    {
        match after {
            None => tasks.into_iter().rev().fold(rest, |rest, task| self.one(task, rest)),
            Some(after) => {
                let after = after.iter().map(|list| list.iter().map(|&at| at as u32).collect());
                self.block(tasks.into_iter().zip(after).collect(), rest)
            }
        }
    }

    /// The network without a task of its front.
    pub fn done(&mut self, network: NetworkId, position: usize) -> NetworkId {
        self.replaced(network, position, Vec::new(), None)
    }

    /// The network with a ready task of its front before all others.
    pub fn selected(&mut self, network: NetworkId, position: usize) -> NetworkId {
        let Some(task) = self.ready(network, position).cloned() else { return network };
        let rest = self.done(network, position);
        self.one(task, rest)
    }

    /// The network with subtasks in the place of a task of its front.
    pub fn refined(
        &mut self,
        network: NetworkId,
        position: usize,
        subtasks: Vec<T>,
        after: Option<&[Vec<usize>]>,
    ) -> NetworkId {
        self.replaced(network, position, subtasks, after)
    }

    fn replaced(
        &mut self,
        network: NetworkId,
        position: usize,
        subtasks: Vec<T>,
        after: Option<&[Vec<usize>]>,
    ) -> NetworkId {
        let (block, rest) = match &self.cells[network] {
            Cell::Empty => unreachable!("only a task that is there can be replaced"),
            Cell::One(_, rest) => {
                let rest = *rest;
                return self.before(subtasks, after, rest);
            }
            Cell::Block(block, rest) => (block, *rest),
        };
        let count = subtasks.len();
        // Where a position of the old block stands in the new one.
        let moved = |at: u32| if at as usize > position { at + count as u32 - 1 } else { at };
        let mut new: Vec<Member<T>> = Vec::with_capacity(block.len() + count);
        new.extend(block[..position].iter().cloned());
        for (at, task) in subtasks.into_iter().enumerate() {
            let before: Vec<usize> = match after {
                Some(after) => after[at].clone(),
                None => at.checked_sub(1).into_iter().collect(),
            };
            new.push((task, before.into_iter().map(|it| (position + it) as u32).collect()));
        }
        new.extend(block[position + 1..].iter().cloned());
        for (at, (_, waits)) in new.iter_mut().enumerate() {
            if (position..position + count).contains(&at) {
                continue;
            }
            let waited = waits.contains(&(position as u32));
            waits.retain(|&it| it as usize != position);
            waits.iter_mut().for_each(|it| *it = moved(*it));
            if waited {
                waits.extend((position..position + count).map(|it| it as u32));
            }
            waits.sort_unstable();
        }
        self.block(new, rest)
    }

    fn one(&mut self, task: T, rest: NetworkId) -> NetworkId {
        let (cells, lens) = (&mut self.cells, &mut self.lens);
        *self.ones.entry((task, rest)).or_insert_with_key(|(task, rest)| {
            lens.push(lens[*rest] + 1);
            cells.push(Cell::One(task.clone(), *rest))
        })
    }

    fn block(&mut self, mut members: Vec<Member<T>>, rest: NetworkId) -> NetworkId {
        match members.len() {
            0 => return rest,
            1 => {
                let (task, _) = members.pop().expect("one member");
                return self.one(task, rest);
            }
            _ => {}
        }
        let (cells, lens) = (&mut self.cells, &mut self.lens);
        *self.blocks.entry((members, rest)).or_insert_with_key(|(members, rest)| {
            lens.push(lens[*rest] + members.len());
            cells.push(Cell::Block(members.clone(), *rest))
        })
    }
}

impl<T: Clone + Eq + Hash> Default for Networks<T> {
    fn default() -> Self {
        Networks::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_total_order_is_an_agenda() {
        let mut networks = Networks::new();
        let nothing = networks.empty();
        let abc = networks.before(["a", "b", "c"], None, nothing);
        let bc = networks.done(abc, 0);
        assert_eq!(networks.before(["b", "c"], None, nothing), bc);
        let xybc = networks.refined(abc, 0, vec!["x", "y"], None);
        assert_eq!(networks.tasks(xybc), ["x", "y", "b", "c"]);
        assert_eq!(networks.len(xybc), 4);
        assert!(networks.ready(xybc, 1).is_none());
    }

    /// All orders in which the tasks of a network can be done.
    fn linearizations(networks: &mut Networks<&'static str>, network: NetworkId) -> Vec<String> {
        if networks.is_empty(network) {
            return vec![String::new()];
        }
        let mut found = Vec::new();
        for position in 0..networks.front(network).count() {
            let Some(&task) = networks.ready(network, position) else { continue };
            let next = networks.done(network, position);
            found.extend(linearizations(networks, next).into_iter().map(|rest| format!("{task}{rest}")));
        }
        found.sort();
        found
    }

    #[test]
    fn a_task_that_is_selected_comes_first() {
        let mut networks = Networks::new();
        let nothing = networks.empty();
        let network = networks.before(["a", "b", "c"], Some(&[vec![], vec![], vec![1]]), nothing);
        let selected = networks.selected(network, 1);
        assert_eq!(linearizations(&mut networks, selected), ["bac", "bca"]);
        assert_eq!(networks.selected(network, 2), network, "a task that waits cannot be selected");
    }

    #[test]
    fn subtasks_inherit_the_order_of_their_task() {
        let mut networks = Networks::new();
        let nothing = networks.empty();
        let end = networks.before(["z"], None, nothing);
        // a and b unordered, c after b.
        let network = networks.before(["a", "b", "c"], Some(&[vec![], vec![], vec![1]]), end);
        assert_eq!(linearizations(&mut networks, network), ["abcz", "bacz", "bcaz"]);
        let refined = networks.refined(network, 1, vec!["p", "q"], Some(&[vec![], vec![]]));
        let mut orders = linearizations(&mut networks, refined);
        assert_eq!(orders.len(), 8);
        assert!(orders.iter().all(|it| it.find('c') > it.find('p') && it.find('c') > it.find('q')));
        let gone = networks.refined(network, 1, vec![], None);
        orders = linearizations(&mut networks, gone);
        assert_eq!(orders, ["acz", "caz"]);
    }
}
