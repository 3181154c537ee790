//! `counterplay-bench`: a folder of problems, or growing problems, against a reference and other planners.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use counterplay_bench::certificates::{CERTIFICATE_COLUMNS, CertificateRow, Certifier, certificate_table};
use counterplay_bench::csv;
use counterplay_bench::growth;
use counterplay_bench::policies;
use counterplay_bench::problems;
use counterplay_bench::reference::{Optimal, Reference};
use counterplay_bench::suite::{Peer, Planner, Row};
use counterplay_bench::table::{Judgement, Table, csv_header, csv_row};

/// Run counterplay on a folder of problems and compare costs and times
///
/// The folder holds a folder for each domain, with `domain.pddl` (or `p01-domain.pddl`) and its problems. The exit
/// code is 1 if an answer contradicts the reference.
///
/// Example: counterplay-bench examples --reference examples/index.csv --limit 60s
#[derive(Debug, Parser)]
struct Arguments {
    /// The folder
    #[arg(required_unless_present = "growth")]
    folder: Option<PathBuf>,

    /// Instead of a folder: gripper 1 to 20 and blocks 4 to 14, with seconds and peak nodes
    #[arg(long, conflicts_with_all = ["folder", "reference", "peer", "filter", "csv"])]
    growth: bool,

    /// Certify each problem, let VeriPB and `counterplay check` verify the files, and print a table; rows in the file of `--csv` are not
    /// measured again. `--limit` is for the search, and again for the certificate
    #[arg(long, conflicts_with_all = ["growth", "peer"])]
    certificates: bool,

    /// VeriPB, for `--certificates`
    #[arg(long, value_name = "PATH", default_value = "veripb")]
    veripb: PathBuf,

    /// CPU seconds for VeriPB and for `counterplay check`
    #[arg(long, default_value = "120s", value_parser = seconds)]
    check_limit: f64,

    /// Seconds for each problem
    #[arg(long, default_value = "60s", value_parser = seconds)]
    limit: f64,

    /// Memory for each problem
    #[arg(long, default_value = "4GiB")]
    memory: String,

    /// Known optimal costs and CPU times: a CSV file with the columns domain, instance, optimal, NAME_cpu…; for policies
    /// solvable and best_size instead of optimal
    #[arg(long, value_name = "CSV")]
    reference: Option<PathBuf>,

    /// Only problems whose `domain/file` contains this
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,

    /// The counterplay binary [default: beside this one]
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,

    /// Write a row for each problem to this file, as soon as it is known
    #[arg(long, value_name = "OUT")]
    csv: Option<PathBuf>,

    /// Run another planner beside ours, such as 'symk=fast-downward.py --plan-file {plan} {domain} {problem} --search "sym_bd()"'
    #[arg(long, value_name = "NAME=COMMAND", value_parser = Peer::parse)]
    peer: Vec<Peer>,

    /// Seed of the growing problems
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// More options for `counterplay solve`, after `--`
    #[arg(last = true)]
    options: Vec<String>,
}

/// Reads `60s` or `60`.
fn seconds(text: &str) -> Result<f64, String> {
    match text.strip_suffix('s').unwrap_or(text).parse() {
        Ok(seconds) if seconds > 0.0 && seconds < 1e9 => Ok(seconds),
        _ => Err(format!("`{text}` is not a number of seconds")),
    }
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Does it; `false` if an answer was wrong.
fn run(arguments: &Arguments) -> Result<bool, Box<dyn Error>> {
    let planner = Planner {
        binary: find_binary(arguments.binary.as_deref())?,
        limit: arguments.limit,
        memory: arguments.memory.clone(),
        options: arguments.options.clone(),
    };
    match &arguments.folder {
        Some(folder) if arguments.certificates => run_certificates(folder, &planner, arguments),
        Some(folder) if !arguments.growth => run_folder(folder, &planner, arguments),
        _ => {
            println!("{}", growth::HEAD);
            Ok(growth::run(&planner, arguments.seed, &mut |point| println!("{}", growth::line(point)))?)
        }
    }
}

fn run_folder(folder: &Path, planner: &Planner, arguments: &Arguments) -> Result<bool, Box<dyn Error>> {
    let reference = match &arguments.reference {
        Some(file) => Reference::read(&read(file)?)?,
        None => Reference::default(),
    };
    let instances = find(folder, arguments)?;
    let mut out = match &arguments.csv {
        Some(file) => Some(fs::File::create(file).map_err(|error| format!("{}: {error}", file.display()))?),
        None => None,
    };
    let mut write = |fields: Vec<String>| match &mut out {
        Some(out) => out.write_all(csv::line(&fields).as_bytes()),
        None => Ok(()),
    };
    write(csv_header(&arguments.peer))?;
    let mut rows = Vec::new();
    let total = instances.len();
    for (i, instance) in instances.into_iter().enumerate() {
        let own = planner.run(&instance.domain_file, &instance.problem_file)?;
        let run_peer = |peer: &Peer| peer.run(&instance.domain_file, &instance.problem_file, arguments.limit);
        let peers = arguments.peer.iter().map(run_peer).collect::<Result<Vec<_>, _>>()?;
        let cost = own.cost.map(|cost| format!(", cost {cost}")).unwrap_or_default();
        eprintln!("{}/{total} {}: {}{cost}, {:.3} s", i + 1, instance.title(), own.verdict, own.cpu);
        let row = Row { instance, own, peers };
        write(csv_row(&row))?;
        rows.push(row);
    }
    let table = Table::new(&rows, &reference, &arguments.peer);
    print!("{}{}", table.text(), policies::by_domain(&rows, &reference));
    Ok(!table.judgements().contains(&Judgement::Wrong))
}

/// The problems of the folder that were asked for.
fn find(folder: &Path, arguments: &Arguments) -> Result<Vec<problems::Instance>, Box<dyn Error>> {
    let mut instances = problems::find(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    if let Some(filter) = &arguments.filter {
        instances.retain(|instance| instance.title().contains(filter.as_str()));
    }
    match instances.is_empty() {
        true => Err(format!("no problems in {}", folder.display()).into()),
        false => Ok(instances),
    }
}

/// Certifies the problems of a folder; `false` if a cost contradicts the reference or a certificate is refused.
fn run_certificates(folder: &Path, planner: &Planner, arguments: &Arguments) -> Result<bool, Box<dyn Error>> {
    let reference = match &arguments.reference {
        Some(file) => Reference::read(&read(file)?)?,
        None => Reference::default(),
    };
    let certifier = Certifier {
        binary: planner.binary.clone(),
        veripb: arguments.veripb.clone(),
        limit: planner.limit,
        memory: planner.memory.clone(),
        check_limit: arguments.check_limit,
        options: planner.options.clone(),
    };
    let earlier = match &arguments.csv {
        Some(file) if file.exists() => CertificateRow::read_all(&read(file)?),
        _ => Vec::new(),
    };
    let mut out = match &arguments.csv {
        Some(file) => Some(fs::File::create(file).map_err(|error| format!("{}: {error}", file.display()))?),
        None => None,
    };
    let mut write = |fields: Vec<String>| match &mut out {
        Some(out) => out.write_all(csv::line(&fields).as_bytes()),
        None => Ok(()),
    };
    // What is known is on disk again before anything new is measured.
    write(CERTIFICATE_COLUMNS.map(str::to_owned).to_vec())?;
    earlier.iter().try_for_each(|row| write(row.fields()))?;
    let mut rows = Vec::new();
    let mut is_fine = true;
    for instance in find(folder, arguments)? {
        let known = reference.get(&instance.domain, &instance.name);
        if arguments.reference.is_some() && known.is_none() {
            continue;
        }
        let before =
            earlier.iter().find(|row| row.domain == instance.domain && row.instance == instance.name);
        let row = match before {
            Some(row) => row.clone(),
            None => {
                let row = certifier.run(&instance)?;
                write(row.fields())?;
                eprintln!("{}: {}, {:.1} s, {}", instance.title(), row.verdict, row.cpu, row.remark);
                row
            }
        };
        let is_other = |known: f64| row.cost.is_some_and(|cost| row.verdict == "solved" && cost != known);
        if matches!(known.map(|known| known.optimal), Some(Optimal::Cost(cost)) if is_other(cost))
            || row.remark.contains("refuses")
        {
            eprintln!("wrong: {}", instance.title());
            is_fine = false;
        }
        rows.push(row);
    }
    print!("{}", certificate_table(&rows));
    Ok(is_fine)
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// The given binary, or the one that cargo put beside ours.
fn find_binary(given: Option<&Path>) -> Result<PathBuf, Box<dyn Error>> {
    let path = match given {
        Some(path) => path.to_owned(),
        None => std::env::current_exe()?.with_file_name("counterplay"),
    };
    if path.exists() {
        return Ok(path);
    }
    Err(format!("there is no {}; build it with `cargo build --release`, or give --binary", path.display())
        .into())
}
