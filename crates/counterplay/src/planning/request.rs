//! What may be asked of [`solve`](super::solve).

use counterplay_check::Guarantee;
use counterplay_plan as engine;
use counterplay_policy as policies;
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// How a problem is to be solved. What is left open is decided by what measured best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Request {
    /// Which search to run.
    pub search: Search,
    /// Which way a symbolic search goes; with the search left open it means `dijkstra`.
    pub direction: Option<Direction>,
    /// The heuristic of the explicit search; with the search left open it means `explicit`.
    pub heuristic: Option<Heuristic>,
    /// How good a plan has to be.
    pub quality: Quality,
    /// Several plans instead of one.
    pub plans: Option<Plans>,
    /// What a policy has to guarantee; as much as possible if it is left open.
    pub class: Option<Class>,
    /// Whether the state is hidden although nothing in the files says so: `oneof` in `:init` is then not seen.
    pub hidden: bool,
    /// How a task network is used.
    pub htn: Option<Decomposition>,
    /// How many pairs of state and network may be visited to make a plan of a task network shorter.
    pub effort: Option<u64>,
    /// Whether the answer is checked before it is returned.
    pub check: bool,
    /// Whether a certificate is wanted: a proof that no plan is better, or that there is none, for a checker of others.
    pub certificate: bool,
    /// Whether a picture of a policy or a decomposition is wanted.
    pub picture: bool,
    /// The seed of everything that is left to chance.
    pub seed: u64,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            search: Search::Auto,
            direction: None,
            heuristic: None,
            quality: Quality::Optimal,
            plans: None,
            class: None,
            hidden: false,
            htn: None,
            effort: None,
            check: true,
            certificate: false,
            picture: false,
            seed: 0,
        }
    }
}

/// The searches on offer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Search {
    /// Whatever measured best for such tasks
    #[default]
    Auto,
    /// Symbolic breadth-first search: fewest steps, for problems without costs
    Bfs,
    /// Symbolic uniform-cost search
    Dijkstra,
    /// Symbolic A* with a pattern database
    Astar,
    /// A* over single states; for policies, plans for single outcomes that are repaired
    Explicit,
    /// Sets of states: dijkstra for plans, fixpoints for policies
    Symbolic,
}

/// The directions of a symbolic search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// From the initial state
    Forward,
    /// From the goal
    Backward,
    /// From both, meeting in between
    Both,
}

/// The heuristics of the explicit search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Heuristic {
    /// LM-cut
    Lmcut,
    /// None: uniform-cost search
    Blind,
    /// Projections and Cartesian abstractions, combined by saturated cost partitioning
    Abstractions,
}

/// How good a plan has to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Quality {
    /// Any plan, as soon as possible
    Any,
    /// A plan soon, then better ones until a limit is reached or the best is proved to be optimal
    Improve,
    /// A plan that is proved to be optimal
    #[default]
    Optimal,
}

/// Which plans are wanted, where one is not enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Plans {
    /// Which of all plans.
    pub which: Which,
    /// Whether plans that visit a state twice are left out.
    #[serde(default)]
    pub loopless: bool,
    /// Whether of plans with the same actions in another order one is enough.
    #[serde(default)]
    pub unordered: bool,
    /// Whether they are only counted.
    #[serde(default)]
    pub count: bool,
}

/// Which of all plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Which {
    /// So many of the cheapest.
    Cheapest(usize),
    /// All that cost at most so many millionths of the least cost: a million for all optimal plans.
    Within(u64),
}

/// What a policy guarantees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// The goal is reached whatever happens
    Strong,
    /// The goal can always still be reached
    StrongCyclic,
    /// The goal may be reached
    Weak,
}

impl Class {
    /// The name: `strong`, `strong-cyclic` or `weak`.
    pub fn name(self) -> &'static str {
        policies::Class::from(self).name()
    }
}

impl From<Class> for policies::Class {
    fn from(class: Class) -> policies::Class {
        match class {
            Class::Strong => policies::Class::Strong,
            Class::StrongCyclic => policies::Class::StrongCyclic,
            Class::Weak => policies::Class::Weak,
        }
    }
}

impl From<policies::Class> for Class {
    fn from(class: policies::Class) -> Class {
        match class {
            policies::Class::Strong => Class::Strong,
            policies::Class::StrongCyclic => Class::StrongCyclic,
            policies::Class::Weak => Class::Weak,
        }
    }
}

impl From<Class> for Guarantee {
    fn from(class: Class) -> Guarantee {
        match class {
            Class::Strong => Guarantee::Strong,
            Class::StrongCyclic => Guarantee::StrongCyclic,
            Class::Weak => Guarantee::Weak,
        }
    }
}

impl From<Guarantee> for Class {
    fn from(guarantee: Guarantee) -> Class {
        match guarantee {
            Guarantee::Strong => Class::Strong,
            Guarantee::StrongCyclic => Class::StrongCyclic,
            Guarantee::Weak => Class::Weak,
        }
    }
}

/// How task networks are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Decomposition {
    /// One plan that carries out the network, for actions with one outcome
    Shop,
    /// A policy that carries out the network whatever happens
    Network,
    /// A policy for the goal, state by state; methods only say where to look (ND-SHOP2)
    Nd,
    /// The same over sets of states (Yoyo)
    Yoyo,
}

impl Request {
    /// The options of the search for plans. Options that do not fit together are refused, never ignored.
    pub(super) fn plan_options(&self) -> Result<engine::Options, Error> {
        let is_open = self.search == Search::Auto && self.direction.is_none() && self.heuristic.is_none();
        if self.quality != Quality::Optimal && !is_open {
            return Err(Error::request(
                "`search`, `direction` and `heuristic` choose a search for optimal plans, and `quality` asks for less",
                "leave them out, or use `quality optimal`",
            ));
        }
        let search = match (self.search, self.direction, self.heuristic) {
            (Search::Auto, Some(_), Some(_)) => {
                return Err(Error::request(
                    "`direction` and `heuristic` belong to different searches",
                    "choose a `search`",
                ));
            }
            (Search::Auto, Some(_), None) => engine::PlanSearch::Dijkstra,
            (Search::Auto, None, Some(_)) => engine::PlanSearch::Explicit,
            (Search::Auto, None, None) => engine::PlanSearch::Auto,
            (Search::Bfs, ..) => engine::PlanSearch::Bfs,
            (Search::Dijkstra | Search::Symbolic, ..) => engine::PlanSearch::Dijkstra,
            (Search::Astar, ..) => engine::PlanSearch::AStar,
            (Search::Explicit, ..) => engine::PlanSearch::Explicit,
        };
        if self.heuristic.is_some() && search != engine::PlanSearch::Explicit {
            return Err(Error::request(
                "`heuristic` is for the explicit search",
                "add `search explicit`, or leave it out",
            ));
        }
        let goes_forward_only = matches!(search, engine::PlanSearch::AStar | engine::PlanSearch::Explicit);
        if goes_forward_only && matches!(self.direction, Some(Direction::Backward | Direction::Both)) {
            return Err(Error::request(
                "this search goes forward only",
                "`search bfs` and `search dijkstra` go both ways",
            ));
        }
        let direction = match self.direction {
            Some(Direction::Forward) => engine::Direction::Forward,
            Some(Direction::Backward) => engine::Direction::Backward,
            Some(Direction::Both) | None => engine::Direction::Both,
        };
        let heuristic = match self.heuristic {
            Some(Heuristic::Blind) => engine::Heuristic::Blind,
            Some(Heuristic::Abstractions) => engine::Heuristic::Abstractions,
            Some(Heuristic::Lmcut) | None => engine::Heuristic::LmCut,
        };
        let quality = match self.quality {
            Quality::Any => engine::Quality::Any,
            Quality::Improve => engine::Quality::Improve,
            Quality::Optimal => engine::Quality::Optimal,
        };
        Ok(engine::Options { search, quality, direction, heuristic, seed: self.seed })
    }

    /// The options of the search for policies.
    pub(super) fn policy_options(&self) -> Result<policies::Options, Error> {
        let search = match self.search {
            Search::Auto => policies::PolicySearch::Auto,
            Search::Explicit => policies::PolicySearch::Explicit,
            Search::Symbolic => policies::PolicySearch::Symbolic,
            Search::Bfs | Search::Dijkstra | Search::Astar => {
                return Err(Error::request(
                    "this search is for plans, and the actions of this problem have several outcomes",
                    "use `search auto`, `search explicit` or `search symbolic`",
                ));
            }
        };
        if self.plans.is_some() {
            return Err(Error::request(
                "`plans` is for plans, and the actions of this problem have several outcomes",
                "leave it out",
            ));
        }
        if self.quality != Quality::Optimal {
            return Err(Error::request(
                "`quality` is for plans, and the actions of this problem have several outcomes",
                "leave it out",
            ));
        }
        if self.direction.is_some() || self.heuristic.is_some() {
            return Err(Error::request(
                "`direction` and `heuristic` are for plans, and the actions of this problem have several outcomes",
                "leave them out",
            ));
        }
        Ok(policies::Options { class: self.class.map(Into::into), search, seed: self.seed })
    }

    /// Options of searches over states are refused for task networks.
    pub(super) fn refuse_search_options(&self) -> Result<(), Error> {
        if self.plans.is_some() {
            return Err(Error::request("`plans` is for problems without task networks", "leave it out"));
        }
        if self.quality != Quality::Optimal {
            return Err(Error::request("`quality` is for problems without task networks", "leave it out"));
        }
        if self.search != Search::Auto || self.direction.is_some() || self.heuristic.is_some() {
            return Err(Error::request(
                "`search`, `direction` and `heuristic` are for problems without task networks",
                "choose with `htn`",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_open_is_decided_once() {
        let open = Request { seed: 7, ..Request::default() };
        let options = open.plan_options().unwrap();
        assert_eq!(options, engine::Options { seed: 7, ..engine::Options::default() });
        let backward = Request { direction: Some(Direction::Backward), ..open };
        assert_eq!(backward.plan_options().unwrap().search, engine::PlanSearch::Dijkstra);
        let blind = Request { heuristic: Some(Heuristic::Blind), ..open };
        assert_eq!(blind.plan_options().unwrap().search, engine::PlanSearch::Explicit);
        let bfs = Request { search: Search::Bfs, ..open };
        assert_eq!(bfs.plan_options().unwrap().direction, engine::Direction::Both);
    }

    #[test]
    fn options_that_do_not_fit_are_refused() {
        let request = Request::default();
        for misfit in [
            Request { direction: Some(Direction::Forward), heuristic: Some(Heuristic::Blind), ..request },
            Request { search: Search::Dijkstra, heuristic: Some(Heuristic::Lmcut), ..request },
            Request { search: Search::Astar, direction: Some(Direction::Backward), ..request },
            Request { search: Search::Explicit, direction: Some(Direction::Both), ..request },
            Request { quality: Quality::Any, search: Search::Astar, ..request },
            Request { quality: Quality::Improve, heuristic: Some(Heuristic::Blind), ..request },
        ] {
            assert!(matches!(misfit.plan_options(), Err(Error::Request { .. })), "{misfit:?}");
        }
    }

    /// A request is written as it is typed: kebab case, and what is left out is left open.
    #[test]
    fn requests_are_read_from_json() {
        let read: Request = serde_json::from_str(r#"{"search": "astar", "class": "strong-cyclic"}"#).unwrap();
        let wanted =
            Request { search: Search::Astar, class: Some(Class::StrongCyclic), ..Request::default() };
        assert_eq!(read, wanted);
        assert!(serde_json::from_str::<Request>(r#"{"sarch": "astar"}"#).is_err());
    }
}
