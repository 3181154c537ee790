//! A planning problem whose every name is resolved and whose every term has a right type.
//!
//! Domain and problem file together give one [`Problem`]. Variables of an action or axiom live in one table
//! per schema ([`Schema`]): parameters first, then one entry for each quantified variable, so that shadowing
//! is resolved once, here. `imply` is written as a disjunction; everything else stays as the author wrote it. Names are
//! compared without regard to case, and keep the spelling of their declaration.

use counterplay_base::{IdVec, id};
use counterplay_syntax::Span;
use num_rational::Ratio;
use rustc_hash::FxHashSet;

id! {
    /// A declared type; `object` is always the first.
    pub struct TypeId;
    /// An object or constant.
    pub struct ObjectId;
    /// A predicate, basic or derived.
    pub struct PredicateId;
    pub struct FunctionId;
    pub struct ActionId;
    /// A variable of one schema.
    pub struct VariableId;
    /// A compound task of a hierarchy.
    pub struct TaskId;
    /// A method of a hierarchy.
    pub struct MethodId;
}

/// An exact number: PDDL costs and weights may have a decimal point, and sums of them must not round.
pub type Number = Ratio<i128>;

/// A domain and a problem, resolved.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Name of the domain.
    pub domain: String,
    /// Name of the problem.
    pub name: String,
    /// Types; `object` is the first.
    pub types: IdVec<TypeId, Type>,
    /// Constants of the domain, then objects of the problem.
    pub objects: IdVec<ObjectId, Object>,
    /// Predicates, basic and derived.
    pub predicates: IdVec<PredicateId, Predicate>,
    /// Numeric functions, `total-cost` among them if declared.
    pub functions: IdVec<FunctionId, Function>,
    pub actions: IdVec<ActionId, Action>,
    /// Actions that the text has a second time, word for word: their names and places.
    pub repeated_actions: Vec<(String, Span)>,
    /// Rules for derived predicates.
    pub axioms: Vec<Axiom>,
    /// Atoms that are true at the start; each once.
    pub init: Vec<GroundAtom>,
    /// Choices that nature makes before the start: each is a list of alternatives, sets of atoms that are true in
    /// addition. Empty for a problem with one initial state.
    pub init_choices: Vec<InitChoice>,
    /// Disjunctions `(or …)` of literals of which one at least holds at the start.
    pub init_clauses: Vec<InitClause>,
    /// Atoms that may be true or false at the start: `(unknown …)`.
    pub init_unknown: Vec<(GroundAtom, Span)>,
    /// Whether a requirement such as `:contingent` says that states are not seen.
    pub declares_partial_observability: bool,
    /// Values of functions at the start; a function that is not here is undefined.
    pub values: Vec<(GroundFluent, Number)>,
    /// What has to hold at the end, with a variable table of its own for quantifiers.
    pub goal: Goal,
    /// What to optimise; `None` means that every action costs one.
    pub metric: Option<Metric>,
    /// What reaching the goal is worth beside what actions earn: `(:goal-reward …)` of PPDDL.
    pub goal_reward: Option<(Number, Span)>,
    /// Tasks and methods, if the files are HDDL.
    pub hierarchy: Option<Hierarchy>,
}

/// What HDDL adds to PDDL: know-how, and what is to be done.
#[derive(Clone, Debug, Default)]
pub struct Hierarchy {
    pub tasks: IdVec<TaskId, TaskSymbol>,
    /// Methods, in the order of the text.
    pub methods: IdVec<MethodId, Method>,
    /// What is to be done; `None` if the problem does not say.
    pub initial: Option<InitialNetwork>,
}

#[derive(Clone, Debug)]
pub struct TaskSymbol {
    /// The name as its declaration writes it; names that differ in case only are the same.
    pub name: String,
    /// Types of its arguments.
    pub parameters: Vec<TypeSet>,
    /// Where its name stands.
    pub at: Span,
}

/// One way to carry out a compound task.
#[derive(Clone, Debug)]
pub struct Method {
    /// The name as its declaration writes it; names that differ in case only are the same.
    pub name: String,
    pub schema: Schema,
    /// The task it carries out.
    pub task: TaskId,
    /// The arguments of that task.
    pub arguments: Vec<Term>,
    /// When it may be used.
    pub precondition: Condition,
    /// What it comes down to.
    pub network: TaskNetwork,
    /// Where its name stands.
    pub at: Span,
}

/// The initial task network, with variables of its own.
#[derive(Clone, Debug)]
pub struct InitialNetwork {
    pub schema: Schema,
    /// What is to be done.
    pub network: TaskNetwork,
    pub at: Span,
}

/// Subtasks and the order between them.
#[derive(Clone, Debug)]
pub struct TaskNetwork {
    /// The subtasks, in the order of the text.
    pub subtasks: Vec<Subtask>,
    /// Pairs of positions: the first is done before the second. Without cycles, sorted.
    pub order: Vec<(usize, usize)>,
    /// Equalities and inequalities between variables.
    pub constraints: Condition,
}

impl Default for TaskNetwork {
    fn default() -> Self {
        TaskNetwork { subtasks: Vec::new(), order: Vec::new(), constraints: Condition::And(Vec::new()) }
    }
}

#[derive(Clone, Debug)]
pub struct Subtask {
    /// What is asked for.
    pub task: TaskRef,
    pub arguments: Vec<Term>,
    pub at: Span,
}

/// What a subtask asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TaskRef {
    Action(ActionId),
    Compound(TaskId),
}

/// `(oneof …)` in `:init`: exactly one of the alternatives describes the start.
#[derive(Clone, Debug)]
pub struct InitChoice {
    /// The atoms that each alternative makes true.
    pub alternatives: Vec<Vec<GroundAtom>>,
    /// Everything that each alternative says: atoms, and whether they are true.
    pub literals: Vec<Vec<(GroundAtom, bool)>>,
    pub at: Span,
}

/// `(or …)` in `:init`: one of the literals holds at least.
#[derive(Clone, Debug)]
pub struct InitClause {
    /// Atoms, and whether they are true.
    pub literals: Vec<(GroundAtom, bool)>,
    pub at: Span,
}

/// A type and its place in the hierarchy.
#[derive(Clone, Debug)]
pub struct Type {
    /// Lower-case name.
    pub name: String,
    /// Its direct supertypes; several for `either`. Empty for `object` only.
    pub parents: Vec<TypeId>,
    /// Where it was declared; `None` for `object` when implied.
    pub at: Option<Span>,
}

/// A union of types, as `either` writes it; one entry in the common case. Sorted, without repetition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeSet(pub Vec<TypeId>);

/// An object or constant.
#[derive(Clone, Debug)]
pub struct Object {
    /// The name as its declaration writes it; names that differ in case only are the same.
    pub name: String,
    pub types: TypeSet,
    /// Where it was declared.
    pub at: Span,
}

#[derive(Clone, Debug)]
pub struct Predicate {
    /// The name as its declaration writes it; names that differ in case only are the same.
    pub name: String,
    /// Types of its arguments.
    pub parameters: Vec<TypeSet>,
    /// Whether axioms define it.
    pub derived: bool,
    /// Where it was declared.
    pub at: Span,
}

#[derive(Clone, Debug)]
pub struct Function {
    /// Lower-case name: `total-cost` is looked for by its name, and functions appear in no plan.
    pub name: String,
    /// Types of its arguments.
    pub parameters: Vec<TypeSet>,
    /// Where it was declared; `None` for a `total-cost` or `reward` that was used without being declared.
    pub at: Option<Span>,
}

/// A variable of a schema.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Lower-case name with its question mark.
    pub name: String,
    /// What it ranges over.
    pub types: TypeSet,
    /// Where it was declared.
    pub at: Span,
}

/// The variables of an action, axiom or goal: parameters first, then quantified ones.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// All variables; no two of them are confused, even if their names are equal.
    pub variables: IdVec<VariableId, Variable>,
    /// How many of them are parameters.
    pub parameters: usize,
}

#[derive(Clone, Debug)]
pub struct Action {
    /// The name as its declaration writes it; names that differ in case only are the same.
    pub name: String,
    pub schema: Schema,
    /// When it may be applied.
    pub precondition: Condition,
    pub effect: Effect,
    /// Atoms whose truth is told after the action: `:observe`.
    pub observe: Vec<(Atom, Span)>,
    /// Where its name stands.
    pub at: Span,
}

/// A rule `(:derived (p ?x …) condition)`: the head's arguments are the schema's parameters, in order.
#[derive(Clone, Debug)]
pub struct Axiom {
    pub head: PredicateId,
    pub schema: Schema,
    /// When the head holds.
    pub body: Condition,
    /// Where the rule stands.
    pub at: Span,
}

/// The goal with its variables (no parameters).
#[derive(Clone, Debug)]
pub struct Goal {
    pub schema: Schema,
    /// What has to hold.
    pub condition: Condition,
    pub at: Span,
}

/// An object or a variable of the schema at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    Object(ObjectId),
    Variable(VariableId),
}

/// A predicate applied to terms. An object is of the type that its parameter wants; a variable may be wider,
/// as it is in many benchmark files: with the objects that do not fit, the atom is never true at the start.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Atom {
    pub predicate: PredicateId,
    pub arguments: Vec<Term>,
}

/// A predicate applied to objects.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroundAtom {
    pub predicate: PredicateId,
    pub arguments: Vec<ObjectId>,
}

/// A function applied to terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fluent {
    pub function: FunctionId,
    pub arguments: Vec<Term>,
}

/// A function applied to objects.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroundFluent {
    pub function: FunctionId,
    pub arguments: Vec<ObjectId>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// All of them; the empty conjunction is true.
    And(Vec<Condition>),
    /// One of them; the empty disjunction is false.
    Or(Vec<Condition>),
    Not(Box<Condition>),
    /// For some values of the variables.
    Exists(Vec<VariableId>, Box<Condition>),
    /// For all values of the variables.
    Forall(Vec<VariableId>, Box<Condition>),
    /// An atom is true.
    Atom(Atom, Span),
    /// Two terms are the same object.
    Equal(Term, Term),
    /// A comparison of numbers.
    Compare(Comparison, Expression, Expression, Span),
    /// A soft condition; unnamed ones get an empty name. Only under `And` and `Forall`.
    Preference(String, Box<Condition>, Span),
}

/// A comparison of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `=`
    Equal,
    /// `>=`
    GreaterEqual,
    /// `>`
    Greater,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Number(Number),
    /// The value of a function.
    Fluent(Fluent, Span),
    Add(Vec<Expression>),
    Subtract(Box<Expression>, Box<Expression>),
    Multiply(Vec<Expression>),
    Divide(Box<Expression>, Box<Expression>),
    /// `(- x)`
    Negate(Box<Expression>),
    /// How often the preference of this name is violated; in metrics only.
    IsViolated(String, Span),
    /// `total-time`; in metrics only.
    TotalTime(Span),
}

/// What an action does. Of what one application does to the same atom, adding wins over deleting.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    And(Vec<Effect>),
    /// For all values of the variables.
    Forall(Vec<VariableId>, Box<Effect>),
    /// Only where the condition holds before the action.
    When(Condition, Box<Effect>),
    /// The atom becomes true.
    Add(Atom, Span),
    /// The atom becomes false, unless another effect adds it.
    Delete(Atom, Span),
    Change(Change, Fluent, Expression, Span),
    /// Nature picks one of them.
    OneOf(Vec<Effect>, Nature),
}

/// How nature picks one of several effects.
#[derive(Clone, Debug, PartialEq)]
pub struct Nature {
    pub at: Span,
    /// With which probability each is picked, if the text says so; they are positive and add up to one.
    pub odds: Option<Vec<Number>>,
}

impl Nature {
    /// A choice of which no probabilities are known.
    pub fn unknown(at: Span) -> Nature {
        Nature { at, odds: None }
    }
}

impl Effect {
    /// Whether `oneof` or `probabilistic` occurs in it.
    pub fn has_choice(&self) -> bool {
        match self {
            Effect::And(parts) => parts.iter().any(Effect::has_choice),
            Effect::Forall(_, part) | Effect::When(_, part) => part.has_choice(),
            Effect::OneOf(..) => true,
            Effect::Add(..) | Effect::Delete(..) | Effect::Change(..) => false,
        }
    }
}

impl Effect {
    /// Calls `see` for every choice of nature.
    pub fn visit_choices(&self, see: &mut dyn FnMut(&Nature)) {
        match self {
            Effect::And(parts) => parts.iter().for_each(|part| part.visit_choices(see)),
            Effect::Forall(_, part) | Effect::When(_, part) => part.visit_choices(see),
            Effect::OneOf(parts, nature) => {
                see(nature);
                parts.iter().for_each(|part| part.visit_choices(see));
            }
            Effect::Add(..) | Effect::Delete(..) | Effect::Change(..) => {}
        }
    }
}

/// How a number changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Becomes the value.
    Assign,
    /// Grows by the value.
    Increase,
    /// Shrinks by the value.
    Decrease,
    /// Is multiplied by the value.
    ScaleUp,
    /// Is divided by the value.
    ScaleDown,
}

#[derive(Clone, Debug)]
pub struct Metric {
    /// `true` for `maximize`.
    pub maximize: bool,
    /// The value of a plan. Its fluents have no variables.
    pub value: Expression,
    pub at: Span,
}

impl Problem {
    /// Whether nature has a say: in the initial state or in what actions do.
    pub fn is_nondeterministic(&self) -> bool {
        !self.init_choices.is_empty() || self.actions.iter().any(|action| action.effect.has_choice())
    }

    /// Whether the text gives the probabilities of some outcome.
    pub fn has_odds(&self) -> bool {
        let mut found = false;
        for action in &self.actions {
            action.effect.visit_choices(&mut |nature| found |= nature.odds.is_some());
        }
        found
    }

    /// Whether the state is hidden: an action observes something, `:init` has `unknown` or `or`, or a requirement says so.
    /// `oneof` in `:init` alone does not: nature then picks an initial state that is seen.
    pub fn is_partially_observable(&self) -> bool {
        self.declares_partial_observability
            || !self.init_clauses.is_empty()
            || !self.init_unknown.is_empty()
            || self.has_sensing()
    }

    /// Whether some action observes something.
    pub fn has_sensing(&self) -> bool {
        self.actions.iter().any(|action| !action.observe.is_empty())
    }

    /// Whether a type is another one or lies below it.
    pub fn is_subtype(&self, lower: TypeId, upper: TypeId) -> bool {
        if lower == upper {
            return true;
        }
        let mut seen = FxHashSet::default();
        let mut open = vec![lower];
        while let Some(at) = open.pop() {
            if at == upper {
                return true;
            }
            match self.types[at].parents[..] {
                [only] => open.push(only),
                // Only where ways part can they meet again, and be walked twice.
                ref several if seen.insert(at) => open.extend(several),
                _ => {}
            }
        }
        false
    }

    /// Whether an object belongs to a union of types: each of the object's own types must lie below one of them.
    pub fn belongs(&self, object: ObjectId, types: &TypeSet) -> bool {
        self.objects[object]
            .types
            .0
            .iter()
            .all(|&own| types.0.iter().any(|&upper| self.is_subtype(own, upper)))
    }

    /// The objects of a union of types, in order.
    pub fn extent(&self, types: &TypeSet) -> Vec<ObjectId> {
        self.objects.ids().filter(|&object| self.belongs(object, types)).collect()
    }

    /// A union of types as text: `block` or `(either block table)`.
    pub fn types_text(&self, types: &TypeSet) -> String {
        let names: Vec<&str> = types.0.iter().map(|&id| self.types[id].name.as_str()).collect();
        match names[..] {
            [only] => only.to_owned(),
            _ => format!("(either {})", names.join(" ")),
        }
    }

    /// A ground atom as text: `(on a b)`.
    pub fn atom_text(&self, atom: &GroundAtom) -> String {
        self.application(&self.predicates[atom.predicate].name, &atom.arguments)
    }

    /// A name applied to objects, as text: `(pick-up a)`.
    pub fn application(&self, name: &str, arguments: &[ObjectId]) -> String {
        let mut text = format!("({name}");
        for &argument in arguments {
            text.push(' ');
            text.push_str(&self.objects[argument].name);
        }
        text.push(')');
        text
    }
}
