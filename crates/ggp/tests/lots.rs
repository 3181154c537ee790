//! Games in which roles choose at once, chance takes part or moves are hidden: known values, and the checkers of mixtures and
//! strategies, which read the rules by the interpreter.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use counterplay_base::{Budget, Id, Silent};
use counterplay_check::{
    Experience, HiddenClaim, MixedClaim, Profile, Promise, Response, Rulebook, Scope, best_response,
    check_mixtures,
};
use counterplay_equilibrium::{Rational, fraction};
use counterplay_gdl::Rules;
use counterplay_gdl::interpret::{InterpretError, Interpreter, State, TermId};
use counterplay_ggp::hidden::{self, HiddenGame, Settings, figures};
use counterplay_ggp::mixed::{self, Concept, Refusal, Stage, StageSolution};
use counterplay_ground::game::{FluentId, Game, ground_game};

fn read(text: &str) -> (Rules, Game) {
    let mut sources = counterplay_syntax::Sources::default();
    let file = sources.add("game", text);
    let rules = counterplay_gdl::read(&sources, file).expect("sound rules");
    let game = ground_game(&rules, &Budget::unlimited(), &Silent).expect("a finite game");
    (rules, game)
}

fn example(name: &str) -> (Rules, Game) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/games").join(name);
    read(&fs::read_to_string(path).expect("bundled"))
}

/// Rules by the interpreter, with something that is claimed about them.
struct Claimed<C> {
    interpreter: Interpreter,
    fluents: HashMap<String, FluentId>,
    words: usize,
    chance: Option<usize>,
    claim: C,
}

impl<C> Claimed<C> {
    fn new(rules: &Rules, game: &Game, claim: C) -> Claimed<C> {
        Claimed {
            interpreter: Interpreter::new(rules.clone()).expect("not nested too much"),
            fluents: game.fluents.enumerate().map(|(id, name)| (name.to_lowercase(), id)).collect(),
            words: game.fluents.len().div_ceil(64).max(1),
            chance: game.chance.map(Id::index),
            claim,
        }
    }

    fn row(&self, state: &State) -> Vec<u64> {
        let mut row = vec![0u64; self.words];
        for &term in state.fluents() {
            let fluent = self.fluents[&self.interpreter.display(term).to_lowercase()];
            row[fluent.index() / 64] |= 1 << (fluent.index() % 64);
        }
        row
    }
}

impl<C> Rulebook for Claimed<C> {
    type State = State;
    type Move = TermId;
    type Trouble = InterpretError;

    fn roles(&self) -> usize {
        self.interpreter.roles().len()
    }

    fn initial(&mut self) -> Result<State, InterpretError> {
        self.interpreter.initial(&Budget::unlimited())
    }

    fn is_over(&mut self, state: &State) -> Result<bool, InterpretError> {
        self.interpreter.is_terminal(state, &Budget::unlimited())
    }

    fn rewards(&mut self, state: &State) -> Result<Vec<u32>, InterpretError> {
        (0..self.roles())
            .map(|role| Ok(self.interpreter.goal(state, role, &Budget::unlimited())?.unwrap_or(0)))
            .collect()
    }

    fn moves(&mut self, state: &State, role: usize) -> Result<Vec<TermId>, InterpretError> {
        self.interpreter.legal(state, role, &Budget::unlimited())
    }

    fn next(&mut self, state: &State, moves: &[TermId]) -> Result<State, InterpretError> {
        self.interpreter.next(state, moves, &Budget::unlimited())
    }
}

impl MixedClaim for Claimed<(&mixed::Solution, Concept)> {
    fn chance(&self) -> Option<usize> {
        self.chance
    }

    fn expected(&mut self, state: &State, _: usize) -> Result<Option<Vec<Rational>>, InterpretError> {
        let number = self.claim.0.find(&self.row(state)).expect("reachable");
        Ok(self.claim.0.value(number).map(<[Rational]>::to_vec))
    }

    fn profile(
        &mut self,
        moves: &[Vec<TermId>],
        values: &[Vec<Rational>],
    ) -> Result<Profile, InterpretError> {
        let widths: Vec<usize> = moves.iter().map(Vec::len).collect();
        let values = values.iter().map(Vec::as_slice).collect();
        let stage = Stage { widths: &widths, chance: self.chance, values };
        let found = stage.solve(self.claim.1, self.claim.0.is_opposite, &Budget::unlimited());
        let StageSolution { mixtures, threats, .. } = found.expect("it was solved before");
        Ok(Profile { mixtures, threats })
    }
}

/// Solves a game, and has every position checked.
fn solved((rules, game): &(Rules, Game), concept: Concept) -> mixed::Solution {
    let verdict = mixed::solve(game, concept, usize::MAX, &Budget::unlimited()).expect("not refused");
    let solution = verdict.solved().expect("no limit");
    let promise = match concept {
        Concept::Maximin => Promise::Security,
        Concept::Value | Concept::Nash => Promise::Equilibrium,
    };
    let mut claim = Claimed::new(rules, game, (&solution, concept));
    let checked = check_mixtures(&mut claim, promise, Scope::All, &Budget::unlimited());
    assert_eq!(checked.expect("a right solution"), solution.len());
    solution
}

fn texts(value: Option<&[Rational]>) -> String {
    let texts: Vec<String> = value.expect("a value").iter().map(ToString::to_string).collect();
    texts.join(" ")
}

#[test]
fn roshambo_is_even() {
    let solution = solved(&example("roshambo.kif"), Concept::Value);
    assert_eq!(
        (texts(solution.value(0)), solution.len(), solution.simultaneous),
        ("50 50".to_owned(), 10, 1)
    );
}

/// Goofspiel is symmetric, and so even; after the first bids it is not (3/19 of a win: OpenSpiel's rules, SciPy's programs).
#[test]
fn goofspiel_is_even_at_the_beginning_only() {
    let solution = solved(&example("goofspiel-4.kif"), Concept::Value);
    assert_eq!(texts(solution.value(0)), "50 50");
    let unequal = [fraction(1100, 19), fraction(800, 19)];
    assert!(solution.distinct.iter().any(|value| value[..] == unequal));
    let drawn = solved(&example("goofspiel-3-drawn.kif"), Concept::Value);
    assert_eq!(texts(drawn.value(0)), "0 50 50");
    assert!(drawn.drawn > 0);
}

#[test]
fn the_dilemma_has_no_value_but_security_levels_and_an_equilibrium() {
    let dilemma = example("dilemma-once.kif");
    let refused = mixed::solve(&dilemma.1, Concept::Value, usize::MAX, &Budget::unlimited());
    assert!(matches!(refused, Err(Refusal::GeneralSum(_))));
    for concept in [Concept::Maximin, Concept::Nash] {
        assert_eq!(texts(solved(&dilemma, concept).value(0)), "20 20");
    }
}

#[test]
fn who_begins_a_race_is_better_off() {
    let solution = solved(&example("dice-race.kif"), Concept::Value);
    // Found by an independent recursion over squares, time and die.
    assert_eq!((texts(solution.value(0)), solution.len()), ("0 1546750/19683 421550/19683".to_owned(), 547));
    assert!(solution.drawn > 0 && solution.simultaneous == 0);
}

impl HiddenClaim for Claimed<(&hidden::Solution, usize)> {
    fn chance(&self) -> Option<usize> {
        self.chance
    }

    fn percepts(
        &mut self,
        state: &State,
        moves: &[TermId],
        role: usize,
    ) -> Result<Vec<String>, InterpretError> {
        let percepts = self.interpreter.percepts(state, moves, role, &Budget::unlimited())?;
        Ok(percepts.iter().map(|own| self.name(own)).collect())
    }

    fn name(&self, own: &TermId) -> String {
        self.interpreter.display(*own).to_lowercase()
    }

    fn draw(
        &mut self,
        role: usize,
        past: &[Experience],
        legal: &[String],
    ) -> Result<Option<Vec<Rational>>, InterpretError> {
        let (solution, guarantee) = self.claim;
        let players = &solution.game.players;
        let player = players.iter().position(|own| own.index() == role).expect("not chance");
        let after = past.iter().skip(1).map(|own| own.legal.clone()).chain([legal.to_vec()]);
        let past: Vec<_> = past
            .iter()
            .zip(after)
            .map(|(own, after)| ((own.own.clone(), own.percepts.clone()), after))
            .collect();
        Ok(solution.game.mixture(&solution.guarantees[guarantee].plans[player], player, &past, legal))
    }
}

/// Solves a game with hidden moves, and has the guarantees checked by best responses.
fn guaranteed((rules, game): &(Rules, Game), settings: Settings) -> hidden::Solution {
    let budget = Budget::unlimited();
    assert_eq!(figures(game, usize::MAX, &budget).expect("no limit").endless, 0);
    let unrolled = HiddenGame::unroll(game, usize::MAX, &budget).expect("no limit");
    let solution = hidden::solve(unrolled, settings, &budget).expect("no limit").expect("few roles");
    for (at, guarantee) in solution.guarantees.iter().enumerate() {
        let role = solution.game.players[at].index();
        let other = solution.game.players.iter().map(|own| own.index()).find(|&other| other != role);
        let mut claim = Claimed::new(rules, game, (&solution, at));
        let least = Response { responder: other, reward_of: role, wants_least: true };
        let most = Response { responder: Some(role), reward_of: role, wants_least: false };
        for (response, claimed) in [(least, &guarantee.lower), (most, &guarantee.upper)] {
            let found = best_response(&mut claim, response, &budget).expect("a sound strategy");
            assert_eq!(found.value, *claimed, "{response:?}");
        }
    }
    solution
}

#[test]
fn kuhn_poker_costs_the_first_role_an_eighteenth_of_a_chip() {
    let kuhn = example("kuhn-poker.kif");
    let solution = guaranteed(&kuhn, Settings::default());
    assert_eq!(solution.method, "sequence form");
    let values: Vec<Rational> = solution.guarantees.iter().map(|own| own.lower.clone()).collect();
    assert_eq!(values, [fraction(875, 18), fraction(925, 18)]);
    assert_eq!(solution.game.infosets(), [6, 6]);
    assert!(!solution.game.legality_informs());
    // Regret matching comes close, and its bounds hold.
    let close = guaranteed(&kuhn, Settings { exact_entries: 0, rounds: 256 });
    assert_eq!(close.method, "regret matching");
    for (bounds, value) in close.guarantees.iter().zip(values) {
        assert!(bounds.lower <= value && value <= bounds.upper);
        assert!(&bounds.upper - &bounds.lower < fraction(2, 1), "{bounds:?}");
    }
}

#[test]
fn monty_hall_is_worth_two_thirds() {
    let solution = guaranteed(&example("monty-hall.kif"), Settings::default());
    assert_eq!(solution.guarantees[0].lower, fraction(200, 3));
}

/// A coin that is not seen is guessed half of the time; one that is seen always.
#[test]
fn what_is_seen_of_a_coin_makes_the_difference() {
    let coin = |sees: &str| {
        read(&format!(
            "(role random) (role guesser) (init start)
            (<= (legal random (flip heads)) (true start)) (<= (legal random (flip tails)) (true start))
            (<= (legal random wait) (true (coin ?c))) (<= (legal guesser wait) (true start))
            (<= (legal guesser (guess heads)) (true (coin ?c))) (<= (legal guesser (guess tails)) (true (coin ?c)))
            (<= (next (coin ?c)) (does random (flip ?c)))
            (<= (next (done ?c ?g)) (true (coin ?c)) (does guesser (guess ?g))) {sees}
            (<= terminal (true (done ?c ?g))) (<= (goal guesser 100) (true (done ?c ?c)))
            (<= (goal guesser 0) (true (done ?c ?g)) (distinct ?c ?g))"
        ))
    };
    for (sees, value) in [("flipped", 50), ("?c", 100)] {
        let game = coin(&format!("(<= (sees guesser {sees}) (does random (flip ?c)))"));
        let solution = guaranteed(&game, Settings::default());
        assert_eq!(solution.guarantees[0].lower, fraction(value, 1), "{sees}");
        // What is hidden stays hidden when the rules are written without variables.
        let again = read(&game.1.to_gdl());
        let again = guaranteed(&again, Settings::default());
        assert_eq!(again.guarantees[0].lower, fraction(value, 1), "{sees}, instantiated");
    }
    // Nothing but a percept that is always the same: moves are hidden all the same.
    let always = coin("(sees guesser nothing)");
    assert_eq!(guaranteed(&always, Settings::default()).guarantees[0].lower, fraction(50, 1));
    // Without `sees` everything is seen.
    let open = solved(&coin(""), Concept::Value);
    assert_eq!(texts(open.value(0)), "0 100");
}
