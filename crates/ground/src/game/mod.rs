//! Grounding a game: from checked rules with variables to a network over fluents and moves.
//!
//! ```text
//! Rules ─► flat ──────► demand ───► split ────► instantiate ─► assemble ────► simplify ─────► Game
//!          no functions  what is     fewer       datalog        ground rules,  constants, names,
//!                        asked for   variables                  bottom up      equal parts
//! ```
//! Kissmann 2012, chapter 9, instantiates by Prolog queries and by dependency graphs; we use one datalog engine, and
//! split rules before they multiply. A simplified network has the same legal moves, next states, rewards and end as
//! the rules in every state that can be reached.

mod assemble;
mod components;
mod demand;
mod error;
mod flat;
mod groups;
mod instantiate;
mod model;
mod refute;
mod shape;
mod simplify;
mod single;
mod split;
mod structure;
mod symmetry;
mod unfold;
mod write;

use counterplay_base::{Budget, Id, IdLists, IdVec, Limit, Progress, Report};
use counterplay_gdl::{Keyword, Rules, Symbol, Term};
use rustc_hash::FxHashMap;

use crate::datalog::RelationId;

pub use error::GameError;
pub use model::{AtomId, FluentId, Game, Goal, Literal, Move, MoveId, Percept, RoleId, RuleId, Signal};
pub use single::{End, Question, Reading, SingleError, SingleTask, single_task};
pub use structure::{Structure, cover, prove_structure};
pub use symmetry::{Symmetry, symmetries};

use flat::{Flat, FlatError};
use instantiate::Instances;
use simplify::RuleNetwork;

pub fn ground_game(rules: &Rules, budget: &Budget, progress: &dyn Progress) -> Result<Game, GameError> {
    let announce = |phase| progress.report(Report { phase, counts: &[] });
    announce("normalise");
    let mut flat = flat::flatten(rules, budget).map_err(|error| match error {
        FlatError::Endless(at) => GameError::Endless { at },
        FlatError::Stopped(limit) => GameError::Stopped(limit),
    })?;
    demand::restrict(rules, &mut flat);
    split::split(&mut flat, budget)?;
    announce("instantiate");
    let mut instances = instantiate::instantiate(rules, &flat, budget)?;
    announce("simplify");
    let is_input = Builder { rules, flat: &flat, instances: &instances }.inputs();
    let network = assemble::assemble(&flat, &mut instances, is_input, budget)?;
    Builder { rules, flat: &flat, instances: &instances }.build(network, budget)
}

impl From<Limit> for GameError {
    fn from(limit: Limit) -> GameError {
        GameError::Stopped(limit)
    }
}

struct Builder<'a> {
    rules: &'a Rules,
    flat: &'a Flat,
    instances: &'a Instances,
}

/// A tuple of a relation.
#[derive(Clone, Copy)]
struct Place {
    relation: RelationId,
    number: usize,
}

impl Builder<'_> {
    fn atom(&self, place: Place) -> u32 {
        self.instances.first[place.relation] + place.number as u32
    }

    fn tuple(&self, place: Place) -> &[u32] {
        self.instances.database.relation(place.relation).tuple(place.number)
    }

    fn arguments(&self, place: Place) -> Vec<Term> {
        self.flat.arguments(place.relation, self.tuple(place))
    }

    /// All tuples of a keyword's relations.
    fn places(&self, keyword: Keyword) -> Vec<Place> {
        self.places_of(self.rules.symbol(keyword))
    }

    /// What roles perceive, and the atoms for it; `None` if they see everything. What is always perceived tells nothing.
    fn percepts(&self) -> Option<Vec<(RoleId, Place)>> {
        let places = self.places_of(self.rules.percepts()?).into_iter();
        let changing = places.filter(|place| self.flat.relations[place.relation].dynamic);
        Some(changing.filter_map(|place| Some((self.role(&self.arguments(place)[0])?, place))).collect())
    }

    /// All tuples of the relations of a name.
    fn places_of(&self, name: Symbol) -> Vec<Place> {
        let relations = self.flat.relations_of(name);
        let all = relations.flat_map(|relation| {
            let count = self.instances.database.relation(relation).len();
            (0..count).map(move |number| Place { relation, number })
        });
        all.collect()
    }

    /// The same arguments in another keyword's relation.
    fn counterpart(&self, place: Place, keyword: Keyword) -> Option<Place> {
        let (_, shapes) = self.flat.relations[place.relation].origin.as_ref().expect("keywords have names");
        let relation = self.flat.relation(self.rules.symbol(keyword), shapes)?;
        let number = self.instances.database.relation(relation).find(self.tuple(place))?;
        Some(Place { relation, number })
    }

    fn role(&self, term: &Term) -> Option<RoleId> {
        match term {
            Term::Symbol(name) => self.rules.roles.iter().position(|role| role == name).map(RoleId::new),
            _ => None,
        }
    }

    /// The moves of all roles, by role.
    fn moves(&self) -> Vec<(RoleId, Place)> {
        let places = self.places(Keyword::Does).into_iter();
        let mut moves: Vec<(RoleId, Place)> =
            places.filter_map(|place| Some((self.role(&self.arguments(place)[0])?, place))).collect();
        moves.sort_by_key(|&(role, _)| role);
        moves
    }

    /// Which atoms are given from outside: fluents and moves.
    fn inputs(&self) -> Vec<bool> {
        let mut is_input = vec![false; self.instances.atoms];
        let moves = self.moves().into_iter().map(|(_, place)| place);
        self.places(Keyword::True)
            .into_iter()
            .chain(moves)
            .for_each(|place| is_input[self.atom(place) as usize] = true);
        is_input
    }

    fn build(&self, mut network: RuleNetwork, budget: &Budget) -> Result<Game, GameError> {
        let symbols = &self.rules.symbols;
        let fluents = self.places(Keyword::True);
        let moves = self.moves();
        for (role, &name) in self.rules.roles.iter().enumerate() {
            if moves.iter().all(|(own, _)| own.index() != role) {
                return Err(GameError::NoMoves { role: symbols.name(name).to_owned() });
            }
        }
        let goals = self.goals()?;
        let percepts = self.percepts();
        self.simplify(&mut network, &goals, percepts.as_deref(), budget)?;
        let next: Vec<Option<u32>> = fluents
            .iter()
            .map(|&place| self.counterpart(place, Keyword::Next).map(|counterpart| self.atom(counterpart)))
            .collect();
        let legal: Vec<Option<u32>> = moves
            .iter()
            .map(|&(_, place)| {
                self.counterpart(place, Keyword::Legal).map(|counterpart| self.atom(counterpart))
            })
            .collect();
        let terminal = self.places(Keyword::Terminal).first().map(|&place| self.atom(place));
        let initial = (0..fluents.len()).filter(|&at| self.counterpart(fluents[at], Keyword::Init).is_some());
        let numbering = Numbering::new(
            &network,
            fluents.iter().chain(moves.iter().map(|(_, place)| place)).map(|&place| self.atom(place)),
        );
        let signal =
            |atom: Option<u32>| atom.map_or(Signal::Constant(false), |a| numbering.signal(&network, a));
        let mut heads = IdVec::new();
        let mut bodies = IdLists::new();
        let mut ordered: Vec<&(u32, Box<[u32]>)> = network.rules.iter().collect();
        ordered.sort_by_key(|(head, _)| numbering.new[head]);
        for (head, body) in ordered {
            heads.push(AtomId::new(numbering.new[head] as usize));
            bodies.push(body.iter().map(|&literal| numbering.literal(literal)));
        }
        let mut numbers: FxHashMap<Term, u32> = FxHashMap::default();
        let mut terms = IdLists::new();
        for &place in &fluents {
            let parts = match self.arguments(place).swap_remove(0) {
                Term::Function(name, arguments) => [vec![Term::Symbol(name)], arguments].concat(),
                constant => vec![constant],
            };
            terms.push(parts.into_iter().map(|part| {
                let next = numbers.len() as u32;
                *numbers.entry(part).or_insert(next)
            }));
        }
        let mut game = Game {
            terms,
            roles: self.rules.roles.iter().map(|&name| symbols.name(name).to_owned()).collect(),
            fluents: fluents.iter().map(|&place| self.arguments(place)[0].display(symbols)).collect(),
            moves: moves
                .iter()
                .map(|&(role, place)| Move { role, name: self.arguments(place)[1].display(symbols) })
                .collect(),
            initial: initial.map(FluentId::new).collect(),
            next: next.into_iter().map(signal).collect(),
            legal: legal.into_iter().map(signal).collect(),
            goals: goals
                .iter()
                .map(|&(role, value, atom)| Goal { role, value, when: signal(Some(atom)) })
                .filter(|goal| goal.when != Signal::Constant(false))
                .collect(),
            terminal: signal(terminal),
            chance: self.rules.chance().map(RoleId::new),
            percepts: percepts.map(|percepts| {
                let percepts = percepts.into_iter().map(|(role, place)| Percept {
                    role,
                    name: self.arguments(place)[1].display(symbols),
                    when: signal(Some(self.atom(place))),
                });
                percepts.filter(|percept| !matches!(percept.when, Signal::Constant(_))).collect()
            }),
            atoms: numbering.count,
            heads,
            bodies,
            components: Vec::new(),
        };
        game.components = components::components(&game);
        Ok(game)
    }

    /// The rewards: role, value and atom, sorted.
    fn goals(&self) -> Result<Vec<(RoleId, u32, u32)>, GameError> {
        let mut goals = Vec::new();
        for place in self.places(Keyword::Goal) {
            let arguments = self.arguments(place);
            let Some(role) = self.role(&arguments[0]) else { continue };
            let text = arguments[1].display(&self.rules.symbols);
            let value: u32 = text.parse().map_err(|_| GameError::Reward { text })?;
            goals.push((role, value, self.atom(place)));
        }
        goals.sort_unstable();
        let chance = self.rules.chance();
        for (role, &name) in self.rules.roles.iter().enumerate().filter(|(role, _)| Some(*role) != chance) {
            if goals.iter().all(|(own, ..)| own.index() != role) {
                return Err(GameError::NoGoals { role: self.rules.symbols.name(name).to_owned() });
            }
        }
        Ok(goals)
    }

    /// Keeps what the results of the rules depend on, as simple as it gets.
    fn simplify(
        &self,
        network: &mut RuleNetwork,
        goals: &[(RoleId, u32, u32)],
        percepts: Option<&[(RoleId, Place)]>,
        budget: &Budget,
    ) -> Result<(), Limit> {
        let results = [Keyword::Next, Keyword::Legal, Keyword::Terminal].map(|keyword| self.places(keyword));
        let wanted: Vec<u32> = results.iter().flatten().map(|&place| self.atom(place)).collect();
        let goals = goals.iter().map(|&(_, _, atom)| atom);
        let percepts = percepts.into_iter().flatten().map(|&(_, place)| self.atom(place));
        let wanted: Vec<u32> =
            wanted.into_iter().chain(goals).chain(percepts).map(|atom| atom << 1).collect();
        network.keep_for(wanted.iter().copied());
        network.simplify(budget)?;
        network.keep_for(wanted.into_iter());
        Ok(())
    }
}

/// New numbers for the atoms that are left.
struct Numbering {
    new: FxHashMap<u32, u32>,
    count: usize,
}

impl Numbering {
    fn new(network: &RuleNetwork, inputs: impl Iterator<Item = u32>) -> Numbering {
        let mut new: FxHashMap<u32, u32> = FxHashMap::default();
        let heads = network.rules.iter().map(|(head, _)| *head);
        for atom in inputs.chain(heads) {
            let next = new.len() as u32;
            new.entry(atom).or_insert(next);
        }
        let count = new.len();
        Numbering { new, count }
    }

    fn literal(&self, literal: u32) -> Literal {
        Literal::new(AtomId::new(self.new[&(literal >> 1)] as usize), literal & 1 == 0)
    }

    fn signal(&self, network: &RuleNetwork, atom: u32) -> Signal {
        match network.resolve(atom << 1) {
            Ok(literal) => Signal::Literal(self.literal(literal)),
            Err(value) => Signal::Constant(value),
        }
    }
}
