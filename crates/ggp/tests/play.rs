//! Players: moves that are known to be best, proofs that agree with the solver, and clocks that are kept.

use std::sync::Arc;
use std::time::{Duration, Instant};

use counterplay_base::{Budget, Id, Silent, Verdict};
use counterplay_gdl::Rules;
use counterplay_ggp::explicit::{self, Order};
use counterplay_ggp::play::{
    DecisiveRules, MoveSource, Oracle, Oracles, Player, PlayerKind, PropnetSearch, Referee, RulesSearch,
    UctSettings, Walker, WholeGameSolver, solved,
};
use counterplay_ggp::{Part, Propnet};
use counterplay_ground::game::{FluentId, Game, MoveId, ground_game};
use counterplay_syntax::Sources;

fn read(text: &str) -> Rules {
    let mut sources = Sources::default();
    let file = sources.add("game", text);
    counterplay_gdl::read(&sources, file).expect("a rule sheet")
}

fn ground(text: &str) -> Arc<Game> {
    Arc::new(ground_game(&read(text), &Budget::unlimited(), &Silent).expect("ground rules"))
}

fn seconds(count: f64) -> Budget {
    Budget::unlimited().with_time(Duration::from_secs_f64(count))
}

fn number(game: &Game, name: &str) -> u32 {
    game.moves.iter().position(|own| own.name == name).expect("a move of the game") as u32
}

/// Heaps in turns; who takes the last piece wins.
fn nim(heaps: &[u32]) -> String {
    let mut text = "(role a) (role b) (other a b) (other b a) (init (control a))
        (<= (legal ?p (take ?h ?n)) (true (control ?p)) (true (heap ?h ?m)) (less ?n ?m))
        (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
        (<= (next (heap ?h ?n)) (does ?p (take ?h ?n)))
        (<= (next (heap ?h ?n)) (true (heap ?h ?n)) (not (touched ?h)))
        (<= (touched ?h) (does ?p (take ?h ?n)))
        (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
        (<= left (true (heap ?h ?n)) (distinct ?n 0))
        (<= terminal (not left))
        (<= (goal ?p 0) (true (control ?p)))
        (<= (goal ?q 100) (true (control ?p)) (other ?p ?q))"
        .to_owned();
    for (heap, size) in heaps.iter().enumerate() {
        text.push_str(&format!("(init (heap h{heap} {size}))"));
    }
    for more in 0..10 {
        (0..more).for_each(|less| text.push_str(&format!("(less {less} {more})")));
    }
    text
}

#[test]
fn uct_proves_what_the_solver_finds() {
    for heaps in [[1, 2, 3], [2, 2, 1], [3, 1, 1]] {
        for threads in [1, 2] {
            let game = ground(&nim(&heaps));
            let truth = explicit::solve(&game, Order::Own, 100_000, &Budget::unlimited())
                .map(Verdict::solved)
                .ok()
                .flatten()
                .expect("small");
            let mut search = PropnetSearch::new(&game, &UctSettings { threads, ..UctSettings::default() });
            search.run(&seconds(20.0));
            assert!(search.is_settled(), "{heaps:?} is proved");
            let best = search.best(0).expect("a move");
            let estimates = search.estimates(0);
            let proved = estimates.iter().find(|own| own.a_move == best).and_then(|own| own.proved);
            let value = truth.value(0).expect("ends")[0] as f32 / 100.0;
            assert_eq!(proved, Some(value), "{heaps:?}");
        }
    }
}

/// What is best for one may leave the other all or nothing; who is asked to trust it gets half for sure.
const TRUST: &str = "(role a) (role b) (init (at start))
    (<= (legal b left) (true (at start))) (<= (legal b right) (true (at start))) (<= (legal a noop) (true (at start)))
    (<= (legal a kind) (true (at fork))) (<= (legal a cruel) (true (at fork))) (<= (legal b noop) (true (at fork)))
    (<= (next (at fork)) (does b left)) (<= (next (at safe)) (does b right))
    (<= (next (at both)) (does a kind)) (<= (next (at alone)) (does a cruel))
    (<= terminal (true (at safe))) (<= terminal (true (at both))) (<= terminal (true (at alone)))
    (<= (goal a 50) (true (at safe))) (<= (goal a 100) (true (at both))) (<= (goal a 100) (true (at alone)))
    (<= (goal b 50) (true (at safe))) (<= (goal b 100) (true (at both))) (<= (goal b 0) (true (at alone)))";

#[test]
fn all_for_one_proves_nothing_about_the_other() {
    let game = ground(TRUST);
    let truth = explicit::solve(&game, Order::Own, 100, &Budget::unlimited())
        .map(Verdict::solved)
        .ok()
        .flatten()
        .expect("small");
    assert_eq!(truth.value(0), Some(&[50, 50][..]));
    for seed in 0..50 {
        let mut search = PropnetSearch::new(&game, &UctSettings { seed, ..UctSettings::default() });
        search.run(&seconds(20.0));
        assert!(search.is_settled());
        let best = search.best(1).expect("a move");
        assert_eq!(game.moves.as_slice()[best as usize].name, "right", "seed {seed}");
        let estimates = search.estimates(1);
        let proved = estimates.iter().find(|own| own.a_move == best).and_then(|own| own.proved);
        assert_eq!(proved, Some(0.5), "seed {seed}");
    }
}

#[test]
fn the_tree_is_kept_between_moves_and_stays_within_its_memory() {
    let game = ground(&nim(&[7, 8, 9, 6]));
    let settings = UctSettings { bytes: 3_000_000, ..UctSettings::default() };
    let mut search = PropnetSearch::new(&game, &settings);
    let mut kept = 0;
    while !search.view().is_over {
        let before = search.playouts();
        while search.playouts() < before + 500 && !search.is_settled() {
            search.run(&seconds(0.05));
        }
        assert!(search.bytes() <= settings.bytes, "{} bytes", search.bytes());
        let joint: Vec<u32> = (0..2).map(|role| search.best(role).expect("a move")).collect();
        let through = |role: usize| {
            let all = search.estimates(role);
            all.iter().find(|own| own.a_move == joint[role]).map_or(0, |own| own.visits)
        };
        let through = through(0).min(through(1));
        search.make(&joint);
        // Where all other moves are proved to lose, the best one may be one that was hardly looked at.
        if !search.is_settled() && through > 16 {
            let visits: u32 = search.estimates(0).iter().map(|own| own.visits).sum();
            assert!(visits > 0, "playouts of the last search count on");
            kept += 1;
        }
    }
    assert!(kept > 0, "no search was gone on with");
    assert_eq!(search.view().rewards.iter().sum::<f32>(), 1.0);
}

/// The tree stopped growing when its memory was full, and everything below was searched blindly from then on.
#[test]
fn a_full_tree_forgets_what_was_visited_least_and_grows_on() {
    let game = ground(&nim(&[7, 8, 9, 9, 8]));
    let settings = UctSettings { bytes: 400_000, ..UctSettings::default() };
    let mut search = PropnetSearch::new(&game, &settings);
    let mut slices = 0;
    while search.sweeps() < 3 && slices < 400 {
        search.run(&seconds(0.05));
        assert!(search.bytes() <= settings.bytes, "{} bytes", search.bytes());
        slices += 1;
    }
    assert!(search.sweeps() >= 3, "room is made again and again");
    let visits: u64 = search.estimates(0).iter().map(|own| u64::from(own.visits)).sum();
    assert!(visits + 1000 > search.playouts(), "the moves of the root remember all playouts");
}

/// Following the match threw the old tree away first: half a second without a thought, and any legal move on a short clock.
#[test]
fn following_the_match_throws_nothing_away() {
    let game = ground(&nim(&[7, 8, 9, 6]));
    let mut search = PropnetSearch::new(&game, &UctSettings::default());
    while search.playouts() < 3000 {
        search.run(&seconds(0.05));
    }
    let size = search.size();
    let joint: Vec<u32> = (0..2).map(|role| search.best(role).expect("a move")).collect();
    search.make(&joint);
    assert!(search.size() >= size, "{} of {size} positions are left", search.size());
    assert!(search.best(1).is_some(), "a move is known before any thinking");
}

/// The rules for winning moves say exactly what is true one move later.
#[test]
fn moves_that_win_at_once_are_those_that_end_the_game_well() {
    for text in [nim(&[2, 3, 2]), TRAP.to_owned(), line(4)] {
        let game = ground(&text);
        let mut walker = Walker::new(&game);
        let idle = walker.idle_moves(1);
        let rules = DecisiveRules::new(&game, &idle, &Budget::unlimited()).expect("no limit");
        let rules = rules.expect("some moves win at once");
        let mut network: Propnet<1> = Propnet::with_added(&rules.game, rules.first);
        let most = walker.most();
        let mut found = 0;
        let mut layer = vec![walker.initial()];
        while !layer.is_empty() {
            let mut next = Vec::new();
            for position in &layer {
                let view = walker.view(position);
                if view.is_over {
                    continue;
                }
                for (at, _) in game.fluents.iter().enumerate() {
                    network.set_fluent(FluentId::new(at), [position[at / 64] >> (at % 64) & 1]);
                }
                network.evaluate(Part::State);
                network.evaluate(Part::Added);
                for (role, own) in view.legal.iter().enumerate() {
                    let is_turn =
                        (0..view.legal.len()).all(|other| other == role || view.legal[other].len() == 1);
                    for &a_move in own.iter().filter(|_| is_turn) {
                        let mut joint: Vec<u32> = view.legal.iter().map(|own| own[0]).collect();
                        joint[role] = a_move;
                        let after = walker.next(position, &joint);
                        let view = walker.view(&after);
                        let wins = view.is_over && view.rewards[role] >= most[role];
                        let id = MoveId::new(a_move as usize);
                        let told = rules
                            .wins
                            .iter()
                            .any(|&(own, when)| own == id && network.signal(when)[0] & 1 == 1);
                        assert_eq!(told, wins, "{} in {position:?}", game.moves[id].name);
                        found += usize::from(told);
                        next.push(after);
                    }
                }
            }
            next.sort();
            next.dedup();
            layer = next;
        }
        assert!(found > 0);
    }
}

/// Two players mark places of a line in turn; two places next to each other win.
fn line(places: u32) -> String {
    let mut text = "(role x) (role o) (init (control x)) (other x o) (other o x)
        (<= (legal ?p (mark ?n)) (true (control ?p)) (place ?n) (not (taken ?n)))
        (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
        (<= (taken ?n) (true (cell ?n ?p)))
        (<= (next (cell ?n ?p)) (does ?p (mark ?n)))
        (<= (next (cell ?n ?p)) (true (cell ?n ?p)))
        (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
        (<= (row ?p) (true (cell ?a ?p)) (succ ?a ?b) (true (cell ?b ?p)))
        (<= free (place ?n) (not (taken ?n)))
        (<= terminal (row ?p)) (<= terminal (not free))
        (<= (goal ?p 100) (row ?p)) (<= (goal ?p 0) (other ?p ?q) (row ?q))
        (<= (goal ?p 50) (role ?p) (not (row x)) (not (row o)))"
        .to_owned();
    for place in 1..=places {
        text.push_str(&format!("(place {place}) (succ {place} {})", place + 1));
    }
    text
}

/// Half of the time went to the solver even where it could never end.
#[test]
fn the_solver_sees_what_is_hopeless() {
    let budget = Budget::unlimited();
    let nim = ground(&nim(&[3, 4, 5]));
    let truth = explicit::solve(&nim, Order::Own, 10_000, &budget).map(Verdict::solved).ok().flatten();
    let small = explicit::estimate_states(&nim, 8.0, 10_000, &budget);
    assert_eq!(small.exp().round() as usize, truth.expect("small").len());
    let large = explicit::estimate_states(&ground(&line(30)), 12.0, 10_000, &budget);
    assert!(large > 1e6f64.ln(), "{}", large.exp());
}

#[test]
fn solved_positions_end_playouts_and_prove_the_root() {
    // The search alone does not prove this within the time; with values of all positions it does so at once.
    let game = ground(&nim(&[4, 5, 6, 7]));
    let truth = explicit::solve(&game, Order::Own, 1_000_000, &Budget::unlimited())
        .map(Verdict::solved)
        .ok()
        .flatten()
        .expect("small");
    let value = truth.value(0).expect("ends")[0] as f32 / 100.0;
    let mut search = PropnetSearch::new(&game, &UctSettings::default());
    let oracle: Arc<dyn Oracle> = Arc::new(Oracles(vec![Arc::new(truth)]));
    search.set_oracle(&oracle);
    search.run(&seconds(5.0));
    assert!(search.is_settled());
    let best = search.best(0);
    let estimates = search.estimates(0);
    let proved = estimates.iter().find(|own| Some(own.a_move) == best).and_then(|own| own.proved);
    assert_eq!(proved, Some(value));
    assert!(search.playouts() < 5000, "{}", search.playouts());
    assert!(search.ahead(1).is_none(), "nothing ahead of a proved position is of interest");
}

/// A corridor with a door that only opens if a key was fetched before: nearly all playouts miss it.
const CORRIDOR: &str = "(role a) (init (at 4)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
    (succ 6 7) (succ 7 8) (init (step 0))
    (tick 0 1) (tick 1 2) (tick 2 3) (tick 3 4) (tick 4 5) (tick 5 6) (tick 6 7) (tick 7 8) (tick 8 9) (tick 9 10)
    (tick 10 11) (tick 11 12)
    (<= (legal a left) (true (at ?x)) (succ ?y ?x))
    (<= (legal a right) (true (at ?x)) (succ ?x ?y))
    (legal a wait)
    (<= (next (at ?y)) (does a left) (true (at ?x)) (succ ?y ?x))
    (<= (next (at ?y)) (does a right) (true (at ?x)) (succ ?x ?y))
    (<= (next (at ?x)) (does a wait) (true (at ?x)))
    (<= (next key) (true (at 0)))
    (<= (next key) (true key))
    (<= (next (step ?t)) (true (step ?s)) (tick ?s ?t))
    (<= terminal (true (step 12)))
    (<= terminal (true (at 8)) (true key))
    (<= (goal a 100) (true (at 8)) (true key))
    (<= (goal a 10) (true (at 8)) (not (true key)))
    (<= (goal a 0) (not (true (at 8))))";

#[test]
fn a_puzzle_is_played_by_the_best_way_found() {
    let text = CORRIDOR.replace("(at 4)", "(at 2)");
    let game = ground(&text);
    let mut search = PropnetSearch::new(&game, &UctSettings::default());
    while !search.view().is_over {
        search.run(&seconds(2.0));
        let best = search.best(0).expect("a move");
        search.make(&[best]);
    }
    assert_eq!(search.view().rewards[0], 1.0);
}

/// Both choose at once: if they agree the first wins, else the second. Neither can do better than chance.
const PENNIES: &str = "(role a) (role b) (init open)
    (<= (legal ?p heads) (role ?p)) (<= (legal ?p tails) (role ?p))
    (<= (next same) (does a ?x) (does b ?x)) (<= (next other) (does a ?x) (does b ?y) (distinct ?x ?y))
    (<= terminal (not (true open)))
    (<= (goal a 100) (true same)) (<= (goal a 0) (not (true same)))
    (<= (goal b 100) (not (true same))) (<= (goal b 0) (true same))";

#[test]
fn simultaneous_moves_are_searched_by_each_role_for_itself() {
    let game = ground(PENNIES);
    let mut search = PropnetSearch::new(&game, &UctSettings::default());
    search.run(&seconds(0.3));
    assert!(!search.is_settled(), "nothing can be proved");
    for role in 0..2 {
        for estimate in search.estimates(role) {
            let mean = estimate.mean.expect("tried");
            assert!((0.3..0.7).contains(&mean), "{estimate:?}");
        }
    }
}

#[test]
fn three_roles_in_turns() {
    // Each names a number in turn; the last one wins with 3 of a sum of 5, else the first.
    let text = "(role a) (role b) (role c) (init (turn a)) (follows a b) (follows b c)
        (digit 1) (digit 2)
        (<= (legal ?p (say ?n)) (true (turn ?p)) (digit ?n))
        (<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
        (<= (next (turn ?q)) (true (turn ?p)) (follows ?p ?q))
        (<= (next (said ?p ?n)) (does ?p (say ?n)))
        (<= (next (said ?p ?n)) (true (said ?p ?n)))
        (<= done (true (said c ?n)))
        (<= terminal done)
        (<= same (true (said a ?n)) (true (said b ?n)) (true (said c ?n)))
        (<= (goal a 100) same) (<= (goal a 0) (not same))
        (<= (goal b 50) same) (<= (goal b 20) (not same))
        (<= (goal c 0) same) (<= (goal c 100) (not same))";
    let game = ground(text);
    let mut search = PropnetSearch::new(&game, &UctSettings::default());
    search.run(&seconds(10.0));
    assert!(search.is_settled());
    let mine = search.estimates(0);
    assert!(mine.iter().all(|own| own.proved.is_none_or(|value| value == 0.0)), "{mine:?}");
    let truth = explicit::solve(&game, Order::Own, 1000, &Budget::unlimited())
        .map(Verdict::solved)
        .ok()
        .flatten()
        .expect("small");
    assert_eq!(truth.value(0), Some(&[0, 20, 100][..]));
}

#[test]
fn the_search_on_the_rules_finds_the_winning_move() {
    let mut search =
        RulesSearch::new(read(&nim(&[3, 1])), &UctSettings::default(), &seconds(10.0)).expect("small");
    search.run(&seconds(10.0)).expect("no trouble");
    assert!(search.is_settled());
    assert_eq!(search.display(search.best(0).expect("a move")), "(take h0 1)");
}

/// All moves lose here; after `bad` every reply wins, after `tricky` only one of three does.
const TRAP: &str = "(role a) (role b) (init (at start))
    (<= (legal a bad) (true (at start))) (<= (legal a tricky) (true (at start)))
    (<= (legal b noop) (true (at start)))
    (<= (legal a noop) (not (true (at start))))
    (<= (legal b one) (not (true (at start)))) (<= (legal b two) (not (true (at start))))
    (<= (legal b three) (not (true (at start))))
    (<= (next (at bad)) (does a bad)) (<= (next (at tricky)) (does a tricky))
    (<= (next (at won)) (true (at bad))) (<= (next (at won)) (does b two) (true (at tricky)))
    (<= (next (at lost)) (true (at tricky)) (not (does b two)))
    (<= terminal (true (at won))) (<= terminal (true (at lost)))
    (<= (goal a 100) (true (at lost))) (<= (goal b 0) (true (at lost)))
    (<= (goal a 0) (not (true (at lost)))) (<= (goal b 100) (not (true (at lost))))";

#[test]
fn from_a_lost_position_the_solution_sets_a_trap() {
    let game = ground(TRAP);
    let truth = explicit::solve(&game, Order::Own, 1000, &Budget::unlimited())
        .map(Verdict::solved)
        .ok()
        .flatten()
        .expect("small");
    assert_eq!(truth.value(0), Some(&[0, 100][..]));
    let mut walker = Walker::new(&game);
    let position = walker.initial();
    let found = solved::choose(&mut walker, &truth, &position, 0, &[]).expect("known");
    assert_eq!(found.a_move, number(&game, "tricky"));
    assert_eq!(found.value, 0.0);
    assert!((found.hope - 2.0 / 3.0).abs() < 1e-6);
}

/// Plays a match of built-in players against the referee's first legal moves; returns the rewards.
fn play(text: &str, role: usize, kind: PlayerKind, clock: Duration) -> (Vec<Option<u32>>, Vec<MoveSource>) {
    let rules = read(text);
    let budget = Budget::unlimited();
    let player = Player::start(&rules, role, kind, &UctSettings::default(), Budget::unlimited());
    let mut referee = Referee::new(rules, &budget).expect("small");
    let mut ways = Vec::new();
    let mut ply = 0;
    while !referee.is_over() {
        let asked = Instant::now();
        let choice = player.choose(ply, asked + clock);
        assert!(asked.elapsed() < clock + Duration::from_secs(5), "the clock is kept");
        let mut joint = Vec::new();
        for own in 0..referee.roles() {
            let legal = referee.legal(own);
            let mine = choice.as_ref().filter(|_| own == role);
            let found = mine.and_then(|mine| legal.iter().find(|&&term| referee.display(term) == mine.text));
            assert!(mine.is_none() || found.is_some(), "{choice:?} is legal");
            joint.push(found.copied().unwrap_or(legal[0]));
        }
        ways.extend(choice.map(|choice| choice.way));
        let texts: Vec<String> = joint.iter().map(|&own| referee.display(own)).collect();
        referee.make(&joint, &budget).expect("small");
        player.make(&texts);
        ply += 1;
    }
    (referee.goals().to_vec(), ways)
}

#[test]
fn every_kind_of_player_wins_a_won_game() {
    for kind in [PlayerKind::Rules, PlayerKind::Uct, PlayerKind::Hybrid] {
        let (goals, ways) = play(&nim(&[1, 2, 4]), 0, kind, Duration::from_secs(3));
        assert_eq!(goals, [Some(100), Some(0)], "{kind:?} {ways:?}");
    }
}

#[test]
fn the_hybrid_plays_from_the_solution_once_it_has_it() {
    let rules = read(&nim(&[3, 4, 5]));
    let player = Player::start(&rules, 0, PlayerKind::Hybrid, &UctSettings::default(), Budget::unlimited());
    player.prepare(0, Instant::now() + Duration::from_secs(20));
    let choice = player.choose(0, Instant::now() + Duration::from_secs(20)).expect("a move");
    assert!(matches!(choice.way, MoveSource::Solved | MoveSource::Proved), "{choice:?}");
    assert_eq!(choice.text, "(take h0 1)", "3 4 5 becomes 1 4 5");
}

#[test]
fn what_is_too_large_state_by_state_is_solved_by_sets() {
    let rules = read(&nim(&[3, 4, 5]));
    let settings = UctSettings { states: 20, ..UctSettings::default() };
    let player = Player::start(&rules, 0, PlayerKind::Hybrid, &settings, Budget::unlimited());
    player.prepare(0, Instant::now() + Duration::from_secs(60));
    let choice = player.choose(0, Instant::now() + Duration::from_secs(60)).expect("a move");
    assert!(matches!(choice.way, MoveSource::Solved | MoveSource::Proved), "{choice:?}");
    assert_eq!(choice.text, "(take h0 1)", "3 4 5 becomes 1 4 5");
}

/// By sets of states: nothing counts the moves of nim.
#[test]
fn the_whole_of_nim_is_worth_what_single_states_say() {
    agrees(&ground(&nim(&[2, 3, 4])), 5);
}

/// Layer by layer: the step is told.
#[test]
fn the_whole_of_a_corridor_is_worth_what_single_states_say() {
    agrees(&ground(CORRIDOR), 5);
}

/// Compares the whole game with single states, in every position that can be reached.
fn agrees(game: &Arc<Game>, least: usize) {
    let truth = explicit::solve(game, Order::Own, 100_000, &Budget::unlimited())
        .map(Verdict::solved)
        .ok()
        .flatten()
        .expect("small");
    let (sender, receiver) = std::sync::mpsc::channel();
    let budget = Budget::unlimited();
    std::thread::scope(|scope| {
        scope
            .spawn(|| WholeGameSolver::serve(game, &budget, move |whole| sender.send(whole).expect("heard")));
        let whole = receiver.recv().expect("news").expect("it is small");
        let mut walker = Walker::new(game);
        let mut layer = vec![walker.initial()];
        let mut made = 0;
        while !layer.is_empty() {
            whole.follow(made);
            let mut next = Vec::new();
            for position in &layer {
                let view = walker.view(position);
                let value = truth.find(position).and_then(|at| truth.value(at)).expect("solved");
                let value: Vec<f32> = value.iter().map(|&reward| reward as f32 / 100.0).collect();
                assert_eq!(whole.rewards(position).as_deref(), Some(&value[..]), "after {made} moves");
                if !view.is_over {
                    let mut joint: Vec<Vec<u32>> = vec![Vec::new()];
                    for own in &view.legal {
                        let longer = |begun: &Vec<u32>| {
                            own.iter().map(|&next| [begun.as_slice(), &[next]].concat()).collect::<Vec<_>>()
                        };
                        joint = joint.iter().flat_map(longer).collect();
                    }
                    next.extend(joint.iter().map(|joint| walker.next(position, joint)));
                }
            }
            next.sort();
            next.dedup();
            layer = next;
            made += 1;
        }
        assert!(made > least, "{made}");
        drop(whole);
    });
}

#[test]
fn a_player_that_has_no_time_says_what_it_has_and_ends_when_dropped() {
    let rules = read(&nim(&[9, 9, 9, 9]));
    let player = Player::start(&rules, 0, PlayerKind::Hybrid, &UctSettings::default(), Budget::unlimited());
    let asked = Instant::now();
    let choice = player.choose(0, asked);
    assert!(asked.elapsed() < Duration::from_secs(10), "it does not wait");
    assert!(choice.is_none_or(|choice| !choice.text.is_empty()));
    assert_eq!(player.choose(7, asked), None, "a position that has not been reached");
    let dropped = Instant::now();
    drop(player);
    assert!(dropped.elapsed() < Duration::from_secs(60), "its threads end");
}

#[test]
fn moves_that_cannot_be_do_not_kill_the_player() {
    let rules = read(&nim(&[2, 2]));
    let player = Player::start(&rules, 0, PlayerKind::Hybrid, &UctSettings::default(), Budget::unlimited());
    player.make(&["(fly away)".to_owned(), "noop".to_owned()]);
    player.make(&[]);
    let choice = player.choose(2, Instant::now() + Duration::from_millis(300));
    assert!(choice.is_none_or(|choice| !choice.text.is_empty()));
}

/// A puzzle that only one long way solves, and that can be thrown away at any time.
const NEEDLE: &str = "
    (role a) (init (step 0)) (bit 0) (bit 1)
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)
    (succ 10 11) (succ 11 12) (succ 12 13) (succ 13 14) (succ 14 15) (succ 15 16) (succ 16 17) (succ 17 18)
    (<= (legal a (say ?b)) (bit ?b)) (legal a quit)
    (<= (next spoiled) (does a (say 0))) (<= (next spoiled) (true spoiled))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m) (not (does a quit)))
    (<= (next over) (does a quit))
    (<= terminal (true over)) (<= terminal (true (step 18)))
    (<= (goal a 100) (true (step 18)) (not (true spoiled)))
    (<= (goal a 0) (true spoiled)) (<= (goal a 0) (true over))";

/// The first playout that came back was kept as a plan even if it brought nothing, and played before anything else.
#[test]
fn a_puzzle_is_not_thrown_away() {
    let game = ground(NEEDLE);
    for seed in 0..4 {
        let mut search = PropnetSearch::new(&game, &UctSettings { seed, ..UctSettings::default() });
        let mut made = 0;
        while !search.view().is_over {
            search.run(&seconds(0.02));
            let best = search.best(0).expect("a move");
            let name = &game.moves.as_slice()[best as usize].name;
            assert!(name != "quit" || made == 17, "seed {seed}: quits after {made} moves");
            search.make(&[best]);
            made += 1;
        }
        assert_eq!(made, 18);
    }
}

/// Where roles choose at once, no value is proved: the player must not play from a solution in which one sees the other's
/// move.
#[test]
fn choosing_at_once_is_never_played_from_a_solution() {
    let text = "(role even) (role odd) (init (round 1)) (side head) (side tail)
        (<= (legal ?r (turn ?s)) (role ?r) (side ?s))
        (<= (next (shown ?s ?t)) (does even (turn ?s)) (does odd (turn ?t)))
        (<= terminal (true (shown ?s ?t)))
        (<= same (true (shown ?s ?s)))
        (<= (goal even 100) same) (<= (goal even 0) (not same))
        (<= (goal odd 0) same) (<= (goal odd 100) (not same))";
    for role in 0..2 {
        let player = Player::start(
            &read(text),
            role,
            PlayerKind::Hybrid,
            &UctSettings::default(),
            Budget::unlimited(),
        );
        let choice = player.choose(0, Instant::now() + Duration::from_millis(400)).expect("a move");
        assert!(!matches!(choice.way, MoveSource::Solved | MoveSource::Proved), "{choice:?}");
    }
    let mut found = None;
    WholeGameSolver::serve(&ground(text), &Budget::unlimited(), |whole| found = Some(whole.is_none()));
    assert_eq!(found, Some(true), "there is no solution of the whole game");
}

/// A search would take chance for an opponent and hidden moves for open ones.
#[test]
fn no_player_thinks_about_chance() {
    let text = "(role random) (role a) (init start) (<= (legal random (roll 1)) (true start)) (legal a noop)
        (<= (legal random (roll 2)) (true start)) (<= (next (rolled ?n)) (does random (roll ?n)))
        (<= terminal (true (rolled ?n))) (<= (goal a 100) (true (rolled 1))) (<= (goal a 0) (true (rolled 2)))
        (goal random 0)";
    let player =
        Player::start(&read(text), 1, PlayerKind::Hybrid, &UctSettings::default(), Budget::unlimited());
    let started = Instant::now();
    assert_eq!(player.choose(0, started + Duration::from_secs(20)), None);
    assert!(started.elapsed() < Duration::from_secs(10));
}
