//! Round robins: each player meets each other, several times.
//!
//! Each match takes its chance from the seed and its own place, and results are added up in a fixed order, so a
//! tournament is the same to the last bit whatever the number of threads.
//!
//! A player that fails (only programs do) has no score: none of its matches counts, and it is reported with the match and the turn in
//! which it failed. A limit ends a tournament early; the pairings finished by then are added up.

use std::fmt;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use counterplay_base::{Budget, Evidence, Limit, Number, Progress, Report};

use crate::dbs::{self, Dbs, Variant};
use crate::play::{Dice, Length, MatchMoves, Rules, Tally, play};
use crate::statistics::Estimate;
use crate::strategies::{self, StrategyEntry, UnknownStrategy};
use crate::strategy::{Fault, Setting, Strategy};

/// Makes players for single matches.
type Make = Arc<dyn Fn(&Setting) -> Box<dyn Strategy> + Send + Sync>;

/// A participant: a name, and a player for each of its matches.
#[derive(Clone)]
pub struct Entrant {
    /// How it is called.
    pub name: String,
    make: Make,
    /// Whether it may take chances, so that two matches under the same rules may differ.
    takes_chances: bool,
}

impl Entrant {
    /// An entrant whose players are made by a function; it may take chances.
    pub fn new(name: String, make: Make) -> Entrant {
        Entrant { name, make, takes_chances: true }
    }

    /// The strategy of this name, or the version of DBS.
    pub fn find(name: &str) -> Result<Entrant, UnknownStrategy> {
        let version = dbs::variants().iter().find(|version| version.name.eq_ignore_ascii_case(name));
        version.map_or_else(|| strategies::find(name).map(Entrant::from), |version| Ok(version.into()))
    }

    /// A player for one match.
    pub fn player(&self, setting: &Setting) -> Box<dyn Strategy> {
        (self.make)(setting)
    }
}

impl From<&Variant> for Entrant {
    fn from(version: &Variant) -> Entrant {
        let settings = version.settings;
        let make = move |setting: &Setting| -> Box<dyn Strategy> { Box::new(Dbs::new(settings, setting)) };
        Entrant { name: version.name.to_owned(), make: Arc::new(make), takes_chances: true }
    }
}

impl From<&StrategyEntry> for Entrant {
    fn from(entry: &StrategyEntry) -> Entrant {
        let make = entry.make;
        Entrant { name: entry.name.to_owned(), make: Arc::new(make), takes_chances: entry.stochastic }
    }
}

impl fmt::Debug for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entrant").field("name", &self.name).finish_non_exhaustive()
    }
}

/// How a tournament is run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The rules of each match.
    pub rules: Rules,
    /// How often each pair meets.
    pub repetitions: u32,
    /// Whether each player also meets itself.
    pub self_play: bool,
    /// What chance begins with.
    pub seed: u64,
    /// How many threads play.
    pub threads: usize,
}

/// The scores of a tournament.
#[derive(Clone, Debug)]
pub struct Results {
    /// The entrants that have a score, in the order in which they were given.
    pub names: Vec<String>,
    /// How many turns were played in all.
    pub turns: u64,
    /// How many matches were played in all.
    pub matches: u64,
    /// `scores[i][j]`: the mean score of `i` in a match against `j`; unknown if they did not meet.
    pub scores: Vec<Vec<Option<f64>>>,
    /// `cooperation[i][j]`: the share of turns in which `i` cooperated with `j`.
    pub cooperation: Vec<Vec<Option<f64>>>,
    /// `means[i]`: the mean score of `i` in a match, with its interval over the repetitions.
    pub means: Vec<Estimate>,
    /// `runs[r][i]`: the mean score of `i` in a match of repetition `r`.
    pub runs: Vec<Vec<f64>>,
    /// The players that failed, each with the first match in which it did. None of their matches counts.
    pub faults: Vec<FaultReport>,
    /// Whether chance had no part in any match, so that the scores are exact.
    pub exact: bool,
    /// The limit that ended the tournament before all pairings were played.
    pub stopped: Option<Limit>,
}

/// A player that did not play by itself to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultReport {
    /// The name of the player that failed.
    pub player: String,
    /// The name of the other player of that match.
    pub against: String,
    /// In which repetition, counted from 0.
    pub repetition: u32,
    pub fault: Fault,
}

impl Results {
    /// The entrants by rank: best mean first; those who are equal in the order of entry.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&a, &b| self.means[b].mean.total_cmp(&self.means[a].mean));
        order
    }

    /// The mean scores of all pairs. An entrant that did not meet another (itself, as a rule) is taken to earn its own mean from it.
    pub fn score_matrix(&self) -> Vec<Vec<f64>> {
        let rows = self.scores.iter().zip(&self.means);
        rows.map(|(row, own)| row.iter().map(|score| score.unwrap_or(own.mean)).collect()).collect()
    }

    /// What the means rest on: matches without chance are exact, others are a sample. `None` if there are no scores.
    pub fn evidence(&self) -> Option<Evidence> {
        const ENGINE: &str = "round robin";
        if self.names.is_empty() {
            return None;
        }
        if self.exact {
            return Some(Evidence::proved(ENGINE, None));
        }
        let widest = self.means.iter().filter_map(|mean| mean.margin).reduce(f64::max);
        Some(Evidence::Sampled {
            engine: ENGINE.to_owned(),
            samples: self.runs.len() as u64,
            error: widest.map(Number),
            about: "mean points of a match; the error is the widest of the ranking, over the repetitions"
                .to_owned(),
        })
    }

    /// The share of all its turns in which an entrant cooperated.
    pub fn cooperation_rate(&self, player: usize) -> f64 {
        let known: Vec<f64> = self.cooperation[player].iter().flatten().copied().collect();
        if known.is_empty() { 0.0 } else { known.iter().sum::<f64>() / known.len() as f64 }
    }
}

/// What came out of one pairing.
struct Pairing {
    number: usize,
    tallies: Vec<Tally>,
    /// Who failed, as a place among the entrants, and how.
    faults: Vec<(usize, FaultReport)>,
}

/// How a player stands while the tournament goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    pub name: String,
    /// The mean score of the matches so far; unknown before the first.
    pub mean: Option<f64>,
    /// The matches so far; one against itself counts as one.
    pub matches: u64,
}

/// Hears how the players stand, in the order in which they were given.
pub type Herald<'a> = &'a (dyn Fn(&[Standing]) + Sync);

/// How many pairings a thread takes at a time.
const BLOCK: usize = 8;
/// Standings come no faster than this.
const INTERVAL: Duration = Duration::from_millis(150);

/// What is finished, and who stands how.
struct Scoreboard {
    done: Vec<Pairing>,
    sums: Vec<Sum>,
    told: Instant,
}

impl Scoreboard {
    fn add(&mut self, block: Vec<Pairing>, pairs: &[(usize, usize)], options: &Options) {
        for pairing in &block {
            let (first, second) = pairs[pairing.number];
            let weight = if first == second { 0.5 } else { 1.0 };
            for tally in &pairing.tallies {
                let (scores, cooperations) = (tally.scores(&options.rules.game), tally.cooperations());
                for (side, player) in [first, second].into_iter().enumerate() {
                    self.sums[player].add(scores[side], weight, cooperations[side], tally.turns());
                }
            }
        }
        self.done.extend(block);
    }

    /// How the players stand, if it is time to tell it.
    fn standings(&mut self, entrants: &[Entrant]) -> Option<Vec<Standing>> {
        if self.told.elapsed() < INTERVAL {
            return None;
        }
        self.told = Instant::now();
        let standing = |(entrant, sum): (&Entrant, &Sum)| Standing {
            name: entrant.name.clone(),
            mean: sum.score(),
            matches: sum.matches.round() as u64,
        };
        Some(entrants.iter().zip(&self.sums).map(standing).collect())
    }
}

/// Plays all pairings, on several threads.
pub fn run(entrants: &[Entrant], options: &Options, budget: &Budget, progress: &dyn Progress) -> Results {
    run_telling(entrants, options, budget, progress, &|_| {})
}

/// The same; `tell` hears how the players stand on the way.
pub fn run_telling(
    entrants: &[Entrant],
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
    tell: Herald<'_>,
) -> Results {
    let pairs = schedule(entrants.len(), options);
    let order = evenly(&pairs, entrants.len());
    let size = (pairs.len() / (8 * options.threads.max(1))).clamp(1, BLOCK);
    let failed: Vec<AtomicBool> = entrants.iter().map(|_| AtomicBool::new(false)).collect();
    let next = AtomicUsize::new(0);
    let board = Mutex::new(Scoreboard {
        done: Vec::with_capacity(pairs.len()),
        sums: vec![Sum::default(); entrants.len()],
        told: Instant::now(),
    });
    let work = || -> Result<(), Limit> {
        let mut moves = MatchMoves::default();
        loop {
            let from = next.fetch_add(size, Ordering::Relaxed);
            if from >= pairs.len() {
                return Ok(());
            }
            let to = (from + size).min(pairs.len());
            let mut block = Vec::with_capacity(size);
            let mut ended = Ok(());
            for &number in &order[from..to] {
                let pair = pairs[number];
                // A player that failed once is out; to wait for it in every other match would take for ever.
                if [pair.0, pair.1].iter().any(|&player| failed[player].load(Ordering::Relaxed)) {
                    continue;
                }
                match meet(entrants, number, pair, options, &mut moves, budget) {
                    Ok(pairing) => {
                        for (player, _) in &pairing.faults {
                            failed[*player].store(true, Ordering::Relaxed);
                        }
                        block.push(pairing);
                    }
                    Err(limit) => {
                        ended = Err(limit);
                        break;
                    }
                }
            }
            let standings = {
                let mut board = board.lock().expect("no thread panics with the results");
                board.add(block, &pairs, options);
                board.standings(entrants)
            };
            if let Some(standings) = standings {
                tell(&standings);
            }
            ended?;
            let share = to as f64 / pairs.len() as f64;
            progress.report(Report { phase: "tournament", counts: &[("percent", 100.0 * share)] });
        }
    };
    let ended = if options.threads <= 1 {
        work()
    } else {
        thread::scope(|scope| {
            let workers: Vec<_> = (0..options.threads).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("players do not panic"))
        })
    };
    let mut done = board.into_inner().expect("no thread panics with the results").done;
    done.sort_by_key(|pairing| pairing.number);
    add_up(entrants, options, &pairs, done, ended.err())
}

/// The pairs that meet. If the sides of the game differ, each player plays both.
fn schedule(count: usize, options: &Options) -> Vec<(usize, usize)> {
    let symmetric = options.rules.game.is_symmetric();
    let mut pairs = Vec::new();
    for first in 0..count {
        for second in 0..count {
            if (first < second || !symmetric && first > second) || first == second && options.self_play {
                pairs.push((first, second));
            }
        }
    }
    pairs
}

/// The numbers of the pairs in an order in which all players meet others at about the same time: first those next to each other, then
/// those two places apart, and so on. Results do not depend on it, what is known half-way does.
fn evenly(pairs: &[(usize, usize)], count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_by_key(|&number| {
        let (first, second) = pairs[number];
        let apart = first.abs_diff(second);
        (apart.min(count - apart), number)
    });
    order
}

/// Plays all repetitions of one pairing.
fn meet(
    entrants: &[Entrant],
    number: usize,
    (first, second): (usize, usize),
    options: &Options,
    board: &mut MatchMoves,
    budget: &Budget,
) -> Result<Pairing, Limit> {
    let rules = &options.rules;
    let mut pairing = Pairing { number, tallies: Vec::new(), faults: Vec::new() };
    for repetition in 0..options.repetitions {
        budget.check()?;
        let mut one = entrants[first].player(&rules.setting(0));
        let mut two = entrants[second].player(&rules.setting(1));
        let place = [first as u64, second as u64, u64::from(repetition)];
        let mut dice = Dice::new(options.seed, &place);
        pairing.tallies.push(play(&mut *one, &mut *two, rules, &mut dice, board, budget)?);
        for (player, against, fault) in [(first, second, one.fault()), (second, first, two.fault())] {
            let name = |place: usize| entrants[place].name.clone();
            pairing.faults.extend(fault.map(|fault| {
                (player, FaultReport { player: name(player), against: name(against), repetition, fault })
            }));
        }
        if !pairing.faults.is_empty() {
            break;
        }
    }
    Ok(pairing)
}

/// Sums over matches, for one player or one pair of players.
#[derive(Clone, Copy, Default)]
struct Sum {
    score: f64,
    matches: f64,
    cooperations: u64,
    turns: u64,
}

impl Sum {
    fn add(&mut self, score: f64, weight: f64, cooperations: u32, turns: u32) {
        self.score += score * weight;
        self.matches += weight;
        self.cooperations += u64::from(cooperations);
        self.turns += u64::from(turns);
    }

    fn score(&self) -> Option<f64> {
        (self.matches > 0.0).then(|| self.score / self.matches)
    }

    fn cooperation(&self) -> Option<f64> {
        (self.turns > 0).then(|| self.cooperations as f64 / self.turns as f64)
    }
}

fn add_up(
    entrants: &[Entrant],
    options: &Options,
    pairs: &[(usize, usize)],
    done: Vec<Pairing>,
    stopped: Option<Limit>,
) -> Results {
    let mut faults: Vec<(usize, FaultReport)> = Vec::new();
    for (player, fault) in done.iter().flat_map(|pairing| &pairing.faults) {
        if faults.iter().all(|(known, _)| known != player) {
            faults.push((*player, fault.clone()));
        }
    }
    let sound = |place: usize| faults.iter().all(|(failed, _)| *failed != place);
    let counted: Vec<((usize, usize), Vec<Tally>)> = done
        .into_iter()
        .map(|pairing| (pairs[pairing.number], pairing.tallies))
        .filter(|((first, second), _)| sound(*first) && sound(*second))
        .collect();
    // Players without a match that counts have no score, and no place in the tables.
    let mut met = vec![false; entrants.len()];
    for ((first, second), _) in &counted {
        (met[*first], met[*second]) = (true, true);
    }
    let kept: Vec<usize> = (0..entrants.len()).filter(|&place| met[place]).collect();
    let mut place_of = vec![0; entrants.len()];
    kept.iter().enumerate().for_each(|(new, &old)| place_of[old] = new);
    let count = kept.len();
    let mut cells = vec![Sum::default(); count * count];
    let mut runs = vec![vec![Sum::default(); count]; options.repetitions as usize];
    let mut turns = 0;
    let matches = counted.iter().map(|(_, tallies)| tallies.len() as u64).sum();
    for ((first, second), tallies) in counted {
        let (first, second) = (place_of[first], place_of[second]);
        // A match with oneself is one match, though it has two scores.
        let weight = if first == second { 0.5 } else { 1.0 };
        for (repetition, tally) in tallies.iter().enumerate() {
            turns += u64::from(tally.turns());
            let scores = tally.scores(&options.rules.game);
            let cooperations = tally.cooperations();
            for (side, (player, against)) in [(first, second), (second, first)].into_iter().enumerate() {
                let (score, cooperated) = (scores[side], cooperations[side]);
                cells[player * count + against].add(score, weight, cooperated, tally.turns());
                runs[repetition][player].add(score, weight, cooperated, tally.turns());
            }
        }
    }
    let runs: Vec<Vec<f64>> =
        runs.iter().map(|run| run.iter().map(|sum| sum.score().unwrap_or(0.0)).collect()).collect();
    let samples = |player: usize| runs.iter().map(|run| run[player]).collect::<Vec<f64>>();
    let table = |value: fn(&Sum) -> Option<f64>| {
        cells.chunks(count.max(1)).map(|row| row.iter().map(value).collect()).collect::<Vec<Vec<_>>>()
    };
    Results {
        exact: options.rules.noise == 0.0
            && !matches!(options.rules.length, Length::Geometric { .. })
            && kept.iter().all(|&place| !entrants[place].takes_chances),
        names: kept.iter().map(|&place| entrants[place].name.clone()).collect(),
        turns,
        matches,
        scores: table(Sum::score),
        cooperation: table(Sum::cooperation),
        means: (0..count).map(|player| Estimate::of(&samples(player))).collect(),
        runs,
        faults: faults.into_iter().map(|(_, fault)| fault).collect(),
        stopped,
    }
}
