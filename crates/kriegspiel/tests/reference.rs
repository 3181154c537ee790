//! The reference data: transcripts, belief updates and problems of independent programs.

use std::path::PathBuf;

use counterplay_base::{Budget, Verdict};
use counterplay_belief::{Algorithm, Event, Stream, solve, solve_while_estimating, update};
use counterplay_kriegspiel::chess::{Board, Move, Square};
use counterplay_kriegspiel::{
    Announcement, Checks, Direction, End, Game, Heard, KriegEvent, Kriegspiel, Percept, check_plan,
};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The lines of a reference file; none, with a remark, if the data is not here.
fn lines(name: &str) -> Vec<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/kriegspiel").join(name);
    match std::fs::read_to_string(&path) {
        Ok(text) => text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
        Err(_) => {
            println!("skipped: {name} is not here");
            Vec::new()
        }
    }
}

fn heard(value: &Value) -> Option<Heard> {
    if value["legal"] != true {
        return None;
    }
    let capture = value["capture"].as_str().map(|square| square.parse::<Square>().unwrap());
    let mut checks = Checks::NONE;
    for name in value["checks"].as_array().into_iter().flatten() {
        let direction = Direction::ALL.into_iter().find(|direction| name == direction.name());
        checks = checks.with(direction.unwrap());
    }
    let ends = [End::Checkmate, End::Stalemate, End::Insufficient];
    let end = value["end"].as_str().map(|name| *ends.iter().find(|end| end.name() == name).unwrap());
    Some((Percept { capture, checks }, end))
}

fn event(value: &Value) -> KriegEvent {
    match value["try"].as_str() {
        Some(mv) => Event::Own { attempt: mv.parse().unwrap(), heard: heard(&value["percept"]) },
        None => Event::Other {
            rejections: value["illegal_heard"].as_u64().unwrap_or(0) as usize,
            heard: heard(&value["percept"]).unwrap(),
        },
    }
}

fn belief(value: &Value) -> Vec<Board> {
    value["belief"].as_array().unwrap().iter().map(|fen| fen.as_str().unwrap().parse().unwrap()).collect()
}

fn placement(fen: &str) -> String {
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

#[test]
fn transcripts_have_the_same_announcements() {
    for line in lines("openspiel_transcripts.jsonl") {
        let full = line["board_size"] == 8;
        let mut game = Game::new(line["start_fen"].as_str().unwrap().parse().unwrap());
        for (i, event) in line["events"].as_array().unwrap().iter().enumerate() {
            let place = || format!("{} event {i}: {event} in {}", line["id"], game.board());
            let mv: Move = event["try"].as_str().unwrap().parse().unwrap();
            // The program behind the small boards goes on after a mate.
            if game.end().is_some() && !full {
                break;
            }
            let before = *game.board();
            let said = game.clone().attempt(mv);
            match said {
                Announcement::Legal { percept, end } => {
                    assert_eq!(event["legal"], true, "{}", place());
                    if full {
                        assert_eq!(heard(event), Some((percept, end)), "{}", place());
                    }
                }
                Announcement::Illegal => assert_eq!(event["legal"], false, "{}", place()),
                Announcement::Nonsense => panic!("nonsense: {} in {before}", place()),
            }
            game.attempt(mv);
            if event["legal"] == true {
                let fen = event["fen"].as_str().unwrap();
                assert_eq!(placement(&game.board().to_string()), placement(fen), "{}", line["id"]);
            }
        }
    }
}

#[test]
fn belief_states_are_exact() {
    let world = Kriegspiel::default();
    for line in lines("belief_updates.jsonl") {
        let root: Board = line["start_fen"].as_str().unwrap().parse().unwrap();
        let steps = line["steps"].as_array().unwrap();
        let mut states = vec![root];
        let mut events = Vec::new();
        for step in steps {
            events.push(event(step));
            states = update(&world, &states, events.last().unwrap());
            assert_eq!(states.len() as u64, step["states"].as_u64().unwrap(), "{}", line["id"]);
            let mut texts: Vec<String> = states.iter().map(Board::epd).collect();
            texts.sort_unstable();
            let digest = Sha256::digest(texts.join("\n").as_bytes());
            let hash: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(hash, step["sha256"].as_str().unwrap(), "{}", line["id"]);
        }
        // Depth-first estimation finds the same set.
        let streamed: Vec<Board> = Stream::<_, ChaCha8Rng>::new(&world, &[root], &events, None).collect();
        assert_eq!(streamed.len(), states.len(), "{}", line["id"]);
        assert!(states.iter().all(|state| streamed.contains(state)), "{}", line["id"]);
    }
}

fn agrees(line: &Value, algorithm: Algorithm) {
    let world = Kriegspiel::default();
    let (states, depth) = (belief(line), line["depth"].as_u64().unwrap() as usize);
    let name = algorithm.name();
    match solve(&world, &states, depth, algorithm, &Budget::unlimited()).verdict {
        Verdict::Solved(plan) => {
            assert_eq!(line["mate"], true, "{name}: {}", line["id"]);
            check_plan(&world, &states, &plan, depth, &Budget::unlimited())
                .unwrap_or_else(|flaw| panic!("{name}: {}: {flaw:?}", line["id"]));
            let tries = line["winning_first_tries"].as_array().unwrap();
            let first = plan.attempt.to_string();
            assert!(tries.iter().any(|known| *known == first.as_str()), "{name}: {} {first}", line["id"]);
        }
        Verdict::Unsolvable => assert_eq!(line["mate"], false, "{name}: {}", line["id"]),
        Verdict::Stopped(limit) => panic!("{name}: {}: {limit}", line["id"]),
    }
}

#[test]
fn every_algorithm_decides_the_problems() {
    for name in ["belief_mate_problems.jsonl", "composed_problems.jsonl", "composed_other_rules.jsonl"] {
        for line in lines(name) {
            for algorithm in Algorithm::ALL {
                agrees(&line, algorithm);
            }
        }
    }
}

#[test]
fn good_algorithms_decide_the_deep_problems() {
    let names = ["belief_mate_problems_5ply.jsonl", "composed_claims_deeper.jsonl"];
    for line in names.into_iter().flat_map(lines).filter(|line| line["mate"].is_boolean()) {
        for algorithm in [Algorithm::Auto, Algorithm::GlDbu] {
            if algorithm == Algorithm::Auto || line["id"].as_str().unwrap().starts_with("k5") {
                agrees(&line, algorithm);
            }
        }
    }
}

#[test]
fn interleaved_search_agrees() {
    let world = Kriegspiel::default();
    let mut saved = 0;
    for line in lines("belief_mate_problems.jsonl") {
        let root: Board = line["root_fen"].as_str().unwrap().parse().unwrap();
        let events: Vec<KriegEvent> = line["history"].as_array().unwrap().iter().map(event).collect();
        let stream = Stream::<_, ChaCha8Rng>::new(&world, std::slice::from_ref(&root), &events, None);
        let depth = line["depth"].as_u64().unwrap() as usize;
        let (answer, needed) = solve_while_estimating(&world, stream, depth, &Budget::unlimited());
        assert_eq!(matches!(answer.verdict, Verdict::Solved(_)), line["mate"] == true, "{}", line["id"]);
        saved += belief(&line).len() - needed;
        assert!(line["mate"] == false || needed == belief(&line).len(), "{}", line["id"]);
    }
    println!("{saved} states were not needed");
}
