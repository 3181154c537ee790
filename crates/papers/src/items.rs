//! Every table and figure that can be reproduced, paper by paper.

use super::{
    Item, Part, benchmarks, benefit_example, dbs_table2, gamer_results, gamer_runs, ggp_solve, ggp_table9_1,
    ggp_table9_3, ggp_table10_2, gobi, gobi_fig8, growth, hallway, kriegspiel_fig1, kriegspiel_fig4,
    kriegspiel_fig9, tignum, tignum_fig3, tignum_fig5, yoyo,
};

/// What the tables of the planning competitions lack.
const NO_PROBLEMS: &str = "the competition's problems are not ours to pass on: give a folder with --data";

/// All of them.
pub static ITEMS: &[Item] = &[
    Item::new(
        "tignum-table4",
        "Smith, Nau and Throop, Table 4: declarer by task network against its rival on notrump deals",
        tignum::make,
    )
    .counting(&[Part::new("deals", || tignum::DEALS, 5_000)])
    .also("tignum")
    .lacking("the rival, a commercial program, is not to be had: our declarer by rules stands in"),
    Item::new(
        "tignum-fig3",
        "Smith, Nau and Throop, Figures 3 and 4: the decision tree of a finesse",
        tignum_fig3::make,
    )
    .counting(&[Part::new("figures", || 2, 2)]),
    Item::new(
        "tignum-fig5",
        "Smith, Nau and Throop, Figures 5 and 6: two notrump by East, made",
        tignum_fig5::make,
    )
    .counting(&[Part::new("figures", || 2, 2)]),
    Item::new(
        "kriegspiel-fig1",
        "Russell and Wolfe, Figure 1: a least proof tree of a 3-ply checkmate",
        kriegspiel_fig1::make,
    )
    .counting(&[Part::new("figures", || 1, 1)])
    .lacking("the drawing is not in our text of the paper: positions found from the strategy it tells"),
    Item::new(
        "kriegspiel-fig4",
        "Russell and Wolfe, Figure 4: search algorithms on 5-ply checkmate problems",
        kriegspiel_fig4::make,
    )
    .counting(&[Part::new("problems", || 2 * kriegspiel_fig4::FULL.problems, 500), Part::new("seconds for each problem", || kriegspiel_fig4::FULL.each.as_secs() as usize, 2_000)]),
    Item::new(
        "kriegspiel-fig9",
        "Russell and Wolfe, Figure 9: interleaved state estimation and search",
        kriegspiel_fig9::make,
    )
    .counting(&[Part::new("problems", || 2 * kriegspiel_fig9::PROBLEMS, 1_000)]),
    Item::new(
        "gamer-fig4.2",
        "Kissmann, Figure 4.2: states and nodes by layer, sliding tiles",
        growth::sliding::make,
    )
    .counting(&[Part::new("layers of the fifteen puzzle", || 1 + growth::sliding::LAYERS, 29)]),
    Item::new(
        "gamer-fig4.8",
        "Kissmann, Figure 4.8: states and nodes by layer, gripper",
        growth::gripper::make,
    )
    .counting(&[Part::new("balls", || growth::gripper::BALLS, 42)]),
    Item::with_data(
        "gamer-fig4.11",
        "Kissmann, Figure 4.11: states and nodes by layer, Sokoban with pushing and pulling",
        growth::sokoban::make,
    )
    .counting(&[Part::new("mazes", || 0, 1)])
    .lacking("the figure's maze is only a picture: a maze of our own stands in, or yours with --data FILE"),
    Item::new(
        "gamer-fig4.17",
        "Kissmann, Figure 4.17: nodes of the end test of four in a row",
        growth::rows::end_test,
    )
    .counting(&[Part::new("curves", || 2, 2)])
    .lacking("the paper does not tell the sizes of its boards"),
    Item::new(
        "gamer-fig4.18",
        "Kissmann, Figure 4.18: states and nodes by layer, connect four with and without the end test",
        growth::rows::connect_four,
    )
    .counting(&[Part::new("searches", || 2, 2)])
    .lacking(
        "on 7 x 6 the search with the end test goes as far as half an hour lasts (the paper: five hours)",
    ),
    Item::new(
        "gamer-fig4.19",
        "Kissmann, Figure 4.19: states and nodes by layer, four in a row without gravity",
        growth::rows::free,
    )
    .counting(&[Part::new("searches", || 2, 2)])
    .lacking(
        "on 7 x 6 the search with the end test goes as far as half an hour lasts (the paper: 16 layers)",
    ),
    Item::with_data(
        "gamer-table6.2",
        "Kissmann, Table 6.2: problems solved of the optimal track of 2008",
        benchmarks::of_2008,
    )
    .counting(&[Part::new("domains", || benchmarks::IPC_2008.rows.len(), 8)])
    .lacking(NO_PROBLEMS),
    Item::with_data(
        "gamer-table6.4",
        "Kissmann, Table 6.4: problems solved of the optimal track of 2011",
        benchmarks::of_2011,
    )
    .counting(&[Part::new("domains", || benchmarks::IPC_2011.rows.len(), 14)])
    .lacking(NO_PROBLEMS),
    Item::new(
        "gamer-example7.1",
        "Kissmann, section 7.1: the running example of net-benefit planning, net benefit 40",
        benefit_example::make,
    )
    .counting(&[Part::new("optimal plans", || benefit_example::ROWS.len(), 3)])
    .also("benefit-example"),
    Item::with_data(
        "gamer-table7.2",
        "Kissmann, Table 7.2: problems solved of the optimal net-benefit track of 2008",
        benchmarks::net_benefit,
    )
    .counting(&[Part::new("domains", || benchmarks::NET_BENEFIT.rows.len(), 6)])
    .lacking(NO_PROBLEMS),
    Item::new(
        "gamer-table9.1",
        "Kissmann, Table 9.1: random play by the rules and by ground rules",
        ggp_table9_1::make,
    )
    .counting(&[Part::new("games", || ggp_table9_1::GAMES.len(), 10)])
    .lacking("connect four is on 5 x 5")
    .also("ggp-table9.1"),
    Item::new(
        "gamer-table9.3",
        "Kissmann, Tables 9.3 and 9.4: how long it takes to instantiate games",
        ggp_table9_3::make,
    )
    .counting(&[Part::new("games", || ggp_table9_3::GAMES.len(), 124)])
    .lacking("connect four is on 5 x 5")
    .also("ggp-table9.3"),
    Item::new(
        "gamer-table10.1",
        "Kissmann, Table 10.1: strong solutions of games of one player",
        ggp_solve::alone,
    )
    .counting(&[Part::new("games", || ggp_solve::ALONE.len(), 34), Part::new("approaches", || 1, 3)])
    .also("ggp-table10.1"),
    Item::new(
        "gamer-table10.2",
        "Kissmann, Table 10.2: peg solitaire, states by reward",
        ggp_table10_2::make,
    )
    .counting(&[Part::new("rewards", || ggp_table10_2::PAPER.len(), 12), Part::new("columns", || 1, 2)])
    .also("ggp-table10.2"),
    Item::new(
        "gamer-table10.3",
        "Kissmann, Table 10.3: strong solutions of games of two players",
        ggp_solve::against,
    )
    .counting(&[Part::new("approaches", || 1, 3)])
    .lacking("the rows of the table are not in our text of the paper: games of our own stand in, and those that the text around it names")
    .also("ggp-table10.3"),
    Item::new(
        "gamer-table11.2",
        "Kissmann, Table 11.2: UCT runs on the rules and on the network",
        gamer_runs::make,
    )
    .counting(&[Part::new("games", || gamer_runs::PAPER.len(), 6), Part::new("numbers of threads", || 2, 6)])
    .also("gamer-table11-2"),
    Item::new(
        "gamer-table11.3",
        "Kissmann, Table 11.3: the hybrid player in puzzles",
        gamer_results::puzzles,
    )
    .counting(&[Part::new("games", || gamer_results::PUZZLES.len(), 4), Part::new("numbers of threads in a run", || 1, 4)])
    .also("gamer-table11-3"),
    Item::new(
        "gamer-table11.4",
        "Kissmann, Table 11.4: the hybrid player against UCT on the rules",
        gamer_results::duels,
    )
    .counting(&[Part::new("rows", || gamer_results::DUELS.len(), 14), Part::new("numbers of threads in a run", || 1, 4)])
    .also("gamer-table11-4")
    .lacking("the rules of Cubicup and Quad are not public"),
    Item::new(
        "yoyo-fig7",
        "Nau and others, Figure 7: hunter and prey with one prey on growing grids",
        yoyo::fig7,
    )
    .counting(&[Part::new("planners", || yoyo::PLANNERS.len(), 3)])
    .lacking("the paper's sizes are drawn, not told")
    .also("fig7"),
    Item::new(
        "yoyo-fig8",
        "Nau and others, Figure 8: hunter and prey with growing prey on a grid of 4 x 4",
        yoyo::fig8,
    )
    .counting(&[Part::new("planners", || yoyo::PLANNERS.len(), 3)])
    .lacking("without the rule that prey may not share a square; the paper's sizes are drawn, not told")
    .also("fig8"),
    Item::new(
        "dbs-table2",
        "Nau and Au, Table 2: DBS in a noisy tournament, with teams of growing size",
        dbs_table2::make,
    )
    .counting(&[Part::new("rows", || dbs_table2::PAPER.len(), 10)])
    .lacking("the 165 programs of the competition are not public: strategies from the literature stand in"),
    Item::new("dbs-hallway", "Nau and Au, section 4.2: the hallway as a decision process", hallway::make)
    .counting(&[Part::new("examples", || 1, 1)])
        .also("hallway"),
    Item::new(
        "gobi-table1",
        "Willmott et al., Table 1: planning cycles and moves tried, with and without critics",
        gobi::make,
    )
    .counting(&[Part::new("problems", gobi::count, 85)])
    .also("gobi")
    .lacking("the paper's problems are only named: problems of our own stand in"),
    Item::new(
        "gobi-fig8",
        "Willmott et al., Figure 8: moves, cycles and estimated alpha-beta search in groups of five",
        gobi_fig8::make,
    )
    .counting(&[Part::new("problems", gobi::count, 85)])
    .lacking("the paper's problems are only named: problems of our own stand in"),
];
