//! What `--help` and `--help-all` show.
//!
//! `--help` fits a screen: the options that most people use, and one line about the rest. `--help-all` shows everything. Which
//! options are short is decided here, by their headings, so that commands need not say it option by option.

use clap::{Arg, Command, CommandFactory};

use crate::arguments::{Arguments, COMMON};

/// Of the options of every command, those that `--help` shows.
const USUAL: [&str; 4] = ["help", "help_all", "json", "time_limit"];
/// Headings of a command's own options that `--help` shows.
const SHOWN: [&str; 1] = ["Rules"];
/// The exit codes in one line.
const CODES: &str = "Exit codes: 0 found or valid, 1 proved that there is none or invalid, 2 bad usage or input, 3 limit reached";

/// The command line with both kinds of help.
pub(crate) fn command() -> Command {
    prepared(Arguments::command(), "counterplay")
}

fn prepared(command: Command, name: &str) -> Command {
    let command = match command.get_after_help().cloned() {
        Some(all) => command.after_long_help(all),
        None => command,
    };
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let command = command.mut_args(shortened).after_help(format!("{CODES}\nAll options: {name} --help-all"));
    names.iter().fold(command, |command, sub| {
        command.mut_subcommand(sub, |found| prepared(found, &format!("{name} {sub}")))
    })
}

/// Leaves an option out of `--help` if few people need it.
fn shortened(argument: Arg) -> Arg {
    let is_usual = match argument.get_help_heading() {
        None => true,
        Some(COMMON) => USUAL.contains(&argument.get_id().as_str()),
        Some(heading) => SHOWN.contains(&heading),
    };
    argument.hide_short_help(!is_usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every command with its words.
    fn all(command: &Command, words: &str, visit: &mut dyn FnMut(&str, Command)) {
        visit(words, command.clone());
        for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help" && !sub.is_hide_set()) {
            all(sub, &format!("{words} {}", sub.get_name()), visit);
        }
    }

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn help_fits_a_screen_and_help_all_leaves_nothing_out() {
        let mut whole = command().term_width(100);
        whole.build();
        all(&whole, "counterplay", &mut |words, mut command| {
            let short = command.render_help().to_string();
            assert!(short.lines().count() <= 50, "{words} --help has {} lines", short.lines().count());
            assert!(short.contains("Exit codes") && short.contains("--help-all"), "{words}: {short}");
            let long = command.render_long_help().to_string();
            for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
                let Some(name) = argument.get_long() else { continue };
                assert!(long.contains(&format!("--{name}")), "{words} --help-all lacks --{name}");
            }
        });
    }
}
