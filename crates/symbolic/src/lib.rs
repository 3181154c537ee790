//! Sets of states as decision diagrams.
//!
//! A [`Space`] lays finite-domain variables out as bits in some order; a [`StateSet`] is a set of its states;
//! a [`Relation`] says how states lead to states. Images and pre-images return a
//! [`Limit`](counterplay_base::Limit) when the budget runs out, and nothing of the decision-diagram kernel
//! shows through. What a set is *for* (search, policy, game) is the caller's affair.
//!
//! [`Encoding`] builds all of this for a planning task: variable order by linear arrangement of the causal graph
//! (Kissmann 2012, Algorithm 6.9), derived variables as sets over the others, one relation per operator, merged
//! by cost up to a node bound, and mutexes as constraints.
//!
//! A lamp that can be switched on: the goal is reached from the initial state by one image.
//!
//! ```
//! use counterplay_base::{Budget, Id};
//! use counterplay_symbolic::Encoding;
//! use counterplay_task::{Effect, Fact, OpId, Operator, Task, VarId, Variable};
//! # use num_rational::Ratio;
//! # let lamp = Variable { name: "lamp".into(), values: vec!["dark".into(), "lit".into()], derived: None };
//! # let (dark, lit) = (Fact { var: VarId::new(0), value: 0 }, Fact { var: VarId::new(0), value: 1 });
//! # let switch = Operator {
//! #     name: "switch".into(),
//! #     precondition: vec![dark],
//! #     effects: vec![Effect { condition: vec![], fact: lit }],
//! #     cost: 1,
//! # };
//! # let task = Task {
//! #     variables: vec![lamp].into(),
//! #     initial: vec![dark.value].into(),
//! #     goal: vec![lit],
//! #     soft: vec![],
//! #     operators: vec![switch].into(),
//! #     axioms: vec![],
//! #     mutex_groups: vec![],
//! #     mutex_pairs: vec![],
//! #     has_metric: false,
//! #     cost_unit: Ratio::from_integer(1),
//! # };
//! let encoding = Encoding::with_order(&task, &[VarId::new(0)], &Budget::unlimited())?;
//! let initial = encoding.initial()?;
//! let next = encoding.relation(OpId::new(0))?.image(&encoding.space, &initial)?;
//! assert!(next.is_subset(&encoding.goal()?)?);
//! assert_eq!(encoding.space.count(&initial.union(&next)?), Some(2));
//! # Ok::<(), counterplay_base::Limit>(())
//! ```

mod code;
mod encoding;
mod mutexes;
mod order;
mod ranked;
mod relation;
mod set;
mod space;
mod valued;

pub use code::Coding;
pub use counterplay_bdd::Unreadable;
pub use encoding::Encoding;
pub use order::{OrderSearch, causal_graph};
pub use ranked::Ranked;
pub use relation::{Partition, Relation, merge};
pub use set::{StateSet, union};
pub use space::Space;
pub use valued::{ValuedNode, ValuedNodes};
