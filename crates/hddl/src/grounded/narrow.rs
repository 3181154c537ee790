//! Which objects can stand at each place of a task, from the initial network downwards.
//!
//! A method for a task can bind the variables of its head only to what stands there in some task of that name, and hands on to
//! its subtasks only what its variables can be. Places are looked at one by one, so this takes hardly any time; it keeps
//! instances out of the enumeration that no network asks for.

use crate::lifted::{Arg, Extent, HddlProblem, Method, Rule};

/// Extents for the variables of all actions and methods, by what the initial network can come to.
pub(super) struct Narrowed {
    pub(super) extents: Vec<Extent>,
    /// By action, method, and for the initial network: the rule with extents of its own.
    pub(super) actions: Vec<Rule>,
    pub(super) methods: Vec<Rule>,
    pub(super) initial: Rule,
    /// Symbols that come up at all.
    pub(super) used: Vec<bool>,
}

/// By symbol and place, whether an object can stand there.
type Places = Vec<Vec<Vec<bool>>>;

pub(super) fn narrow(lifted: &HddlProblem) -> Narrowed {
    let objects = lifted.problem.objects.len();
    let symbols = lifted.methods_of.len();
    let mut places: Places =
        (0..symbols).map(|symbol| vec![vec![false; objects]; lifted.arity(symbol)]).collect();
    let mut used = vec![false; symbols];
    let mut dirty: Vec<usize> = Vec::new();
    hand_on(lifted, &lifted.initial, None, &mut places, &mut used, &mut dirty);
    while let Some(symbol) = dirty.pop() {
        for &method in &lifted.methods_of[symbol] {
            let own = places[symbol].clone();
            hand_on(lifted, &lifted.methods[method], Some(&own), &mut places, &mut used, &mut dirty);
        }
    }
    let mut found = Narrowed {
        extents: lifted.extents.clone(),
        actions: Vec::new(),
        methods: Vec::new(),
        initial: lifted.initial.rule.clone(),
        used,
    };
    for (symbol, action) in lifted.actions.iter().enumerate() {
        let mut rule = action.rule.clone();
        for (at, place) in places[symbol].iter().enumerate() {
            found.restrict(&mut rule, at, place);
        }
        found.actions.push(rule);
    }
    for method in &lifted.methods {
        let mut rule = method.rule.clone();
        for (argument, place) in method.arguments.iter().zip(&places[method.symbol]) {
            if let Arg::Var(variable) = argument {
                found.restrict(&mut rule, *variable as usize, place);
            }
        }
        found.methods.push(rule);
    }
    found
}

impl Narrowed {
    /// Restricts a variable of a rule.
    fn restrict(&mut self, rule: &mut Rule, variable: usize, place: &[bool]) {
        let extent = &self.extents[rule.types[variable]];
        if extent.members.iter().all(|&member| place[member as usize]) {
            return;
        }
        let members = extent.members.iter().copied().filter(|&member| place[member as usize]);
        let extent = Extent::new(members.collect(), place.len());
        rule.types[variable] = self.extents.len();
        self.extents.push(extent);
    }
}

/// Tells the subtasks of a network which objects its variables can be.
fn hand_on(
    lifted: &HddlProblem,
    method: &Method,
    head: Option<&Vec<Vec<bool>>>,
    places: &mut Places,
    used: &mut [bool],
    dirty: &mut Vec<usize>,
) {
    let allowed = |variable: u32, object: usize| {
        lifted.extents[method.rule.types[variable as usize]].has[object]
            && head.is_none_or(|places| {
                let mut own = method.arguments.iter().zip(places);
                own.all(|(argument, place)| *argument != Arg::Var(variable) || place[object])
            })
    };
    for (symbol, arguments) in &method.network.subtasks {
        let mut changed = !std::mem::replace(&mut used[*symbol], true);
        for (argument, place) in arguments.iter().zip(&mut places[*symbol]) {
            match argument {
                Arg::Obj(object) => changed |= !std::mem::replace(&mut place[*object as usize], true),
                Arg::Var(variable) => {
                    for (object, can) in place.iter_mut().enumerate() {
                        if !*can && allowed(*variable, object) {
                            *can = true;
                            changed = true;
                        }
                    }
                }
            }
        }
        if changed && !dirty.contains(symbol) {
            dirty.push(*symbol);
        }
    }
}
