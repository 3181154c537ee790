//! What a task network runs in.
//!
//! The same methods make sense over one state, over a set of states, over what a player knows, over a board.
//! All that decomposition asks of it is to tell apart where a guard holds, and what an operation may lead to.

/// What a task network runs in: a state, a set of states, an information set, a board.
///
/// Laws: the two parts of [`split`](TaskWorld::split) are disjoint and together are the whole, and a part that is
/// `Some` is not empty.
pub trait TaskWorld: Clone {
    /// A condition on a world.
    type Guard;
    /// An operation that an agent can carry out.
    type Op;

    /// The part where the guard holds, and the rest. For a single state one of them is empty.
    fn split(&self, guard: &Self::Guard) -> (Option<Self>, Option<Self>);

    /// The worlds that doing `op` may lead to.
    fn apply(&self, op: &Self::Op) -> Outcomes<Self>;
}

/// The worlds that an operation may lead to. How likely each is belongs to the world, if it knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcomes<W> {
    /// The operation cannot be done here.
    None,
    /// It has one outcome.
    One(W),
    /// It has several, and the environment chooses.
    Any(Vec<W>),
}

impl<W> Outcomes<W> {
    /// Whether the operation can be done.
    pub fn is_possible(&self) -> bool {
        !matches!(self, Outcomes::None)
    }

    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Whether there is no outcome, which is to say that the operation cannot be done.
    pub fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    /// The outcomes, in order.
    pub fn as_slice(&self) -> &[W] {
        match self {
            Outcomes::None => &[],
            Outcomes::One(world) => std::slice::from_ref(world),
            Outcomes::Any(worlds) => worlds,
        }
    }

    /// The only outcome, if there is exactly one.
    pub fn only(self) -> Option<W> {
        match self {
            Outcomes::One(world) => Some(world),
            Outcomes::Any(mut worlds) if worlds.len() == 1 => worlds.pop(),
            _ => None,
        }
    }
}

impl<W> IntoIterator for Outcomes<W> {
    type Item = W;
    type IntoIter = std::iter::Chain<std::option::IntoIter<W>, std::vec::IntoIter<W>>;

    fn into_iter(self) -> Self::IntoIter {
        let (one, many) = match self {
            Outcomes::None => (None, Vec::new()),
            Outcomes::One(world) => (Some(world), Vec::new()),
            Outcomes::Any(worlds) => (None, worlds),
        };
        one.into_iter().chain(many)
    }
}

impl<W> FromIterator<W> for Outcomes<W> {
    fn from_iter<I: IntoIterator<Item = W>>(worlds: I) -> Self {
        let mut worlds = Vec::from_iter(worlds);
        match worlds.len() {
            0 => Outcomes::None,
            1 => Outcomes::One(worlds.remove(0)),
            _ => Outcomes::Any(worlds),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_counted_and_come_back() {
        for count in 0..4 {
            let outcomes = Outcomes::from_iter(0..count);
            assert_eq!(outcomes.len(), count);
            assert_eq!(outcomes.is_possible(), count > 0);
            assert_eq!(outcomes.clone().only().is_some(), count == 1);
            assert_eq!(outcomes.into_iter().collect::<Vec<_>>(), (0..count).collect::<Vec<_>>());
        }
    }
}
