//! What can be set about a search.

/// How a tree is searched.
#[derive(Clone, Debug, PartialEq)]
pub struct UctSettings {
    /// How much uncertainty attracts.
    pub exploration: f32,
    /// How many playouts the statistics of later moves are worth; 0 turns them off. They cost as much as they
    /// bring here: against 0 at equal time, 300 won 25 of 100 in connect four and 35 in tic-tac-chess-checkers-four, 50
    /// won 45 and 30 (20 matches each, ± 20).
    pub rave: f32,
    /// How many moves are drawn in a playout, of which the one with the best mean reward so far is made; 1 is
    /// uniform. Against 2 at equal time, 1 won 47 of 100 in connect four, 45 in small breakthrough and 25 in
    /// tic-tac-chess-checkers-four (20 matches each, ± 20); 8 lost 25 : 75 to 4 in connect four.
    pub draw: u32,
    /// For puzzles: how much of the best reward, rather than the mean, counts.
    pub greed: f32,
    /// How many playouts what is known of a move from elsewhere is worth.
    pub bias: f32,
    /// A position becomes a node of the tree at so many playouts.
    pub expand: u32,
    /// Whether playouts know moves that win at once.
    pub decisive: bool,
    /// How often a move that lets the opponent win at once is taken back, at one place of a playout.
    pub regrets: u32,
    /// Words of 64 playouts that a thread keeps on their way: 1, 2, 4 or 8; 0 chooses by the speed of the game.
    pub words: usize,
    /// Memory for the tree, in bytes.
    pub bytes: usize,
    /// Positions that the explicit solver may look at in the first position of a match; beyond them the whole game is
    /// solved by sets of states.
    pub states: usize,
    /// Threads that search together.
    pub threads: usize,
    /// Chance is drawn from here.
    pub seed: u64,
}

impl Default for UctSettings {
    fn default() -> UctSettings {
        UctSettings {
            exploration: 0.4,
            rave: 0.0,
            draw: 2,
            greed: 0.3,
            bias: 0.0,
            expand: 2,
            decisive: true,
            regrets: 3,
            words: 0,
            bytes: 512 << 20,
            states: 2_500_000,
            threads: 1,
            seed: 0,
        }
    }
}

impl UctSettings {
    /// UCT as in Kissmann 2012: uniform playouts, no statistics of later moves.
    pub fn plain(seed: u64) -> UctSettings {
        UctSettings {
            exploration: 0.7,
            rave: 0.0,
            draw: 1,
            bias: 0.0,
            decisive: false,
            seed,
            ..UctSettings::default()
        }
    }
}
