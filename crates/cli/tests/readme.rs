//! The README's commands are run, and must print what it says.

mod common;

use common::{root, run};

#[test]
fn the_readme_tells_the_truth() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("there is a README");
    let mut commands = 0;
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().expect("splitting gives a part");
        for part in block.split("$ counterplay ").skip(1) {
            let (arguments, expected) = part.split_once('\n').expect("a command ends its line");
            assert_eq!(run(arguments).stdout, expected, "{arguments}");
            commands += 1;
        }
    }
    assert!(commands >= 4, "{commands} commands were found");
}

#[test]
fn ci_runs_the_test_command_of_the_readme() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("there is a README");
    let ci = std::fs::read_to_string(root().join(".ci/run")).expect("there is a CI script");
    let command = "cargo test --workspace";
    assert!(readme.contains(&format!("\n{command}\n")) && ci.contains(&format!("step {command} ")));
}
