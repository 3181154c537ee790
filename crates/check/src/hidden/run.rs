//! Plans are run from every initial state.

use std::collections::{HashMap, HashSet};

use counterplay_base::{Budget, Limit};
use counterplay_pddl::model::*;
use counterplay_syntax::{Diagnostic, Label, Severity, Span};

use super::file::{ContingentText, DoText, NodeText};
use super::initial::initial_states;
use crate::derive::Axioms;
use crate::evaluate::{CheckContext, Trouble};
use crate::exhaust::space::{Numbers, Space};
use crate::plan_file::Step;
use crate::policy::Guarantee;

/// What is wrong with a plan for a problem with hidden state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContingentFlaw {
    /// An action cannot be carried out in a state that may be the true one.
    #[error("`{step}` is not applicable {trace}")]
    NotApplicable { step: String, trace: String, at: Span },
    /// A branch depends on something that the action does not tell.
    #[error("the plan looks at `{atom}`, which `{step}` does not observe")]
    Unobserved { atom: String, step: String, at: Span },
    /// What is seen has no branch, or two.
    #[error("{what} after `{step}` {trace}")]
    Branches { what: &'static str, step: String, trace: String, at: Span },
    /// The plan ends where the goal does not hold.
    #[error("the goal does not hold at the end {trace}")]
    NoGoal { trace: String, at: Span },
    /// The plan may go on for ever.
    #[error("the plan may come back to the same place {trace}")]
    Cycle { trace: String, at: Span },
    /// The goal is out of reach.
    #[error("the plan never reaches the goal {trace}")]
    Lost { trace: String, at: Span },
    /// There are too many states, or numbers that matter; nothing is known.
    #[error("there are too many states to look at each of them")]
    TooLarge,
    #[error("{limit}")]
    Stopped { limit: Limit },
}

impl ContingentFlaw {
    /// The flaw with its place, for people.
    pub fn diagnostic(&self, whole: Span) -> Diagnostic {
        let (code, at) = match self {
            ContingentFlaw::NotApplicable { at, .. } => ("contingent::not-applicable", *at),
            ContingentFlaw::Unobserved { at, .. } => ("contingent::unobserved", *at),
            ContingentFlaw::Branches { at, .. } => ("contingent::branches", *at),
            ContingentFlaw::NoGoal { at, .. } => ("contingent::no-goal", *at),
            ContingentFlaw::Cycle { at, .. } => ("contingent::cycle", *at),
            ContingentFlaw::Lost { at, .. } => ("contingent::lost", *at),
            ContingentFlaw::TooLarge => ("contingent::too-large", whole),
            ContingentFlaw::Stopped { .. } => ("contingent::stopped", whole),
        };
        let labels = vec![Label { span: at, text: String::new() }];
        Diagnostic { severity: Severity::Error, code, message: self.to_string(), labels, help: None }
    }
}

impl From<Trouble> for ContingentFlaw {
    fn from(trouble: Trouble) -> ContingentFlaw {
        match trouble {
            Trouble::Stopped(limit) => ContingentFlaw::Stopped { limit },
            _ => ContingentFlaw::TooLarge,
        }
    }
}

impl From<Limit> for ContingentFlaw {
    fn from(limit: Limit) -> ContingentFlaw {
        ContingentFlaw::Stopped { limit }
    }
}

/// Checks a sequence of steps from every initial state with every outcome; returns how many pairs of place and state these are.
pub fn check_conformant(
    problem: &Problem,
    steps: &[Step],
    most: usize,
    budget: &Budget,
) -> Result<usize, ContingentFlaw> {
    let place = |step: &Step| step.at.unwrap_or(problem.goal.at);
    let end = steps.last().map_or(problem.goal.at, place);
    let branch = |next, at| super::BranchText { seen: Vec::new(), next, at };
    let node = |(number, step): (usize, &Step)| NodeText {
        steps: vec![DoText {
            step: step.clone(),
            branches: vec![branch(number + 1, place(step))],
            at: place(step),
        }],
        at: place(step),
    };
    let mut nodes: Vec<NodeText> = steps.iter().enumerate().map(node).collect();
    nodes.push(NodeText { steps: Vec::new(), at: end });
    let text = ContingentText { claimed: Guarantee::Strong, nodes };
    check_contingent(problem, &text, Guarantee::Strong, most, budget)
}

/// Checks a contingent plan from every initial state with every outcome and observation; returns how many pairs of place and
/// state were looked at.
pub fn check_contingent(
    problem: &Problem,
    text: &ContingentText,
    wanted: Guarantee,
    most: usize,
    budget: &Budget,
) -> Result<usize, ContingentFlaw> {
    let world = CheckContext::new(problem, budget);
    let axioms = Axioms::new(&world)?;
    let space = Space::new(&world, axioms, Numbers::Constant);
    if space.numbers_matter() {
        return Err(ContingentFlaw::TooLarge);
    }
    let Some(starts) = initial_states(problem, most, budget)? else { return Err(ContingentFlaw::TooLarge) };
    let run = Run {
        problem,
        text,
        space,
        pairs: Vec::new(),
        known: HashMap::new(),
        next: Vec::new(),
        from: Vec::new(),
    };
    run.follow(&starts, wanted, most)
}

/// A place in the plan and the true state there.
type Pair = (usize, usize);

struct Run<'a> {
    problem: &'a Problem,
    text: &'a ContingentText,
    space: Space<'a>,
    pairs: Vec<Pair>,
    known: HashMap<Pair, usize>,
    /// Where each pair may lead.
    next: Vec<Vec<usize>>,
    from: Vec<Option<(usize, String)>>,
}

impl Run<'_> {
    fn follow(
        mut self,
        starts: &[Vec<GroundAtom>],
        wanted: Guarantee,
        most: usize,
    ) -> Result<usize, ContingentFlaw> {
        for atoms in starts {
            let state = self.space.begin(atoms);
            self.pair((0, state), None);
        }
        while self.next.len() < self.pairs.len() {
            if self.pairs.len() > most {
                return Err(ContingentFlaw::TooLarge);
            }
            let next = self.expand(self.next.len())?;
            self.next.push(next);
        }
        match wanted {
            Guarantee::Strong => self.refuse_cycles()?,
            Guarantee::StrongCyclic | Guarantee::Weak => self.refuse_lost()?,
        }
        Ok(self.pairs.len())
    }

    fn pair(&mut self, pair: Pair, from: Option<(usize, String)>) -> usize {
        let next = self.pairs.len();
        let number = *self.known.entry(pair).or_insert(next);
        if number == next {
            self.pairs.push(pair);
            self.from.push(from);
        }
        number
    }

    fn expand(&mut self, at: usize) -> Result<Vec<usize>, ContingentFlaw> {
        let (place, state) = self.pairs[at];
        let text = self.text;
        let node = &text.nodes[place];
        if node.steps.is_empty() {
            return match self.space.is_goal(state)? {
                true => Ok(Vec::new()),
                false => Err(ContingentFlaw::NoGoal { trace: self.trace(at), at: node.at }),
            };
        }
        let mut all = Vec::new();
        for step in &node.steps {
            let Step { action, arguments, .. } = &step.step;
            let name = self.problem.application(&self.problem.actions[*action].name, arguments);
            let observed = self.observed(step)?;
            let Some(next) = self.space.step(state, *action, arguments)? else {
                let trace = self.trace(at);
                return Err(ContingentFlaw::NotApplicable { step: name, trace, at: step.at });
            };
            for state in next {
                let truths = self.space.truths(state, &observed)?;
                let place = self.branch(step, &name, &observed, &truths, at)?;
                all.push(self.pair((place, state), Some((at, name.clone()))));
            }
        }
        Ok(all)
    }

    /// The atoms that a step tells; every condition of its branches has to be among them.
    fn observed(&self, step: &DoText) -> Result<Vec<GroundAtom>, ContingentFlaw> {
        let Action { observe, name, .. } = &self.problem.actions[step.step.action];
        let ground = |(atom, _): &(Atom, Span)| {
            let argument = |term: &Term| match *term {
                Term::Object(object) => object,
                Term::Variable(variable) => step.step.arguments[counterplay_base::Id::index(variable)],
            };
            GroundAtom { predicate: atom.predicate, arguments: atom.arguments.iter().map(argument).collect() }
        };
        let observed: Vec<GroundAtom> = observe.iter().map(ground).collect();
        let seen =
            step.branches.iter().flat_map(|branch| branch.seen.iter().map(|(atom, _)| (atom, branch.at)));
        for (atom, at) in seen {
            if !observed.contains(atom) {
                let step = self.problem.application(name, &step.step.arguments);
                return Err(ContingentFlaw::Unobserved { atom: self.problem.atom_text(atom), step, at });
            }
        }
        Ok(observed)
    }

    /// The place where the plan goes on.
    fn branch(
        &self,
        step: &DoText,
        name: &str,
        observed: &[GroundAtom],
        truths: &[bool],
        from: usize,
    ) -> Result<usize, ContingentFlaw> {
        let told = |atom: &GroundAtom| observed.iter().position(|it| it == atom).map(|at| truths[at]);
        let fits = |seen: &[(GroundAtom, bool)]| seen.iter().all(|(atom, truth)| told(atom) == Some(*truth));
        let places: HashSet<usize> =
            step.branches.iter().filter(|branch| fits(&branch.seen)).map(|branch| branch.next).collect();
        let what = match places.len() {
            1 => return Ok(places.into_iter().next().unwrap_or_default()),
            0 => "no branch for what is seen",
            _ => "several branches for what is seen",
        };
        Err(ContingentFlaw::Branches { what, step: name.to_owned(), trace: self.trace(from), at: step.at })
    }

    /// The steps that lead to a pair.
    fn trace(&self, mut at: usize) -> String {
        let mut steps = Vec::new();
        while let Some((before, step)) = &self.from[at] {
            steps.push(step.clone());
            at = *before;
        }
        steps.reverse();
        let shown: Vec<String> = steps.iter().take(20).cloned().collect();
        let dots = if steps.len() > shown.len() { " ..." } else { "" };
        let begin = if steps.is_empty() {
            "at the start".to_owned()
        } else {
            format!("after {}{dots}", shown.join(" "))
        };
        format!("{begin} in one of the possible states")
    }

    /// No pair may come back: pairs without successors are taken away until nothing is left.
    fn refuse_cycles(&self) -> Result<(), ContingentFlaw> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.pairs.len()];
        let mut open: Vec<usize> = vec![0; self.pairs.len()];
        for (at, next) in self.next.iter().enumerate() {
            open[at] = next.len();
            next.iter().for_each(|&next| before[next].push(at));
        }
        let mut ended: Vec<usize> = (0..self.pairs.len()).filter(|&at| open[at] == 0).collect();
        let mut count = 0;
        while let Some(at) = ended.pop() {
            count += 1;
            for &earlier in &before[at] {
                open[earlier] -= 1;
                if open[earlier] == 0 {
                    ended.push(earlier);
                }
            }
        }
        match (0..self.pairs.len()).find(|&at| open[at] > 0).filter(|_| count < self.pairs.len()) {
            Some(at) => {
                let node = &self.text.nodes[self.pairs[at].0];
                Err(ContingentFlaw::Cycle { trace: self.trace(at), at: node.at })
            }
            None => Ok(()),
        }
    }

    /// From every pair the end of the plan can be reached.
    fn refuse_lost(&self) -> Result<(), ContingentFlaw> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.pairs.len()];
        for (at, next) in self.next.iter().enumerate() {
            next.iter().for_each(|&next| before[next].push(at));
        }
        let mut reached: Vec<bool> = self.next.iter().map(Vec::is_empty).collect();
        let mut open: Vec<usize> = (0..self.pairs.len()).filter(|&at| reached[at]).collect();
        while let Some(at) = open.pop() {
            for &earlier in &before[at] {
                if !std::mem::replace(&mut reached[earlier], true) {
                    open.push(earlier);
                }
            }
        }
        match reached.iter().position(|reached| !reached) {
            Some(at) => {
                let node = &self.text.nodes[self.pairs[at].0];
                Err(ContingentFlaw::Lost { trace: self.trace(at), at: node.at })
            }
            None => Ok(()),
        }
    }
}
