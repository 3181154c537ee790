//! Playing general games from outside: our manager and our player over real sockets, and exchanges word for word.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use common::{binary, run, run_with};

/// A player that ends with the test.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(extra: &[&str]) -> Server {
        let mut command = binary();
        command.args(["game", "serve", "--port", "0", "-q"]).args(extra);
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe"))
            .read_line(&mut line)
            .expect("it says where it listens");
        let port = line.trim().rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        Server { child, port }
    }

    /// Sends bytes and returns all that comes back.
    fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.write_all(bytes).expect("it reads");
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer
    }

    /// The body of the reply to a message sent as ggp-base sends it.
    fn post(&self, message: &str) -> String {
        let answer = self.raw(
            format!(
                "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\nReceiver: X\r\n\
                 Content-Type: text/acl\r\nContent-Length: {}\r\n\r\n{message}",
                message.len()
            )
            .as_bytes(),
        );
        assert!(answer.starts_with("HTTP/1.0 200 OK\r\n"), "{message}: {answer}");
        answer.split_once("\r\n\r\n").expect("a body").1.to_owned()
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Who says the last number wins; both may say one or two, up to five.
const COUNT: &str = "(role White) (role black) (other white black) (other black white) (init (sum 0)) (init (control white)) \
    (plus 0 1 1) (plus 1 1 2) (plus 2 1 3) (plus 3 1 4) (plus 4 1 5) (plus 0 2 2) (plus 1 2 3) (plus 2 2 4) (plus 3 2 5) \
    (<= (legal ?p (say ?n)) (true (control ?p)) (true (sum ?s)) (plus ?s ?n ?t)) \
    (<= (legal ?p noop) (other ?p ?q) (true (control ?q))) \
    (<= (next (sum ?t)) (does ?p (say ?n)) (true (sum ?s)) (plus ?s ?n ?t)) \
    (<= (next (control ?q)) (true (control ?p)) (other ?p ?q)) \
    (<= terminal (true (sum 5))) (<= (goal ?p 0) (true (control ?p))) \
    (<= (goal ?q 100) (true (control ?p)) (other ?p ?q))";

/// What every reply says besides its length, for ggp-base and for pages in a browser.
const HEADERS: [&str; 5] = [
    "content-type: text/acl",
    "access-control-allow-origin: *",
    "access-control-allow-methods: post, get, options",
    "access-control-allow-headers: content-type",
    "access-control-allow-age: 86400",
];

/// The body of a reply whose head is as it should be. Names of headers compare without regard to case, as ggp-base reads them.
fn body(answer: &str) -> &str {
    let (head, body) = answer.split_once("\r\n\r\n").expect("a body");
    let head = head.to_lowercase();
    let mut lines = head.split("\r\n");
    let status = lines.next().expect("a status");
    assert!(["http/1.0 200 ok", "http/1.1 200 ok"].contains(&status), "{answer}");
    let lines: Vec<&str> = lines.collect();
    for wanted in HEADERS.iter().copied().chain([&*format!("content-length: {}", body.len())]) {
        assert!(lines.contains(&wanted), "{wanted}: {answer}");
    }
    body
}

const AVAILABLE: &str = "( ( name Counterplay ) ( status available ) ( species alien ) )";
const BUSY: &str = "( ( name Counterplay ) ( status busy ) ( species alien ) )";

#[test]
fn a_recorded_match_is_answered_word_for_word() {
    let server = Server::start(&[]);
    let answer = server.raw(b"POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )");
    assert!(answer.starts_with("HTTP/1.0 200 OK\r\n"), "{answer}");
    assert_eq!(body(&answer), AVAILABLE);
    let start = format!("( START Base.count.1 white ({COUNT}) 2 2 )");
    assert_eq!(server.post(&start), "ready");
    assert_eq!(server.post("( INFO )"), BUSY);
    // The sums 2 and 5 win: the only good move is 2.
    assert_eq!(server.post("( PLAY Base.count.1 NIL )"), "(say 2)");
    assert_eq!(server.post("( PLAY Base.count.1 ( ( say 2 ) noop ) )"), "noop");
    assert_eq!(server.post("(play Base.count.1 (NOOP (SAY 1)))"), "(say 2)");
    assert_eq!(server.post("( STOP Base.count.1 ( ( say 2 ) noop ) )"), "done");
    assert_eq!(server.post("(info)"), AVAILABLE);
}

#[test]
fn spellings_methods_and_white_space_do_not_matter() {
    let server = Server::start(&["--player", "uct"]);
    for message in ["(info)", "( Info )", "\r\n(\tINFO\n)  ", "INFO"] {
        assert_eq!(server.post(message), AVAILABLE, "{message:?}");
    }
    let by_get = server.raw(b"GET /%28%20INFO%20%29 HTTP/1.1\r\nHost: x\r\n\r\n");
    assert_eq!(body(&by_get), AVAILABLE);
    let options = server.raw(b"OPTIONS / HTTP/1.1\r\nOrigin: http://x\r\n\r\n");
    assert_eq!(body(&options), "");
    assert_eq!(server.post(&format!("(PREVIEW ({COUNT}) 3)")), "ready");
    // A role in another case, unknown arguments, white space in moves.
    assert_eq!(server.post(&format!("(Start m1 WHITE ({COUNT}) 1 1 (extra 5) more)")), "ready");
    assert_eq!(server.post("(PLAY m1 nil)"), "(say 2)");
    assert_eq!(server.post("( Play m1\n\t( (\tsay\r\n2 )\n  noop ) )"), "noop");
    assert_eq!(server.post("( ABORT m1 )"), "aborted");
}

/// A body in chunks used to be answered with 408 after ten seconds.
#[test]
fn chunked_messages_are_read() {
    let server = Server::start(&[]);
    let asked = Instant::now();
    let answer = server.raw(
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n( I\r\n5\r\nNFO )\r\n0\r\n\r\n",
    );
    assert_eq!(body(&answer), AVAILABLE);
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
}

#[test]
fn wrong_requests_do_no_harm() {
    let server = Server::start(&["--player", "hybrid"]);
    for (bytes, status) in [
        (&b"POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\n(HELP"[..], "400"),
        (b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(HELP)", "400"),
        (b"POST / HTTP/1.0\r\nContent-Length: x\r\n\r\n(INFO)", "400"),
        (b"POST / HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n(INFO)", "413"),
        (b"POST / HTTP/1.0\r\nContent-Length: 4\r\n\r\n\xff\xfe\xfd\xfc", "400"),
        (b"GET /%zz HTTP/1.0\r\n\r\n", "400"),
        (b"DELETE / HTTP/1.0\r\n\r\n", "405"),
        (b"HELLO\r\n\r\n", "400"),
    ] {
        let answer = server.raw(bytes);
        assert!(
            answer.starts_with("HTTP/1.") && answer[8..].starts_with(&format!(" {status} ")),
            "{}: {answer}",
            String::from_utf8_lossy(bytes)
        );
    }
    let deep = format!("{}{}", "(".repeat(50_000), ")".repeat(50_000));
    let head = format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{deep}", deep.len());
    assert!(server.raw(head.as_bytes()).starts_with("HTTP/1.0 400 "));
    let long = format!("GET /{} HTTP/1.0\r\n", "a".repeat(100_000));
    let answer = server.raw(long.as_bytes());
    assert!(answer.contains(" 431 ") || answer.contains(" 414 "), "{answer}");
    // A connection that says nothing holds up no other.
    let _silent = TcpStream::connect(("127.0.0.1", server.port)).expect("it listens");
    // Matches that cannot be: unreadable rules, a role that is none, messages for other matches.
    assert_eq!(server.post("(START m white ((role white) (legal white)) 1 1)"), "busy");
    assert_eq!(server.post("(START m white ((role white) (role black)) 1 1)"), "busy");
    assert_eq!(server.post(&format!("(START m green ({COUNT}) 1 1)")), "busy");
    for message in ["(PLAY m nil)", "(STOP m nil)", "(ABORT m)"] {
        assert_eq!(server.post(message), "busy", "{message}");
    }
    assert_eq!(server.post("(INFO)"), AVAILABLE);
    // A second match while one is played; moves that are lies; too few moves.
    assert_eq!(server.post(&format!("(START m black ({COUNT}) 0 1)")), "ready");
    assert_eq!(server.post(&format!("(START n white ({COUNT}) 1 1)")), "busy");
    assert_eq!(server.post("(PLAY n nil)"), "busy");
    assert_eq!(server.post("(PLAY m nil)"), "noop");
    let reply = server.post("(PLAY m ((fly to the moon) (jump)))");
    assert!(["(say 1)", "(say 2)"].contains(&reply.as_str()), "{reply}");
    let reply = server.post("(PLAY m (noop))");
    assert!(["(say 1)", "(say 2)", "noop"].contains(&reply.as_str()), "{reply}");
    assert_eq!(server.post("(ABORT m)"), "aborted");
}

#[test]
fn clocks_of_nothing_and_of_a_second_are_kept() {
    let server = Server::start(&[]);
    for clock in [0u64, 1] {
        let asked = Instant::now();
        assert_eq!(server.post(&format!("(START m white ({COUNT}) {clock} {clock})")), "ready");
        let reply = server.post("(PLAY m nil)");
        assert!(["(say 1)", "(say 2)"].contains(&reply.as_str()), "{reply}");
        assert!(asked.elapsed() < Duration::from_millis(2 * 1000 * clock + 5_000), "{:?}", asked.elapsed());
        assert_eq!(server.post("(STOP m ((say 2) noop))"), "done");
    }
}

#[test]
fn a_manager_that_dies_is_given_up_and_the_next_one_served() {
    let server = Server::start(&["--patience", "300ms"]);
    assert_eq!(server.post(&format!("(START m white ({COUNT}) 0 0)")), "ready");
    assert_eq!(server.post("(INFO)"), BUSY);
    std::thread::sleep(Duration::from_millis(1500));
    assert_eq!(server.post("(INFO)"), AVAILABLE);
    assert_eq!(server.post("(PLAY m nil)"), "busy");
    assert_eq!(server.post(&format!("(START n white ({COUNT}) 1 1)")), "ready");
    assert_eq!(server.post("(PLAY n nil)"), "(say 2)");
    // A connection that breaks off in the middle of a message leaves the match as it was.
    let mut half = TcpStream::connect(("127.0.0.1", server.port)).expect("it listens");
    half.write_all(b"POST / HTTP/1.0\r\nContent-Length: 50\r\n\r\n(PLAY n").expect("it reads");
    drop(half);
    assert_eq!(server.post("(PLAY n ((say 2) noop))"), "noop");
}

#[test]
fn rules_that_do_not_ground_are_played_on_the_rules() {
    // The term grows without end, so there is no network.
    let text = "(role a) (init (n zero)) (legal a on) (legal a off) (<= (next (n (s ?x))) (true (n ?x)) (does a on)) \
        (<= (next gone) (does a off)) (<= terminal (true gone)) (<= (goal a 0) (true gone)) \
        (<= terminal (true (n (s (s (s zero)))))) (<= (goal a 100) (true (n (s (s (s zero))))))";
    let server = Server::start(&[]);
    assert_eq!(server.post(&format!("(START m a ({text}) 1 1)")), "ready");
    let mut last = "nil".to_owned();
    for _ in 0..3 {
        let reply = server.post(&format!("(PLAY m {last})"));
        assert_eq!(reply, "on");
        last = "(on)".to_owned();
    }
    assert_eq!(server.post("(STOP m (on))"), "done");
}

#[test]
fn our_manager_and_our_players_meet_over_sockets() {
    let servers = [Server::start(&[]), Server::start(&["--player", "random", "--seed", "3"])];
    let players = format!("{},{}", servers[0].url(), servers[1].url());
    let folder = common::Folder::new("meet");
    let game = folder.write("count.kif", COUNT);
    for _ in 0..2 {
        let answer =
            run(&format!("game match {game} --players {players} --start-clock 1s --play-clock 1s --json"))
                .json();
        assert_eq!(answer["completed"], true);
        assert_eq!(answer["rewards"][0], 100, "{answer}");
        let errors = answer["errors"].as_array().expect("a list");
        assert!(
            errors.iter().flat_map(|step| step.as_array().expect("a list")).all(|error| error == ""),
            "{answer}"
        );
        assert_eq!(answer["moves"].as_array().map(Vec::len), Some(errors.len()));
    }
}

#[test]
fn a_player_that_is_gone_is_replaced_and_counted() {
    let folder = common::Folder::new("gone");
    let game = folder.write("count.kif", COUNT);
    let answer = run(&format!(
        "game match {game} --players hybrid,127.0.0.1:1 --start-clock 1s --play-clock 1s --json"
    ))
    .json();
    assert_eq!(answer["completed"], true);
    assert_eq!(answer["errors"][1][1], "CE");
    assert_eq!(answer["start_errors"][1], "CE");
    assert_eq!(answer["rewards"][0], 100);
}

#[test]
fn a_series_has_a_table_and_the_same_seed_the_same_matches() {
    let play = || {
        let mut answer = run(
            "game match examples/games/gunslinger.kif --players random,random --repeat 6 --seed 4 --json",
        )
        .json();
        for record in answer["matches"].as_array_mut().expect("a list") {
            record["seconds"] = 0.into();
        }
        answer
    };
    let answer = play();
    assert_eq!(answer, play());
    assert_eq!(answer["matches"].as_array().map(Vec::len), Some(6));
    assert_eq!(answer["table"][0]["matches"], 6);
    assert_eq!(answer["errors"], 0);
    let text = run("game match examples/games/gunslinger.kif --players random,random --repeat 3").stdout;
    assert!(text.contains("mean reward (95 %)"), "{text}");
}

#[test]
fn a_person_plays_at_the_terminal() {
    let folder = common::Folder::new("person");
    let game = folder.write("count.kif", COUNT);
    let command =
        ["game", "match", &game, "--players", "me,hybrid", "--start-clock", "1s", "--play-clock", "1s"];
    let outcome = run_with(command, "7\nsay 2\n(SAY 1)\n1\n1\n1\n");
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stdout.contains("1 (say 1)"), "moves are listed: {}", outcome.stdout);
    assert!(outcome.stdout.contains("`7` is not among your moves"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("the game is over"), "{}", outcome.stdout);
    let outcome = run_with(command, "q\n");
    assert!(outcome.stdout.contains("the match was given up after 0 moves"), "{}", outcome.stdout);
}

#[test]
fn bad_usage_is_told() {
    for (arguments, wanted) in [
        ("game match examples/games/gunslinger.kif --players random", "2 roles"),
        ("game match examples/games/gunslinger.kif --players random,nobody", "`nobody` is no player"),
        ("game match examples/nothing.kif --players random,random", "cannot read"),
        ("game serve --port 0 --name two(words", "is no name for a player"),
        ("game serve --host nowhere.invalid --port 0", "nowhere.invalid"),
    ] {
        let outcome = run(arguments);
        assert_eq!(outcome.code, Some(2), "{arguments}: {outcome:?}");
        assert!(outcome.stderr.contains(wanted), "{arguments}: {}", outcome.stderr);
    }
}

/// 200 short matches in a row: no missed clock, no thread or memory left behind.
#[test]
#[ignore = "takes minutes"]
fn soak() {
    let server = Server::start(&[]);
    let folder = common::Folder::new("soak");
    let game = folder.write("count.kif", COUNT);
    let held = || {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).expect("it lives");
        let field = |name: &str| -> u64 {
            let line = status.lines().find(|line| line.starts_with(name)).expect("a field");
            line.split_whitespace().nth(1).and_then(|word| word.parse().ok()).expect("a number")
        };
        (field("VmRSS:"), field("Threads:"))
    };
    let mut early = (0, 0);
    for round in 0..8 {
        let games = if round % 2 == 0 { game.as_str() } else { "examples/games/connect-four-4x4.kif" };
        let answer = run(&format!(
            "game match {games} --players {},random --start-clock 1s --play-clock 1s --repeat 25 --seed {round} --json",
            server.url()
        ))
        .json();
        assert_eq!(answer["errors"], 0, "no clock was missed");
        assert_eq!(answer["matches"].as_array().map(Vec::len), Some(25));
        if round == 1 {
            early = held();
        }
    }
    std::thread::sleep(Duration::from_secs(1));
    let late = held();
    println!("kB and threads after 50 and 200 matches: {early:?} {late:?}");
    assert!(late.0 < early.0 * 3 / 2 + 20_000, "memory {early:?} {late:?}");
    assert!(late.1 <= early.1, "threads {early:?} {late:?}");
}
