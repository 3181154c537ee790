//! The JSON Schemas in `docs/schema` are those of the types.

use std::fs;
use std::path::Path;

use counterplay::game;
use counterplay::planning::{CheckRequest, Grounding, Validity};
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
        ("ground", schema_for!(Grounding)),
        ("go-solve", schema_for!(go::Answer)),
        ("go-solve-request", schema_for!(go::Request)),
        ("kriegspiel-solve", schema_for!(kriegspiel::Answer)),
        ("kriegspiel-solve-request", schema_for!(kriegspiel::Request)),
        ("kriegspiel-estimate", schema_for!(kriegspiel::Estimate)),
        ("kriegspiel-generate", schema_for!(kriegspiel::Generation)),
        ("kriegspiel-generate-request", schema_for!(kriegspiel::GenerateRequest)),
        ("kriegspiel-database-row", schema_for!(kriegspiel::DatabaseRow)),
        ("kriegspiel-import", schema_for!(kriegspiel::ImportedProblem)),
        ("kriegspiel-play", schema_for!(kriegspiel::GameRecord)),
        ("kriegspiel-play-request", schema_for!(kriegspiel::GameRequest)),
        ("kriegspiel-play-wanted", schema_for!(kriegspiel::TryWanted)),
        ("kriegspiel-play-ending", schema_for!(kriegspiel::Ending)),
        ("game-ground", schema_for!(game::GroundAnswer)),
        ("game-simulate", schema_for!(game::SimulateAnswer)),
        ("game-simulate-request", schema_for!(game::SimulateRequest)),
        ("game-solve", schema_for!(game::SolveAnswer)),
        ("game-solve-request", schema_for!(game::SolveRequest)),
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

/// What is printed has no field that the schema does not know.
#[test]
fn answers_have_the_fields_of_the_schema() {
    let domain = "(define (domain d) (:requirements :non-deterministic) (:predicates (p)) (:action a :effect (oneof (p) (and))))";
    let problem = "(define (problem x) (:domain d) (:init) (:goal (p)))";
    let plain = domain.replace("(oneof (p) (and))", "(p)");
    for domain in [domain, &plain] {
        let problem = Problem::read(domain, problem).expect("it is sound");
        let answer =
            solve(&problem, &Request::default(), &Budget::unlimited(), &Silent).expect("it is solved");
        assert_fits(&answer, &schema_for!(Answer));
    }
}

/// Every field of an answer is in the schema, and every field that the schema requires is in the answer.
fn assert_fits(answer: &impl Serialize, schema: &Schema) {
    let schema = serde_json::to_value(schema).expect("a schema is JSON");
    let known = schema["properties"].as_object().expect("an answer is an object");
    let json = serde_json::to_value(answer).expect("an answer is JSON");
    for field in json.as_object().expect("an object").keys() {
        assert!(known.contains_key(field), "{field}");
    }
    for field in schema["required"].as_array().expect("some are required") {
        assert!(json.get(field.as_str().expect("a name")).is_some(), "{field}");
    }
}

#[test]
fn answers_about_go_have_the_fields_of_the_schema() {
    let text = "(;SZ[7]PL[B]AW[ab][bb][cb][db][da]AB[ac][bc][cc][dc][ec][eb][ea]MA[bb])";
    let problem = go::Problem::read(text).expect("it is sound");
    for whole in [false, true] {
        let request = go::Request { whole, ..go::Request::default() };
        let answer = go::solve(&problem, &request, &Budget::unlimited(), &Silent).expect("it is solved");
        assert_fits(&answer, &schema_for!(go::Answer));
    }
}

#[test]
fn answers_about_kriegspiel_have_the_fields_of_the_schema() {
    for (fen, proof) in [("k7/8/1K6/8/8/8/8/7R w - - 0 1", true), ("k7/8/8/8/8/8/8/K6R w - - 0 1", false)] {
        let problem = kriegspiel::Problem::of_fens(&[fen], 1).expect("it is sound");
        let request = kriegspiel::Request { proof, ..kriegspiel::Request::default() };
        let answer =
            kriegspiel::solve(&problem, &request, &Budget::unlimited(), &Silent).expect("it is solved");
        assert_fits(&answer, &schema_for!(kriegspiel::Answer));
    }
    let session = kriegspiel::GameSession::new(&kriegspiel::GameRequest::default()).expect("it is sound");
    assert_fits(&session.record(), &schema_for!(kriegspiel::GameRecord));
    assert_fits(&session.ending(), &schema_for!(kriegspiel::Ending));
}
