//! What positions are worth where roles choose at once or chance takes part, from the definitions.
//!
//! A matrix game is solved by trying every square part of the matrix: some part has mixtures that make all its rows, and all its
//! columns, worth the same, and that are best in the whole matrix (Shapley and Snow 1950).

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::values::Node;

/// A matrix with more rows or columns is not tried.
const MOST: usize = 7;

/// What each position is worth; `None` if play can go on for ever from there.
pub(super) type Worths = Vec<Option<Vec<BigRational>>>;

/// What is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The value; two roles that choose at once have opposite wishes.
    Value,
    /// What each role can make sure of.
    Security,
}

/// Worths of all positions; `None` if some matrix is too large.
pub(super) fn worths(nodes: &[Node], chance: Option<usize>, wanted: Wanted) -> Option<Worths> {
    let whole = |node: &Node| -> Vec<BigRational> {
        node.goals.iter().map(|goal| BigRational::from_integer(goal.unwrap_or(0).into())).collect()
    };
    let mut found: Worths = nodes.iter().map(|node| node.next.is_empty().then(|| whole(node))).collect();
    loop {
        let mut is_new = false;
        for at in 0..nodes.len() {
            if found[at].is_some() {
                continue;
            }
            let after: Option<Vec<Vec<BigRational>>> =
                nodes[at].next.iter().map(|&(_, next)| found[next].clone()).collect();
            if let Some(after) = after {
                found[at] = Some(worth(&nodes[at], &after, chance, wanted)?);
                is_new = true;
            }
        }
        if !is_new {
            return Some(found);
        }
    }
}

/// Whether two roles besides chance have rewards with a constant sum.
pub(super) fn is_opposite(nodes: &[Node], chance: Option<usize>) -> bool {
    let players: Vec<usize> = (0..nodes[0].goals.len()).filter(|&role| Some(role) != chance).collect();
    let ends = nodes.iter().filter(|node| node.next.is_empty());
    let mut sums = ends.map(|node| players.iter().map(|&role| node.goals[role].unwrap_or(0)).sum::<u32>());
    let first = sums.next();
    players.len() == 2 && sums.all(|sum| Some(sum) == first)
}

/// Whether somewhere several roles besides chance choose at once.
pub(super) fn is_at_once(nodes: &[Node], chance: Option<usize>) -> bool {
    nodes.iter().any(|node| choosers(node, chance).len() > 1)
}

fn choosers(node: &Node, chance: Option<usize>) -> Vec<usize> {
    let has_choice = |role: &usize| node.legal[*role].len() > 1 && Some(*role) != chance;
    if node.next.is_empty() { Vec::new() } else { (0..node.legal.len()).filter(has_choice).collect() }
}

fn worth(
    node: &Node,
    after: &[Vec<BigRational>],
    chance: Option<usize>,
    wanted: Wanted,
) -> Option<Vec<BigRational>> {
    let roles = node.legal.len();
    // What a role gets on average over chance, by its own move and the moves of the others, all as they are written.
    let table = |role: usize, of: usize| -> Vec<Vec<BigRational>> {
        let part = |row: usize, is_side: &dyn Fn(usize) -> bool| -> Vec<u32> {
            (0..roles).filter(|&other| is_side(other)).map(|other| node.next[row].0[other]).collect()
        };
        let own = |other: usize| other == role && Some(role) != chance;
        let others = |other: usize| other != role && Some(other) != chance;
        let sorted = |is_side: &dyn Fn(usize) -> bool| {
            let mut all: Vec<Vec<u32>> = (0..after.len()).map(|row| part(row, is_side)).collect();
            all.sort();
            all.dedup();
            all
        };
        let (rows, columns) = (sorted(&own), sorted(&others));
        let mean = |one: &Vec<u32>, two: &Vec<u32>| {
            let fits = (0..after.len()).filter(|&row| part(row, &own) == *one && part(row, &others) == *two);
            let values: Vec<&BigRational> = fits.map(|row| &after[row][of]).collect();
            let count = BigRational::from_integer(values.len().into());
            values.into_iter().sum::<BigRational>() / count
        };
        rows.iter().map(|one| columns.iter().map(|two| mean(one, two)).collect()).collect()
    };
    if wanted == Wanted::Security {
        return (0..roles).map(|role| matrix_value(&table(role, role))).collect();
    }
    match choosers(node, chance)[..] {
        [] => (0..roles).map(|of| table(0, of)[0].first().cloned()).collect(),
        [role] => {
            let tables: Vec<Vec<Vec<BigRational>>> = (0..roles).map(|of| table(role, of)).collect();
            let choices = (0..tables[0].len())
                .map(|row| tables.iter().map(|own| own[row][0].clone()).collect::<Vec<BigRational>>());
            choices.max_by_key(|value| {
                let sum: BigRational = value.iter().sum();
                (value[role].clone(), -sum, value.clone())
            })
        }
        [role, other] => {
            let value = matrix_value(&table(role, role))?;
            // The sum of the two is the same everywhere; what chance gets is not looked at.
            let sum = &after[0][role] + &after[0][other];
            let mut worth = vec![BigRational::zero(); roles];
            worth[other] = sum - &value;
            worth[role] = value;
            Some(worth)
        }
        _ => None,
    }
}

/// The value of a matrix game for the row player; `None` if the matrix is too large.
fn matrix_value(table: &[Vec<BigRational>]) -> Option<BigRational> {
    let (rows, columns) = (table.len(), table[0].len());
    if rows > MOST || columns > MOST {
        return None;
    }
    for one in 1u32..1 << rows {
        for two in (1u32..1 << columns).filter(|two| two.count_ones() == one.count_ones()) {
            let list =
                |set: u32, count: usize| (0..count).filter(|at| set >> at & 1 == 1).collect::<Vec<_>>();
            let (some, others) = (list(one, rows), list(two, columns));
            let part: Vec<Vec<BigRational>> = some
                .iter()
                .map(|&row| others.iter().map(|&column| table[row][column].clone()).collect())
                .collect();
            let turned: Vec<Vec<BigRational>> =
                (0..others.len()).map(|at| part.iter().map(|row| row[at].clone()).collect()).collect();
            // Mixtures of rows that make all columns worth the same, and the other way round.
            let (Some((weights, value)), Some((replies, same))) = (level(&turned), level(&part)) else {
                continue;
            };
            let column_worth = |at: usize| {
                some.iter().zip(&weights).map(|(&row, own)| &table[row][at] * own).sum::<BigRational>()
            };
            let row_worth = |at: usize| {
                others
                    .iter()
                    .zip(&replies)
                    .map(|(&column, own)| &table[at][column] * own)
                    .sum::<BigRational>()
            };
            if value == same
                && (0..columns).all(|at| column_worth(at) >= value)
                && (0..rows).all(|at| row_worth(at) <= value)
            {
                return Some(value);
            }
        }
    }
    unreachable!("every matrix game has a value")
}

/// Weights of the columns, none negative and 1 together, that make all rows worth the same; and what that is.
fn level(part: &[Vec<BigRational>]) -> Option<(Vec<BigRational>, BigRational)> {
    let count = part.len();
    // Unknown are the weights and the worth; the last column is the right side.
    let mut system: Vec<Vec<BigRational>> = part
        .iter()
        .map(|row| row.iter().cloned().chain([-BigRational::one(), BigRational::zero()]).collect())
        .collect();
    let ones = (0..count).map(|_| BigRational::one());
    system.push(ones.chain([BigRational::zero(), BigRational::one()]).collect());
    for at in 0..=count {
        let pivot = (at..=count).find(|&row| !system[row][at].is_zero())?;
        system.swap(at, pivot);
        let factor = system[at][at].clone();
        system[at].iter_mut().for_each(|entry| *entry /= &factor);
        let pivot_row = system[at].clone();
        for row in (0..=count).filter(|&row| row != at) {
            let factor = system[row][at].clone();
            for (entry, own) in system[row].iter_mut().zip(&pivot_row) {
                *entry -= &factor * own;
            }
        }
    }
    let mut solution: Vec<BigRational> =
        system.into_iter().map(|mut row| row.swap_remove(count + 1)).collect();
    let worth = solution.pop()?;
    solution.iter().all(|own| !own.is_negative()).then_some((solution, worth))
}
