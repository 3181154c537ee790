//! `counterplay reproduce`: the list, its names, its files, and the small items from end to end.

mod common;

use std::path::Path;

use common::{Folder, run};

/// Every table and figure that the papers report and that can be told again.
const ALL: [&str; 29] = [
    "tignum-table4",
    "tignum-fig3",
    "tignum-fig5",
    "kriegspiel-fig1",
    "kriegspiel-fig4",
    "kriegspiel-fig9",
    "gamer-fig4.2",
    "gamer-fig4.8",
    "gamer-fig4.11",
    "gamer-fig4.17",
    "gamer-fig4.18",
    "gamer-fig4.19",
    "gamer-table6.2",
    "gamer-table6.4",
    "gamer-table7.2",
    "gamer-table9.1",
    "gamer-table9.3",
    "gamer-table10.1",
    "gamer-table10.2",
    "gamer-table10.3",
    "gamer-table11.2",
    "gamer-table11.3",
    "gamer-table11.4",
    "yoyo-fig7",
    "yoyo-fig8",
    "dbs-table2",
    "dbs-hallway",
    "gobi-table1",
    "gobi-fig8",
];

#[test]
fn the_list_has_everything_with_its_state() {
    let listed = run("reproduce --list --json").json();
    let items = listed["items"].as_array().expect("a list");
    for id in ALL {
        let item = items.iter().find(|item| item["id"] == id).unwrap_or_else(|| panic!("{id} is missing"));
        let whole = item["state"] == "whole";
        assert_eq!(whole, item["lacking"].is_null(), "{item}");
        let parts = item["parts"].as_array().expect("a list");
        assert!(!parts.is_empty(), "{id} counts nothing");
        let complete = parts.iter().all(|part| part["done"].as_u64() >= part["of"].as_u64());
        assert!(complete || !whole, "{item}");
    }
    // These were once called whole although most of the table is not there.
    let lacking =
        |id: &str| items.iter().find(|item| item["id"] == id).expect("it is listed")["lacking"].to_string();
    for (id, told) in [
        ("gamer-table9.1", "6 of 10 games"),
        ("gamer-table9.3", "7 of 124 games"),
        ("gamer-table10.1", "3 of 34 games"),
        ("kriegspiel-fig4", "10 of 2000 seconds"),
        ("yoyo-fig8", "may not share a square"),
    ] {
        assert!(lacking(id).contains(told), "{id}: {}", lacking(id));
    }
    let text = run("reproduce --list").stdout;
    assert!(ALL.iter().all(|id| text.contains(id)), "{text}");
}

#[test]
fn layers_are_counted_and_drawn() {
    let folder = Folder::new("reproduce");
    for (id, states) in [("gamer-fig4.8", 376_832.0), ("gamer-fig4.19", 9_722_011.0)] {
        let outcome = run(&format!("reproduce {id} --quick --json --output {}", folder.path("")));
        let figures = &outcome.json()["figures"];
        assert_eq!(figures[0]["all_states"], states, "{id}");
        assert_eq!(figures[0]["complete"], true);
        let csv = std::fs::read_to_string(folder.path(&format!("{id}.csv"))).expect("a table");
        assert_eq!(csv.lines().count(), figures[0]["nodes"].as_array().expect("layers").len() + 1);
        let svg = std::fs::read_to_string(folder.path(&format!("{id}.svg"))).expect("a picture");
        assert!(svg.starts_with("<svg") && svg.contains("powers of ten"));
    }
}

#[test]
fn the_end_test_grows_with_the_rows() {
    let figures = run("reproduce gamer-fig4.17 --quick --json").json();
    let nodes = |growing: &str, width: u64, height: u64| {
        let rows = figures["figures"].as_array().expect("rows");
        let found = rows
            .iter()
            .find(|row| row["growing"] == growing && row["width"] == width && row["height"] == height);
        found.and_then(|row| row["nodes"].as_f64()).expect("a row")
    };
    // By the same number from width to width, by the same factor from height to height.
    let [seven, eight, nine] = [7, 8, 9].map(|width| nodes("width", width, 5));
    assert_eq!(nine - eight, eight - seven);
    let [five, six, seven] = [5, 6, 7].map(|height| nodes("height", 5, height));
    assert!(six / five > 3.0 && seven / six > 3.0);
}

#[test]
fn the_proof_tree_of_figure_1_passes_the_referee() {
    let figures = run("reproduce kriegspiel-fig1 --json").json();
    // White has two ways; the paper tells the one that begins with a1a4.
    let first = figures["figures"]["proof"]["try"].as_str().expect("a move");
    assert!(["a1a3", "a1a4"].contains(&first), "{first}");
    assert_eq!(figures["figures"]["moves_checked"], 7);
}

#[test]
fn files_of_the_user_are_read_or_refused() {
    let folder = Folder::new("reproduce-data");
    let benchmarks = folder.path("benchmarks");
    let domain = Path::new(&benchmarks).join("elevators-opt08-strips");
    std::fs::create_dir_all(&domain).expect("a folder");
    let copy = |from: &str, to: &str| {
        std::fs::copy(common::root().join(from), domain.join(to)).expect("a copy");
    };
    // Any problem will do under that name.
    copy("examples/river/domain.pddl", "domain.pddl");
    copy("examples/river/p3.pddl", "p01.pddl");
    let figures = run(&format!("reproduce gamer-table6.2 --quick --json --data {}", benchmarks)).json();
    let first = &figures["figures"][0];
    assert_eq!((&first["problems"], &first["solved"]), (&1.into(), &1.into()), "{first}");

    let maze = folder.write("maze.txt", "#####\n#@$ #\n#  x#\n#####\n");
    for (arguments, told) in [
        ("reproduce gamer-table6.2".to_owned(), "--data FOLDER"),
        (format!("reproduce gamer-table6.4 --data {}", benchmarks), "no folder of this table's domains"),
        ("reproduce gamer-table7.2 --data nowhere".to_owned(), "cannot read nowhere"),
        ("reproduce gobi --data x".to_owned(), "reads no files"),
        (format!("reproduce gamer-fig4.11 --data {}", maze), "line 3, column 4: `x`"),
    ] {
        let outcome = run(&arguments);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!(outcome.stderr.contains(told), "{arguments}: {}", outcome.stderr);
    }
}
