//! Repeated games.

use counterplay::dilemma::{
    self, MatchRequest, MatchRules, Move, Players, Session, SessionAnswer, Standing, TournamentRequest,
    play_match, strategies, tournament_telling,
};
use counterplay::syntax::Sources;
use counterplay::{Error, Halt};
use serde_json::{Value, json};

use super::Desk;
use super::task::{OwnPlay, OwnStrategy};

/// So many players are told of while a tournament goes on.
const SHOWN: usize = 40;

/// The strategies of the library and those of the page.
fn players(own: &[OwnStrategy]) -> Result<Players, Halt> {
    let mut players = Players::default();
    for strategy in own {
        players = match &strategy.play {
            OwnPlay::Table([first, after @ ..]) => players.with_table(&strategy.name, *first, *after)?,
            OwnPlay::Conditions(text) => {
                let mut sources = Sources::default();
                let file = sources.add(&*strategy.name, &**text);
                players.with_conditions(&strategy.name, sources, file)?
            }
        };
    }
    Ok(players)
}

impl Desk<'_> {
    pub(super) fn dilemma_strategies(&self) -> Result<(), Halt> {
        self.answer(&strategies());
        Ok(())
    }

    pub(super) fn dilemma_match(&self, request: &MatchRequest, own: &[OwnStrategy]) -> Result<(), Halt> {
        self.answer(&play_match(&players(own)?, request, self.budget, self.report)?);
        Ok(())
    }

    pub(super) fn dilemma_tournament(
        &self,
        request: &TournamentRequest,
        own: &[OwnStrategy],
    ) -> Result<(), Halt> {
        let tell = |standings: &[Standing]| {
            let mut best: Vec<&Standing> = standings.iter().filter(|one| one.mean.is_some()).collect();
            best.sort_by(|a, b| b.mean.unwrap_or(0.0).total_cmp(&a.mean.unwrap_or(0.0)));
            let rows: Vec<Value> = best
                .iter()
                .take(SHOWN)
                .map(|one| json!({"strategy": one.name, "mean": one.mean, "matches": one.matches}))
                .collect();
            self.output.put(&json!({"standings": rows}));
        };
        let answer = tournament_telling(&players(own)?, request, self.budget, self.report, &tell)?;
        self.report.flush();
        // The same pictures as on the command line.
        self.output.put(&json!({
            "answer": answer, "ranking": answer.ranking_picture(), "heat_map": answer.heat_map(),
            "population": answer.ecology_picture(), "shares": answer.ecology_csv(),
        }));
        Ok(())
    }

    pub(super) fn dilemma_play(
        &self,
        opponent: &str,
        moves: &str,
        rules: &MatchRules,
        seed: u64,
        own: &[OwnStrategy],
    ) -> Result<(), Halt> {
        let entrant = players(own)?.find(opponent)?;
        let rules = rules.decide()?;
        dilemma::fixed_turns(&rules)?;
        let mut session = Session::new(&entrant, rules, seed);
        for letter in moves.chars() {
            self.budget.check()?;
            let intended = match letter {
                'C' => Move::C,
                'D' => Move::D,
                other => {
                    let message = format!("`{other}` is no move: write C or D");
                    return Err(Error::Request { message, help: None }.into());
                }
            };
            session.turn(intended).map_err(|fault| Error::Request { message: fault.why, help: None })?;
        }
        let (beliefs, advice) = session.advice();
        let lines =
            |beliefs: Option<dilemma::Beliefs>| beliefs.map(|beliefs| beliefs.lines).unwrap_or_default();
        self.answer(&json!({
            "played": SessionAnswer::new(&session, &entrant.name),
            "advice": advice.to_string(),
            "beliefs": lines(beliefs),
            "opponent_beliefs": lines(session.opponent_beliefs()),
        }));
        Ok(())
    }
}
