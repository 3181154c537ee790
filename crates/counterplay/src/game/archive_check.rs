//! The check of a solution's archive on all its positions, by the plain reading of the rules.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Instant, UNIX_EPOCH};

use counterplay_base::{Budget, Id, Limit, Progress, Report};
use counterplay_check::{
    ArchiveCheck, ArchiveFlaw, CheckedArchive, Checkpoint, DiagramShelf, LayerRecord, Liking, Naming,
    Notation, PositionList, Rulebook, Shelf, ShelfError, Variables, WordShelf, check_archive, difference,
    own_reward, read_end,
};
use counterplay_cluster::Outline;
use counterplay_gdl::interpret::{InterpretError, Interpreter, State, TermId};
use counterplay_gdl::message::terms;
use counterplay_ggp::explicit::Order;
use counterplay_ggp::symbolic::Codebook;
use counterplay_ground::game::{FluentId, Game};
use serde::{Deserialize, Serialize};

use super::grounding::prove;
use super::playbook::PlainGame;
use super::rules::GameRules;
use super::solving::{troubled, unsolved};
use crate::effort::seconds;
use crate::error::{Error, Halt};
use crate::figures::count;

/// Whether an archive holds in all its positions. Its JSON form is what `counterplay check GAME FOLDER --json` prints.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ArchiveValidity {
    /// Whether every position has the value that the rules and the positions one move later make of it; `None` if a limit came first.
    pub valid: Option<bool>,
    /// If it does not: the first thing that is wrong, with layer and entry.
    pub why: Option<String>,
    /// The names of the roles.
    pub roles: Vec<String>,
    /// What each role gets from the beginning on, if all positions hold.
    pub value: Option<Vec<u32>>,
    /// Number of layers.
    pub layers: usize,
    /// Positions that were looked at, those of earlier runs included.
    pub positions: u64,
    /// Positions of earlier runs, if this one went on from a file of progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resumed: Option<u64>,
    /// The limit that was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// Seconds of wall time.
    pub seconds: f64,
}

impl ArchiveValidity {
    /// A few lines for people.
    pub fn text(&self) -> String {
        match (self.valid, &self.value) {
            (Some(true), Some(value)) => {
                let mut text = format!(
                    "valid: one-step consistency of {} in {}\n",
                    count(self.positions, "position"),
                    count(self.layers, "layer")
                );
                for (role, reward) in self.roles.iter().zip(value) {
                    text += &format!("{role} gets {reward}\n");
                }
                text
            }
            (None, _) => format!(
                "stopped: {} so far, and nothing wrong among them\n",
                count(self.positions, "position")
            ),
            _ => format!("invalid: {}\n", self.why.as_deref().unwrap_or_default()),
        }
    }
}

/// Whether a folder holds the archive of a solved game.
pub fn is_archive(folder: &Path) -> bool {
    folder.join(END).exists() || Outline::is_there(folder)
}

/// The last record of an archive of sets.
const END: &str = "end.layer";
/// Entries that are looked at together for each byte of memory that may be used: entries have positions, and these have successors.
const BYTES_PER_ENTRY: usize = 32 << 10;
/// Memory for a batch unless a limit says otherwise.
const MEMORY: usize = 512 << 20;

/// Looks at all positions of an archive that `game solve --store` has written, by the rules alone. Memory for positions is bounded by the budget's limit.
/// With `progress_file`, what was looked at is noted there after each batch, and a later call goes on from it; the file belongs to the caller, not to the archive,
/// and counts for the archive as it was only. `list` is told each position as it is looked at: its layer, what each role gets, and its fluents.
///
/// # Errors
/// Rules or folders that cannot be read, and archives that have no layers to go by. An archive that does not hold is no error, nor is a limit.
pub fn check_archive_folder(
    rules: &GameRules,
    folder: &Path,
    progress_file: Option<&Path>,
    list: Option<PositionList<'_>>,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<ArchiveValidity, Halt> {
    let started = Instant::now();
    rules.refuse_imperfect("checked: an archive is about whole positions").map_err(Halt::from)?;
    progress.begin("grounding");
    let game = rules.ground(budget, progress)?;
    let structure = prove(&game, budget)?;
    let keeper = progress_file.map(|path| ProgressFile::open(path, folder, rules)).transpose()?;
    let from = keeper.as_ref().map(|keeper| keeper.from).unwrap_or_default();
    let interpreter = Interpreter::new(rules.rules.clone()).map_err(troubled)?;
    let mut plain = PlainGame { interpreter, budget };
    let fluents = Fluents::new(&game, rules, &mut plain)?;
    progress.begin("checking");
    let run = ArchiveRun { folder, from, keeper: keeper.as_ref(), budget, progress, plain, fluents, list };
    let mut validity = ArchiveValidity {
        valid: None,
        why: None,
        roles: game.roles.as_slice().to_vec(),
        value: None,
        layers: 0,
        positions: from.positions,
        resumed: (from != Checkpoint::default()).then_some(from.positions),
        limit: None,
        seconds: 0.0,
    };
    let (layers, at, found) = match Outline::is_there(folder) {
        true => {
            let read = |order| Outline::read(&game, &structure, order, folder, budget);
            let (outline, likes) = match read(Order::Own) {
                Err(counterplay_cluster::ClusterError::Foreign { .. }) => {
                    (read(Order::Difference), difference as Liking)
                }
                read => (read, own_reward as Liking),
            };
            match outline {
                Ok(Some(outline)) => run.words(&outline, likes),
                Ok(None) => unreachable!("it was there"),
                Err(counterplay_cluster::ClusterError::Damaged { name, why }) => {
                    (0, from, Err(ArchiveFlaw::Damaged(format!("{name}: {why}"))))
                }
                Err(error) => return Err(unsolved(error)),
            }
        }
        false => run.sets(&Codebook::new(&game, &structure), game.roles.len())?,
    };
    validity.layers = layers;
    validity.positions = at.positions;
    match found {
        Ok(CheckedArchive { value, positions }) => {
            validity.valid = Some(true);
            validity.value = Some(value);
            validity.positions = positions;
        }
        Err(ArchiveFlaw::Stopped(limit) | ArchiveFlaw::Trouble(InterpretError::Stopped(limit))) => {
            if limit == Limit::Cancelled {
                return Err(limit.into());
            }
            validity.limit = Some(limit.name());
        }
        Err(ArchiveFlaw::Trouble(trouble)) => return Err(troubled(trouble)),
        Err(flaw) => {
            validity.valid = Some(false);
            validity.why = Some(match flaw {
                ArchiveFlaw::Wrong { layer, entry, why } => format!("layer {layer}, entry {entry}: {why}"),
                ArchiveFlaw::Damaged(why) => why,
                _ => "the position in which the game begins is not in the archive".to_owned(),
            });
        }
    }
    validity.seconds = seconds(started.elapsed());
    Ok(validity)
}

/// Fluents of the ground rules as terms of the interpreter, and back.
struct Fluents {
    terms: Vec<TermId>,
    known: HashMap<TermId, FluentId>,
}

impl Fluents {
    fn new(game: &Game, rules: &GameRules, plain: &mut PlainGame<'_>) -> Result<Fluents, Halt> {
        let mut found = Fluents { terms: Vec::new(), known: HashMap::new() };
        for (fluent, name) in game.fluents.enumerate() {
            let term = terms(&rules.rules, name);
            let number = match term {
                Some(term) => plain.interpreter.make(&term).map_err(troubled)?,
                None => None,
            };
            let Some(number) = number else {
                let message = format!("the fluent {name} of the ground rules is none of the rules");
                return Err(Error::Internal { message }.into());
            };
            found.terms.push(number);
            found.known.insert(number, fluent);
        }
        Ok(found)
    }

    fn state(&self, fluents: &[FluentId]) -> State {
        State::new(fluents.iter().map(|fluent| self.terms[fluent.index()]))
    }

    fn of(&self, state: &State) -> Option<Vec<FluentId>> {
        state.fluents().iter().map(|term| self.known.get(term).copied()).collect()
    }
}

/// The rules, and what the entries of an archive stand for.
struct NamedGame<'a, 'b, C> {
    plain: PlainGame<'b>,
    fluents: Fluents,
    coding: &'a C,
}

impl<C> Rulebook for NamedGame<'_, '_, C> {
    type State = State;
    type Move = TermId;
    type Trouble = InterpretError;

    fn roles(&self) -> usize {
        self.plain.roles()
    }

    fn initial(&mut self) -> Result<State, InterpretError> {
        self.plain.initial()
    }

    fn is_over(&mut self, state: &State) -> Result<bool, InterpretError> {
        self.plain.is_over(state)
    }

    fn rewards(&mut self, state: &State) -> Result<Vec<u32>, InterpretError> {
        self.plain.rewards(state)
    }

    fn moves(&mut self, state: &State, role: usize) -> Result<Vec<TermId>, InterpretError> {
        self.plain.moves(state, role)
    }

    fn next(&mut self, state: &State, moves: &[TermId]) -> Result<State, InterpretError> {
        self.plain.next(state, moves)
    }
}

impl Naming<Vec<u32>> for NamedGame<'_, '_, Codebook<'_>> {
    fn positions(&mut self, key: &Vec<u32>, _: usize) -> Result<Vec<State>, InterpretError> {
        Ok(self.coding.fluents(key).iter().map(|fluents| self.fluents.state(fluents)).collect())
    }

    fn key(&mut self, state: &State, _: usize) -> Result<Option<Vec<u32>>, InterpretError> {
        Ok(self.fluents.of(state).and_then(|fluents| self.coding.values(&fluents)))
    }

    fn show(&mut self, state: &State) -> String {
        self.plain.fluents(state).join(" ")
    }
}

impl Naming<u64> for NamedGame<'_, '_, Outline> {
    fn positions(&mut self, key: &u64, layer: usize) -> Result<Vec<State>, InterpretError> {
        let hand = self.coding.hands.get(layer).copied().flatten();
        let mut states = self.coding.words.states(*key).unwrap_or_default();
        states.iter_mut().for_each(|fluents| fluents.extend(hand));
        Ok(states.iter().map(|fluents| self.fluents.state(fluents)).collect())
    }

    fn key(&mut self, state: &State, _: usize) -> Result<Option<u64>, InterpretError> {
        Ok(self.fluents.of(state).and_then(|fluents| self.coding.words.word(&fluents)))
    }

    fn show(&mut self, state: &State) -> String {
        self.plain.fluents(state).join(" ")
    }
}

/// One check.
struct ArchiveRun<'a> {
    folder: &'a Path,
    from: Checkpoint,
    keeper: Option<&'a ProgressFile>,
    budget: &'a Budget,
    progress: &'a dyn Progress,
    plain: PlainGame<'a>,
    fluents: Fluents,
    list: Option<PositionList<'a>>,
}

/// The number of layers, how far the check came, and what it found.
type ArchiveResult = (usize, Checkpoint, Result<CheckedArchive, ArchiveFlaw<InterpretError>>);

impl ArchiveRun<'_> {
    /// Layers in files of words.
    fn words(self, outline: &Outline, likes: Liking) -> ArchiveResult {
        let open = |is_states: bool, layer: usize, part: usize| {
            let path = outline.path(is_states, layer, part);
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let missing =
                |error: std::io::Error| std::io::Error::new(error.kind(), format!("{name}: {error}"));
            File::open(&path).map_err(missing).map(|file| (file, name.clone()))
        };
        let part_of = |word| outline.part_of(word);
        let mut shelf =
            WordShelf::new(Box::new(open), outline.parts(), Box::new(part_of), outline.key(), self.budget);
        self.run(&mut shelf, outline, &outline.outcomes, outline.layers, likes)
    }

    /// Layers as sets.
    fn sets(self, codebook: &Codebook<'_>, roles: usize) -> Result<ArchiveResult, Halt> {
        let load = |name: &str| {
            let path = self.folder.join(name);
            // A record is read as a whole: the memory for it is asked for before.
            let size = fs::metadata(&path).map_or(0, |data| data.len() as usize);
            self.budget.allow_bytes(size).map_err(ShelfError::Stopped)?;
            match fs::read(&path) {
                Ok(bytes) => Ok(LayerRecord { bytes, name: name.to_owned() }),
                Err(error) => Err(ShelfError::Damaged(format!("{name}: {error}"))),
            }
        };
        let read = |order| {
            let key = codebook.key(order);
            load(END).and_then(|record| read_end(&record, &key, roles)).map(|end| (key, end))
        };
        let orders = [(Order::Own, own_reward as Liking), (Order::Difference, difference as Liking)];
        let mut found = orders.map(|(order, likes)| (read(order), likes)).into_iter();
        let (own, other) = (found.next().expect("two"), found.next().expect("two"));
        let (end, likes) = if own.0.is_ok() || other.0.is_err() { own } else { other };
        let (key, (layers, outcomes, is_apart)) = match end {
            Ok(end) => end,
            Err(ShelfError::Stopped(limit)) => return Err(limit.into()),
            Err(ShelfError::Damaged(why)) => return Ok((0, self.from, Err(ArchiveFlaw::Damaged(why)))),
        };
        if !is_apart {
            let message = "nothing keeps the layers of this archive apart, so play could come back to a position: one-step \
                           consistency would prove nothing"
                .to_owned();
            let help = "`game solve --strategy FILE` proves the value of a position".to_owned();
            return Err(Error::Request { message, help: Some(help) }.into());
        }
        let mut shelf = DiagramShelf::new(
            Box::new(|layer| load(&format!("solved-{layer:05}.layer"))),
            &key,
            Variables::new(codebook.sizes()),
            outcomes.clone(),
            self.budget,
        );
        Ok(self.run(&mut shelf, codebook, &outcomes, layers, likes))
    }

    fn run<'c, S: Shelf, C>(
        self,
        shelf: &mut S,
        coding: &'c C,
        outcomes: &[Vec<u32>],
        layers: usize,
        likes: Liking,
    ) -> ArchiveResult
    where
        for<'b> NamedGame<'c, 'b, C>: Naming<S::Key, Trouble = InterpretError>,
    {
        let ArchiveRun { from, keeper, budget, progress, plain, fluents, list, .. } = self;
        let mut game = NamedGame { plain, fluents, coding };
        let mut at = from;
        let mut note = |now: Checkpoint| {
            at = now;
            let counts = [("layer", now.layer as f64), ("positions", now.positions as f64)];
            progress.report(Report { phase: "checking", counts: &counts });
            if let Some(keeper) = keeper {
                keeper.keep(now);
            }
        };
        let batch = (budget.bytes().unwrap_or(MEMORY) / BYTES_PER_ENTRY).clamp(16, 1 << 16);
        let check = ArchiveCheck { outcomes, layers, likes, batch, from, note: &mut note, list };
        let found = check_archive(shelf, &mut game, check, budget);
        (layers, at, found)
    }
}

/// A file that tells how far a check has come.
struct ProgressFile {
    path: PathBuf,
    archive: String,
    from: Checkpoint,
}

#[derive(Serialize, Deserialize)]
struct ProgressText {
    format: String,
    /// What changes when the archive or the rules do.
    archive: String,
    layer: usize,
    entries: u64,
    positions: u64,
}

const PROGRESS: &str = "counterplay archive check 1";

impl ProgressFile {
    /// Opens a file, or begins one. What it says of an archive that has changed since does not count.
    fn open(path: &Path, folder: &Path, rules: &GameRules) -> Result<ProgressFile, Halt> {
        let archive = fingerprint(folder, rules.text()).map_err(|error| {
            let message = format!("{}: {error}", folder.display());
            Halt::from(Error::Request { message, help: None })
        })?;
        let text = match fs::read_to_string(path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => {
                let message = format!("{}: {error}", path.display());
                return Err(Error::Request { message, help: None }.into());
            }
        };
        let read = text.as_deref().map(serde_json::from_str::<ProgressText>);
        let from = match read {
            None => Checkpoint::default(),
            Some(Ok(text)) if text.format == PROGRESS && text.archive == archive => {
                Checkpoint { layer: text.layer, entries: text.entries, positions: text.positions }
            }
            Some(Ok(text)) if text.format == PROGRESS => Checkpoint::default(),
            Some(_) => {
                let message = format!("{}: this is no file of progress", path.display());
                let help = "name a new file".to_owned();
                return Err(Error::Request { message, help: Some(help) }.into());
            }
        };
        Ok(ProgressFile { path: path.to_owned(), archive, from })
    }

    /// Notes how far the check has come. A note that cannot be written costs time later, and nothing else.
    fn keep(&self, now: Checkpoint) {
        let text = ProgressText {
            format: PROGRESS.to_owned(),
            archive: self.archive.clone(),
            layer: now.layer,
            entries: now.entries,
            positions: now.positions,
        };
        let text = serde_json::to_string(&text).expect("it has a JSON form");
        let beside = self.path.with_extension("part");
        let _ = fs::write(&beside, text + "\n").and_then(|()| fs::rename(&beside, &self.path));
    }
}

/// Name, size and time of change of all files, and the rules.
fn fingerprint(folder: &Path, rules: &str) -> std::io::Result<String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let data = entry.metadata()?;
        let changed = data.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        files.push(format!("{:?} {} {}", entry.file_name(), data.len(), changed.as_nanos()));
    }
    files.sort_unstable();
    files.push(rules.to_owned());
    let bytes = files.iter().flat_map(|text| text.bytes().chain([0]));
    let sum = bytes
        .fold(0xcbf2_9ce4_8422_2325u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    Ok(format!("{sum:016x}"))
}
