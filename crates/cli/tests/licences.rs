//! Every dependency has a licence that `deny.toml` allows. `cargo deny check` says the same and more, where it is installed.

mod common;

use std::process::Command;

use common::root;

/// The licences between the brackets after `allow =`.
fn allowed(deny: &str) -> Vec<&str> {
    let list = deny.split("\nallow = [").nth(1).and_then(|rest| rest.split(']').next());
    let list = list.expect("deny.toml has a list of licences");
    list.split('"').skip(1).step_by(2).collect()
}

/// Whether a licence expression can be met with the allowed licences: `AND` binds closer than `OR`.
fn is_met(expression: &str, allowed: &[&str]) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (met, rest) = any(&words, allowed);
    assert!(rest.is_empty(), "`{expression}` is not understood");
    met
}

fn any<'a>(words: &'a [&'a str], allowed: &[&str]) -> (bool, &'a [&'a str]) {
    let (mut met, mut rest) = all(words, allowed);
    while let ["OR", after @ ..] = rest {
        let (one, left) = all(after, allowed);
        (met, rest) = (met | one, left);
    }
    (met, rest)
}

fn all<'a>(words: &'a [&'a str], allowed: &[&str]) -> (bool, &'a [&'a str]) {
    let (mut met, mut rest) = single(words, allowed);
    while let ["AND", after @ ..] = rest {
        let (one, left) = single(after, allowed);
        (met, rest) = (met & one, left);
    }
    (met, rest)
}

fn single<'a>(words: &'a [&'a str], allowed: &[&str]) -> (bool, &'a [&'a str]) {
    match words {
        ["(", inside @ ..] => {
            let (met, rest) = any(inside, allowed);
            assert_eq!(rest.first(), Some(&")"), "a parenthesis is not closed");
            (met, &rest[1..])
        }
        [licence, "WITH", exception, rest @ ..] => {
            (allowed.contains(&format!("{licence} WITH {exception}").as_str()), rest)
        }
        [licence, rest @ ..] => (allowed.contains(licence), rest),
        [] => panic!("a licence is missing"),
    }
}

#[test]
fn expressions_are_read() {
    let met = |expression| is_met(expression, &["MIT", "Zlib"]);
    assert!(met("MIT") && met("GPL-3.0 OR MIT") && met("GPL-3.0/MIT") && met("(MIT OR GPL-3.0) AND Zlib"));
    assert!(!met("GPL-3.0") && !met("MIT AND GPL-3.0") && !met("MIT WITH exception"));
}

#[test]
fn every_dependency_has_an_allowed_licence() {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--all-features"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout).expect("cargo prints JSON");
    let deny = std::fs::read_to_string(root().join("deny.toml")).expect("there is a deny.toml");
    let allowed = allowed(&deny);
    let packages = metadata["packages"].as_array().expect("a list");
    assert!(packages.len() > 50);
    for package in packages {
        let licence = package["license"].as_str();
        let met = licence.is_some_and(|expression| is_met(expression, &allowed));
        assert!(met, "{} {}: {licence:?}", package["name"], package["version"]);
    }
}
