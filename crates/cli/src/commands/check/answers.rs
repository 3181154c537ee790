//! Answers that are no plans: what each file is, its first bytes tell.

use std::path::Path;

use counterplay::game::{self, GameRules};
use counterplay::{bridge, go, kriegspiel, seconds};
use serde::Serialize;

use super::missing_files;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::files::Reader;
use crate::output;
use crate::sentinel;
use crate::settings::Settings;

/// What a file is.
enum AnswerFile {
    /// A strategy of a game.
    Strategy(String),
    /// A proof tree or a refutation of Kriegspiel.
    Kriegspiel(String),
    /// A proof of Go.
    Go(String),
    /// Strategies for a suit at bridge.
    Suit(String),
    /// A list of nodes about a planning problem.
    Closure,
    /// Anything else.
    Unknown,
}

impl AnswerFile {
    fn read(path: &Path, settings: &Settings) -> Result<AnswerFile, Halt> {
        let bytes = Reader::default().read_bytes(path, &settings.budget)?;
        // SGF says itself how it is encoded; all others are UTF-8.
        if bytes.trim_ascii_start().starts_with(b"(;") {
            let message = |error: go::SgfError| Failure::Usage {
                message: format!("{}: {error}", path.display()),
                help: None,
            };
            let text = go::decode(bytes).map_err(message)?;
            return Ok(if go::is_go_proof(&text) { AnswerFile::Go(text) } else { AnswerFile::Unknown });
        }
        let text = String::from_utf8(bytes).map_err(|error| Failure::NotText {
            name: path.display().to_string(),
            byte: error.utf8_error().valid_up_to(),
        })?;
        Ok(if game::is_playbook(&text) {
            AnswerFile::Strategy(text)
        } else if kriegspiel::is_proof_text(&text) {
            AnswerFile::Kriegspiel(text)
        } else if bridge::is_suit_text(&text) {
            AnswerFile::Suit(text)
        } else if text.starts_with("counterplay certificate ") {
            AnswerFile::Closure
        } else {
            AnswerFile::Unknown
        })
    }
}

/// Prints what a check has found, or that it met a limit.
fn report<T: Serialize>(
    settings: &Settings,
    check: impl FnOnce() -> Result<(T, Option<bool>, String), Halt>,
) -> Result<Exit, Failure> {
    let mut found = None;
    let exit = sentinel::guarded(settings, |_| {
        let (validity, valid, text) = check()?;
        found = Some((validity, text));
        Ok(match valid {
            Some(true) => Exit::Found,
            Some(false) => Exit::None,
            None => Exit::Limit,
        })
    })?;
    if let Some((validity, text)) = found {
        match settings.json {
            true => output::json(&validity)?,
            false => output::answer(&text)?,
        }
    }
    Ok(exit)
}

/// Checks a file that stands alone.
pub(super) fn run_alone(answer: &Path, settings: &Settings) -> Result<Exit, Failure> {
    let budget = &settings.budget;
    let kind = match kind_of(answer, settings)? {
        Ok(kind) => kind,
        Err(exit) => return Ok(exit),
    };
    match kind {
        AnswerFile::Go(text) => report(settings, || {
            let mut validity = go::check_go_proof_text(&text, None, budget)?;
            validity.seconds = seconds(settings.started.elapsed());
            Ok((validity.clone(), Some(validity.valid), validity.text()))
        }),
        AnswerFile::Kriegspiel(text) => report(settings, || {
            let mut validity = kriegspiel::check_proof_text(&text, None, budget)?;
            validity.seconds = seconds(settings.started.elapsed());
            Ok((validity.clone(), Some(validity.valid), validity.text()))
        }),
        AnswerFile::Suit(text) => report(settings, || {
            let mut validity = bridge::check_suit_text(&text, budget)?;
            validity.seconds = seconds(settings.started.elapsed());
            Ok((validity.clone(), Some(validity.valid), validity.text()))
        }),
        AnswerFile::Strategy(_) => alone("a strategy of a game", "GAME STRATEGY"),
        AnswerFile::Closure => alone("a certificate about a planning problem", "DOMAIN PROBLEM CERTIFICATE"),
        AnswerFile::Unknown => Err(missing_files()),
    }
}

fn alone(what: &str, call: &str) -> Result<Exit, Failure> {
    let message = format!("this is {what}, and makes sense beside its problem only");
    Err(Failure::Usage { message, help: Some(format!("give it, too: counterplay check {call}")) })
}

/// What a file is, or the exit code if a limit came while it was read; that was told.
fn kind_of(answer: &Path, settings: &Settings) -> Result<Result<AnswerFile, Exit>, Failure> {
    let mut kind = None;
    let exit = sentinel::guarded(settings, |_| {
        kind = Some(AnswerFile::read(answer, settings)?);
        Ok(Exit::Found)
    })?;
    Ok(kind.ok_or(exit))
}

/// Checks a file beside its problem.
pub(super) fn run_beside(problem: &Path, answer: &Path, settings: &Settings) -> Result<Exit, Failure> {
    let budget = &settings.budget;
    let kind = match kind_of(answer, settings)? {
        Ok(kind) => kind,
        Err(exit) => return Ok(exit),
    };
    match kind {
        AnswerFile::Strategy(text) => report(settings, || {
            let rules = rules(problem, settings)?;
            let mut validity = game::check_strategy_text(&rules, &text, budget)?;
            validity.seconds = seconds(settings.started.elapsed());
            Ok((validity.clone(), Some(validity.valid), validity.text()))
        }),
        AnswerFile::Kriegspiel(text) => report(settings, || {
            let problems = problems(problem, settings)?;
            let mut validity = kriegspiel::check_proof_text(&text, Some(&problems), budget)?;
            validity.seconds = seconds(settings.started.elapsed());
            Ok((validity.clone(), Some(validity.valid), validity.text()))
        }),
        AnswerFile::Go(text) => report(settings, || {
            let bytes = Reader::default().read_bytes(problem, budget)?;
            let wrong = |error: go::SgfError| Failure::Usage {
                message: format!("{}: {error}", problem.display()),
                help: None,
            };
            let question = go::decode(bytes).and_then(|text| go::Problem::read(&text)).map_err(wrong)?;
            let mut validity = go::check_go_proof_text(&text, Some(&question), budget)?;
            validity.seconds = seconds(settings.started.elapsed());
            Ok((validity.clone(), Some(validity.valid), validity.text()))
        }),
        AnswerFile::Closure => alone("a certificate about a planning problem", "DOMAIN PROBLEM CERTIFICATE"),
        AnswerFile::Suit(_) => {
            let message = "strategies for a suit stand alone".to_owned();
            Err(Failure::Usage {
                message,
                help: Some("give the file only: counterplay check FILE".to_owned()),
            })
        }
        AnswerFile::Unknown => Err(missing_files()),
    }
}

fn rules(game: &Path, settings: &Settings) -> Result<GameRules, Halt> {
    let mut reader = Reader::default();
    let file = reader.read(game, &settings.budget)?;
    Ok(GameRules::of_sources(reader.sources, file)?)
}

/// The problems of a file of JSON lines.
fn problems(path: &Path, settings: &Settings) -> Result<Vec<kriegspiel::Problem>, Halt> {
    let (name, text) = Reader::default().read_text(path, &settings.budget)?;
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let read = lines.map(|(line, number)| {
        kriegspiel::Problem::read(line).map_err(|error| {
            let message = format!("{name}, line {number}: {error}");
            Halt::Failure(Failure::Usage { message, help: None })
        })
    });
    read.collect()
}

/// Checks the archive of a solved game.
pub(super) fn run_archive(
    game: &Path,
    folder: &Path,
    progress: Option<&Path>,
    is_listed: bool,
    settings: &Settings,
) -> Result<Exit, Failure> {
    if is_listed && settings.json {
        let message = "--list prints lines of text, and --json one object".to_owned();
        return Err(Failure::Usage { message, help: Some("leave one of them out".to_owned()) });
    }
    if !game::is_archive(folder) {
        let message = format!("{} is no archive of a solved game", folder.display());
        let help =
            "`game solve --store FOLDER` writes one; certificates need DOMAIN PROBLEM FOLDER".to_owned();
        return Err(Failure::Usage { message, help: Some(help) });
    }
    let mut found = None;
    let exit = sentinel::guarded(settings, |display| {
        let rules = rules(game, settings)?;
        // What cannot be printed is told when the verdict is.
        let list = |layer: usize, rewards: &[u32], position: &str| {
            let rewards: Vec<String> = rewards.iter().map(u32::to_string).collect();
            let _ = output::answer(&format!("layer {layer}: {} at {position}\n", rewards.join(" ")));
        };
        let list: Option<game::PositionList<'_>> = if is_listed { Some(&list) } else { None };
        let mut validity =
            game::check_archive_folder(&rules, folder, progress, list, &settings.budget, &**display)?;
        display.clear();
        validity.seconds = seconds(settings.started.elapsed());
        let exit = match validity.valid {
            Some(true) => Exit::Found,
            Some(false) => Exit::None,
            None => Exit::Limit,
        };
        found = Some(validity);
        Ok(exit)
    })?;
    if let Some(validity) = found {
        match settings.json {
            true => output::json(&validity)?,
            false => output::answer(&validity.text())?,
        }
    }
    Ok(exit)
}
