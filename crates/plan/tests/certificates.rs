//! Certificates against VeriPB, where it is installed, and against damage.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::Command;

use counterplay_base::{Budget, Silent};
use counterplay_certificate::{Claim, Invariant, unsupported, write_formula, write_proof};
use counterplay_plan::Heuristic;
use counterplay_plan::explicit::{CertifyError, certify};
use counterplay_task::Task;
use counterplay_testkit::{brute_force, random_task};

/// VeriPB: under the target folder, where CI puts it, or on the path.
fn veripb() -> Option<PathBuf> {
    let cached = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/bin/veripb");
    let found = [cached, PathBuf::from("veripb")]
        .into_iter()
        .find(|program| Command::new(program).arg("--help").output().is_ok_and(|run| run.status.success()));
    if found.is_none() {
        println!("skipped: VeriPB is not installed (cargo install veripb --root target/tools)");
    }
    found
}

fn certificate(task: &Task, claim: Claim, heuristic: Heuristic) -> Result<Invariant, CertifyError> {
    certify(task, claim, heuristic, &Budget::unlimited(), &Silent)
}

fn write(task: &Task, invariant: &Invariant, folder: &Path) {
    fs::create_dir_all(folder).expect("the folder can be made");
    let open = |name: &str| BufWriter::new(File::create(folder.join(name)).expect("the file can be made"));
    write_formula(task, invariant, &mut open("task.opb")).expect("the formula can be written");
    write_proof(task, invariant, &mut open("proof.pbp"), &Budget::unlimited())
        .expect("the proof can be written");
}

/// Whether VeriPB accepts, and what it says.
fn verify(veripb: &Path, folder: &Path) -> (bool, String) {
    let run = Command::new(veripb)
        .arg(folder.join("task.opb"))
        .arg(folder.join("proof.pbp"))
        .output()
        .expect("VeriPB can be started");
    let said = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    (run.status.success() && said.contains("VERIFIED UNSATISFIABLE"), said)
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn claim_of(truth: Option<u64>) -> Claim {
    truth.map_or(Claim::Unsolvable, Claim::AtLeast)
}

#[test]
fn random_tasks_are_verified() {
    let Some(veripb) = veripb() else { return };
    let mut counts = [0; 2];
    for seed in 0..60 {
        let task = random_task(seed);
        let claim = claim_of(brute_force(&task));
        if unsupported(&task).is_some() || claim == Claim::AtLeast(0) {
            continue;
        }
        counts[usize::from(claim == Claim::Unsolvable)] += 1;
        for heuristic in [Heuristic::Blind, Heuristic::LmCut] {
            let folder = folder(&format!("random-{seed}-{heuristic:?}"));
            let invariant = certificate(&task, claim, heuristic).expect("the claim is true");
            write(&task, &invariant, &folder);
            let (accepted, said) = verify(&veripb, &folder);
            assert!(accepted, "seed {seed}, {heuristic:?}, {claim:?}, {}: {said}", folder.display());
            fs::remove_dir_all(folder).expect("the folder can be removed");
        }
    }
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

#[test]
fn a_false_claim_has_no_invariant() {
    for seed in 0..200 {
        let task = random_task(seed);
        if unsupported(&task).is_some() {
            continue;
        }
        let Some(cost) = brute_force(&task) else { continue };
        for heuristic in [Heuristic::Blind, Heuristic::LmCut] {
            for claim in [Claim::AtLeast(cost + 1), Claim::Unsolvable] {
                assert_eq!(certificate(&task, claim, heuristic).err(), Some(CertifyError::Refuted), "seed {seed}");
            }
        }
    }
}
