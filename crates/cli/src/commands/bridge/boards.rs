//! Boards from files, from deal strings, or drawn at random.

use std::io::Read;
use std::path::{Path, PathBuf};

use bridge::auction::Auction;
use bridge::belief::HandBounds;
use bridge::belief::bidding::natural;
use bridge::card::{Card, Suit};
use bridge::contract::{Bid, Contract, Strain, Vulnerability};
use bridge::deal::{Deal, Layout};
use bridge::formats::{Board, Boards, read_lin, read_pbn};
use bridge::generate::Wanted;
use bridge::seat::Seat;
use bridge::table::DealContext;
use clap::{Args, ValueEnum};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::failure::Failure;
use crate::files::LARGEST;
use crate::output::remark;
use crate::settings::Settings;

/// Which boards to take.
#[derive(Debug, Args)]
pub(super) struct BoardArguments {
    /// A PBN or LIN file, `-` for PBN on standard input, or a deal such as `N:AKQ2.… … … …`
    #[arg(value_name = "FILE|DEAL", required_unless_present = "deals")]
    source: Option<String>,

    /// Only these boards of the file: `7`, `1-100` or `1-20,33`
    #[arg(long, value_name = "LIST", value_parser = ranges)]
    boards: Option<Ranges>,

    /// Draw so many boards at random instead of reading a file
    #[arg(long, value_name = "N", conflicts_with = "source")]
    deals: Option<usize>,

    /// The kind of random deal
    #[arg(long, value_name = "KIND", value_enum, default_value_t = Kind::Notrump)]
    kind: Kind,

    /// The contract, for boards that do not tell one: `3NT`, `4SX`
    #[arg(long, value_name = "CONTRACT")]
    contract: Option<Bid>,

    /// Who declares it: N, E, S or W
    #[arg(long, value_name = "SEAT", default_value = "S", value_parser = seat)]
    by: Seat,

    /// The opening lead, for boards that do not tell one: `HQ`
    #[arg(long, value_name = "CARD")]
    lead: Option<Card>,

    /// What is known of a hidden hand: `W:points=6-10,spades=5-7,clubs=0-3`; may be given for several hands
    #[arg(long, value_name = "SEAT:BOUNDS", value_parser = told)]
    told: Vec<(Seat, HandBounds)>,

    /// Draw conclusions from the auction of the file, as from natural bidding with five-card majors
    #[arg(long)]
    bidding: bool,
}

/// Kinds of random deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Kind {
    /// Three notrump by south on 24 to 27 points, no eight-card major
    Notrump,
    /// Four hearts by south on 23 to 27 points and eight or nine hearts
    Hearts,
    /// Four spades by south on 23 to 27 points and eight or nine spades
    Spades,
}

impl Kind {
    /// The conditions and the contract.
    pub(super) fn wanted(self) -> (Wanted, Contract) {
        let (level, strain) = match self {
            Kind::Notrump => (3, Strain::Notrump),
            Kind::Hearts => (4, Strain::Trump(Suit::Hearts)),
            Kind::Spades => (4, Strain::Trump(Suit::Spades)),
        };
        let wanted = match strain {
            Strain::Notrump => Wanted::notrump(Seat::South),
            Strain::Trump(major) => Wanted::major(Seat::South, major),
        };
        (wanted, Contract::new(level, strain, Seat::South).expect("levels three and four exist"))
    }
}

/// Lists of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ranges(Vec<(usize, usize)>);

impl Ranges {
    fn has(&self, number: usize) -> bool {
        self.0.iter().any(|&(from, to)| (from..=to).contains(&number))
    }
}

fn ranges(text: &str) -> Result<Ranges, String> {
    let wrong = || format!("`{text}` is no list of boards; write `7`, `1-100` or `1-20,33`");
    let part = |part: &str| {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let (from, to) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
        (from <= to).then_some((from, to))
    };
    text.split(',').map(part).collect::<Option<Vec<_>>>().map(Ranges).ok_or_else(wrong)
}

fn seat(text: &str) -> Result<Seat, String> {
    let mut letters = text.chars();
    let seat = letters.next().and_then(Seat::from_letter).filter(|_| letters.next().is_none());
    seat.ok_or_else(|| format!("`{text}` is no seat; write N, E, S or W"))
}

/// Reads `W:points=6-10,spades=5-7`.
fn told(text: &str) -> Result<(Seat, HandBounds), String> {
    let wrong = |what: &str| format!("{what}; write for instance `W:points=6-10,spades=5-7`");
    let (name, bounds) = text.split_once(':').ok_or_else(|| wrong("a seat and a colon are missing"))?;
    let seat = seat(name)?;
    let mut told = HandBounds::default();
    for bound in bounds.split(',') {
        let (of, range) = bound.split_once('=').ok_or_else(|| wrong(&format!("`{bound}` is no bound")))?;
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        let number = |text: &str| text.trim().parse::<usize>().ok().filter(|&number| number <= 37);
        let (Some(from), Some(to)) = (number(from), number(to)) else {
            return Err(wrong(&format!("`{range}` is no range")));
        };
        let suit = Suit::DOWN.into_iter().find(|suit| suit.name() == of.trim().to_ascii_lowercase());
        match (of.trim(), suit) {
            _ if from > to => return Err(wrong(&format!("`{range}` is empty"))),
            ("points", _) => told.points = (from as u32, to as u32),
            (_, Some(suit)) => told.length[suit as usize] = (from.min(13), to.min(13)),
            (of, None) => return Err(wrong(&format!("`{of}` is neither points nor a suit"))),
        }
    }
    let fewest: usize = told.length.iter().map(|&(from, _)| from).sum();
    let most: usize = told.length.iter().map(|&(_, to)| to).sum();
    if fewest > 13 || most < 13 {
        return Err(wrong(&format!("no hand of 13 cards is like `{bounds}`")));
    }
    Ok((seat, told))
}

/// A board that can be played: what is not known of the defenders' cards was filled up at random if `filled`.
#[derive(Clone, Debug)]
pub(super) struct Ready {
    pub(super) name: String,
    pub(super) deal: Deal,
    pub(super) contract: Contract,
    pub(super) lead: Option<Card>,
    pub(super) vulnerability: Vulnerability,
    pub(super) told: [HandBounds; 4],
    pub(super) filled: bool,
}

impl Ready {
    /// The board for a file, before anything is played.
    pub(super) fn as_board(&self) -> Board {
        let mut layout = Layout::default();
        for seat in Seat::ALL {
            layout.hands[seat as usize] = Some(self.deal.hand(seat).iter().collect());
        }
        Board {
            name: self.name.clone(),
            line: 0,
            dealer: None,
            vulnerability: self.vulnerability,
            layout,
            deal: Some(self.deal),
            contract: Some(self.contract),
            lead: self.lead,
            auction: None,
            play: Vec::new(),
            result: None,
            tags: Vec::new(),
        }
    }

    /// What the players learn before this board, the `at`-th of the run.
    pub(super) fn context(&self, at: usize, settings: &Settings) -> DealContext {
        DealContext {
            seed: settings.seed.wrapping_mul(1_000_003).wrapping_add(at as u64),
            vulnerable: self.vulnerability.of(self.contract.declarer),
            bounds: self.told,
            budget: settings.budget.clone(),
        }
    }
}

/// The boards to play and how many had to be left out.
pub(super) struct Selection {
    pub(super) ready: Vec<Ready>,
    pub(super) refused: usize,
}

impl BoardArguments {
    /// The boards as they stand in the file, problems told on stderr.
    pub(super) fn read(&self, settings: &Settings) -> Result<Boards, Failure> {
        if let Some(count) = self.deals {
            let drawn = self.draw(count, settings)?;
            return Ok(Boards {
                boards: drawn.ready.iter().map(Ready::as_board).collect(),
                problems: Vec::new(),
            });
        }
        let source = self.source.as_deref().unwrap_or("-");
        let looks_like_deal = source.contains(':') && !Path::new(source).exists();
        let boards = if looks_like_deal { from_string(source)? } else { from_file(&PathBuf::from(source))? };
        for problem in &boards.problems {
            remark(&format!("error[bridge]: {source}: {problem}"));
        }
        if boards.boards.is_empty() {
            let message = format!("{source} holds no board");
            let help = Some("a board needs at least a tag such as [Deal \"N:… … … …\"]".to_owned());
            return Err(Failure::Usage { message, help });
        }
        Ok(boards)
    }

    /// The boards to play. `fill` allows the defenders' hands to be unknown.
    pub(super) fn select(&self, fill: bool, settings: &Settings) -> Result<Selection, Failure> {
        if let Some(count) = self.deals {
            return self.draw(count, settings);
        }
        let boards = self.read(settings)?;
        let mut selection = Selection { ready: Vec::new(), refused: 0 };
        let spoiled: Vec<String> =
            boards.problems.iter().filter_map(|problem| problem.board.clone()).collect();
        let mut met = false;
        for (at, board) in boards.boards.iter().enumerate() {
            let number = board.name.parse().unwrap_or(at + 1);
            if self.boards.as_ref().is_some_and(|wanted| !wanted.has(number)) {
                continue;
            }
            met = true;
            match self.prepare(board, fill) {
                Ok(ready) if !spoiled.contains(&board.name) || ready.filled => selection.ready.push(ready),
                Ok(_) => selection.refused += 1,
                Err(why) => {
                    remark(&format!("error[bridge]: line {}, board {}: {why}", board.line, board.name));
                    selection.refused += 1;
                }
            }
        }
        if !met {
            let message = format!("the file has no such board; it holds {}", boards.boards.len());
            return Err(Failure::Usage { message, help: None });
        }
        Ok(selection)
    }

    fn draw(&self, count: usize, settings: &Settings) -> Result<Selection, Failure> {
        let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
        let (wanted, contract) = self.kind.wanted();
        let contract = self.contract.map_or(contract, |bid| bid.by(self.by));
        let mut ready = Vec::with_capacity(count);
        for number in 1..=count {
            // Whoever plays the boards meets the same limit, with those drawn by then.
            if settings.budget.check().is_err() {
                break;
            }
            let deal = wanted.draw(&mut rng).expect("such deals are common");
            ready.push(Ready {
                name: number.to_string(),
                deal,
                contract,
                lead: None,
                vulnerability: Vulnerability::default(),
                told: self.told_by(None),
                filled: false,
            });
        }
        Ok(Selection { ready, refused: 0 })
    }

    fn prepare(&self, board: &Board, fill: bool) -> Result<Ready, String> {
        let contract = board.contract.or_else(|| self.contract.map(|bid| bid.by(self.by)));
        let contract = contract.ok_or("no contract is told; give one with --contract 3NT --by S")?;
        let lead = board.lead.or(self.lead);
        let (deal, filled) = match board.deal {
            Some(deal) => (deal, false),
            None if fill => (fill_up(&board.layout, contract, lead)?, true),
            None => return Err("all four hands are needed to play it".to_owned()),
        };
        if let Some(lead) = lead
            && !deal.hand(contract.declarer.next()).has(lead)
        {
            return Err(format!("{} does not hold {}", contract.declarer.next(), lead.words()));
        }
        let vulnerability = board.vulnerability;
        let told = self.told_by(board.auction.as_ref());
        Ok(Ready { name: board.name.clone(), deal, contract, lead, vulnerability, told, filled })
    }

    /// What is known of the hands: what the options say, and the auction where it may be used.
    fn told_by(&self, auction: Option<&Auction>) -> [HandBounds; 4] {
        let mut told = auction.filter(|_| self.bidding).map(natural).unwrap_or_default();
        for &(seat, known) in &self.told {
            told[seat as usize] = known;
        }
        told
    }
}

/// Gives the cards that are not told to the defenders, in any way that fits the lead.
fn fill_up(layout: &Layout, contract: Contract, lead: Option<Card>) -> Result<Deal, String> {
    let mut whole = layout.clone();
    let known: Vec<Card> = layout.hands.iter().flatten().flatten().copied().collect();
    let unseen: Vec<Card> = bridge::card::Cards::PACK.iter().filter(|card| !known.contains(card)).collect();
    let mut rest: Vec<Card> = unseen.iter().copied().filter(|&card| Some(card) != lead).collect();
    for seat in [contract.declarer, contract.declarer.partner()] {
        if layout.hands[seat as usize].is_none() {
            return Err(format!("the hand of {seat} is needed to plan"));
        }
    }
    for seat in [contract.declarer.next(), contract.declarer.after(3)] {
        if whole.hands[seat as usize].is_none() {
            let mut hand: Vec<Card> = Vec::new();
            if seat == contract.declarer.next() {
                hand.extend(lead.filter(|card| unseen.contains(card)));
            }
            let missing = (13 - hand.len()).min(rest.len());
            hand.extend(rest.drain(..missing));
            whole.hands[seat as usize] = Some(hand);
        }
    }
    Deal::new(&whole)
        .map_err(|reasons| reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
}

fn from_file(path: &Path) -> Result<Boards, Failure> {
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    let limit = LARGEST as u64 + 1;
    let read = if path == Path::new("-") {
        std::io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    read.map_err(|error| Failure::Read { name: name.clone(), error })?;
    if bytes.len() > LARGEST {
        return Err(Failure::TooLarge { name });
    }
    let lin = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("lin"));
    Ok(if lin { read_lin(&bytes) } else { read_pbn(&bytes) })
}

fn from_string(text: &str) -> Result<Boards, Failure> {
    text.parse::<Layout>().map_err(|error| Failure::Usage { message: format!("{error}"), help: None })?;
    Ok(read_pbn(format!("[Board \"1\"]\n[Deal \"{}\"]\n", text.replace('"', "")).as_bytes()))
}
