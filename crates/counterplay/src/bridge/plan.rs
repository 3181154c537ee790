//! Declarer's plan after the opening lead.

use std::num::NonZero;
use std::thread;

use ::bridge::belief::evidence::Trust;
use ::bridge::card::{Card, Cards};
use ::bridge::chance::{ChanceEstimate, Chances, LeadReading, Opposition, Playout};
use ::bridge::diagram::diagram;
use ::bridge::planner::advice::{Advice, AdvisedCard};
use ::bridge::play::Position;
use ::bridge::players::{Effort, NetworkPlayer, Planner, PlannerSettings, Player};
use ::bridge::rules::opening_lead;
use ::bridge::table::DealContext;
use counterplay_base::{Budget, Evidence, Limit, Number, Progress};
use counterplay_tasknet::agents::Criterion;
use serde::{Deserialize, Serialize};

use super::boards::ReadyBoard;
use super::calibrate::PerDefence;
use super::show::picture;
use crate::error::{Error, Halt};
use crate::figures::count;

/// How a plan is made and valued.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct PlanRequest {
    /// How many layouts of the unseen cards are considered
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = PlanRequest::default().layouts))]
    pub layouts: usize,

    /// How many layouts are played out against each defence to estimate the chance; 0 for none
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = PlanRequest::default().samples))]
    pub samples: usize,

    /// How many tricks the plan covers before it is valued
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = PlanRequest::default().tricks,
        value_parser = clap::value_parser!(u8).range(1..=4)))]
    pub tricks: u8,

    /// How the defenders' possible plays are valued together
    #[cfg_attr(feature = "clap", arg(long, value_name = "CRITERION", value_enum, default_value_t))]
    pub criterion: PlanCriterion,

    /// Optimism of the Hurwicz criterion, from 0 to 1
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", default_value_t = PlanRequest::default().optimism))]
    pub optimism: f64,

    /// Draw no conclusions from the opening lead
    #[cfg_attr(feature = "clap", arg(long = "no-inference", action = clap::ArgAction::SetFalse))]
    pub inference: bool,

    /// The seed of everything that is left to chance.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub seed: u64,

    /// How many threads play layouts out; as many as there are cores if it is left open. The answer does not depend on it.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub threads: Option<NonZero<usize>>,
}

impl Default for PlanRequest {
    fn default() -> PlanRequest {
        PlanRequest {
            layouts: Effort::default().layouts,
            samples: 16,
            tricks: 2,
            criterion: PlanCriterion::Average,
            optimism: 0.5,
            inference: true,
            seed: 0,
            threads: None,
        }
    }
}

/// How the defenders' possible plays are valued together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum PlanCriterion {
    /// Weighted by belief
    #[default]
    Average,
    /// The worst case
    Maximin,
    /// Between worst and best
    Hurwicz,
    /// The smallest largest regret
    Regret,
}

/// Declarer's plan for a board. Its JSON form is a line of `counterplay bridge plan --json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanAnswer {
    /// The name of the board.
    pub board: String,
    /// Level, strain and doubles, such as `3NT`.
    pub contract: String,
    /// The letter of the declarer's seat.
    pub declarer: String,
    /// The opening lead: suit and rank, such as `HQ`.
    pub lead: String,
    /// The card to play now.
    pub card: String,
    /// Tricks on average against the defence by rule; null without playouts.
    pub tricks: Option<f64>,
    /// The chance of making against the defence by rule, from 0 to 1; null without playouts.
    pub chance: Option<f64>,
    /// The chance against each defence.
    pub chances: PerDefence<ChanceAnswer>,
    /// The planner's own valuation of making the contract, from 0 to 1. It is too high as a rule.
    pub valuation: f64,
    /// The mean score that the plan expects.
    pub score: f64,
    /// The line of play, as long as the defenders do what is most likely.
    pub line: Vec<String>,
    /// Why this card is played.
    pub explanation: String,
    /// All cards that were considered, best score first.
    pub considered: Vec<Considered>,
    /// How many layouts of the unseen cards were considered.
    pub layouts: usize,
    /// Operations in the decision tree.
    pub moves_searched: u64,
    /// What the chance against the defence by rule rests on.
    pub evidence: Evidence,
    /// `stopped` if a limit ended the playouts; left out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<&'static str>,
    /// The name of the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// The limit that ended the playouts.
    #[serde(skip)]
    pub stopped: Option<Limit>,
    /// What the text and the picture are made from.
    #[serde(skip)]
    source: PlanSource,
}

#[derive(Clone, Debug)]
struct PlanSource {
    board: ReadyBoard,
    lead: Card,
    advice: Advice,
    chances: Chances,
}

/// A card that was considered.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Considered {
    /// Suit and rank, such as `HQ`.
    pub card: String,
    /// What it is for.
    pub explanation: String,
    /// The mean duplicate score that its best line expects.
    pub score: f64,
    /// The planner's valuation of making the contract with it, from 0 to 1.
    pub valuation: f64,
    /// The mean score by search over layouts against best defence; left out where nothing was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub searched: Option<f64>,
}

/// The chance of making the contract against one defence, in percent. All is null without playouts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChanceAnswer {
    /// Contracts made, in percent.
    pub percent: Option<f64>,
    /// The distance to the farther end of the interval.
    pub error: Option<f64>,
    /// The lower end of the 95 % confidence interval.
    pub low: Option<f64>,
    /// The upper end of that interval.
    pub high: Option<f64>,
    /// How many layouts were played out.
    pub samples: u32,
    /// Mean number of tricks over these layouts.
    pub tricks: Option<f64>,
    /// What it rests on.
    pub evidence: Evidence,
}

/// Plans a board after its opening lead, and plays the plan out to estimate its chance. A limit that comes during the playouts is
/// told in the answer.
///
/// # Errors
/// The lead is missing or fits no layout, options that do not fit, or a limit that came before there was a plan.
pub fn plan(
    board: &ReadyBoard,
    request: &PlanRequest,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<PlanAnswer, Halt> {
    if !(1..=4).contains(&request.tricks) {
        return Err(Error::Request { message: "`tricks` lies between 1 and 4".to_owned(), help: None }.into());
    }
    budget.check()?;
    progress.begin("plan");
    let contract = board.contract;
    let (lead, by_rule) = match board.lead {
        Some(lead) => (lead, false),
        None if board.is_filled_up => {
            let message =
                format!("board {}: the lead is needed when the defenders' hands are not known", board.name);
            return Err(Error::Request { message, help: Some("give it with `lead HQ`".to_owned()) }.into());
        }
        None => (opening_lead(board.deal.hand(contract.declarer.next()), contract.strain.trump()), true),
    };
    let mut position = Position::new(&board.deal, contract);
    position.put(lead);
    let view = position.view();
    let context = board.context(request.seed, budget);
    let Some(advice) = request.planner(&context).advise(&view, &[lead]) else {
        budget.check()?;
        let message = format!("board {}: no layout agrees with the lead {lead}", board.name);
        return Err(Error::Request { message, help: None }.into());
    };
    let reading = match (request.inference, by_rule) {
        (false, _) => LeadReading::Nothing,
        (true, true) => LeadReading::ByRule,
        (true, false) => LeadReading::Usually,
    };
    progress.begin("playouts");
    let playout = Playout {
        view: &view,
        lead,
        reading,
        card: advice.card,
        layouts: Effort::default().layouts,
        context: &context,
    };
    let threads = request.threads.or_else(|| thread::available_parallelism().ok());
    let (chances, stopped) = playout.estimate(request.samples, threads.map_or(1, NonZero::get));
    let source = PlanSource { board: board.clone(), lead, advice, chances };
    Ok(PlanAnswer::new(source, reading, stopped))
}

impl PlanRequest {
    /// The planner that plays, unless options say otherwise.
    fn planner(&self, context: &DealContext) -> Planner {
        let settings = PlannerSettings::quick(self.layouts.max(1), Effort::default().samples);
        let network = NetworkPlayer::new(settings.layouts, self.seed);
        let network = network.with_tricks(self.tricks).with_criterion(self.criterion());
        let network = if self.inference { network } else { network.with_trust(Trust::NONE) };
        let mut planner = Planner::over(network, settings, self.seed);
        planner.begin(context);
        planner
    }

    fn criterion(&self) -> Criterion {
        match self.criterion {
            PlanCriterion::Average => Criterion::WeightedAverage,
            PlanCriterion::Maximin => Criterion::Maximin,
            PlanCriterion::Hurwicz => Criterion::Hurwicz(self.optimism.clamp(0.0, 1.0)),
            PlanCriterion::Regret => Criterion::MinimaxRegret,
        }
    }
}

impl PlanAnswer {
    fn new(source: PlanSource, reading: LeadReading, stopped: Option<Limit>) -> PlanAnswer {
        let PlanSource { board, lead, advice, chances } = &source;
        let [rules, double_dummy] =
            [0, 1].map(|side| ChanceAnswer::new(Opposition::ALL[side], &chances.against[side], reading));
        let considered = advice.considered.iter().map(Considered::new);
        PlanAnswer {
            board: board.name.clone(),
            contract: board.contract.bid(),
            declarer: board.contract.declarer.letter().to_string(),
            lead: lead.to_string(),
            card: advice.card.to_string(),
            tricks: chances.against[0].mean_tricks(),
            chance: chances.against[0].share(),
            evidence: rules.evidence.clone(),
            chances: PerDefence { rules, double_dummy },
            valuation: advice.valuation,
            score: advice.score,
            line: advice.line.clone(),
            explanation: advice.why.clone(),
            considered: considered.collect(),
            layouts: advice.layouts.0,
            moves_searched: advice.moves,
            verdict: stopped.map(|_| "stopped"),
            limit: stopped.map(Limit::name),
            stopped,
            source,
        }
    }

    /// Declarer's and dummy's hands, by seat.
    fn hands(&self) -> [Option<Cards>; 4] {
        let board = &self.source.board;
        let mut hands = [None; 4];
        for seat in [board.contract.declarer, board.contract.declarer.partner()] {
            hands[seat as usize] = Some(board.deal.hand(seat));
        }
        hands
    }

    /// Declarer's and dummy's hands as a picture (SVG).
    pub fn picture(&self) -> String {
        picture(&format!("{}, lead {}", self.source.board.contract, self.source.lead), self.hands())
    }

    /// The plan for people: the hands, the card and its reason, the chances, the line, and what else was considered.
    pub fn text(&self) -> String {
        let PlanSource { board, lead, advice, chances } = &self.source;
        let contract = board.contract;
        let leader = contract.declarer.next();
        let mut text = format!("Board {}: {contract}, {leader} leads {}\n\n", board.name, lead.words());
        text += &diagram(self.hands(), true);
        text += &format!("\nPlay {}: {}.\n", advice.card.words(), advice.why);
        let found = Opposition::ALL.iter().zip(&chances.against);
        let sentences: String =
            found.filter_map(|(&opposition, estimate)| sentence(opposition, estimate)).collect();
        if !sentences.is_empty() {
            text += &format!("\nThe planner makes {} in\n{sentences}", contract.bid());
        }
        text += "\nThe line, as long as they do what is most likely:\n";
        for step in &advice.line {
            text += &format!("  {step}\n");
        }
        text += "\nConsidered: the schemes' own valuation (by rule after the planned tricks, too high as a rule), and the mean score by search\nagainst defenders who see all cards:\n";
        for AdvisedCard { card, why, score, valuation, searched } in &advice.considered {
            let searched =
                searched.map_or_else(|| "not searched".to_owned(), |mean| format!("search {mean:+7.1}"));
            text += &format!(
                "  {card}  valued at {:3.0} %  score {score:+7.1}  {searched}  {why}\n",
                100.0 * valuation
            );
        }
        let (layouts, all) = advice.layouts;
        let which = if all { "all" } else { "drawn at random" };
        let (layouts, moves) = (count(layouts, "layout"), count(advice.moves, "move"));
        text += &format!("\n{layouts} ({which}), {moves} in the decision tree\n");
        for chance in [&self.chances.rules, &self.chances.double_dummy] {
            text += &format!("{}\n", chance.evidence.sentence());
        }
        text
    }
}

impl Considered {
    pub(super) fn new(advised: &AdvisedCard) -> Considered {
        Considered {
            card: advised.card.to_string(),
            explanation: advised.why.clone(),
            score: advised.score,
            valuation: advised.valuation,
            searched: advised.searched,
        }
    }
}

impl ChanceAnswer {
    fn new(opposition: Opposition, estimate: &ChanceEstimate, reading: LeadReading) -> ChanceAnswer {
        let percent = |share: f64| tenth(100.0 * share);
        ChanceAnswer {
            percent: estimate.share().map(percent),
            error: estimate.error().map(percent),
            low: estimate.interval().map(|(low, _)| percent(low)),
            high: estimate.interval().map(|(_, high)| percent(high)),
            samples: estimate.samples,
            tricks: estimate.mean_tricks(),
            evidence: evidence(opposition, estimate, reading),
        }
    }
}

/// What the chance against one defence rests on; without a sample, the planner's valuation.
fn evidence(opposition: Opposition, estimate: &ChanceEstimate, reading: LeadReading) -> Evidence {
    match estimate.error() {
        Some(error) => Evidence::Sampled {
            engine: "the planner's own play".to_owned(),
            samples: u64::from(estimate.samples),
            error: Some(Number(tenth(100.0 * error))),
            about: format!("percent of {}, against {}", reading.words(), opposition.words()),
        },
        None => Evidence::Planned {
            engine: "the planner's schemes".to_owned(),
            assumes: "the defenders play by rule and declarer plays by rule after the plan".to_owned(),
        },
    }
}

/// Rounded to tenths, since the sampling error is far larger.
fn tenth(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}

/// `85 % ± 19 against the defence by rule`; `None` without a sample.
fn sentence(opposition: Opposition, estimate: &ChanceEstimate) -> Option<String> {
    let (share, error, tricks) = (estimate.share()?, estimate.error()?, estimate.mean_tricks()?);
    let (percent, error) = (100.0 * share, 100.0 * error);
    let against = opposition.words();
    Some(format!("  {percent:3.0} % ± {error:.0} against {against}, with {tricks:.1} tricks on average\n"))
}
