//! Boards from files, from deal strings, or drawn at random.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use counterplay::bridge::{
    self, BoardError, BoardRequest, Boards, Hands, ReadyBoard, Selection, read_deal, read_lin, read_pbn,
};

use crate::failure::Failure;
use crate::files::LARGEST;
use crate::output::remark;
use crate::settings::Settings;

/// Which boards to take.
#[derive(Debug, Args)]
pub(super) struct BoardArguments {
    /// A PBN or LIN file, `-` for PBN on standard input, or a deal such as `N:AKQ2.… … … …`
    #[arg(value_name = "FILE|DEAL", required_unless_present = "deals", conflicts_with = "deals")]
    source: Option<String>,

    #[command(flatten)]
    request: BoardRequest,
}

impl BoardArguments {
    fn request(&self, settings: &Settings) -> BoardRequest {
        BoardRequest { seed: settings.seed, ..self.request.clone() }
    }

    /// The boards as they stand in the file, problems told on stderr.
    pub(super) fn read(&self, settings: &Settings) -> Result<Boards, Failure> {
        if let Some(count) = self.request.deals {
            let drawn = bridge::draw(count, &self.request(settings), &settings.budget);
            return Ok(Boards {
                boards: drawn.ready.iter().map(ReadyBoard::to_board).collect(),
                problems: Vec::new(),
            });
        }
        let source = self.source.as_deref().unwrap_or("-");
        let looks_like_deal = source.contains(':') && !Path::new(source).exists();
        let boards = if looks_like_deal { read_deal(source)? } else { from_file(&PathBuf::from(source))? };
        for problem in &boards.problems {
            remark(&format!("error[bridge]: {source}: {problem}"));
        }
        if boards.boards.is_empty() {
            let message = format!("{source} holds no board");
            let help = Some("a board needs at least a tag such as [Deal \"N:… … … …\"]".to_owned());
            return Err(Failure::Usage { message, help });
        }
        Ok(boards)
    }

    /// The boards to plan or play; what is wrong with others is told on stderr.
    pub(super) fn select(&self, hands: Hands, settings: &Settings) -> Result<Selection, Failure> {
        let request = self.request(settings);
        if let Some(count) = request.deals {
            return Ok(bridge::draw(count, &request, &settings.budget));
        }
        let selection = bridge::select(&self.read(settings)?, &request, hands)?;
        for refused in &selection.refused {
            let Some(why) = &refused.why else { continue };
            let help = match why {
                BoardError::NoContract => "; give one with --contract 3NT --by S",
                _ => "",
            };
            remark(&format!("error[bridge]: line {}, board {}: {why}{help}", refused.line, refused.board));
        }
        Ok(selection)
    }
}

fn from_file(path: &Path) -> Result<Boards, Failure> {
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    let limit = LARGEST as u64 + 1;
    let read = if path == Path::new("-") {
        std::io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    read.map_err(|error| Failure::Read { name: name.clone(), error })?;
    if bytes.len() > LARGEST {
        return Err(Failure::TooLarge { name });
    }
    let lin = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("lin"));
    Ok(if lin { read_lin(&bytes) } else { read_pbn(&bytes) })
}
