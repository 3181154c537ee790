//! Five transition systems of different kinds, each with its number of reachable states.

/// A variable and one of its values.
pub(crate) type Fact = (usize, usize);

/// A step: it can be taken where all of `before` hold, and makes all of `after` true.
pub(crate) struct Step {
    pub(crate) before: Vec<Fact>,
    pub(crate) after: Vec<Fact>,
}

/// A transition system over variables with finite domains, in the order of the diagrams.
pub(crate) struct Model {
    pub(crate) name: &'static str,
    /// The number of values of each variable.
    pub(crate) domains: Vec<usize>,
    pub(crate) initial: Vec<usize>,
    pub(crate) steps: Vec<Step>,
    /// No step leads out of a state that satisfies one of these conjunctions.
    pub(crate) terminal: Vec<Vec<Fact>>,
    /// The number of reachable states, from a formula or the literature.
    pub(crate) states: u64,
}

pub(crate) fn all() -> [Model; 5] {
    [eight_puzzle(), gripper(20), logistics(4, 5), connect_four(), race(250)]
}

/// Half of the 9! arrangements can be reached.
fn eight_puzzle() -> Model {
    const SIDE: usize = 3;
    const CELLS: usize = SIDE * SIDE;
    let mut steps = Vec::new();
    for cell in 0..CELLS {
        let right = (cell % SIDE + 1 < SIDE).then_some(cell + 1);
        let below = (cell + SIDE < CELLS).then_some(cell + SIDE);
        for other in [right, below].into_iter().flatten() {
            for (blank, tile_at) in [(cell, other), (other, cell)] {
                steps.extend((1..CELLS).map(|tile| Step {
                    before: vec![(blank, 0), (tile_at, tile)],
                    after: vec![(blank, tile), (tile_at, 0)],
                }));
            }
        }
    }
    Model {
        name: "eight puzzle",
        domains: vec![CELLS; CELLS],
        initial: (0..CELLS).collect(),
        steps,
        terminal: Vec::new(),
        states: 181_440,
    }
}

/// A robot with two grippers carries balls between two rooms.
fn gripper(balls: usize) -> Model {
    // The robot's room, whether each gripper is busy, and where each ball is: room 0, room 1, gripper 0, gripper 1.
    const ROBOT: usize = 0;
    let busy = |gripper: usize| 1 + gripper;
    let mut steps = vec![
        Step { before: vec![(ROBOT, 0)], after: vec![(ROBOT, 1)] },
        Step { before: vec![(ROBOT, 1)], after: vec![(ROBOT, 0)] },
    ];
    for ball in 3..3 + balls {
        for room in 0..2 {
            for gripper in 0..2 {
                let free = vec![(ROBOT, room), (busy(gripper), 0), (ball, room)];
                let held = vec![(ROBOT, room), (busy(gripper), 1), (ball, 2 + gripper)];
                steps.push(Step { before: free.clone(), after: held[1..].to_vec() });
                steps.push(Step { before: held, after: free[1..].to_vec() });
            }
        }
    }
    let n = balls as u64;
    // Both grippers empty, one of them busy, both busy.
    let balls_and_grippers = (1 << n) + 2 * n * (1 << (n - 1)) + n * (n - 1) * (1 << (n - 2));
    Model {
        name: "gripper, 20 balls",
        domains: [vec![2; 3], vec![4; balls]].concat(),
        initial: vec![0; 3 + balls],
        steps,
        terminal: Vec::new(),
        states: 2 * balls_and_grippers,
    }
}

/// Cities of three places with a truck each; two planes between their airports (the first place of a city).
fn logistics(cities: usize, packages: usize) -> Model {
    const PLACES: usize = 3;
    const PLANES: usize = 2;
    let truck = |city: usize| city;
    let plane = |index: usize| cities + index;
    let package = |index: usize| cities + PLANES + index;
    // A package is at a place, in a truck, or in a plane.
    let at = |city: usize, place: usize| PLACES * city + place;
    let in_vehicle = |vehicle: usize| PLACES * cities + vehicle;
    let mut steps = Vec::new();
    let mut drive = |vehicle: usize, stops: usize| {
        for from in 0..stops {
            for to in (0..stops).filter(|&to| to != from) {
                steps.push(Step { before: vec![(vehicle, from)], after: vec![(vehicle, to)] });
            }
        }
    };
    (0..cities).for_each(|city| drive(truck(city), PLACES));
    (0..PLANES).for_each(|index| drive(plane(index), cities));
    for index in 0..packages {
        let mut load = |vehicle: usize, stop: usize, place: usize| {
            let outside = vec![(vehicle, stop), (package(index), place)];
            let inside = vec![(vehicle, stop), (package(index), in_vehicle(vehicle))];
            steps.push(Step { before: outside.clone(), after: inside[1..].to_vec() });
            steps.push(Step { before: inside, after: outside[1..].to_vec() });
        };
        for city in 0..cities {
            (0..PLACES).for_each(|place| load(truck(city), place, at(city, place)));
            (0..PLANES).for_each(|it| load(plane(it), city, at(city, 0)));
        }
    }
    let positions = PLACES * cities + cities + PLANES;
    let domains = [vec![PLACES; cities], vec![cities; PLANES], vec![positions; packages]].concat();
    Model {
        name: "logistics, 4 cities, 5 packages",
        initial: vec![0; domains.len()],
        states: (PLACES.pow(cities as u32) * cities.pow(PLANES as u32) * positions.pow(packages as u32))
            as u64,
        domains,
        steps,
        terminal: Vec::new(),
    }
}

/// Connect four on five columns of four cells; the number of positions is in Tromp's table.
fn connect_four() -> Model {
    const COLUMNS: usize = 5;
    const ROWS: usize = 4;
    const TURN: usize = 0;
    // A column's height, then its cells from the bottom: empty, first player, second player.
    let height = |column: usize| 1 + column * (ROWS + 1);
    let cell = |column: usize, row: usize| height(column) + 1 + row;
    let mut steps = Vec::new();
    for column in 0..COLUMNS {
        for row in 0..ROWS {
            for player in 0..2 {
                steps.push(Step {
                    before: vec![(TURN, player), (height(column), row)],
                    after: vec![
                        (TURN, 1 - player),
                        (height(column), row + 1),
                        (cell(column, row), 1 + player),
                    ],
                });
            }
        }
    }
    let mut terminal = Vec::new();
    for column in 0..COLUMNS as i32 {
        for row in 0..ROWS as i32 {
            for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let line: Option<Vec<usize>> = (0..4)
                    .map(|i| {
                        let (c, r) = (column + i * right, row + i * up);
                        let inside = c < COLUMNS as i32 && (0..ROWS as i32).contains(&r);
                        inside.then(|| cell(c as usize, r as usize))
                    })
                    .collect();
                let Some(line) = line else { continue };
                terminal.extend([1, 2].map(|player| line.iter().map(|&cell| (cell, player)).collect()));
            }
        }
    }
    let column = [vec![ROWS + 1], vec![3; ROWS]].concat();
    let domains = [vec![2], column.repeat(COLUMNS)].concat();
    Model {
        name: "connect four, 5 x 4",
        initial: vec![0; domains.len()],
        domains,
        steps,
        terminal,
        states: 1_706_255,
    }
}

/// Two runners on a track, one bit for each runner and square: a game whose rules name no groups of facts. A turn
/// takes a runner one or two squares on, never onto the other.
fn race(squares: usize) -> Model {
    let on = |runner: usize, square: usize| 2 * square + runner;
    let turn = 2 * squares;
    let mut steps = Vec::new();
    for runner in 0..2 {
        for from in 0..squares {
            for to in [from + 1, from + 2].into_iter().filter(|&to| to < squares) {
                steps.push(Step {
                    before: vec![(turn, runner), (on(runner, from), 1), (on(1 - runner, to), 0)],
                    after: vec![(turn, 1 - runner), (on(runner, from), 0), (on(runner, to), 1)],
                });
            }
        }
    }
    let mut initial = vec![0; 2 * squares + 1];
    initial[on(0, 0)] = 1;
    initial[on(1, 1)] = 1;
    Model {
        name: "race, 501 variables",
        domains: vec![2; 2 * squares + 1],
        initial,
        steps,
        terminal: Vec::new(),
        states: race_states(squares),
    }
}

/// The reachable states of [`race`], one by one: the squares of both runners and whose turn it is.
fn race_states(squares: usize) -> u64 {
    let mut seen = std::collections::HashSet::from([([0, 1], 0)]);
    let mut open: Vec<([usize; 2], usize)> = seen.iter().copied().collect();
    while let Some((at, turn)) = open.pop() {
        for step in 1..=2 {
            let to = at[turn] + step;
            if to < squares && to != at[1 - turn] {
                let mut next = at;
                next[turn] = to;
                if seen.insert((next, 1 - turn)) {
                    open.push((next, 1 - turn));
                }
            }
        }
    }
    seen.len() as u64
}
