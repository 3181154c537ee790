//! The JSON Schemas in `docs/schema` are those of the types.

use std::fs;
use std::path::Path;

use counterplay::game;
use counterplay::planning::{CheckRequest, Grounding, Validity};
use counterplay::{Answer, Budget, Problem, Request, Silent, solve};
use counterplay::{go, kriegspiel};
use schemars::{Schema, schema_for};

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
    let schema = serde_json::to_value(schema_for!(Answer)).expect("a schema is JSON");
    let known = schema["properties"].as_object().expect("an answer is an object");
    for domain in [domain, &plain] {
        let problem = Problem::read(domain, problem).expect("it is sound");
        let answer =
            solve(&problem, &Request::default(), &Budget::unlimited(), &Silent).expect("it is solved");
        let json = serde_json::to_value(&answer).expect("an answer is JSON");
        for field in json.as_object().expect("an object").keys() {
            assert!(known.contains_key(field), "{field}");
        }
        for field in schema["required"].as_array().expect("some are required") {
            assert!(json.get(field.as_str().expect("a name")).is_some(), "{field}");
        }
    }
}
