//! What the page may ask for: a list of commands with their texts and options, each option with the values it may
//! have. Nothing else of the command line can be reached, and no word of a request becomes a path.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A command that the page may run.
pub(crate) struct Offer {
    /// Its name in requests.
    pub(crate) name: &'static str,
    /// The words of the command.
    words: &'static [&'static str],
    /// The texts it takes, in this order, by the names their files get.
    files: &'static [Slot],
    /// What can be set.
    options: &'static [Setting],
    /// Whether it talks: it stays alive between requests and reads lines.
    pub(crate) talks: bool,
}

/// A text that a command takes.
struct Slot {
    name: &'static str,
    /// The flag before it; none for a plain argument.
    flag: Option<&'static str>,
    needed: bool,
}

/// Something that can be set.
struct Setting {
    name: &'static str,
    flag: &'static str,
    values: Values,
}

/// What a setting may be.
enum Values {
    /// One of these words.
    Words(&'static [&'static str]),
    /// A number within bounds; with decimals only if they are allowed.
    Number { least: f64, most: f64, whole: bool },
    /// From one second to a minute.
    Seconds,
    /// Names of letters, digits and a few signs, separated by commas.
    Names,
    /// A switch: the flag alone.
    Switch,
}

/// A request of the page.
#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    pub(crate) offer: String,
    #[serde(default)]
    pub(crate) files: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) options: BTreeMap<String, serde_json::Value>,
    /// How many seconds it may take.
    #[serde(default)]
    pub(crate) seconds: Option<f64>,
}

/// A command line, and the files to be written beside it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Job {
    pub(crate) arguments: Vec<String>,
    pub(crate) files: Vec<(&'static str, String)>,
    pub(crate) talks: bool,
}

/// Why a request is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("there is nothing called `{0}`")]
    UnknownOffer(String),
    #[error("`{0}` is not set here")]
    UnknownOption(String),
    #[error("the text `{0}` is not taken here")]
    UnknownFile(String),
    #[error("the text `{0}` is missing")]
    MissingFile(&'static str),
    #[error("`{0}` cannot be {1}")]
    BadValue(String, String),
}

/// Runs take no longer than this.
const LONGEST: f64 = 600.0;
const USUAL: f64 = 30.0;
/// And hold no more than this.
const MEMORY: &str = "3GiB";

const fn text(name: &'static str) -> Slot {
    Slot { name, flag: None, needed: true }
}

const fn number(name: &'static str, flag: &'static str, least: f64, most: f64, whole: bool) -> Setting {
    Setting { name, flag, values: Values::Number { least, most, whole } }
}

const fn words(name: &'static str, flag: &'static str, words: &'static [&'static str]) -> Setting {
    Setting { name, flag, values: Values::Words(words) }
}

const SEED: Setting = number("seed", "--seed", 0.0, 1e9, true);

/// All that is offered.
const OFFERS: &[Offer] = &[
    Offer {
        name: "solve",
        words: &["solve"],
        files: &[text("domain.pddl"), text("problem.pddl")],
        options: &[
            words("search", "--search", &["auto", "bfs", "dijkstra", "astar", "explicit"]),
            words("class", "--class", &["strong", "strong-cyclic", "weak"]),
            words("htn", "--htn", &["shop", "nd", "yoyo", "network"]),
            Setting { name: "graph", flag: "--graph", values: Values::Switch },
        ],
        talks: false,
    },
    Offer { name: "show", words: &["show"], files: &[text("answer.json")], options: &[], talks: false },
    Offer {
        name: "game-ground",
        words: &["game", "ground"],
        files: &[text("game.kif")],
        options: &[],
        talks: false,
    },
    Offer {
        name: "game-solve",
        words: &["game", "solve"],
        files: &[text("game.kif")],
        options: &[],
        talks: false,
    },
    Offer {
        name: "game-play",
        words: &["game", "match", "--lines"],
        files: &[text("game.kif")],
        options: &[
            Setting { name: "players", flag: "--players", values: Values::Names },
            Setting { name: "start", flag: "--start-clock", values: Values::Seconds },
            Setting { name: "clock", flag: "--play-clock", values: Values::Seconds },
            SEED,
        ],
        talks: true,
    },
    Offer {
        name: "go-solve",
        words: &["go", "solve", "--whole"],
        files: &[text("problem.sgf")],
        options: &[words("search", "--search", &["auto", "plan", "dfpn"])],
        talks: false,
    },
    Offer {
        name: "bridge-plan",
        words: &["bridge", "plan"],
        files: &[text("deal.pbn")],
        options: &[SEED],
        talks: false,
    },
    Offer {
        name: "bridge-play",
        words: &["bridge", "play", "--lines"],
        files: &[text("deal.pbn")],
        options: &[
            words("declarer", "--declarer", &["you", "planner", "hybrid", "rules"]),
            words("defence", "--defence", &["you", "rules"]),
            SEED,
        ],
        talks: true,
    },
    Offer {
        name: "bridge-suit",
        words: &["bridge", "suit"],
        files: &[],
        options: &[
            Setting { name: "hands", flag: "", values: Values::Names },
            number("tricks", "--tricks", 1.0, 13.0, true),
        ],
        talks: false,
    },
    Offer {
        name: "kriegspiel-solve",
        words: &["kriegspiel", "solve", "--proof"],
        files: &[text("problem.jsonl")],
        options: &[number("depth", "--depth", 1.0, 11.0, true)],
        talks: false,
    },
    Offer {
        name: "kriegspiel-play",
        words: &["kriegspiel", "play", "--lines"],
        files: &[],
        options: &[
            words("white", "--white", &["you", "careful", "rash", "random"]),
            words("black", "--black", &["you", "careful", "rash", "random"]),
            SEED,
        ],
        talks: true,
    },
    Offer {
        name: "dilemma-strategies",
        words: &["dilemma", "strategies"],
        files: &[],
        options: &[],
        talks: false,
    },
    Offer {
        name: "dilemma-match",
        words: &["dilemma", "match", "--beliefs"],
        files: &[],
        options: &[
            Setting { name: "players", flag: "", values: Values::Names },
            number("turns", "--turns", 1.0, 100_000.0, true),
            number("noise", "--noise", 0.0, 1.0, false),
            SEED,
        ],
        talks: false,
    },
    Offer {
        name: "dilemma-tournament",
        words: &["dilemma", "tournament"],
        files: &[],
        options: &[
            Setting { name: "players", flag: "--players", values: Values::Names },
            number("turns", "--turns", 1.0, 10_000.0, true),
            number("noise", "--noise", 0.0, 1.0, false),
            number("repetitions", "--repetitions", 1.0, 100.0, true),
            Setting { name: "matrices", flag: "--matrices", values: Values::Switch },
            SEED,
        ],
        talks: false,
    },
];

impl Request {
    /// The command line of a request, if it is one of those that are offered.
    pub(crate) fn job(self) -> Result<Job, Refusal> {
        let offer = OFFERS.iter().find(|offer| offer.name == self.offer);
        let offer = offer.ok_or(Refusal::UnknownOffer(self.offer))?;
        let mut arguments: Vec<String> = offer.words.iter().map(|&word| word.to_owned()).collect();
        for (name, value) in &self.options {
            let setting = offer.options.iter().find(|setting| setting.name == *name);
            let setting = setting.ok_or_else(|| Refusal::UnknownOption(name.clone()))?;
            setting.put(value, &mut arguments)?;
        }
        let mut given = self.files;
        let mut files = Vec::new();
        for slot in offer.files {
            match given.remove(slot.name) {
                Some(text) => {
                    arguments.extend(slot.flag.map(str::to_owned));
                    arguments.push(slot.name.to_owned());
                    files.push((slot.name, text));
                }
                None if slot.needed => return Err(Refusal::MissingFile(slot.name)),
                None => {}
            }
        }
        if let Some(name) = given.into_keys().next() {
            return Err(Refusal::UnknownFile(name));
        }
        let seconds = self.seconds.unwrap_or(USUAL);
        if !(seconds > 0.0 && seconds <= LONGEST) {
            return Err(Refusal::BadValue("seconds".to_owned(), seconds.to_string()));
        }
        arguments.push("--json".to_owned());
        arguments.extend(["--memory-limit", MEMORY, "--color", "never"].map(str::to_owned));
        if !offer.talks {
            arguments.extend(["-v".to_owned(), "--time-limit".to_owned(), format!("{seconds}s")]);
        }
        Ok(Job { arguments, files, talks: offer.talks })
    }
}

impl Setting {
    /// Adds the flag and the value.
    fn put(&self, value: &serde_json::Value, arguments: &mut Vec<String>) -> Result<(), Refusal> {
        let bad = || Refusal::BadValue(self.name.to_owned(), value.to_string());
        let flag = || Some(self.flag.to_owned()).filter(|flag| !flag.is_empty());
        match &self.values {
            Values::Words(words) => {
                let word = value.as_str().filter(|word| words.contains(word)).ok_or_else(bad)?;
                arguments.extend(flag());
                arguments.push(word.to_owned());
            }
            Values::Number { least, most, whole } => {
                let fits =
                    |number: &f64| (*least..=*most).contains(number) && (!whole || number.fract() == 0.0);
                let number = value.as_f64().filter(fits).ok_or_else(bad)?;
                arguments.extend(flag());
                arguments.push(number.to_string());
            }
            Values::Seconds => {
                let seconds = value.as_f64().filter(|it| (1.0..=60.0).contains(it)).ok_or_else(bad)?;
                arguments.extend(flag());
                arguments.push(format!("{seconds}s"));
            }
            Values::Names => {
                let names = value.as_str().filter(|text| are_names(text)).ok_or_else(bad)?;
                match flag() {
                    Some(flag) => arguments.extend([flag, names.to_owned()]),
                    None => arguments.extend(names.split(',').map(str::to_owned)),
                }
            }
            Values::Switch => {
                if value.as_bool().ok_or_else(bad)? {
                    arguments.extend(flag());
                }
            }
        }
        Ok(())
    }
}

/// Names that are neither flags nor paths.
fn are_names(text: &str) -> bool {
    let is_name = |name: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-+. ()':".contains(c);
        name.chars().all(plain) && name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.len() <= 60
    };
    text.split(',').all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn job(request: serde_json::Value) -> Result<Job, Refusal> {
        serde_json::from_value::<Request>(request).expect("a request").job()
    }

    #[test]
    fn requests_become_command_lines() {
        let texts = json!({"domain.pddl": "a", "problem.pddl": "b"});
        let job = job(json!({"offer": "solve", "files": texts, "options": {"search": "bfs"}, "seconds": 5}));
        let line = "solve --search bfs domain.pddl problem.pddl --json --memory-limit 3GiB --color never -v --time-limit 5s";
        assert_eq!(job.expect("it is offered").arguments.join(" "), line);
    }

    #[test]
    fn nothing_else_gets_through() {
        let texts = json!({"domain.pddl": "a", "problem.pddl": "b"});
        let refused = [
            json!({"offer": "reproduce"}),
            json!({"offer": "solve", "files": {"domain.pddl": "a"}}),
            json!({"offer": "solve", "files": {"domain.pddl": "a", "problem.pddl": "b", "/etc/passwd": "c"}}),
            json!({"offer": "solve", "files": texts, "options": {"plan-file": "/tmp/x"}}),
            json!({"offer": "solve", "files": texts, "options": {"search": "--plan-file=x"}}),
            json!({"offer": "solve", "files": texts, "seconds": 1e9}),
            json!({"offer": "dilemma-match", "options": {"players": "TFT,--output"}}),
            json!({"offer": "dilemma-match", "options": {"players": "../TFT,TFT"}}),
            json!({"offer": "dilemma-match", "options": {"turns": 1.5}}),
        ];
        for request in refused {
            assert!(job(request.clone()).is_err(), "{request}");
        }
    }
}
