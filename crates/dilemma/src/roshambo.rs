//! Rock, paper, scissors: the model machinery outside the dilemma.
//!
//! A predictive player learns which hand follows which pair of hands and plays the best answer. Against a biased
//! player it wins; against the equilibrium player, who is uniformly random, no player can win or lose in the long run.

use std::str::FromStr;

use counterplay_base::{Budget, BudgetPoll, Id, Limit};
use counterplay_opponent::{Act, Conditions, Estimator, Horizon, Joint, MatrixGame, Predictor, Reply};
use counterplay_syntax::similar;
use serde::{Deserialize, Serialize};

use crate::chance::Chance;

/// The hands; each beats the one before it, and rock beats scissors.
pub const HANDS: [char; 3] = ['R', 'P', 'S'];

/// What hand `own` earns against hand `other`: 1, 0 or -1.
pub fn payoff(own: usize, other: usize) -> i32 {
    match (3 + own - other) % 3 {
        0 => 0,
        1 => 1,
        _ => -1,
    }
}

/// The players on offer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RoshamboPlayer {
    /// Learns which hand follows which pair of hands, and plays the best response.
    #[default]
    Predictive,
    /// Uniformly random: the equilibrium.
    Equilibrium,
    /// Prefers rock: half rock, a quarter each of the others.
    Biased,
    /// Rock, paper, scissors, again and again.
    Cycler,
    /// Plays the hand that would have beaten the other's last one.
    BeatsLast,
    /// Keeps a hand that won, moves on from one that did not.
    WinStay,
}

impl RoshamboPlayer {
    pub const ALL: [RoshamboPlayer; 6] = [
        RoshamboPlayer::Predictive,
        RoshamboPlayer::Equilibrium,
        RoshamboPlayer::Biased,
        RoshamboPlayer::Cycler,
        RoshamboPlayer::BeatsLast,
        RoshamboPlayer::WinStay,
    ];

    /// The name by which it is read: kebab case.
    pub fn name(self) -> &'static str {
        match self {
            RoshamboPlayer::Predictive => "predictive",
            RoshamboPlayer::Equilibrium => "equilibrium",
            RoshamboPlayer::Biased => "biased",
            RoshamboPlayer::Cycler => "cycler",
            RoshamboPlayer::BeatsLast => "beats-last",
            RoshamboPlayer::WinStay => "win-stay",
        }
    }
}

/// A name that no player has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no roshambo player `{name}`")]
pub struct UnknownPlayer {
    pub name: String,
    /// The name that was probably meant.
    pub similar: Option<&'static str>,
}

impl FromStr for RoshamboPlayer {
    type Err = UnknownPlayer;

    fn from_str(name: &str) -> Result<RoshamboPlayer, UnknownPlayer> {
        let found = RoshamboPlayer::ALL.into_iter().find(|player| player.name() == name);
        found.ok_or_else(|| UnknownPlayer {
            name: name.to_owned(),
            similar: similar(name, RoshamboPlayer::ALL.iter().map(|player| player.name())),
        })
    }
}

/// A player in a match.
struct PlayerState {
    player: RoshamboPlayer,
    predictor: Option<Predictor>,
    last: Option<(usize, usize)>,
    turn: usize,
}

impl PlayerState {
    fn new(player: RoshamboPlayer) -> PlayerState {
        let predictor = (player == RoshamboPlayer::Predictive).then(|| {
            let rows: Vec<Vec<f64>> =
                (0..3).map(|own| (0..3).map(|other| f64::from(payoff(own, other))).collect()).collect();
            let game = MatrixGame::new(&rows).expect("three hands each");
            let conditions = Conditions::memory(1, &HANDS, &HANDS).expect("ten conditions");
            // What we do has no influence beyond the next hand that would be worth planning for.
            Predictor::new(game, conditions, Estimator::Discounted { discount: 0.99 }, Horizon::Rounds(1))
        });
        PlayerState { player, predictor, last: None, turn: 0 }
    }

    fn choose(&mut self, chance: &mut Chance) -> usize {
        match (self.player, self.last) {
            (RoshamboPlayer::Predictive, _) => self.predictor.as_mut().map_or(0, |p| p.choose().index()),
            (RoshamboPlayer::Equilibrium, _) => chance.below(3),
            (RoshamboPlayer::Biased, _) => [0, 0, 1, 2][chance.below(4)],
            (RoshamboPlayer::Cycler, _) => self.turn % 3,
            (RoshamboPlayer::BeatsLast, Some((_, other))) => (other + 1) % 3,
            (RoshamboPlayer::WinStay, Some((own, other))) if payoff(own, other) > 0 => own,
            (RoshamboPlayer::WinStay, Some((own, _))) => (own + 1) % 3,
            (RoshamboPlayer::BeatsLast | RoshamboPlayer::WinStay, None) => 0,
        }
    }

    fn observe(&mut self, own: usize, other: usize) {
        self.last = Some((own, other));
        self.turn += 1;
        if let Some(predictor) = &mut self.predictor {
            predictor.observe(Joint { act: Act::new(own), reply: Reply::new(other) });
        }
    }
}

/// Plays so many turns; what the first player earned more than the second, in all.
pub fn play(
    first: RoshamboPlayer,
    second: RoshamboPlayer,
    turns: u32,
    seed: u64,
    budget: &Budget,
) -> Result<i64, Limit> {
    let mut seats = [PlayerState::new(first), PlayerState::new(second)];
    let mut chances = [0, 1].map(|side| Chance::new(seed, &[side]));
    let mut poll = BudgetPoll::every(256);
    let mut score = 0;
    for _ in 0..turns {
        poll.step(budget)?;
        let one = seats[0].choose(&mut chances[0]);
        let two = seats[1].choose(&mut chances[1]);
        seats[0].observe(one, two);
        seats[1].observe(two, one);
        score += i64::from(payoff(one, two));
    }
    Ok(score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_hand_beats_one_and_loses_to_one() {
        for own in 0..3 {
            let sum: i32 = (0..3).map(|other| payoff(own, other)).sum();
            assert_eq!(sum, 0);
            assert!((0..3).all(|other| payoff(own, other) == -payoff(other, own)));
        }
        assert_eq!(payoff(1, 0), 1, "paper beats rock");
    }

    #[test]
    fn players_are_found_by_name() {
        for player in RoshamboPlayer::ALL {
            assert_eq!(player.name().parse(), Ok(player));
        }
        let unknown = "predictve".parse::<RoshamboPlayer>().expect_err("no such name");
        assert_eq!(unknown.similar, Some("predictive"));
    }

    #[test]
    fn prediction_beats_bias_and_loses_nothing_to_the_equilibrium() {
        let turns = 3000;
        let mean = |other, seed| {
            let score =
                play(RoshamboPlayer::Predictive, other, turns, seed, &Budget::unlimited()).expect("no limit");
            score as f64 / f64::from(turns)
        };
        // Always answering rock earns 1/2 - 1/4; learning costs a little.
        assert!(mean(RoshamboPlayer::Biased, 1) > 0.15);
        for other in [RoshamboPlayer::Cycler, RoshamboPlayer::BeatsLast, RoshamboPlayer::WinStay] {
            assert!(mean(other, 2) > 0.9, "{other:?}");
        }
        // A turn against the equilibrium has variance 2/3: five standard deviations.
        let margin = 5.0 * (2.0 / 3.0 / f64::from(turns)).sqrt();
        for seed in 0..5 {
            assert!(mean(RoshamboPlayer::Equilibrium, seed).abs() < margin);
        }
    }
}
