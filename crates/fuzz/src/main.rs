//! `cargo run --release -p counterplay-fuzz -- AREA --seconds 60`: fuzz one area, or all of them; `readers` or `reader:NAME`
//! fuzzes what reads text and bytes.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{fs, io};

use clap::Parser;
use counterplay_fuzz::readers::{self, READERS, Reader};
use counterplay_fuzz::{Area, Case, Extent, areas, campaign};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Compare all engines with slow twins on random problems
#[derive(Debug, Parser)]
struct Arguments {
    /// The areas to fuzz, `all` for every one; `readers` for every reader, `reader:NAME` for one of them
    #[arg(value_name = "AREA", required_unless_present = "list")]
    areas: Vec<String>,

    /// How long, for each area
    #[arg(long, default_value_t = 60, conflicts_with = "problems")]
    seconds: u64,

    /// How many problems, for each area, instead of a time
    #[arg(long)]
    problems: Option<u64>,

    /// The first seed; the following problems take the following seeds [default: from the clock]
    #[arg(long)]
    seed: Option<u64>,

    /// The folder for minimal cases that disagree
    #[arg(long, value_name = "FOLDER", default_value = "fuzz-findings")]
    out: PathBuf,

    /// The most bytes that an input for a reader has
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 10)]
    length: usize,

    /// Only write the problem of the first seed to the folder: for one that ends the process
    #[arg(long)]
    generate: bool,

    /// List the areas and the readers
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let all = areas::all();
    if arguments.list {
        for area in &all {
            println!("{:12} {}", area.name(), area.about());
        }
        for reader in READERS {
            println!("reader:{:14} {}", reader.name, reader.about);
        }
        return ExitCode::SUCCESS;
    }
    let mut chosen = Vec::new();
    let mut chosen_readers: Vec<&Reader> = Vec::new();
    for name in &arguments.areas {
        let reader = READERS.iter().find(|reader| name.strip_prefix("reader:") == Some(reader.name));
        if name == "readers" || reader.is_some() {
            chosen_readers.extend(reader.map_or(READERS, std::slice::from_ref));
            continue;
        }
        match all.iter().find(|area| area.name() == name) {
            Some(&area) => chosen.push(area),
            None if name == "all" => chosen.extend(all.iter().copied()),
            None => {
                eprintln!("error: there is no area `{name}`; `--list` shows them");
                return ExitCode::from(2);
            }
        }
    }
    let seed = arguments.seed.unwrap_or_else(seed_from_clock);
    let extent = match arguments.problems {
        Some(count) => Extent::Problems(count),
        None => Extent::Time(Duration::from_secs(arguments.seconds)),
    };
    // A panic of an engine is caught and reported as a disagreement; its message need not appear for every shrinking step.
    std::panic::set_hook(Box::new(|_| ()));
    let mut failed = false;
    for area in chosen {
        if arguments.generate {
            let case = area.generate(&mut ChaCha8Rng::seed_from_u64(seed));
            failed |= write(area, seed, &case, &arguments.out)
                .inspect_err(|error| eprintln!("error: {error}"))
                .is_err();
            continue;
        }
        failed |= !fuzz(area, seed, extent, &arguments.out);
    }
    for reader in chosen_readers {
        failed |= !read(reader, seed, extent, &arguments);
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Fuzzes one area and reports; whether everyone agreed.
fn fuzz(area: &dyn Area, seed: u64, extent: Extent, out: &std::path::Path) -> bool {
    let (effort, found) = campaign(area, seed, extent);
    let kinds: Vec<String> = effort.kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    println!(
        "{}: {} problems from seed {seed} ({}; {} rejected), {} answers compared, {} disagreements",
        area.name(),
        effort.problems,
        kinds.join(", "),
        effort.rejected,
        effort.answers,
        u8::from(found.is_some()),
    );
    let Some(found) = found else { return true };
    println!("  seed {}: {}\n  {}", found.seed, found.what, found.detail.replace('\n', "\n  "));
    match write(area, found.seed, &found.case, out) {
        Ok(folder) => println!("  minimal case written to {}", folder.display()),
        Err(error) => {
            println!("  the minimal case could not be written ({error}); here it is:");
            for (name, text) in &found.case.files {
                println!("  --- {name}\n{text}");
            }
        }
    }
    false
}

/// Fuzzes one reader and reports; whether everything was read as it should be.
fn read(reader: &Reader, seed: u64, extent: Extent, arguments: &Arguments) -> bool {
    let seeds = reader.seeds().unwrap_or_default();
    let (work, fault) = readers::fuzz(reader, &seeds, seed, extent, arguments.length);
    println!(
        "reader:{}: {} inputs from seed {seed}, the slowest took {:.3} s, {} faults",
        reader.name,
        work.inputs,
        work.slowest.as_secs_f64(),
        u8::from(fault.is_some()),
    );
    let Some(fault) = fault else { return true };
    println!("  {}: {}", fault.input.name, fault.why.replace('\n', "\n  "));
    let folder = arguments.out.join("readers").join(reader.name);
    let file = folder.join(&fault.input.name);
    match fs::create_dir_all(&folder).and_then(|()| fs::write(&file, &fault.input.bytes)) {
        Ok(()) => println!("  the input is in {}", file.display()),
        Err(error) => println!("  the input could not be written: {error}"),
    }
    false
}

/// Writes the files of a case to a folder of its own.
fn write(area: &dyn Area, seed: u64, case: &Case, out: &std::path::Path) -> io::Result<PathBuf> {
    let folder = out.join(area.name()).join(format!("seed-{seed}"));
    fs::create_dir_all(&folder)?;
    for (name, text) in &case.files {
        fs::write(folder.join(name), text)?;
    }
    Ok(folder)
}

fn seed_from_clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() << 20)
}
