//! Layers on disk against layers in memory: the same states, values and counts, bit by bit.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::thread;
use std::time::Duration;

use counterplay_base::{Budget, Limit, Silent};
use counterplay_cluster::{ClusterError, Hosts, Plan, Solution, solve};
use counterplay_ggp::explicit::Order;
use counterplay_ggp::layered;
use counterplay_ground::game::{Game, Structure, ground_game, prove_structure};
use counterplay_syntax::Sources;

const TIC_TAC_TOE: &str = include_str!("../../../examples/games/tic-tac-toe.kif");
const PEGS: &str = include_str!("../../../examples/games/peg-solitaire-small.kif");
const CONNECT_FOUR: &str = include_str!("../../../examples/games/connect-four-4x4.kif");

fn game(text: &str) -> (Game, Structure) {
    let mut sources = Sources::default();
    let file = sources.add("game", text);
    let rules = counterplay_gdl::read(&sources, file).expect("sound rules");
    let budget = Budget::unlimited();
    let game = ground_game(&rules, &budget, &Silent).expect("finite");
    let structure = prove_structure(&game, &budget).expect("no limit");
    (game, structure)
}

fn plan(folder: &Path, workers: usize, memory: usize) -> Plan {
    Plan { folder: folder.to_owned(), parts: 8, workers, processes: None, memory }
}

fn on_disk((game, structure): &(Game, Structure), plan: &Plan) -> Result<Solution, ClusterError> {
    solve(game, structure, Order::Own, plan, &Budget::unlimited(), &Silent)
}

fn in_memory((game, structure): &(Game, Structure)) -> layered::Solution {
    let found = layered::solve(game, structure, Order::Own, u64::MAX, &Budget::unlimited(), &Silent);
    found.expect("not refused").solved().expect("no limit")
}

fn assert_same(disk: &Solution, memory: &layered::Solution) {
    assert_eq!(disk.layer_digests, memory.layer_digests);
    assert_eq!(disk.layer_states, memory.layer_states);
    assert_eq!(disk.outcomes, memory.outcomes);
    assert_eq!(disk.outcome_states, memory.outcome_states);
    assert_eq!(disk.value, memory.value);
    assert_eq!(
        (disk.terminal, disk.stuck, disk.odd_rewards),
        (memory.terminal, memory.stuck, memory.odd_rewards)
    );
    assert_eq!((&disk.measure, disk.symmetries), (&memory.measure, memory.symmetries));
}

#[test]
fn any_number_of_workers_and_little_memory_give_the_same() {
    for (text, states) in [(TIC_TAC_TOE, 5478), (PEGS, 43_734), (CONNECT_FOUR, 161_029)] {
        let game = game(text);
        let expected = in_memory(&game);
        assert_eq!(expected.layer_states.iter().sum::<u64>(), states);
        for (workers, memory) in [(1, 1 << 30), (1, 1), (2, 1 << 30), (3, 1)] {
            let folder = tempfile::tempdir().expect("a folder");
            let mut found = on_disk(&game, &plan(folder.path(), workers, memory)).expect("solved");
            assert_same(&found, &expected);
            assert_eq!(found.sent > 0, workers > 1);
            // With one worker, layers of the largest game are more than is held at least.
            if memory > 1 || workers == 1 && states > 100_000 {
                assert_eq!(found.spilled > 0, memory == 1, "what memory has no room for is on disk");
            }
            let initial = found.outcome(&game.0.initial, 0).expect("readable");
            assert_eq!(initial, Some(expected.value));
            assert_eq!(found.outcome(&game.0.initial, 1).expect("readable"), None);
        }
    }
}

#[test]
fn a_run_goes_on_from_what_is_whole_with_other_workers() {
    let game = game(CONNECT_FOUR);
    let expected = in_memory(&game);
    let folder = tempfile::tempdir().expect("a folder");
    on_disk(&game, &plan(folder.path(), 2, 1 << 30)).expect("solved");
    let remove = |prefix: &str| {
        for entry in fs::read_dir(folder.path()).expect("readable").flatten() {
            if entry.file_name().to_string_lossy().starts_with(prefix) {
                fs::remove_file(entry.path()).expect("removable");
            }
        }
    };
    // As if ended while values came back, and while layers were reached.
    for lost in [
        &["values-0003", "values-0002-0001"][..],
        &["values", "states-0009-0002", "ends-0012"],
        &["values-0000"],
    ] {
        lost.iter().for_each(|prefix| remove(prefix));
        assert_same(
            &on_disk(&game, &plan(folder.path(), 1 + lost.len(), 1 << 30)).expect("solved"),
            &expected,
        );
    }
    // Damage is named and never becomes an answer.
    let path = folder.path().join("states-0008-0003");
    let mut bytes = fs::read(&path).expect("readable");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).expect("writable");
    remove("values-0007");
    match on_disk(&game, &plan(folder.path(), 1, 1 << 30)) {
        Err(ClusterError::Damaged { name, .. }) => assert!(name.ends_with("states-0008-0003"), "{name}"),
        other => panic!("{:?}", other.map(|found| found.layer_digests)),
    }
    let other = on_disk(&self::game(PEGS), &plan(folder.path(), 1, 1 << 30));
    assert!(matches!(other, Err(ClusterError::Foreign { .. })));
}

#[test]
fn a_limit_ends_all_workers_and_nothing_is_lost() {
    let (game, structure) = game(CONNECT_FOUR);
    let expected = in_memory(&(game.clone(), structure.clone()));
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(folder.path(), 2, 1 << 30);
    let mut ended = 0;
    for milliseconds in [1, 30, 60, 120, 240] {
        let budget = Budget::unlimited().with_time(Duration::from_millis(milliseconds));
        match solve(&game, &structure, Order::Own, &plan, &budget, &Silent) {
            Err(ClusterError::Stopped(Limit::Time(_))) => ended += 1,
            Ok(found) => assert_same(&found, &expected),
            Err(error) => panic!("{error}"),
        }
    }
    assert!(ended > 0, "the test is about limits");
    let found = solve(&game, &structure, Order::Own, &plan, &Budget::unlimited(), &Silent).expect("solved");
    assert_same(&found, &expected);
}

/// A host file with free ports of this machine.
fn hosts(count: usize) -> String {
    let listeners: Vec<TcpListener> =
        (0..count).map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port")).collect();
    let lines = listeners.iter().map(|own| own.local_addr().expect("an address").to_string() + "\n");
    "key the key of this test run\n".to_owned() + &lines.collect::<String>()
}

#[test]
fn two_processes_over_tcp_give_the_same_and_their_files_can_be_put_together() {
    let game = game(CONNECT_FOUR);
    let expected = in_memory(&game);
    let text = hosts(2);
    let folders = [tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder")];
    let found: Vec<Solution> = thread::scope(|scope| {
        let runs: Vec<_> = (0..2)
            .map(|own| {
                let processes = Some((Hosts::read(&text, 2).expect("sound"), own));
                let plan = Plan { processes, ..plan(folders[own].path(), 2, 1 << 30) };
                let game = &game;
                scope.spawn(move || on_disk(game, &plan).expect("solved"))
            })
            .collect();
        runs.into_iter().map(|run| run.join().expect("no panic")).collect()
    });
    found.iter().for_each(|found| assert_same(found, &expected));
    assert!(found.iter().all(|found| !found.is_whole()));
    for entry in fs::read_dir(folders[1].path()).expect("readable").flatten() {
        fs::rename(entry.path(), folders[0].path().join(entry.file_name())).expect("the same disk");
    }
    let whole = on_disk(&game, &plan(folders[0].path(), 1, 1 << 30)).expect("solved");
    assert!(whole.is_whole());
    assert_same(&whole, &expected);
}

#[test]
fn a_process_with_another_game_is_refused() {
    let text = hosts(2);
    let folder = tempfile::tempdir().expect("a folder");
    let budget = Budget::unlimited();
    thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let (game, structure) = game(TIC_TAC_TOE);
            let processes = Some((Hosts::read(&text, 2).expect("sound"), 0));
            let plan = Plan { processes, ..plan(folder.path(), 1, 1 << 30) };
            solve(&game, &structure, Order::Own, &plan, &budget, &Silent).map(|found| found.value)
        });
        let processes = Some((Hosts::read(&text, 2).expect("sound"), 1));
        let called = on_disk(&game(PEGS), &Plan { processes, ..plan(folder.path(), 1, 1 << 30) });
        match called {
            Err(ClusterError::Peer { process: 0, why, .. }) => assert!(why.contains("another game"), "{why}"),
            other => panic!("{:?}", other.map(|found| found.value)),
        }
        budget.cancel();
        assert!(matches!(waiting.join().expect("no panic"), Err(ClusterError::Stopped(Limit::Cancelled))));
    });
}
