//! A fixed number of problems by fixed seeds in each area, and every case that ever failed.

use std::fs;
use std::path::Path;

use counterplay_fuzz::{Area, Case, Extent, areas, campaign, replay};

/// The area agrees with its twin on the problems of the first seeds.
fn agrees(name: &str) {
    let area = areas::all().into_iter().find(|area| area.name() == name).expect("there is such an area");
    let (effort, found) = campaign(area, 0, Extent::Problems(area.sample()));
    if let Some(found) = found {
        let files: Vec<String> =
            found.case.files.iter().map(|(name, text)| format!("--- {name}\n{text}")).collect();
        panic!("{name}, seed {}: {}\n{}\n{}", found.seed, found.what, found.detail, files.join("\n"));
    }
    assert!(effort.rejected * 4 <= effort.problems, "{name}: too many rejected: {effort:?}");
}

#[test]
fn plans_agree() {
    agrees("plan");
}

#[test]
fn net_benefits_agree() {
    agrees("net-benefit");
}

#[test]
fn policies_agree() {
    agrees("fond");
}

#[test]
fn policies_with_odds_agree() {
    agrees("mdp");
}

#[test]
fn plans_for_hidden_states_agree() {
    agrees("contingent");
}

#[test]
fn task_networks_agree() {
    agrees("htn");
}

#[test]
fn policies_of_task_networks_agree() {
    agrees("htn-policy");
}

#[test]
fn games_agree() {
    agrees("games");
}

#[test]
fn belief_worlds_agree() {
    agrees("belief");
}

#[test]
fn state_estimation_agrees() {
    agrees("estimate");
}

#[test]
fn kriegspiel_agrees() {
    agrees("kriegspiel");
}

#[test]
fn go_agrees() {
    agrees("go");
}

#[test]
fn proofs_of_go_fit_together() {
    agrees("go-sides");
}

#[test]
fn suits_agree() {
    agrees("suit");
}

#[test]
fn deals_agree() {
    agrees("deal");
}

/// An area that no test runs would rot.
#[test]
fn every_area_has_a_test() {
    let source = include_str!("areas.rs");
    for area in areas::all() {
        assert!(source.contains(&format!("agrees(\"{}\")", area.name())), "{} has no test", area.name());
    }
}

/// Every case under `cases/AREA/NAME/` once failed, and must agree now.
#[test]
fn cases_that_once_failed_agree() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    for area in areas::all() {
        let Ok(folders) = fs::read_dir(cases.join(area.name())) else { continue };
        for folder in folders {
            let folder = folder.expect("the folder can be listed").path();
            let case = read(&folder);
            if let Err(why) = replay(area, &case) {
                panic!("{}: {why}", folder.display());
            }
        }
    }
}

/// The area names are the folder names, so they must differ.
#[test]
fn areas_have_different_names() {
    let mut names: Vec<&str> = areas::all().iter().map(|area| Area::name(*area)).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}

fn read(folder: &Path) -> Case {
    let mut files: Vec<(String, String)> = fs::read_dir(folder)
        .expect("a case is a folder")
        .map(|entry| {
            let path = entry.expect("the folder can be listed").path();
            let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).expect("a case is text"))
        })
        .collect();
    files.sort();
    Case { files }
}
