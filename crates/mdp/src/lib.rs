//! Markov decision processes: nature picks the outcome of an action by known odds.
//!
//! A process has states, some of them goals, and in each state actions with a cost and outcomes with probabilities. What is wanted
//! is an [`Objective`]: to reach a goal with the greatest probability, to reach one for sure at the least expected cost, or the greatest
//! value of rewards and costs when these are discounted, or within so many steps. A policy names an action for each state.
//!
//! Probabilities and costs are fractions. [`solve`] finds a policy by value iteration in floating point, computes what it is worth
//! exactly, and improves it until no action is better (Howard's policy iteration). The result is then optimal without any rounding:
//!
//! * a policy whose probabilities `v` fulfil `v(s) >= sum p v(s')` for every action is optimal, because the greatest
//!   probabilities are the *least* solution of that system;
//! * a policy that reaches a goal for sure and whose costs `v` fulfil `v(s) <= c + sum p v(s')` is optimal among such policies.
//!
//! Where exact fractions grow too large the answer is an interval: value iteration from below and from above on the process with its
//! end components collapsed (Haddad and Monmege 2018; Brázdil and others 2014).
//!
//! ```
//! use counterplay_base::Budget;
//! use counterplay_mdp::{Mdp, Objective, Value, solve};
//! use counterplay_syntax::Sources;
//! use num_rational::Ratio;
//!
//! let mut sources = Sources::default();
//! let file = sources.add("coin", "(mdp coin (initial tails) (goal heads) (action tails toss (cost 1) (1/2 heads) (1/2 tails)))");
//! let table = counterplay_mdp::read(&sources, file).unwrap();
//! let answer = solve(&table.mdp, Objective::MinCost, &Budget::unlimited()).unwrap();
//! assert_eq!(answer.value, Value::Exact(Ratio::from_integer(2.into())));
//! ```
//!
//! ```text
//! model        the process                   file       processes as text
//! explore      from a finite task            search     LAO*: only the states that matter
//! relaxed      h^max, a lower bound of costs solve      objectives
//! components   strongly connected and end components
//! qualitative  where the goal can be reached at all, and for sure
//! interval     value iteration with bounds   exact      policies in fractions
//! horizon      discounted, and so many steps
//! ```

mod components;
mod exact;
mod explore;
mod file;
mod horizon;
mod interval;
mod model;
mod qualitative;
mod relaxed;
mod search;
mod solve;

pub use explore::{Explored, Unexplored, explore};
pub use file::{Table, TableError, is_table, read};
pub use model::{Action, Mdp, MdpBuilder, Outcome};
pub use qualitative::{almost_sure, can_reach};
pub use search::{Searched, Unsearched, search};
pub use solve::{Answer, Method, Objective, Unsolved, Value, solve};
