//! Every benchmark file of the shared data folder must parse, and print back to the same problem.

use std::fs;
use std::path::{Path, PathBuf};

use counterplay_pddl::{print, read};
use counterplay_syntax::{FileId, Sources};

/// Pairs of domain and problem below a folder: `domain.pddl`, `pNN-domain.pddl` for `pNN.pddl`, or
/// `d_x.pddl` for `p_x.pddl`.
fn pairs(folder: &Path) -> Vec<(PathBuf, PathBuf)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let is_definition = name.ends_with(".pddl") || name.ends_with(".hddl");
            if !is_definition
                || name.ends_with("domain.pddl")
                || name == "domain.hddl"
                || name.starts_with("d_")
            {
                continue;
            }
            let stem = name.trim_end_matches(".pddl");
            let candidates = [
                format!("{stem}-domain.pddl"),
                name.replacen("p_", "d_", 1),
                "domain.pddl".to_owned(),
                "domain.hddl".to_owned(),
            ];
            let domain = candidates
                .iter()
                .map(|candidate| folder.join(candidate))
                .find(|candidate| *candidate != path && candidate.exists());
            found.push((domain.unwrap_or_else(|| panic!("{} has a domain", path.display())), path));
        }
    }
    found.sort();
    found
}

/// Reads a problem and prints it.
fn print(sources: &Sources, domain: FileId, problem: FileId) -> [String; 2] {
    match read(sources, domain, problem) {
        Ok(problem) => [print::domain_text(&problem), print::problem_text(&problem)],
        Err(errors) => {
            let first = errors[0].diagnostic();
            let place = first.labels[0].span;
            panic!("{}:{:?}: {}", sources.files[place.file].name, sources.position(place), first.message);
        }
    }
}

#[test]
fn all_benchmark_files_parse() {
    for (set, expected) in
        [("pddl/seq-opt", 67), ("pddl/net-benefit", 153), ("fond", 62), ("hddl", 44), ("fond-hddl", 21)]
    {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(set);
        if !folder.exists() {
            eprintln!("skipped: {} is not there", folder.display());
            continue;
        }
        let pairs = pairs(&folder);
        assert_eq!(pairs.len(), expected, "{set}");
        for (domain, problem) in pairs {
            let mut sources = Sources::default();
            let [domain, problem] = [domain, problem].map(|path| {
                let bytes = fs::read(&path).expect("the file can be read");
                sources.add_bytes(path.display().to_string(), bytes)
            });
            let printed = print(&sources, domain, problem);
            let mut again = Sources::default();
            let [domain, problem] = printed.each_ref().map(|text| again.add("printed", text.as_str()));
            assert!(print(&again, domain, problem) == printed, "print-then-parse is the identity");
        }
    }
}
