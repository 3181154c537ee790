//! Every table and figure that can be reproduced, paper by paper.

use super::{
    Item, benchmarks, benefit_example, dbs_table2, gamer_results, gamer_runs, ggp_solve, ggp_table9_1,
    ggp_table9_3, ggp_table10_2, gobi, gobi_fig8, growth, hallway, kriegspiel_fig1, kriegspiel_fig4,
    kriegspiel_fig9, tignum, tignum_fig3, tignum_fig5, yoyo,
};

/// What the tables of the planning competitions lack.
const NO_PROBLEMS: &str = "the competition's problems are not ours to pass on: give a folder with --data";

/// All of them.
pub(super) const ITEMS: &[Item] = &[
    Item::new(
        "tignum-table4",
        "Smith, Nau and Throop, Table 4: declarer by task network against its rival on notrump deals",
        tignum::make,
    )
    .also("tignum")
    .lacking("the rival, a commercial program, is not to be had: our declarer by rules stands in"),
    Item::new(
        "tignum-fig3",
        "Smith, Nau and Throop, Figures 3 and 4: the decision tree of a finesse",
        tignum_fig3::make,
    ),
    Item::new(
        "tignum-fig5",
        "Smith, Nau and Throop, Figures 5 and 6: two notrump by East, made",
        tignum_fig5::make,
    ),
    Item::new(
        "kriegspiel-fig1",
        "Russell and Wolfe, Figure 1: a least proof tree of a 3-ply checkmate",
        kriegspiel_fig1::make,
    )
    .lacking("the drawing is not in our text of the paper: positions found from the strategy it tells"),
    Item::new(
        "kriegspiel-fig4",
        "Russell and Wolfe, Figure 4: search algorithms on 5-ply checkmate problems",
        kriegspiel_fig4::make,
    ),
    Item::new(
        "kriegspiel-fig9",
        "Russell and Wolfe, Figure 9: interleaved state estimation and search",
        kriegspiel_fig9::make,
    ),
    Item::new(
        "gamer-fig4.2",
        "Kissmann, Figure 4.2: states and nodes by layer, sliding tiles",
        growth::sliding::make,
    ),
    Item::new(
        "gamer-fig4.8",
        "Kissmann, Figure 4.8: states and nodes by layer, gripper",
        growth::gripper::make,
    ),
    Item::with_data(
        "gamer-fig4.11",
        "Kissmann, Figure 4.11: states and nodes by layer, Sokoban with pushing and pulling",
        growth::sokoban::make,
    )
    .lacking("the figure's maze is only a picture: a maze of our own stands in, or yours with --data FILE"),
    Item::new(
        "gamer-fig4.17",
        "Kissmann, Figure 4.17: nodes of the end test of four in a row",
        growth::rows::end_test,
    ),
    Item::new(
        "gamer-fig4.18",
        "Kissmann, Figure 4.18: states and nodes by layer, connect four with and without the end test",
        growth::rows::connect_four,
    )
    .lacking(
        "on 7 x 6 the search with the end test goes as far as half an hour lasts (the paper: five hours)",
    ),
    Item::new(
        "gamer-fig4.19",
        "Kissmann, Figure 4.19: states and nodes by layer, four in a row without gravity",
        growth::rows::free,
    )
    .lacking(
        "on 7 x 6 the search with the end test goes as far as half an hour lasts (the paper: 16 layers)",
    ),
    Item::with_data(
        "gamer-table6.2",
        "Kissmann, Table 6.2: problems solved of the optimal track of 2008",
        benchmarks::of_2008,
    )
    .lacking(NO_PROBLEMS),
    Item::with_data(
        "gamer-table6.4",
        "Kissmann, Table 6.4: problems solved of the optimal track of 2011",
        benchmarks::of_2011,
    )
    .lacking(NO_PROBLEMS),
    Item::new(
        "gamer-example7.1",
        "Kissmann, section 7.1: the running example of net-benefit planning, net benefit 40",
        benefit_example::make,
    )
    .also("benefit-example"),
    Item::with_data(
        "gamer-table7.2",
        "Kissmann, Table 7.2: problems solved of the optimal net-benefit track of 2008",
        benchmarks::net_benefit,
    )
    .lacking(NO_PROBLEMS),
    Item::new(
        "gamer-table9.1",
        "Kissmann, Table 9.1: random play by the rules and by ground rules",
        ggp_table9_1::make,
    )
    .also("ggp-table9.1"),
    Item::new(
        "gamer-table9.3",
        "Kissmann, Tables 9.3 and 9.4: how long it takes to instantiate games",
        ggp_table9_3::make,
    )
    .also("ggp-table9.3"),
    Item::new(
        "gamer-table10.1",
        "Kissmann, Table 10.1: strong solutions of games of one player",
        ggp_solve::alone,
    )
    .also("ggp-table10.1"),
    Item::new(
        "gamer-table10.2",
        "Kissmann, Table 10.2: peg solitaire, states by reward",
        ggp_table10_2::make,
    )
    .also("ggp-table10.2"),
    Item::new(
        "gamer-table10.3",
        "Kissmann, Table 10.3: strong solutions of games of two players",
        ggp_solve::against,
    )
    .also("ggp-table10.3"),
    Item::new(
        "gamer-table11.2",
        "Kissmann, Table 11.2: UCT runs on the rules and on the network",
        gamer_runs::make,
    )
    .also("gamer-table11-2"),
    Item::new(
        "gamer-table11.3",
        "Kissmann, Table 11.3: the hybrid player in puzzles",
        gamer_results::puzzles,
    )
    .also("gamer-table11-3"),
    Item::new(
        "gamer-table11.4",
        "Kissmann, Table 11.4: the hybrid player against UCT on the rules",
        gamer_results::duels,
    )
    .also("gamer-table11-4")
    .lacking("the rules of Cubicup and Quad are not public"),
    Item::new(
        "yoyo-fig7",
        "Nau and others, Figure 7: hunter and prey with one prey on growing grids",
        yoyo::fig7,
    )
    .also("fig7"),
    Item::new(
        "yoyo-fig8",
        "Nau and others, Figure 8: hunter and prey with growing prey on a grid of 4 x 4",
        yoyo::fig8,
    )
    .also("fig8"),
    Item::new(
        "dbs-table2",
        "Nau and Au, Table 2: DBS in a noisy tournament, with teams of growing size",
        dbs_table2::make,
    ),
    Item::new("dbs-hallway", "Nau and Au, section 4.2: the hallway as a decision process", hallway::make)
        .also("hallway"),
    Item::new(
        "gobi-table1",
        "Willmott et al., Table 1: planning cycles and moves tried, with and without critics",
        gobi::make,
    )
    .also("gobi")
    .lacking("the paper's problems are only named: problems of our own stand in"),
    Item::new(
        "gobi-fig8",
        "Willmott et al., Figure 8: moves, cycles and estimated alpha-beta search in groups of five",
        gobi_fig8::make,
    )
    .lacking("the paper's problems are only named: problems of our own stand in"),
];
