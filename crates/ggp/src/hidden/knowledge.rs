//! What a role knows: its own moves, what it perceived of each joint move, and what it may do.

use counterplay_equilibrium::sequence::Infoset;
use counterplay_ground::game::MoveId;
use rustc_hash::FxHashMap;

/// What a role knows at a moment, by number; 0 is what it knows at the beginning.
pub(super) type KnowledgeNumber = u32;

/// How a role came to know something: what it knew, what it did, what it perceived, and what it may do now.
type Step = (KnowledgeNumber, MoveId, Vec<u32>, Vec<MoveId>);

/// What a role knows where it has a choice.
pub(super) struct KnownChoice {
    pub(super) set: Infoset,
    /// Its moves, and what it perceived of each.
    pub(super) past: Vec<(MoveId, Vec<u32>)>,
    pub(super) legal: Vec<MoveId>,
}

/// Everything that one role may know.
#[derive(Clone, Debug)]
pub(super) struct Knowledge {
    number: FxHashMap<Step, KnowledgeNumber>,
    /// For each, the last sequence of the role before it, and its information set if the role has a choice.
    entries: Vec<Entry>,
    pub(super) infosets: Vec<Infoset>,
    sequences: u32,
    /// What was known before the legal moves were, to see whether these tell something.
    before: FxHashMap<(KnowledgeNumber, MoveId, Vec<u32>), Vec<MoveId>>,
    /// Whether somewhere only the legal moves tell states apart.
    pub(super) legality_informs: bool,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    sequence: u32,
    infoset: Option<u32>,
}

impl Knowledge {
    /// What a role with these legal moves knows at the beginning.
    pub(super) fn new(legal: &[MoveId]) -> Knowledge {
        let mut knowledge = Knowledge {
            number: FxHashMap::default(),
            entries: Vec::new(),
            infosets: Vec::new(),
            sequences: 1,
            before: FxHashMap::default(),
            legality_informs: false,
        };
        knowledge.add(0, legal.len());
        knowledge
    }

    fn add(&mut self, sequence: u32, moves: usize) -> KnowledgeNumber {
        let infoset = (moves > 1).then(|| {
            self.infosets.push(Infoset { parent: sequence, first: self.sequences, actions: moves as u32 });
            self.sequences += moves as u32;
            self.infosets.len() as u32 - 1
        });
        self.entries.push(Entry { sequence, infoset });
        self.entries.len() as KnowledgeNumber - 1
    }

    /// The sequence of a role that makes one of its legal moves.
    pub(super) fn sequence(&self, known: KnowledgeNumber, choice: usize) -> u32 {
        let entry = self.entries[known as usize];
        entry.infoset.map_or(entry.sequence, |set| self.infosets[set as usize].first + choice as u32)
    }

    /// What a role knows after its move.
    pub(super) fn step(
        &mut self,
        known: KnowledgeNumber,
        (own, choice): (MoveId, usize),
        percepts: &[u32],
        legal: &[MoveId],
    ) -> KnowledgeNumber {
        let step: Step = (known, own, percepts.to_vec(), legal.to_vec());
        if let Some(&number) = self.number.get(&step) {
            return number;
        }
        let first = self.before.entry((known, own, percepts.to_vec())).or_insert_with(|| legal.to_vec());
        self.legality_informs |= first != legal;
        let number = self.add(self.sequence(known, choice), legal.len());
        self.number.insert(step, number);
        number
    }

    /// What a role knows after its move, if that can come up.
    pub(super) fn find(
        &self,
        known: KnowledgeNumber,
        own: MoveId,
        percepts: Vec<u32>,
        legal: Vec<MoveId>,
    ) -> Option<KnowledgeNumber> {
        self.number.get(&(known, own, percepts, legal)).copied()
    }

    /// All that can be known where the role has a choice; `first` are the legal moves at the beginning.
    pub(super) fn list(&self, first: &[MoveId]) -> Vec<KnownChoice> {
        let mut steps: Vec<Option<&Step>> = vec![None; self.entries.len()];
        self.number.iter().for_each(|(step, &number)| steps[number as usize] = Some(step));
        let with_choice = (0..self.entries.len()).filter_map(|number| {
            let set = self.infoset(number as KnowledgeNumber)?;
            let legal = steps[number].map_or(first, |step| &step.3).to_vec();
            let mut past = Vec::new();
            let mut at = number;
            while let Some((before, own, percepts, _)) = steps[at] {
                past.push((*own, percepts.clone()));
                at = *before as usize;
            }
            past.reverse();
            Some(KnownChoice { set, past, legal })
        });
        with_choice.collect()
    }

    /// The information set of what a role knows, if it has a choice.
    pub(super) fn infoset(&self, known: KnowledgeNumber) -> Option<Infoset> {
        self.entries[known as usize].infoset.map(|set| self.infosets[set as usize])
    }
}
