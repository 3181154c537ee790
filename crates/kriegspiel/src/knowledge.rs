//! What a player knows during a game: the belief state, exact as long as it is small enough.

use counterplay_belief::{Event, Stream, update};
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use crate::chess::{Board, Color};
use crate::history::KriegEvent;
use crate::world::Kriegspiel;

/// The positions that a player holds possible.
#[derive(Clone, Debug)]
pub struct Knowledge {
    color: Color,
    root: Board,
    events: Vec<KriegEvent>,
    positions: Vec<Board>,
    exact: bool,
    most: usize,
}

impl Knowledge {
    /// At the beginning everything is known. At most `most` positions are kept.
    pub fn new(root: Board, color: Color, most: usize) -> Knowledge {
        Knowledge { color, root, events: Vec::new(), positions: vec![root], exact: true, most }
    }

    /// The side of the player.
    pub fn color(&self) -> Color {
        self.color
    }

    /// The positions; all that are possible if [`is_exact`](Knowledge::is_exact), else a sample.
    pub fn positions(&self) -> &[Board] {
        &self.positions
    }

    /// Whether no possible position is missing.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Where the game began.
    pub fn root(&self) -> &Board {
        &self.root
    }

    /// Own tries and announcements since the beginning, in their order.
    pub fn events(&self) -> &[KriegEvent] {
        &self.events
    }

    /// Takes in one more event. A sample that no longer agrees is drawn anew from the history, depth-first.
    pub fn hear(&mut self, event: KriegEvent, random: &mut ChaCha8Rng) {
        self.events.push(event);
        self.positions = update(&Kriegspiel::default(), &self.positions, &event);
        if self.positions.len() > self.most {
            self.exact = false;
            self.positions = self.positions.sample(random, self.most).copied().collect();
        }
        if !self.exact && self.positions.len() < self.most / 8 {
            self.redraw(random);
        }
    }

    fn redraw(&mut self, random: &mut ChaCha8Rng) {
        let world = Kriegspiel::default();
        let stream = Stream::new(&world, std::slice::from_ref(&self.root), &self.events, Some(random));
        // A depth-first walk may go astray for long; a bounded one is enough for a sample.
        let bounded = stream.with_state_limit(20_000);
        for position in bounded.take(self.most / 4) {
            if !self.positions.contains(&position) {
                self.positions.push(position);
            }
        }
    }

    /// Whether an event is one of the own side.
    pub fn is_own(event: &KriegEvent) -> bool {
        matches!(event, Event::Own { .. })
    }
}
