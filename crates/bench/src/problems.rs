//! Folders of problems, as the benchmark collections keep them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// One problem with its domain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instance {
    /// Name of the folder.
    pub domain: String,
    /// Name of the problem file.
    pub name: String,
    /// The domain file.
    pub domain_file: PathBuf,
    /// The problem file.
    pub problem_file: PathBuf,
}

impl Instance {
    /// `folder/file`, for people and filters.
    pub fn title(&self) -> String {
        format!("{}/{}", self.domain, self.name)
    }
}

/// All problems of a folder of domain folders, or of one domain folder, in order of their names.
pub fn find(folder: &Path) -> io::Result<Vec<Instance>> {
    let mut found = in_domain(folder)?;
    if found.is_empty() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                found.extend(in_domain(&path)?);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The problems of one domain folder: every `.pddl` or `.hddl` file that is no domain and has one.
fn in_domain(folder: &Path) -> io::Result<Vec<Instance>> {
    let mut files: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".pddl") || name.ends_with(".hddl") {
            files.push(name);
        }
    }
    let folder = fs::canonicalize(folder)?;
    let title = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let instance = |name: &String| {
        let domain = domain_of(name, &files)?;
        Some(Instance {
            domain: title.clone(),
            name: name.clone(),
            domain_file: folder.join(domain),
            problem_file: folder.join(name),
        })
    };
    Ok(files.iter().filter(|name| !is_domain(name, &files)).filter_map(instance).collect())
}

fn is_domain(name: &str, files: &[String]) -> bool {
    let twin = name.strip_prefix("d_").map(|rest| format!("p_{rest}"));
    name.starts_with("domain")
        || name.ends_with("-domain.pddl")
        || twin.is_some_and(|twin| files.contains(&twin))
}

/// `p01-domain.pddl` or `domain_p01.pddl` for `p01.pddl`, `d_2_2.pddl` for `p_2_2.pddl`, else `domain.pddl`; `domain.hddl`
/// for HDDL.
fn domain_of(problem: &str, files: &[String]) -> Option<String> {
    if problem.ends_with(".hddl") {
        return files.iter().find(|name| *name == "domain.hddl").cloned();
    }
    let stem = problem.strip_suffix(".pddl")?;
    let twin = stem.strip_prefix("p_").map(|rest| format!("d_{rest}.pddl"));
    let named = [format!("{stem}-domain.pddl"), format!("domain_{stem}.pddl")];
    let mut candidates = named.into_iter().chain(twin).chain(["domain.pddl".to_owned()]);
    candidates.find(|candidate| files.contains(candidate))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_for_each_problem_is_no_problem() {
        let files = ["d_2_2.pddl", "p_2_2.pddl", "d_left.pddl", "domain.pddl"].map(str::to_owned);
        assert!(is_domain("d_2_2.pddl", &files) && !is_domain("d_left.pddl", &files));
        assert_eq!(domain_of("p_2_2.pddl", &files).as_deref(), Some("d_2_2.pddl"));
        assert_eq!(domain_of("d_left.pddl", &files).as_deref(), Some("domain.pddl"));
    }

    #[test]
    fn the_bundled_examples_are_found() {
        let found =
            find(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")).expect("they are there");
        let titles: Vec<String> = found.iter().map(Instance::title).collect();
        assert!(titles.contains(&"gripper/p04.pddl".to_owned()));
        assert!(!titles.iter().any(|title| title.contains("domain")));
        let costs =
            found.iter().find(|instance| instance.title() == "desert/costs.pddl").expect("it is bundled");
        assert!(costs.domain_file.ends_with("desert/costs-domain.pddl"));
    }
}
