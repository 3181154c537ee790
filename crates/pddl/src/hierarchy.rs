//! HDDL: tasks, methods and the initial task network, on top of PDDL.
//!
//! The language is that of Höller, Behnke, Bercher, Biundo, Fiorino, Pellier and Alford (AAAI 2020). Files differ
//! in the names of the sections (`:subtasks`, `:tasks`, `:ordered-subtasks`, `:ordered-tasks`), and labels of
//! subtasks may be left out; all of that is read. What is left is a list of subtasks and pairs of them that
//! are ordered.

use counterplay_base::Id;
use counterplay_syntax::{Expr, Items, Span};
use rustc_hash::FxHashMap;

use crate::condition::Soft;
use crate::definition::Section;
use crate::error::{Error, Kind};
use crate::model::*;
use crate::resolver::{Resolver, Scope};

/// The parts of a method or of `(:htn ...)`, by what they mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Parameters,
    Task,
    Precondition,
    Subtasks,
    OrderedSubtasks,
    Ordering,
    Constraints,
}

const PARTS: &[(&str, Part)] = &[
    (":parameters", Part::Parameters),
    (":task", Part::Task),
    (":precondition", Part::Precondition),
    (":subtasks", Part::Subtasks),
    (":tasks", Part::Subtasks),
    (":ordered-subtasks", Part::OrderedSubtasks),
    (":ordered-tasks", Part::OrderedSubtasks),
    (":ordering", Part::Ordering),
    (":order", Part::Ordering),
    (":constraints", Part::Constraints),
];

/// For each label of a network the number of its subtask, unless that could not be read, and where the label stands.
type Labels = FxHashMap<String, (Option<usize>, Span)>;

/// The parts found, each with its keyword.
struct Parts<'t>(Vec<(Part, Expr<'t>, Expr<'t>)>);

impl<'t> Parts<'t> {
    fn get(&self, part: Part) -> Option<Expr<'t>> {
        self.0.iter().find(|(found, ..)| *found == part).map(|&(_, _, value)| value)
    }
}

impl Resolver {
    /// `(:task name :parameters (...))`
    pub(crate) fn declare_task(&mut self, section: &Section<'_>) {
        let mut items = section.items.clone();
        let Some((name, at)) = items.next().and_then(|item| Some((item.atom()?, item.span()))) else {
            self.errors.malformed("the name of a task", section.at);
            return;
        };
        let (written, name) = (name, name.to_lowercase());
        let before = self.errors.count();
        let parts = self.network_parts(items, &[Part::Parameters]);
        let mut scope = Scope::default();
        if let Some(expr) = parts.get(Part::Parameters) {
            self.parameters(&mut scope, expr);
        }
        if let Some(&first) = self.tasks.get(&name) {
            let first = self.hierarchy().tasks[first].at;
            self.duplicate(Kind::Task, &name, at, first);
        } else if self.errors.count() > before {
            self.broken.insert((Kind::Task, name));
        } else {
            let parameters = scope.schema.variables.iter().map(|variable| variable.types.clone()).collect();
            let id = self.hierarchy().tasks.push(TaskSymbol { name: written.to_owned(), parameters, at });
            self.tasks.insert(name, id);
        }
    }

    /// A name that both a task and an action have could mean either where it is used.
    pub(crate) fn refuse_shared_names(&mut self) {
        let Some(hierarchy) = &self.problem.hierarchy else { return };
        let shared: Vec<_> = (hierarchy.tasks.iter())
            .filter_map(|task| {
                Some((task.name.clone(), task.at, *self.actions.get(&task.name.to_lowercase())?))
            })
            .collect();
        for (name, first, action) in shared {
            let at = self.problem.actions[action].at;
            self.duplicate(Kind::Task, &name, at, first);
        }
    }

    /// `(:method name :parameters (...) :task (...) :precondition ... :ordered-subtasks ...)`
    pub(crate) fn method(&mut self, section: &Section<'_>) {
        let mut items = section.items.clone();
        let Some((name, at)) = items.next().and_then(|item| Some((item.atom()?, item.span()))) else {
            self.errors.malformed("the name of a method", section.at);
            return;
        };
        let lower = name.to_lowercase();
        let mut known = self.hierarchy().methods.iter();
        if let Some(first) = known.find(|it| it.name.to_lowercase() == lower).map(|it| it.at) {
            self.duplicate(Kind::Method, &lower, at, first);
        }
        let before = self.errors.count();
        let all: Vec<Part> = PARTS.iter().map(|&(_, part)| part).collect();
        let parts = self.network_parts(items, &all);
        let mut scope = Scope::default();
        if let Some(expr) = parts.get(Part::Parameters) {
            self.parameters(&mut scope, expr);
        }
        let task = match parts.get(Part::Task) {
            Some(expr) => self.task_of_method(&scope, expr),
            None => {
                self.errors.malformed("a method with `:task (name ?x ...)`", at);
                None
            }
        };
        let precondition = match parts.get(Part::Precondition) {
            Some(expr) => self.condition(&mut scope, expr, Soft::Refused),
            None => Some(Condition::And(Vec::new())),
        };
        let network = self.network(&mut scope, &parts);
        if self.errors.count() > before {
            return;
        }
        if let (Some((task, arguments)), Some(precondition)) = (task, precondition) {
            let schema = scope.schema;
            self.hierarchy().methods.push(Method {
                name: name.to_owned(),
                schema,
                task,
                arguments,
                precondition,
                network,
                at,
            });
        }
    }

    /// `(:htn :parameters (...) :subtasks ... :ordering ... :constraints ...)` of a problem. Early files write
    /// `(:htn :class ...)`; we know no classes.
    pub(crate) fn initial_network(&mut self, section: &Section<'_>) {
        let before = self.errors.count();
        let known =
            [Part::Parameters, Part::Subtasks, Part::OrderedSubtasks, Part::Ordering, Part::Constraints];
        let parts = self.network_parts(section.items.clone(), &known);
        let mut scope = Scope::default();
        if let Some(expr) = parts.get(Part::Parameters) {
            self.parameters(&mut scope, expr);
        }
        let network = self.network(&mut scope, &parts);
        if self.errors.count() == before {
            let initial = InitialNetwork { schema: scope.schema, network, at: section.at };
            self.hierarchy().initial = Some(initial);
        }
    }

    /// The hierarchy under construction.
    fn hierarchy(&mut self) -> &mut Hierarchy {
        self.problem.hierarchy.get_or_insert_with(Hierarchy::default)
    }

    fn network_parts<'t>(&mut self, mut items: Items<'t>, known: &[Part]) -> Parts<'t> {
        let mut found: Vec<(Part, Expr<'t>, Expr<'t>)> = Vec::new();
        while let Some(keyword) = items.next() {
            let Some(name) = keyword.atom().filter(|name| name.starts_with(':')) else {
                self.errors.malformed("a part such as `:subtasks`", keyword.span());
                continue;
            };
            let part = PARTS.iter().find(|(part, _)| part.eq_ignore_ascii_case(name)).map(|&(_, part)| part);
            let value = items.next();
            let (Some(part), Some(value)) = (part.filter(|part| known.contains(part)), value) else {
                if value.is_none() {
                    self.errors.malformed("something after this", keyword.span());
                } else {
                    let names: Vec<&str> = PARTS
                        .iter()
                        .filter(|(_, part)| known.contains(part))
                        .map(|&(name, _)| name)
                        .collect();
                    self.unknown(Kind::Part, name, keyword.span(), &names);
                }
                continue;
            };
            match found.iter().find(|(other, ..)| *other == part) {
                Some(&(_, first, _)) => self.duplicate(Kind::Part, name, keyword.span(), first.span()),
                None => found.push((part, keyword, value)),
            }
        }
        Parts(found)
    }

    /// The task that a method is for, with its arguments.
    fn task_of_method(&mut self, scope: &Scope, expr: Expr<'_>) -> Option<(TaskId, Vec<Term>)> {
        let (head, name, items) = self.task_form(expr)?;
        let Some(&task) = self.tasks.get(&name.to_lowercase()) else {
            self.unknown(Kind::Task, name, head.span(), &[]);
            return None;
        };
        let arguments = self.task_arguments(scope, TaskRef::Compound(task), items, expr.span())?;
        Some((task, arguments))
    }

    fn task_form<'t>(&mut self, expr: Expr<'t>) -> Option<(Expr<'t>, &'t str, Items<'t>)> {
        let form = expr.form();
        if form.is_none() {
            self.errors.malformed("a task such as `(deliver ?p ?l)`", expr.span());
        }
        form
    }

    /// The arguments of a task or action, compared with its parameters.
    fn task_arguments(
        &mut self,
        scope: &Scope,
        task: TaskRef,
        items: Items<'_>,
        at: Span,
    ) -> Option<Vec<Term>> {
        let terms = self.terms(scope, items)?;
        let (name, parameters, declared) = match task {
            TaskRef::Compound(id) => {
                let symbol = &self.hierarchy().tasks[id];
                (symbol.name.clone(), symbol.parameters.clone(), symbol.at)
            }
            TaskRef::Action(id) => {
                let Action { name, schema, at, .. } = &self.problem.actions[id];
                let own = schema.variables.iter().take(schema.parameters);
                (name.clone(), own.map(|variable| variable.types.clone()).collect(), *at)
            }
        };
        self.fit_task(&scope.schema, &name, &parameters, declared, terms, at)
    }

    /// Subtasks with their order and the constraints on their variables.
    fn network(&mut self, scope: &mut Scope, parts: &Parts<'_>) -> TaskNetwork {
        let mut network = TaskNetwork::default();
        let mut labels = Labels::default();
        let ordered = parts.get(Part::OrderedSubtasks);
        if let (Some(_), Some(second)) = (ordered, parts.get(Part::Subtasks)) {
            self.errors.malformed("either `:subtasks` or `:ordered-subtasks`, not both", second.span());
        }
        if let Some(expr) = ordered.or(parts.get(Part::Subtasks)) {
            self.subtasks(scope, expr, &mut network, &mut labels);
        }
        if let Some(expr) = parts.get(Part::Ordering) {
            self.ordering(expr, &mut network, &labels);
        }
        if ordered.is_some() {
            network.order.extend((1..network.subtasks.len()).map(|later| (later - 1, later)));
        }
        network.order.sort_unstable();
        network.order.dedup();
        if let (Some(cycle), Some(expr)) =
            (network.cycle(), parts.get(Part::Ordering).or(ordered).or(parts.get(Part::Subtasks)))
        {
            let name = network.subtasks[cycle].words(&self.problem);
            self.errors.push(Error::OrderingCycle { name, at: expr.span() });
            network.order.clear();
        }
        if let Some(expr) = parts.get(Part::Constraints)
            && let Some(condition) = self.condition(scope, expr, Soft::Refused)
        {
            if is_static(&condition) {
                network.constraints = condition;
            } else {
                let expected = "constraints on variables: `(= ?x ?y)`, `(not (= ?x ?y))`, and `and` of such";
                self.errors.malformed(expected, expr.span());
            }
        }
        network
    }

    /// `(and (label (task ...)) (task ...) ...)`, or a single subtask, or nothing.
    fn subtasks(&mut self, scope: &Scope, expr: Expr<'_>, network: &mut TaskNetwork, labels: &mut Labels) {
        let Some(mut items) = expr.list() else {
            self.errors.malformed("subtasks in parentheses", expr.span());
            return;
        };
        let Some(head) = items.next() else { return };
        let is_and = head.atom().is_some_and(|name| name.eq_ignore_ascii_case("and"));
        if !is_and {
            return self.subtask(scope, expr, network, labels);
        }
        for item in items {
            self.subtask(scope, item, network, labels);
        }
    }

    /// `(label (task ...))` or `(task ...)`.
    fn subtask(&mut self, scope: &Scope, expr: Expr<'_>, network: &mut TaskNetwork, labels: &mut Labels) {
        let Some((head, name, mut rest)) = self.task_form(expr) else { return };
        let inner = rest.clone().next().filter(|inner| inner.list().is_some());
        let mut label = None;
        let (head, name, items, at) = match inner {
            None => (head, name, rest, expr.span()),
            Some(inner) => {
                rest.next();
                if let Some(extra) = rest.next() {
                    self.errors.malformed("one task for each label", extra.span());
                }
                let lower = name.to_lowercase();
                if let Some(&(_, first)) = labels.get(&lower) {
                    self.duplicate(Kind::Label, &lower, head.span(), first);
                }
                // What the label stands for may turn out to be no task; then no subtask has this number.
                labels.insert(lower.clone(), (None, head.span()));
                label = Some(lower);
                let Some((head, name, items)) = self.task_form(inner) else { return };
                (head, name, items, inner.span())
            }
        };
        let lower = name.to_lowercase();
        let task = (self.tasks.get(&lower).map(|&id| TaskRef::Compound(id)))
            .or_else(|| self.actions.get(&lower).map(|&id| TaskRef::Action(id)));
        let Some(task) = task else {
            self.unknown(Kind::Task, name, head.span(), &[]);
            return;
        };
        if let Some(arguments) = self.task_arguments(scope, task, items, at) {
            if let Some((subtask, _)) = label.and_then(|label| labels.get_mut(&label)) {
                *subtask = Some(network.subtasks.len());
            }
            network.subtasks.push(Subtask { task, arguments, at });
        }
    }

    /// `(and (< t0 t1) ...)` or a single `(< t0 t1)`.
    fn ordering(&mut self, expr: Expr<'_>, network: &mut TaskNetwork, labels: &Labels) {
        let Some(mut items) = expr.list() else {
            self.errors.malformed("an ordering such as `(and (< t0 t1))`", expr.span());
            return;
        };
        let Some(head) = items.next() else { return };
        let pairs: Vec<Expr<'_>> = match head.atom() {
            Some(name) if name.eq_ignore_ascii_case("and") => items.collect(),
            _ => vec![expr],
        };
        for pair in pairs {
            let parts: Vec<Expr<'_>> = pair.list().into_iter().flatten().take(4).collect();
            let [less, before, after] = parts[..] else {
                self.errors.malformed("`(< label label)`", pair.span());
                continue;
            };
            if less.atom() != Some("<") {
                self.errors.malformed("`(< label label)`", pair.span());
                continue;
            }
            let mut place = |expr: Expr<'_>| {
                let name = expr.atom().unwrap_or_default();
                let found = labels.get(&name.to_lowercase()).copied();
                if found.is_none() {
                    let mut known: Vec<&str> = match self.errors.is_full() {
                        true => Vec::new(),
                        false => labels.keys().map(String::as_str).collect(),
                    };
                    known.sort_unstable();
                    self.unknown(Kind::Label, name, expr.span(), &known);
                }
                found.and_then(|(subtask, _)| subtask)
            };
            if let (Some(before), Some(after)) = (place(before), place(after)) {
                network.order.push((before, after));
            }
        }
    }
}

/// Whether a condition speaks of variables only.
fn is_static(condition: &Condition) -> bool {
    match condition {
        Condition::And(parts) | Condition::Or(parts) => parts.iter().all(is_static),
        Condition::Not(part) => is_static(part),
        Condition::Equal(..) => true,
        _ => false,
    }
}

impl Subtask {
    /// Its name, for people.
    fn words(&self, problem: &Problem) -> String {
        match self.task {
            TaskRef::Action(id) => problem.actions[id].name.clone(),
            TaskRef::Compound(id) => {
                problem.hierarchy.as_ref().map_or_else(|| format!("{id:?}"), |it| it.tasks[id].name.clone())
            }
        }
    }
}

impl TaskNetwork {
    /// A subtask that would have to come before itself, if there is one.
    fn cycle(&self) -> Option<usize> {
        let (order, _) = self.sorted()?;
        let mut placed = vec![false; self.subtasks.len()];
        order.iter().for_each(|&at| placed[at] = true);
        placed.iter().position(|placed| !placed)
    }

    /// The subtasks in their order, if that is total.
    pub fn total_order(&self) -> Option<Vec<usize>> {
        let (order, is_total) = self.sorted()?;
        is_total.then_some(order)
    }

    /// The subtasks sorted so that each comes after those it waits for, without those in cycles; and whether
    /// there never was a choice. `None` if the order names subtasks that are not there.
    fn sorted(&self) -> Option<(Vec<usize>, bool)> {
        let count = self.subtasks.len();
        let mut waiting = vec![0; count];
        let mut after = vec![Vec::new(); count];
        for &(first, second) in &self.order {
            *waiting.get_mut(second)? += 1;
            after.get_mut(first)?.push(second);
        }
        let mut ready: Vec<usize> = (0..count).filter(|&at| waiting[at] == 0).collect();
        let mut order = Vec::with_capacity(count);
        let mut is_total = true;
        while let Some(at) = ready.pop() {
            is_total &= ready.is_empty();
            order.push(at);
            for &next in &after[at] {
                waiting[next] -= 1;
                if waiting[next] == 0 {
                    ready.push(next);
                }
            }
        }
        Some((order, is_total))
    }
}

/// Ids of tasks exist only with a hierarchy to index.
impl Problem {
    /// The name of what a subtask asks for.
    pub fn task_name(&self, task: TaskRef) -> &str {
        match task {
            TaskRef::Action(id) => &self.actions[id].name,
            TaskRef::Compound(id) => {
                let hierarchy = self.hierarchy.as_ref().expect("a compound task belongs to a hierarchy");
                debug_assert!(id.index() < hierarchy.tasks.len());
                &hierarchy.tasks[id].name
            }
        }
    }
}
