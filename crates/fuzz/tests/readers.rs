//! Every reader on its seeds and on a fixed number of mutations of them: no panic, no long wait, no huge allocation.

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use counterplay_fuzz::Extent;
use counterplay_fuzz::readers::{READERS, fuzz, named, take};
use counterplay_syntax::Sources;

/// No reader may hold so many bytes for an input of at most 64 KiB.
const MEMORY: usize = 256 << 20;

/// Mutated inputs have at most so many bytes.
const LENGTH: usize = 64 << 10;

/// The system's allocator, with a count of what is held.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged; only numbers are counted beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(held, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`, which is the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`, which is the system's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Time and memory are measured by one test at a time.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn readers_take_anything() {
    let _alone = ALONE.lock();
    let mut faults = Vec::new();
    for reader in READERS {
        let seeds = reader.seeds().expect("every reader has a folder of seeds");
        assert!(!seeds.is_empty(), "{}: no seeds", reader.name);
        let (work, fault) = fuzz(reader, &seeds, 0, Extent::Problems(reader.sample.into()), LENGTH);
        if let Some(fault) = fault {
            let text = String::from_utf8_lossy(&fault.input.bytes);
            faults.push(format!("{}, {}: {}\n{text:?}", reader.name, fault.input.name, fault.why));
        }
        let peak = PEAK.swap(HELD.load(Ordering::Relaxed), Ordering::Relaxed);
        assert!(peak < MEMORY, "{}: {} MiB were held", reader.name, peak >> 20);
        println!("{}: {} inputs, slowest {:?}, {} MiB", reader.name, work.inputs, work.slowest, peak >> 20);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Inputs of one part many times: a reader, what stands before, the part, and what stands after.
const LONG: &[(&str, &str, &str, &str)] = &[
    (
        "pddl",
        "(define (domain d) (:predicates (p)))\n;===\n(define (problem p) (:domain d) (:init (oneof",
        " (p)",
        ")) (:goal (p)))",
    ),
    ("pddl", "(define (domain d) (:predicates (p)) (:action a :precondition (and", " (p ?y)", ")))\n;===\n"),
    ("pddl", "(define (domain d) (:predicates", " (", ""),
    ("hddl", "(define (domain d) (:task t) (:method m :task (t) :subtasks (and", " (a (t))", ")))\n;===\n"),
    ("plan", "(go", " c", ")"),
    ("policy", "(if (and", " (in c)", ") (go a b))"),
    ("htn-plan", "==>\n0 take", " z", "\nroot 0"),
    ("network-policy", "(network-policy strong (values", " z", "))"),
    ("kif", "(role a) (<= terminal", " (true ?x)", ")"),
    ("kif", "(role a) (<= terminal (or a b) (or a b) (or a b) (or a b) (or a b)", " (true x)", ")"),
    ("message", "(play m (", " a", "))"),
    ("sgf", "(;SZ[9]PL[B]", ";x)[]", ")"),
    ("sgf", "(;SZ[9]PL[B]", ";AB[aa:ZZ]", ")"),
    ("pbn", "[Board \"1\"]\n", "[X \"#\"]\n", ""),
    ("lin", "md|3S", "A", "|"),
    ("pgn", "", "?\n", ""),
    ("pgn", "[A \"b\"]\n", "{a}\n", ""),
    ("json-lines", "{\"id\":", "[", ""),
    ("conditions", "(conditions", " (a (CC b))", ")"),
    ("limits", "", "1s", ""),
    (
        "sas",
        "begin_version\n3\nend_version\nbegin_metric\n0\nend_metric\n1\nbegin_variable\nv\n-1\n9999999\n",
        "a\n",
        "",
    ),
];

/// The time and memory of reading grow with the length of an input, not with its square.
#[test]
fn long_inputs_are_read_in_time() {
    let _alone = ALONE.lock();
    for &(name, before, part, after) in LONG {
        let text = format!("{before}{}{after}", part.repeat((400 << 10) / part.len()));
        PEAK.store(HELD.load(Ordering::Relaxed), Ordering::Relaxed);
        let took = take(named(name), text.as_bytes())
            .unwrap_or_else(|why| panic!("{name}, `{part}` many times: {why}"));
        let peak = PEAK.load(Ordering::Relaxed);
        assert!(peak < MEMORY, "{name}, `{part}` many times: {} MiB were held", peak >> 20);
        println!("{name}, {part:?}: {took:?}, {} MiB", peak >> 20);
    }
}

/// The seeds that are meant to be right are: otherwise fuzzing would only see errors.
#[test]
fn sound_seeds_are_sound() {
    let text = |name: &str, file: &str| {
        let path = named(name).folder().join(file);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    for (reader, file) in [("pddl", "features.txt"), ("pddl", "strips.txt"), ("hddl", "partial-order.txt")] {
        let input = text(reader, file);
        let (domain, problem) = input.split_once(";===").expect("two files");
        let mut sources = Sources::default();
        let files = (sources.add("domain", domain), sources.add("problem", problem));
        let read = counterplay_pddl::read(&sources, files.0, files.1);
        assert!(read.is_ok(), "{reader}/{file}: {:?}", read.err());
    }
    let task = counterplay_task::sas::read(&text("sas", "small.sas"));
    assert!(task.is_ok(), "{task:?}");
    let mut sources = Sources::default();
    let file = sources.add("rules", text("kif", "toy.kif"));
    let rules = counterplay_gdl::read(&sources, file);
    assert!(rules.is_ok(), "{:?}", rules.err());
    let boards = bridge::formats::read_pbn(text("pbn", "board.pbn").as_bytes());
    assert_eq!((boards.problems, boards.boards.len()), (Vec::new(), 1));
    let boards = bridge::formats::read_lin(text("lin", "board.lin").as_bytes());
    assert_eq!((boards.problems, boards.boards.len()), (Vec::new(), 1));
    let problem = counterplay_go::sgf::read_problem(&text("sgf", "problem.sgf"), 0);
    assert!(problem.is_ok(), "{:?}", problem.err());
    let games = counterplay_kriegspiel::pgn::read_games_within(&text("pgn", "game.pgn"), 100_000);
    assert!(games.iter().all(Result::is_ok), "{:?}", games.iter().find(|game| game.is_err()));
}

/// Each reader has a target for libFuzzer and a folder of seeds, and none is left over.
#[test]
fn readers_targets_and_seeds_are_the_same() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let names = |folder: &str| -> BTreeSet<String> {
        let entries = fs::read_dir(top.join(folder)).expect("the folder can be listed");
        let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        entries.map(|entry| stem(&entry.expect("the folder can be listed").path())).collect()
    };
    let readers: BTreeSet<String> = READERS.iter().map(|reader| reader.name.to_owned()).collect();
    assert_eq!(readers.len(), READERS.len(), "names differ");
    assert_eq!(names("fuzz_targets"), readers);
    assert_eq!(names("seeds"), readers);
    let manifest = fs::read_to_string(top.join("Cargo.toml")).expect("the targets have a manifest");
    for name in &readers {
        let path = format!("path = \"fuzz_targets/{name}.rs\"");
        assert!(manifest.contains(&path), "{name} is missing in fuzz/Cargo.toml");
    }
}
