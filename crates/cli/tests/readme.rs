//! The commands of the README and of the pages under docs/ are run, and must print what is said there.

mod common;

use std::path::Path;

use common::{root, run_with};

/// The words of a command line; blanks between double quotes do not part words.
fn words(line: &str) -> Vec<&str> {
    let parts = line.split('"').enumerate();
    parts
        .flat_map(|(at, part)| if at % 2 == 1 { vec![part] } else { part.split_whitespace().collect() })
        .collect()
}

/// Runs the commands of a page; returns how many there are.
fn tells_the_truth(page: &Path) -> usize {
    let text = std::fs::read_to_string(page).expect("there is a page");
    let mut commands = 0;
    for block in text.split("```console\n").skip(1) {
        let block = block.split("```").next().expect("splitting gives a part");
        for part in block.split("$ counterplay ").skip(1) {
            let (arguments, expected) = part.split_once('\n').expect("a command ends its line");
            assert_eq!(run_with(words(arguments), "").stdout, expected, "{}: {arguments}", page.display());
            commands += 1;
        }
    }
    commands
}

#[test]
fn the_readme_tells_the_truth() {
    let commands = tells_the_truth(&root().join("README.md"));
    assert!(commands >= 4, "{commands} commands were found");
}

#[test]
fn the_pages_tell_the_truth() {
    let mut commands = 0;
    for entry in std::fs::read_dir(root().join("docs")).expect("there are pages") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|it| it == "md") {
            commands += tells_the_truth(&path);
        }
    }
    assert!(commands >= 3, "{commands} commands were found");
}

#[test]
fn ci_runs_the_test_command_of_the_readme() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("there is a README");
    let ci = std::fs::read_to_string(root().join(".ci/run")).expect("there is a CI script");
    let command = "cargo test --workspace";
    assert!(readme.contains(&format!("\n{command}\n")) && ci.contains(&format!("step {command} ")));
}

/// Files of the source tree that the documentation names must exist.
#[test]
fn the_files_that_pages_name_exist() {
    let mut pages =
        vec![root().join("ARCHITECTURE.md"), root().join("CONTRIBUTING.md"), root().join("README.md")];
    for entry in std::fs::read_dir(root().join("docs")).expect("there are pages") {
        pages.push(entry.expect("an entry").path());
    }
    let (mut named, mut missing) = (0, Vec::new());
    for page in pages.iter().filter(|page| page.extension().is_some_and(|it| it == "md")) {
        let text = std::fs::read_to_string(page).expect("there is a page");
        for name in
            text.split('`').filter(|part| part.starts_with("crates/") && !part.contains(['*', ' ', '{', 'N']))
        {
            named += 1;
            if !root().join(name).exists() {
                missing.push(format!("{}: {name}", page.display()));
            }
        }
    }
    assert!(named > 40, "{named} files are named");
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
