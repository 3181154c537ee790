//! Rule sheets, messages of a game manager, and stored solutions.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use counterplay_base::{Budget, Silent};
use counterplay_bdd::Manager;
use counterplay_gdl::message::{Message, move_list, terms};
use counterplay_ggp::archive::{Archive, ArchiveError};
use counterplay_ggp::explicit::Order;
use counterplay_ggp::symbolic;
use counterplay_ground::game::{Game, Structure, ground_game, prove_structure};
use counterplay_syntax::Sources;

use super::{Reader, check_diagnostic, text_of};

pub(super) const KIF: Reader = Reader {
    name: "kif",
    about: "a rule sheet of the game description language",
    read: rule_sheet,
    words: &[
        "(role white)",
        "(init (cell 1))",
        "(<= (legal ?r noop) (role ?r))",
        "(<= (next ?f) (true ?f))",
        "(<= terminal (not (true (cell 1))))",
        "(<= (goal ?r 100) (role ?r))",
        "(does white noop)",
        "(distinct ?x ?y)",
        "(or",
        "(not",
        "(true",
        "(and",
        "(same ?x ?x)",
        "?x",
        "(base (cell 1))",
        "(input white noop)",
        "(sees white (cell 1))",
        "random",
        "()",
        "<=",
    ],
    sample: 1500,
};

fn rule_sheet(bytes: &[u8]) {
    let text = text_of(bytes);
    let mut sources = Sources::default();
    let file = sources.add("rules", text.as_str());
    match counterplay_gdl::read(&sources, file) {
        Err(errors) => {
            assert!(!errors.is_empty(), "a failure has an error");
            errors.iter().for_each(|error| check_diagnostic(&sources, &error.diagnostic()));
        }
        Ok(rules) => {
            terms(&rules, &text);
        }
    }
    if let Some(list) = move_list(&text) {
        assert_eq!(move_list(&list.join(" ")), Some(list), "a list of moves as text reads back");
    }
}

pub(super) const MESSAGE: Reader = Reader {
    name: "message",
    about: "a message of a game manager; what is written reads back as the same",
    read: message,
    words: &[
        "( INFO )",
        "( START m white (",
        ") 30 10 )",
        "( PLAY m NIL )",
        "( PLAY m ( noop ( mark 1 2 ) ) )",
        "( STOP m ( a b ) )",
        "( ABORT m )",
        "( PREVIEW ((role a)) 5 )",
        "1e308",
        "nan",
        "-0",
        "; comment\n",
    ],
    sample: 3000,
};

fn message(bytes: &[u8]) {
    let Ok(message) = Message::read(&text_of(bytes)) else { return };
    let again = Message::read(&message.write()).expect("what is written is a message");
    match (&message, &again) {
        // Clocks are written in whole seconds.
        (
            Message::Start { id, role, rules, .. },
            Message::Start { id: id_again, role: role_again, rules: rules_again, .. },
        ) => {
            assert_eq!((id, role, rules), (id_again, role_again, rules_again));
        }
        _ => assert_eq!(again, message),
    }
}

/// A game with two layers, small enough to be solved in a moment.
const GAME: &str =
    "(role x) (init (step 1)) (<= (legal x a) (true (step 1))) (<= (legal x b) (true (step 1)))
  (<= (next won) (does x a)) (<= (next (step 2)) (true (step 1))) (<= terminal (true (step 2)))
  (<= (goal x 100) (true won)) (<= (goal x 0) (not (true won)))";

#[derive(Clone, Default)]
struct Shelf(BTreeMap<String, Vec<u8>>);

impl Archive for Shelf {
    fn save(&mut self, name: &str, bytes: &[u8]) -> Result<(), ArchiveError> {
        self.0.insert(name.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn load(&mut self, name: &str) -> Result<Option<Vec<u8>>, ArchiveError> {
        Ok(self.0.get(name).cloned())
    }
}

struct Solved {
    game: Game,
    structure: Structure,
    shelf: Shelf,
}

static SOLVED: OnceLock<Solved> = OnceLock::new();

fn solved() -> &'static Solved {
    SOLVED.get_or_init(|| {
        let mut sources = Sources::default();
        let file = sources.add("game", GAME);
        let rules = counterplay_gdl::read(&sources, file).expect("a rule sheet of our own");
        let budget = Budget::unlimited();
        let game = ground_game(&rules, &budget, &Silent).expect("a small game");
        let structure = prove_structure(&game, &budget).expect("no limit");
        let mut shelf = Shelf::default();
        symbolic::solve(&game, &structure, Order::Own, Some(&mut shelf), &budget, &Silent)
            .expect("a small game");
        Solved { game, structure, shelf }
    })
}

pub(super) const ARCHIVE: Reader = Reader {
    name: "archive",
    about: "a stored solution of a game with one record replaced, with and without a sound head",
    read: archive,
    words: &["counterplay game layer 2\n", " reach 0\n", " solved 0\n", " end 0\n", "\u{1}", "\0"],
    sample: 300,
};

/// The first byte picks a record and whether the head is made sound; the others are the record or its content.
fn archive(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let Solved { game, structure, shelf } = solved();
    let mut shelf = shelf.clone();
    let at = usize::from(first & 0x7f) % shelf.0.len();
    let record = shelf.0.values_mut().nth(at).expect("there are so many records");
    if first & 0x80 == 0 {
        // The magic word and the name of the game are kept, so that what follows is looked at.
        let mut lines = record.split_inclusive(|&byte| byte == b'\n');
        let head: Vec<u8> = lines.by_ref().take(2).flatten().copied().collect();
        let sum = rest.iter().fold(0xcbf2_9ce4_8422_2325u64, |sum, &byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        *record = [&head[..], format!("{:x} {sum:016x}\n", rest.len()).as_bytes(), rest].concat();
    } else {
        *record = rest.to_vec();
    }
    let budget = Budget::unlimited().with_nodes(10_000);
    // A record that is wrong is refused or leads to a wrong answer; it must not lead to a crash.
    let _ = symbolic::solve(game, structure, Order::Own, Some(&mut shelf), &budget, &Silent);
}

pub(super) const DIAGRAM: Reader = Reader {
    name: "diagram",
    about: "decision diagrams as bytes; what is written reads back as the same diagrams",
    read: diagram,
    words: &["\u{1}\0\0\u{1}\u{1}\u{2}", "\u{2}\u{1}\0\u{1}\0\u{2}\0\u{2}\u{2}\u{4}"],
    sample: 3000,
};

fn diagram(bytes: &[u8]) {
    let manager = Manager::new(Budget::unlimited().with_nodes(100_000));
    let Ok(diagrams) = manager.import(bytes, 64) else { return };
    let handles: Vec<&counterplay_bdd::Bdd> = diagrams.iter().collect();
    let again = manager.import(&manager.export(&handles), 64).expect("what is written reads back");
    assert!(again == diagrams, "the same diagrams come back");
}
