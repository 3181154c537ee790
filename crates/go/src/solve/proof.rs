//! Proofs that hold on the whole board: searches of the sealed zone.
//!
//! A win of the defender in the plain local game and a win of the attacker in the pressed one hold on the whole board; the other two
//! results say nothing. If there are no walls to press, the two games are the same.

use counterplay_base::Limit;

use super::{Class, Method, Solver, Success, Tier};
use crate::claim::Claim;
use crate::point::Move;
use crate::search::dfpn::{Dfpn, DfpnResult, MoveOrder};
use crate::search::{LocalGame, Side, Stake};
use crate::tree::{self, Reasons};
use crate::verify;

/// A local game, apart from whether it is pressed.
#[derive(Clone, Copy)]
struct Game {
    stake: Stake,
    favoured: Side,
}

/// Who wins a local game.
struct Finding {
    claim: Claim,
    /// Whether that holds on the whole board.
    holds: bool,
    /// The winner's move, if it is his turn.
    first: Option<Move>,
}

impl Finding {
    /// A success by the winner's move.
    fn success(&self, class: Class) -> Option<Success> {
        self.first.map(|action| Success { action, class })
    }
}

/// The share of `search_nodes` that one of several searches may take. Where the eyes game is not decided with it, it stays open
/// whether a target that is saved has two eyes; where the pressed game is not, a win of the attacker is not proved.
const SHARE: u64 = 16;

impl Solver<'_> {
    /// Decides the problem in the sealed zone; whether there is an answer to keep.
    pub(super) fn decide<O: MoveOrder + Clone>(&mut self, order: &O, plan: bool) -> bool {
        let decided = match self.side {
            Side::Attacker => self.decide_kill(order, plan),
            Side::Defender => self.decide_save(order, plan),
        };
        match decided {
            Ok(kept) => kept,
            Err(limit) => {
                self.draft.limit = Some(limit);
                false
            }
        }
    }

    fn decide_kill<O: MoveOrder + Clone>(&mut self, order: &O, plan: bool) -> Result<bool, Limit> {
        let clean = Game { stake: Stake::Capture, favoured: Side::Defender };
        let by_ko = Game { favoured: Side::Attacker, ..clean };
        if plan && self.prove_by_plan(clean)? {
            self.take_more();
            return Ok(true);
        }
        let first = self.settle(clean, order)?;
        if first.claim.winner == Side::Attacker {
            let kept = first.holds && self.keep(first.success(Class::Clean), vec![first.claim]);
            if kept && plan {
                self.take_more();
            }
            return Ok(kept);
        }
        let second = self.settle(by_ko, order)?;
        Ok(match second.claim.winner {
            Side::Attacker => {
                second.holds && self.keep(second.success(Class::Ko), vec![second.claim, first.claim])
            }
            Side::Defender => second.holds && self.keep(None, vec![second.claim]),
        })
    }

    fn decide_save<O: MoveOrder + Clone>(&mut self, order: &O, plan: bool) -> Result<bool, Limit> {
        let clean = Game { stake: Stake::Capture, favoured: Side::Attacker };
        let eyes = Game { stake: Stake::Eyes, ..clean };
        let by_ko = Game { favoured: Side::Defender, ..clean };
        // To join two strings is to win the capture game; eyes are no part of it.
        let joins = self.problem.goal.friend().is_some();
        if plan && self.prove_by_plan(if joins { clean } else { eyes })? {
            return Ok(true);
        }
        let first = if joins { None } else { self.look_for_eyes(eyes, order)? };
        if let Some(first) = &first
            && first.claim.winner == Side::Defender
        {
            return Ok(self.keep(first.success(Class::Clean), vec![first.claim.clone()]));
        }
        let second = self.settle(clean, order)?;
        if second.claim.winner == Side::Defender {
            // The target is saved for certain; that it gets no eyes may depend on the walls.
            let eyeless = first.filter(|_| self.zone.walls().is_empty());
            return Ok(eyeless.is_some_and(|first| {
                self.keep(second.success(Class::Seki), vec![second.claim.clone(), first.claim])
            }) || self.keep(second.success(Class::Clean), vec![second.claim]));
        }
        let third = self.settle(by_ko, order)?;
        Ok(match third.claim.winner {
            Side::Defender => {
                second.holds && self.keep(third.success(Class::Ko), vec![third.claim, second.claim])
            }
            Side::Attacker => third.holds && self.keep(None, vec![third.claim]),
        })
    }

    /// Tries to prove that a move succeeds without a ko, and takes it over if it does.
    pub(super) fn prove_move<O: MoveOrder>(
        &mut self,
        action: Move,
        order: O,
        nodes: u64,
    ) -> Result<bool, Limit> {
        let joins = self.problem.goal.friend().is_some();
        let stake = if self.side == Side::Attacker || joins { Stake::Capture } else { Stake::Eyes };
        let game = Game { stake, favoured: self.side.other() };
        let found = self.search(game, self.side == Side::Attacker, order, Some(action), nodes)?;
        Ok(found.claim.winner == self.side
            && self.keep(Some(Success { action, class: Class::Clean }), vec![found.claim]))
    }

    fn prove_by_plan(&mut self, game: Game) -> Result<bool, Limit> {
        let local = self.game(game, self.side == Side::Attacker);
        let (first, proof) = match self.plan_in(local, [false, true]) {
            Ok(Some((first, proof, _))) => (first, proof),
            Ok(None) | Err(Limit::Nodes(_)) => return Ok(false),
            Err(limit) => return Err(limit),
        };
        let Game { stake, favoured } = game;
        let tree = vec![proof.first];
        let claim = Claim { winner: self.side, favoured, stake, tree, complete: proof.complete };
        // The planner gives up on long lines, which is no proof: only what has been replayed is believed.
        let proved = verify::replay(self.problem, self.zone.points(), &claim, self.budget) == Ok(true)
            && self.keep(Some(Success { action: first, class: Class::Clean }), vec![claim]);
        if proved {
            self.draft.tier = Tier::Plan;
        }
        Ok(proved)
    }

    fn game(&self, game: Game, pressed: bool) -> LocalGame {
        let local = self.local(game.favoured).about(game.stake);
        if pressed { local.pressed() } else { local }
    }

    /// How many positions a search may look at that decides without knowledge, and one after which there are others to try.
    fn plain_nodes(&self) -> u64 {
        match self.options.method {
            Method::Dfpn => self.options.search_nodes,
            Method::Auto | Method::Plan => self.options.search_nodes / SHARE,
        }
    }

    /// Who wins the eyes game, if that is found out soon.
    fn look_for_eyes<O: MoveOrder + Clone>(
        &mut self,
        eyes: Game,
        order: &O,
    ) -> Result<Option<Finding>, Limit> {
        match self.search(eyes, false, order.clone(), None, self.options.search_nodes / SHARE) {
            Ok(found) => Ok(Some(found)),
            Err(Limit::Nodes(_)) => Ok(None),
            Err(limit) => Err(limit),
        }
    }

    /// Who wins a capture game, and whether that holds on the whole board.
    fn settle<O: MoveOrder + Clone>(&mut self, game: Game, order: &O) -> Result<Finding, Limit> {
        let nodes = self.plain_nodes();
        if self.zone.walls().is_empty() {
            let found = self.search(game, false, order.clone(), None, nodes)?;
            return Ok(Finding { holds: true, ..found });
        }
        let share = self.options.search_nodes / SHARE;
        let press = |solver: &mut Self| match solver.search(game, true, order.clone(), None, share) {
            Ok(found) => Ok(Some(found).filter(|found| found.claim.winner == Side::Attacker)),
            Err(Limit::Nodes(_)) => Ok(None),
            Err(limit) => Err(limit),
        };
        if self.side == Side::Attacker
            && let Some(found) = press(self)?
        {
            return Ok(Finding { holds: true, ..found });
        }
        let plain = self.search(game, false, order.clone(), None, nodes)?;
        if plain.claim.winner == Side::Defender {
            return Ok(Finding { holds: true, ..plain });
        }
        if self.side == Side::Defender
            && let Some(found) = press(self)?
        {
            return Ok(Finding { holds: true, ..found });
        }
        Ok(plain)
    }

    fn search<O: MoveOrder>(
        &mut self,
        game: Game,
        pressed: bool,
        order: O,
        only: Option<Move>,
        nodes: u64,
    ) -> Result<Finding, Limit> {
        let mut local = self.game(game, pressed);
        let mut search = Dfpn::new(&mut local, order, nodes);
        search.only = only;
        let answer = search.run(self.budget);
        self.draft.statistics.moves_tried += search.tried;
        let wins = std::mem::take(&mut search.wins);
        let mut reply = |local: &mut LocalGame| wins.get(&local.key()).copied();
        let first = reply(&mut local);
        let (winner, tree, complete) = match (answer?, first) {
            (DfpnResult::Won, Some(first)) => {
                let proof = tree::write_out(&mut local, first, &mut reply, &Reasons::default());
                (self.side, vec![proof.first], proof.complete)
            }
            _ => {
                let (tree, complete) = tree::write_refutation(&mut local, &mut reply);
                (self.side.other(), tree, complete)
            }
        };
        let Game { stake, favoured } = game;
        let first = first.filter(|_| winner == self.side);
        Ok(Finding { claim: Claim { winner, favoured, stake, tree, complete }, holds: false, first })
    }

    /// Takes over an answer whose claims hold; whether they can be relied on.
    fn keep(&mut self, success: Option<Success>, claims: Vec<Claim>) -> bool {
        // What rests on repetitions may hold on one line only in the search: it has to be replayed.
        let sure = claims.iter().all(|claim| {
            claim.is_finite()
                || verify::replay(self.problem, self.zone.points(), claim, self.budget) == Ok(true)
        });
        if !sure {
            return false;
        }
        self.draft.success = success;
        self.draft.tier = Tier::Search;
        self.draft.limit = None;
        self.draft.line.clear();
        self.draft.tree = if success.is_some() { claims[0].tree.clone() } else { Vec::new() };
        self.draft.claims = claims;
        true
    }
}
