//! Certificates that are meant to do harm: huge, deep, cyclic, with numbers too large. Each kind refuses them in bounded time and memory, and says where.

mod common;

use std::fs::{self, File};
use std::io::Write;
use std::time::{Duration, Instant};

use common::{Folder, Outcome, run, start};

/// Levels, nodes and words of what is deep, long or wide.
const MANY: usize = 1_000_000;
/// What every check may use, in MiB.
const MEMORY: u64 = 256;

/// Runs a check under limits. Whatever it is given, it ends soon, and keeps within the memory and a margin for what the system counts.
fn check(words: &str) -> Outcome {
    let words = format!("check {words} --memory-limit {MEMORY}MiB --time-limit 100s");
    let started = Instant::now();
    let mut child = start(words.split_whitespace());
    drop(child.stdin.take());
    #[cfg(target_os = "linux")]
    {
        // What is printed is short, so that nobody has to read it meanwhile.
        let peak = common::peak_until_the_end(&mut child) >> 20;
        assert!(peak <= MEMORY * 11 / 10, "{words}: {peak} MiB");
    }
    let outcome = common::finish(child);
    assert!(started.elapsed() < Duration::from_secs(60), "{words}: {outcome:?}");
    outcome
}

/// The file of a kind of certificate with the call that checks it.
struct Kind<'a> {
    call: String,
    path: String,
    /// How the line of a flaw is told.
    line: &'a str,
}

impl Kind<'_> {
    /// Wants `invalid` with the reason, and the line if there is one.
    fn refuses(&self, content: impl AsRef<[u8]>, line: Option<usize>, why: &str) {
        fs::write(&self.path, content).expect("there is room");
        let outcome = check(&self.call);
        let place = line.map_or(String::new(), |line| format!("{}{line}: ", self.line));
        let told = &outcome.stdout;
        let is_told = told.starts_with("invalid: ") && told.contains(&place) && told.contains(why);
        assert!(outcome.code == Some(1) && is_told, "{place}{why}: {outcome:?}");
        assert!(told.len() < 2_000, "{} bytes are told", told.len());
    }

    /// Wants that the check stops at the limit on memory, or that the certificate is `invalid`.
    fn stops(&self, content: impl AsRef<[u8]>) {
        fs::write(&self.path, content).expect("there is room");
        let outcome = check(&self.call);
        assert!(matches!(outcome.code, Some(1 | 3)), "{outcome:?}");
    }

    /// A beginning with two gigabytes of zeros after it, of which the disk holds nothing; then half a gigabyte, which is more than may be used.
    fn refuses_the_huge(&self, beginning: &str) {
        for (size, code, why) in [(2 << 30, 2, "too large"), (1 << 29, 3, "memory limit")] {
            let mut file = File::create(&self.path).expect("there is room");
            file.write_all(beginning.as_bytes()).expect("there is room");
            file.set_len(size).expect("a file may have holes");
            let outcome = check(&self.call);
            assert!(outcome.code == Some(code) && outcome.stderr.contains(why), "{outcome:?}");
        }
        fs::remove_file(&self.path).expect("it was written");
    }
}

#[test]
fn hostile_invariants_are_refused() {
    let folder = Folder::new("hostile-invariant");
    let proof = folder.path("proof");
    let files = "examples/lamps/domain.pddl examples/lamps/three.pddl";
    assert_eq!(run(&format!("solve {files} --certificate {proof}")).code, Some(0));
    let path = format!("{proof}/invariant.txt");
    let kind = Kind { call: proof, path, line: "invariant.txt:" };
    let head = "at-least 2\norder 0\n";
    kind.refuses(format!("{head}node 2 0 2 0 0\nlayer 0 2\nend\n"), Some(3), "above the nodes");
    kind.refuses(
        format!("{head}node 2 0 3 0 0\nnode 3 0 2 0 0\nlayer 0 2\nend\n"),
        Some(3),
        "above the nodes",
    );
    let chain: String = (2..MANY).map(|node| format!("node {node} 0 {} 0 0\n", (node - 1).max(1))).collect();
    kind.refuses(format!("{head}{chain}end\n"), Some(4), "in their order");
    let nodes: String = (2..MANY).map(|node| format!("node {node} 0 1 0 0\n")).collect();
    kind.refuses(format!("{head}{nodes}layer 0 2\nend\n"), Some(MANY + 1), "leads out of the set");
    kind.refuses(format!("at-least 2\nstate 0{}\nend\n", " 0=0".repeat(MANY)), Some(2), "one value");
    kind.refuses("at-least 99999999999999999999\nend\n", Some(1), "at-least COST");
    kind.refuses("at-least 2\nstate 0 99999999999999999999=0\nend\n", Some(2), "one value");
    kind.refuses(
        "at-least 2\nzone 0=2\nestimate 0 18446744073709551615*0\nend\n",
        Some(3),
        "18446744073709551615",
    );
    kind.refuses(nodes, Some(1), "");
    kind.refuses_the_huge(head);
}

#[test]
fn hostile_lists_of_nodes_are_refused() {
    let folder = Folder::new("hostile-nodes");
    let path = folder.path("none.txt");
    let files = "examples/policy/slippery/domain.pddl examples/policy/slippery/p01.pddl";
    let kind = Kind { call: format!("{files} {path}"), path: path.clone(), line: "line " };
    let head = "counterplay certificate 1\nclaim no-strong\nabout states\n";
    let (open, close) = ("(".repeat(MANY), ")".repeat(MANY));
    kind.refuses(format!("{head}state 0 {open}{close}\nend\n"), Some(4), "parentheses");
    kind.refuses(format!("{head}state 0 {open}\nend\n"), Some(4), "parentheses");
    kind.refuses(
        format!("{head}{}end\n", "state 0 (in r1) (locked r4)\n".repeat(MANY)),
        Some(5),
        "second time",
    );
    kind.refuses(format!("{head}state 0{}\nend\n", " (in r1)".repeat(MANY)), Some(3), "not listed");
    kind.refuses(format!("{head}state 99999999999999999999 (in r1)\nend\n"), Some(4), "a number");
    // A step that leads back to its own node has no smaller rank.
    let strong = head.replace("no-strong", "strong");
    let circle =
        "state 0 (in r1) (locked r4) do (find-key r1)\nstate 0 (in r1) (key) (locked r4) do (find-key r1)\n";
    kind.refuses(format!("{strong}{circle}end\n"), Some(4), "");
    kind.refuses_the_huge(head);
    // The ranks of a folder are read in the same way.
    let proof = folder.path("proof");
    assert_eq!(run(&format!("solve {files} --certificate {proof}")).code, Some(0));
    let path = format!("{proof}/ranks.txt");
    let kind = Kind { call: format!("{files} {proof}"), path, line: "ranks.txt: line " };
    kind.refuses(format!("{strong}state 0 {open}{close}\nend\n"), Some(4), "parentheses");
    kind.refuses_the_huge(&strong);
}

#[test]
fn hostile_lists_of_situations_are_refused() {
    let folder = Folder::new("hostile-situations");
    let path = folder.path("none.txt");
    let files = "examples/htn/errands/domain.hddl examples/htn/errands/milk.hddl";
    let kind = Kind { call: format!("{files} {path}"), path, line: "line " };
    let head = "counterplay certificate 1\nclaim no-weak\nabout situations\nfacts (at home)\n";
    kind.refuses(
        format!("{head}situation 0 0 | (fetch milk) after 0\nend\n"),
        Some(5),
        "wait for each other",
    );
    kind.refuses(
        format!("{head}situation 0 0 | (fetch milk) after 1 | (fetch milk) after 0\nend\n"),
        Some(5),
        "wait for each other",
    );
    kind.refuses(format!("{head}situation 0 1 | (fetch milk)\nend\n"), Some(5), "no state 1");
    kind.refuses(format!("{head}situation 0 99999999999999999999 | (fetch milk)\nend\n"), Some(5), "");
    kind.stops(format!("{head}situation 0 0{}\nend\n", " | (fetch milk)".repeat(MANY)));
}

#[test]
fn hostile_strategies_of_games_are_refused() {
    let folder = Folder::new("hostile-strategy");
    let path = folder.path("strategy.txt");
    let game = "examples/games/three-matches.kif";
    let kind = Kind { call: format!("{game} {path}"), path: path.clone(), line: "line " };
    let head = "counterplay strategy 1\nrole second at-least 100\n";
    let (open, close) = ("(".repeat(MANY), ")".repeat(MANY));
    kind.refuses(format!("{head}play {open}take{close} : (x)\nend\n"), Some(2), "no line tells");
    kind.refuses(format!("{head}play {open} : (x)\nend\n"), Some(3), "parentheses");
    kind.refuses(
        format!("counterplay strategy 1\nafter {open}{close}\nrole second at-least 100\nend\n"),
        Some(2),
        "one move for each",
    );
    kind.refuses(
        "counterplay strategy 1\nrole second at-least 99999999999999999999\nend\n",
        Some(2),
        "REWARD",
    );
    let afters = "after (take 1) noop\n".repeat(MANY);
    kind.refuses(
        format!("counterplay strategy 1\n{afters}role first at-least 0\nend\n"),
        Some(3),
        "not legal",
    );
    kind.refuses(
        format!("counterplay strategy 1\n{}end\n", "role second at-least 100\n".repeat(MANY)),
        Some(2),
        "",
    );
    kind.stops(format!(
        "{head}{}end\n",
        (0..MANY).map(|at| format!("play noop : (x {at})\n")).collect::<String>()
    ));
    kind.refuses_the_huge(head);
    // A strategy that comes back to where it was never wins.
    let game = folder.write(
        "lamp.kif",
        "(role p) (init dark) (<= (legal p switch)) (<= (legal p leave) (true light))
         (<= (next light) (true dark) (does p switch)) (<= (next dark) (true light) (does p switch))
         (<= (next gone) (does p leave)) (<= terminal (true gone)) (<= (goal p 100) (true gone)) (<= (goal p 0) (not (true gone)))",
    );
    let kind = Kind { call: format!("{game} {path}"), path, line: "line " };
    let text = "counterplay strategy 1\nrole p at-least 100\nplay switch : light\nend\n";
    kind.refuses(text, Some(2), "a position comes back");
}

#[test]
fn hostile_proofs_of_kriegspiel_are_refused() {
    let folder = Folder::new("hostile-kriegspiel");
    let path = folder.path("proof.txt");
    let kind = Kind { call: path.clone(), path, line: "line " };
    let start =
        "counterplay kriegspiel 1\nclaim mate\nplies 3\nposition 0 4/p3/1PBk/QK1n w - - 0 1\nstart 0\n";
    let head = format!("{start}node 0 try a1a3\n");
    let deep: String =
        (1..MANY).map(|node| format!("node {node} after {} illegal try a1a3\n", node - 1)).collect();
    kind.refuses(format!("{head}{deep}end\n"), Some(1007), "deeper");
    kind.refuses(format!("{head}node 1 after 1 illegal try a1a3\nend\n"), Some(7), "no node `1` above");
    let wide: String =
        (1..MANY / 4).map(|at| format!("node {at} after 0 heard nothing reply nothing try a1a3\n")).collect();
    kind.refuses(format!("{head}{wide}end\n"), None, "another node for the same case");
    kind.refuses(head.replace("plies 3", "plies 99999999999999999999"), Some(3), "an odd number");
    kind.refuses(head.replace("4/p3/1PBk/QK1n", &"/".repeat(MANY)), Some(4), "ranks");
    let none = start.replace("claim mate", "claim no-mate");
    kind.refuses(
        format!("{none}node 0 plies 3 positions 0\nrefute a1a2 illegal 0\nend\n"),
        Some(6),
        "not later",
    );
    kind.refuses(
        format!("{none}node 0 plies 3 positions{}\nend\n", " 0".repeat(MANY)),
        Some(6),
        "nothing is said against",
    );
    kind.refuses_the_huge(&head);
}

#[test]
fn hostile_proofs_of_go_are_refused() {
    let folder = Folder::new("hostile-go");
    let path = folder.path("proof.sgf");
    let problem = "examples/go/straight-three.sgf";
    assert_eq!(run(&format!("go solve {problem} --certificate {path}")).code, Some(0));
    let text = fs::read_to_string(&path).expect("it was written");
    let root = &text[..text.find("];W[").expect("White moves") + 1];
    let kind = Kind { call: path.clone(), path, line: "line " };
    for tree in [
        "(;W[ba]".repeat(MANY) + &")".repeat(MANY),
        "(;W[ba]".repeat(MANY),
        ";W[ba];B[bb]".repeat(MANY / 2),
        "(".repeat(MANY) + &")".repeat(MANY),
    ] {
        kind.refuses(format!("{root}{tree})"), Some(5), "4000 nodes deep");
    }
    kind.refuses(text.replacen("SL[", &format!("SL{}[", "[aa:gg]".repeat(100_000)), 1), Some(1), "points");
    kind.refuses(text.replacen("SZ[7:7]", "SZ[99:99]", 1), None, "99 x 99");
    kind.refuses(text.replacen("SZ[7:7]", "SZ[99999999999999999999]", 1), None, "SZ");
    kind.refuses(text.repeat(2_000), None, "");
    kind.stops(format!("{root}{})", "(;W[ba])".repeat(MANY)));
    kind.refuses_the_huge(root);
}

#[test]
fn hostile_strategies_for_a_suit_are_refused() {
    let folder = Folder::new("hostile-suit");
    let path = folder.path("suit.txt");
    assert_eq!(run(&format!("bridge suit AQ 32 --tricks 2 --certificate {path}")).code, Some(0));
    let text = fs::read_to_string(&path).expect("it was written");
    let head = &text[..text.find("at ").expect("there are situations")];
    let first = "at AQ 32 west - east - won 0 lead 2 then K:A J:Q\n";
    let kind = Kind { call: path.clone(), path, line: "line " };
    kind.refuses(format!("{head}{}end\n", first.repeat(MANY)), Some(9), "second time");
    let then = " K:A".repeat(MANY);
    kind.refuses(text.replacen(" K:A", &then, 1), Some(8), "second time");
    kind.refuses(text.replacen("west -", &format!("west {}", "J".repeat(MANY)), 1), Some(8), "too many");
    kind.refuses(text.replacen("north AQ", &format!("north {}", "A".repeat(MANY)), 1), Some(2), "each once");
    kind.refuses(text.replacen("win 1 0-8\n", &"win 1 0-8\n".repeat(MANY), 1), Some(8), "second time");
    kind.refuses(
        text.replacen("win 1 0-8", &format!("win 1{}", " 0-8".repeat(MANY)), 1),
        Some(7),
        "one for each",
    );
    kind.refuses(text.replacen("0-8", "0-99999999999999999999", 1), Some(7), "numbers");
    kind.refuses(text.replacen("1/2", "5200300/99999999999999999999", 1), Some(6), "a fraction");
    kind.refuses(text.replacen("1/2", "18446744073709551615/18446744073709551615", 1), Some(6), "1/2");
    kind.refuses(text.replacen("tricks 2", "tricks 99999999999999999999", 1), Some(5), "a number");
    let parts = "tricks 2\nchance 0/1\n".repeat(MANY);
    kind.refuses(text.replacen("end\n", &format!("{parts}end\n"), 1), Some(13), "fewer");
    kind.refuses_the_huge(head);
}

#[test]
fn hostile_archives_are_refused() {
    let folder = Folder::new("hostile-archive");
    let game = "examples/games/three-matches.kif";
    for (search, names) in [
        ("symbolic", ["end.layer", "solved-00001.layer"]),
        ("layered", ["states-0001-0000", "values-0001-0000"]),
    ] {
        let store = folder.path(search);
        assert_eq!(run(&format!("game solve {game} --search {search} --store {store}")).code, Some(0));
        for name in names {
            let path = format!("{store}/{name}");
            let whole = fs::read(&path).expect("it was written");
            // Two gigabytes of zeros after the beginning, and in the place of all.
            for kept in [whole.len() / 2, 0] {
                let mut file = File::create(&path).expect("there is room");
                file.write_all(&whole[..kept]).expect("there is room");
                file.set_len(2 << 30).expect("a file may have holes");
                let outcome = check(&format!("{game} {store}"));
                assert!(matches!(outcome.code, Some(1 | 3)), "{name}, {kept}: {outcome:?}");
            }
            // Every byte in turn says something else: counts and lengths become as large as can be.
            let mut refused = 0;
            for at in 0..whole.len() {
                let mut damaged = whole.clone();
                damaged[at] = 0xff;
                if damaged == whole {
                    continue;
                }
                fs::write(&path, &damaged).expect("there is room");
                let outcome =
                    run(&format!("check {game} {store} --memory-limit {MEMORY}MiB --time-limit 60s"));
                // Some bytes mean nothing, such as the length of a block without words; then all positions are as they were.
                let is_right = outcome.code == Some(0) && outcome.stdout.contains("second gets 100");
                refused += usize::from(outcome.code == Some(1));
                assert!(outcome.code == Some(1) || is_right, "{name}, byte {at}: {outcome:?}");
            }
            assert!(refused > whole.len() / 2, "{name}: {refused} of {}", whole.len());
            fs::write(&path, whole).expect("there is room");
        }
        assert_eq!(run(&format!("check {game} {store}")).code, Some(0));
    }
}
