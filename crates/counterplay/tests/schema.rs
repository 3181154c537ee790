//! The JSON Schemas in `docs/schema` are those of the types.

use std::fs;
use std::path::Path;

use counterplay::bridge::{
    BoardRequest, CalibrateAnswer, CalibrateRequest, CardPrompt, DealRequest, Declarer, DuplicateAnswer,
    DuplicateRequest, PlanAnswer, PlanRequest, PlayAnswer, PlayRequest, SessionEnd, ShowAnswer, SuitAnswer,
    SuitRequest, SuitValidity, TrialAnswer, check_suit_text, draw, plan, play, play_match as bridge_match,
    suit_with_strategies,
};
use counterplay::dilemma::{
    MatchAnswer, MatchRequest, Players, RoshamboAnswer, RoshamboRequest, SessionAnswer, StrategyList,
    TournamentAnswer, TournamentRequest, play_match, tournament,
};
use counterplay::game;
use counterplay::mdp::{MdpAnswer, MdpRequest};
use counterplay::planning::{ActAnswer, ActRequest, CertificateValidity, CheckRequest, Grounding, Validity};
use counterplay::{Answer, Budget, Problem, Request, Silent, solve};
use counterplay::{go, kriegspiel};
use schemars::{Schema, schema_for};
use serde::Serialize;

fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("solve", schema_for!(Answer)),
        ("solve-request", schema_for!(Request)),
        ("check", schema_for!(Validity)),
        ("check-request", schema_for!(CheckRequest)),
        ("check-certificate", schema_for!(CertificateValidity)),
        ("check-strategy", schema_for!(game::StrategyValidity)),
        ("check-archive", schema_for!(game::ArchiveValidity)),
        ("check-kriegspiel", schema_for!(kriegspiel::KriegspielValidity)),
        ("check-go", schema_for!(go::GoValidity)),
        ("check-suit", schema_for!(SuitValidity)),
        ("ground", schema_for!(Grounding)),
        ("act", schema_for!(ActAnswer)),
        ("act-request", schema_for!(ActRequest)),
        ("mdp", schema_for!(MdpAnswer)),
        ("mdp-request", schema_for!(MdpRequest)),
        ("go-solve", schema_for!(go::Answer)),
        ("go-solve-request", schema_for!(go::Request)),
        ("kriegspiel-solve", schema_for!(kriegspiel::Answer)),
        ("kriegspiel-solve-request", schema_for!(kriegspiel::Request)),
        ("kriegspiel-estimate", schema_for!(kriegspiel::Estimate)),
        ("kriegspiel-generate", schema_for!(kriegspiel::Generation)),
        ("kriegspiel-generate-request", schema_for!(kriegspiel::GenerateRequest)),
        ("kriegspiel-database-row", schema_for!(kriegspiel::DatabaseRow)),
        ("kriegspiel-import", schema_for!(kriegspiel::ImportedProblem)),
        ("kriegspiel-match", schema_for!(kriegspiel::MatchAnswer)),
        ("kriegspiel-match-request", schema_for!(kriegspiel::MatchRequest)),
        ("kriegspiel-play", schema_for!(kriegspiel::GameRecord)),
        ("kriegspiel-play-request", schema_for!(kriegspiel::GameRequest)),
        ("kriegspiel-play-wanted", schema_for!(kriegspiel::TryWanted)),
        ("kriegspiel-play-ending", schema_for!(kriegspiel::Ending)),
        ("game-ground", schema_for!(game::GroundAnswer)),
        ("game-simulate", schema_for!(game::SimulateAnswer)),
        ("game-simulate-request", schema_for!(game::SimulateRequest)),
        ("game-solve", schema_for!(game::SolveAnswer)),
        ("game-solve-request", schema_for!(game::SolveRequest)),
        ("game-match", schema_for!(game::MatchAnswer)),
        ("game-match-request", schema_for!(game::MatchRequest)),
        ("bridge-boards-request", schema_for!(BoardRequest)),
        ("bridge-calibrate", schema_for!(CalibrateAnswer)),
        ("bridge-calibrate-deal", schema_for!(TrialAnswer)),
        ("bridge-calibrate-request", schema_for!(CalibrateRequest)),
        ("bridge-deal-request", schema_for!(DealRequest)),
        ("bridge-match", schema_for!(DuplicateAnswer)),
        ("bridge-match-request", schema_for!(DuplicateRequest)),
        ("bridge-plan", schema_for!(PlanAnswer)),
        ("bridge-plan-request", schema_for!(PlanRequest)),
        ("bridge-play", schema_for!(PlayAnswer)),
        ("bridge-play-end", schema_for!(SessionEnd)),
        ("bridge-play-prompt", schema_for!(CardPrompt)),
        ("bridge-play-request", schema_for!(PlayRequest)),
        ("bridge-show", schema_for!(ShowAnswer)),
        ("bridge-suit", schema_for!(SuitAnswer)),
        ("bridge-suit-request", schema_for!(SuitRequest)),
        ("dilemma-match", schema_for!(MatchAnswer)),
        ("dilemma-match-request", schema_for!(MatchRequest)),
        ("dilemma-play", schema_for!(SessionAnswer)),
        ("dilemma-roshambo", schema_for!(RoshamboAnswer)),
        ("dilemma-roshambo-request", schema_for!(RoshamboRequest)),
        ("dilemma-strategies", schema_for!(StrategyList)),
        ("dilemma-tournament", schema_for!(TournamentAnswer)),
        ("dilemma-tournament-request", schema_for!(TournamentRequest)),
    ]
}

/// Writes the files anew if `UPDATE_SCHEMA` is set.
#[test]
fn committed_schemas_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
    for (name, schema) in schemas() {
        let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
        let file = folder.join(format!("{name}.json"));
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            fs::create_dir_all(&folder).expect("there is room");
            fs::write(&file, &text).expect("it can be written");
        }
        let committed = fs::read_to_string(&file).unwrap_or_default();
        assert!(
            committed == text,
            "docs/schema/{name}.json is not what the types say; run the tests with UPDATE_SCHEMA=1"
        );
    }
}

/// What stands before the tables of `docs/json.md`.
const JSON_PAGE: &str = "# Answers as JSON

Every command takes `--json` and prints one object on a line; commands that answer for several problems or boards print a line for each. This page
is made from the types of the crate `counterplay`, as are the JSON Schemas in `docs/schema`; a test keeps both up to date. A name that ends in
`request` is what a Rust program, the studio or a script may ask for; the others are answers. A field that may be left out or null says so.
";

/// The type of a field in a word or two.
fn type_words(field: &serde_json::Value) -> String {
    let reference = |text: &str| text.rsplit('/').next().unwrap_or_default().to_owned();
    if let Some(name) = field["$ref"].as_str() {
        return reference(name);
    }
    if let Some(list) = field["anyOf"].as_array() {
        return list.iter().map(type_words).collect::<Vec<_>>().join(" or ");
    }
    match &field["type"] {
        serde_json::Value::String(name) if name == "array" => {
            format!("list of {}", type_words(&field["items"]))
        }
        serde_json::Value::String(name) => name.clone(),
        serde_json::Value::Array(names) => {
            let names: Vec<&str> = names.iter().filter_map(|name| name.as_str()).collect();
            names.join(" or ")
        }
        _ => "any".to_owned(),
    }
}

/// The page with a table for each schema.
fn json_page() -> String {
    let mut page = JSON_PAGE.to_owned();
    for (name, schema) in schemas() {
        let schema = serde_json::to_value(&schema).expect("a schema is JSON");
        page += &format!("\n## {name}\n\n");
        if let Some(about) = schema["description"].as_str() {
            page += &format!("{}\n\n", about.replace('\n', " "));
        }
        let Some(fields) = schema["properties"].as_object() else { continue };
        page += "| field | type | meaning |\n|---|---|---|\n";
        for (field, about) in fields {
            let meaning =
                about["description"].as_str().unwrap_or_default().replace('\n', " ").replace('|', "\\|");
            page += &format!("| `{field}` | {} | {meaning} |\n", type_words(about));
        }
    }
    page
}

/// Writes the page anew if `UPDATE_SCHEMA` is set.
#[test]
fn the_page_about_json_is_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md");
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        fs::write(&file, json_page()).expect("it can be written");
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == json_page(),
        "docs/json.md is not what the types say; run the tests with UPDATE_SCHEMA=1"
    );
}

/// What is printed has no field that the schema does not know, and all that it requires.
fn agrees(answer: &impl Serialize, schema: &Schema) {
    let schema = serde_json::to_value(schema).expect("a schema is JSON");
    let json = serde_json::to_value(answer).expect("an answer is JSON");
    let known = schema["properties"].as_object().expect("an answer is an object");
    for field in json.as_object().expect("an object").keys() {
        assert!(known.contains_key(field), "{field}");
    }
    for field in schema["required"].as_array().expect("some are required") {
        assert!(json.get(field.as_str().expect("a name")).is_some(), "{field}");
    }
}

#[test]
fn answers_have_the_fields_of_the_schema() {
    let domain = "(define (domain d) (:requirements :non-deterministic) (:predicates (p)) (:action a :effect (oneof (p) (and))))";
    let problem = "(define (problem x) (:domain d) (:init) (:goal (p)))";
    let plain = domain.replace("(oneof (p) (and))", "(p)");
    for domain in [domain, &plain] {
        let problem = Problem::read(domain, problem).expect("it is sound");
        let answer =
            solve(&problem, &Request::default(), &Budget::unlimited(), &Silent).expect("it is solved");
        agrees(&answer, &schema_for!(Answer));
    }
}

#[test]
fn answers_of_the_dilemma_have_the_fields_of_the_schema() {
    let (players, budget) = (Players::default(), Budget::unlimited());
    let named = |name: &str| name.to_owned();
    for beliefs in [false, true] {
        let (first, second) = (named("DBS"), named("TitForTat"));
        let request = MatchRequest { first, second, beliefs, ..MatchRequest::default() };
        let answer = play_match(&players, &request, &budget, &Silent).expect("no limit");
        agrees(&answer, &schema_for!(MatchAnswer));
        let request = TournamentRequest {
            players: vec![named("DBS"), named("Random")],
            matrices: beliefs,
            ecology: beliefs.then_some(3),
            ..TournamentRequest::default()
        };
        let answer = tournament(&players, &request, &budget, &Silent).expect("no limit");
        agrees(&answer, &schema_for!(TournamentAnswer));
    }
}

#[test]
fn answers_about_go_have_the_fields_of_the_schema() {
    let text = "(;SZ[7]PL[B]AW[ab][bb][cb][db][da]AB[ac][bc][cc][dc][ec][eb][ea]MA[bb])";
    let problem = go::Problem::read(text).expect("it is sound");
    for whole in [false, true] {
        let request = go::Request { whole, ..go::Request::default() };
        let answer = go::solve(&problem, &request, &Budget::unlimited(), &Silent).expect("it is solved");
        agrees(&answer, &schema_for!(go::Answer));
        let proof = answer.certificate().expect("it is proved");
        for text in [proof.as_str(), &proof[..proof.len() / 2]] {
            let checked = go::check_go_proof_text(text, None, &Budget::unlimited()).expect("no limit");
            agrees(&checked, &schema_for!(go::GoValidity));
        }
    }
}

#[test]
fn answers_about_kriegspiel_have_the_fields_of_the_schema() {
    for (fen, proof) in [("k7/8/1K6/8/8/8/8/7R w - - 0 1", true), ("k7/8/8/8/8/8/8/K6R w - - 0 1", false)] {
        let problem = kriegspiel::Problem::of_fens(&[fen], 1).expect("it is sound");
        let request = kriegspiel::Request { proof, certificate: true, ..kriegspiel::Request::default() };
        let answer =
            kriegspiel::solve(&problem, &request, &Budget::unlimited(), &Silent).expect("it is solved");
        agrees(&answer, &schema_for!(kriegspiel::Answer));
        let text = answer.certificate.expect("it is asked for").expect("it is small");
        let checked = kriegspiel::check_proof_text(&text, None, &Budget::unlimited()).expect("no limit");
        assert!(checked.valid, "{checked:?}");
        agrees(&checked, &schema_for!(kriegspiel::KriegspielValidity));
    }
    let session = kriegspiel::GameSession::new(&kriegspiel::GameRequest::default()).expect("it is sound");
    agrees(&session.record(), &schema_for!(kriegspiel::GameRecord));
    agrees(&session.ending(), &schema_for!(kriegspiel::Ending));
}

#[test]
fn answers_of_bridge_have_the_fields_of_the_schema() {
    let budget = Budget::unlimited();
    let boards = draw(1, &BoardRequest::default(), &budget).ready;
    let request = PlanRequest { layouts: 10, samples: 1, ..PlanRequest::default() };
    agrees(&plan(&boards[0], &request, &budget, &Silent).expect("no limit"), &schema_for!(PlanAnswer));
    let request = PlayRequest { declarer: Declarer::Rules, ..PlayRequest::default() };
    let played = play(&boards, &request, &budget, &Silent).expect("no person plays");
    agrees(&played.boards[0], &schema_for!(PlayAnswer));
    let declarers = vec![Declarer::Rules, Declarer::DoubleDummy];
    let request = DuplicateRequest { declarers, ..DuplicateRequest::default() };
    let answer = bridge_match(&boards, &request, &budget, &Silent).expect("two declarers");
    assert_eq!(answer.boards, 1);
    agrees(&answer, &schema_for!(DuplicateAnswer));
    let request = SuitRequest { north: "AQ".into(), south: "32".into(), tricks: None };
    let (_, text) = suit_with_strategies(&request, &budget, &Silent).expect("no limit");
    let checked = check_suit_text(&text, &budget).expect("no limit");
    assert!(checked.valid, "{checked:?}");
    agrees(&checked, &schema_for!(SuitValidity));
}
