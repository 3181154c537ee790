//! Both ways to hold belief states against each other, against the checker, and against a look at every belief state of the problem
//! as it is written.

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_check::{
    BranchText, Confirmation, ContingentText, DoText, Guarantee as Claim, NodeText, Step, check_contingent,
    confirm_no_contingent,
};
use counterplay_contingent::{BranchingPlan, Found, Guarantee, Options, Representation, solve};
use counterplay_ground::ground_hidden;
use counterplay_pddl::model::{ActionId, GroundAtom, ObjectId, Problem};
use counterplay_syntax::Sources;
use counterplay_task::{HiddenTask, InitialStates};

fn read(domain: &str, problem: &str) -> Problem {
    let mut sources = Sources::default();
    let domain = sources.add("domain", domain);
    let problem = sources.add("problem", problem);
    counterplay_pddl::read(&sources, domain, problem).expect("it is sound")
}

fn ground(problem: &Problem) -> HiddenTask {
    ground_hidden(problem, &Budget::unlimited(), &Silent).expect("it can be grounded")
}

fn run(task: &HiddenTask, representation: Representation) -> Found {
    let options = Options { representation, ..Options::default() };
    solve(task, &options, &Budget::unlimited(), &Silent)
}

/// The plan in the checker's terms.
fn text(problem: &Problem, task: &HiddenTask, plan: &BranchingPlan) -> ContingentText {
    let at = problem.goal.at;
    let object = |word: &str| problem.objects.ids().find(|&id: &ObjectId| problem.objects[id].name == word);
    let atom = |text: &str| {
        let mut words = text.trim_matches(['(', ')']).split(' ');
        let name = words.next().expect("a predicate");
        let predicate = problem.predicates.ids().find(|&id| problem.predicates[id].name == name);
        GroundAtom {
            predicate: predicate.expect("a known predicate"),
            arguments: words.map(|word| object(word).expect("a known object")).collect(),
        }
    };
    let node = |node: &counterplay_contingent::PlanNode| {
        let steps = node.steps.iter().map(|step| {
            let action = &task.actions[step.action];
            let mut words = action.name.split(' ');
            let name = words.next().expect("an action");
            let id = problem.actions.ids().find(|&id: &ActionId| problem.actions[id].name == name);
            let branches = step.branches.iter().map(|branch| BranchText {
                seen: action
                    .observed
                    .iter()
                    .zip(&branch.percept)
                    .map(|((_, it), &on)| (atom(it), on))
                    .collect(),
                next: branch.next,
                at,
            });
            DoText {
                step: Step {
                    action: id.expect("a known action"),
                    arguments: words.map(|word| object(word).expect("a known object")).collect(),
                    at: None,
                },
                branches: branches.collect(),
                at,
            }
        });
        NodeText { steps: steps.collect(), at }
    };
    let claimed = match plan.guarantee {
        Guarantee::Strong => Claim::Strong,
        Guarantee::StrongCyclic => Claim::StrongCyclic,
    };
    ContingentText { claimed, nodes: plan.nodes.iter().map(node).collect() }
}

/// The guarantee of the best plan, agreed upon by everything that can tell.
fn decide(name: &str, problem: &Problem) -> Option<Guarantee> {
    let (task, budget) = (ground(problem), Budget::unlimited());
    let mut answers = Vec::new();
    for representation in [Representation::Explicit, Representation::Symbolic] {
        let found = run(&task, representation);
        answers.push(match &found.verdict {
            Verdict::Solved(plan) => {
                let text = text(problem, &task, plan);
                check_contingent(problem, &text, text.claimed, 100_000, &budget)
                    .unwrap_or_else(|flaw| panic!("{name}, {representation:?}: {flaw}\n{plan:?}"));
                Some(plan.guarantee)
            }
            Verdict::Unsolvable => None,
            Verdict::Stopped(limit) => panic!("{name}: {limit}"),
        });
    }
    assert_eq!(answers[0], answers[1], "{name}: lists and diagrams");
    for (claim, guarantee) in
        [(Claim::Strong, Guarantee::Strong), (Claim::StrongCyclic, Guarantee::StrongCyclic)]
    {
        let exists = match confirm_no_contingent(problem, claim, 20_000, &budget) {
            Confirmation::Confirmed { .. } => false,
            Confirmation::Refuted(_) => true,
            Confirmation::TooLarge => continue,
        };
        assert_eq!(exists, answers[0].is_some_and(|found| found <= guarantee), "{name}: {claim:?}");
    }
    answers[0]
}

fn example(path: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/contingent/");
    std::fs::read_to_string(format!("{root}{path}")).expect("the example is there")
}

#[test]
fn examples_have_the_answers_that_they_are_for() {
    let strong = Some(Guarantee::Strong);
    for (domain, problem, wanted) in [
        ("medicine", "p03", strong),
        ("medicine", "healthy", None),
        ("corridor", "p05", strong),
        ("coin", "p01", Some(Guarantee::StrongCyclic)),
    ] {
        let read =
            read(&example(&format!("{domain}/domain.pddl")), &example(&format!("{domain}/{problem}.pddl")));
        assert_eq!(decide(problem, &read), wanted, "{domain} {problem}");
    }
}

/// The belief state comes back, but from one of its states nothing ever changes: what is seen depends on a fact that no action changes.
#[test]
fn a_belief_state_that_comes_back_is_no_hope_for_all_of_its_states() {
    let domain = "(define (domain d) (:requirements :non-deterministic) (:predicates (x) (c) (both) (won))
        (:action toss :effect (and (oneof (c) (not (c))) (not (both))))
        (:action weigh :effect (when (and (x) (c)) (both)))
        (:action look :observe (both))
        (:action win :precondition (both) :effect (won))";
    let problem = "(define (problem p) (:domain d) (:init (unknown (x))) (:goal (won)))";
    assert_eq!(decide("hidden constant", &read(&format!("{domain})"), problem)), None);
    let helped = format!("{domain} (:action shake :effect (oneof (x) (not (x)))))");
    assert_eq!(decide("hidden variable", &read(&helped, problem)), Some(Guarantee::StrongCyclic));
}

/// An action is applicable where one part of its disjunctive precondition holds in each state, not the same part in all.
#[test]
fn a_disjunction_may_hold_for_different_reasons() {
    let domain = "(define (domain d) (:requirements :adl) (:predicates (a) (b) (won))
        (:action go :precondition (or (a) (b)) :effect (won)))";
    let problem = |init: &str| format!("(define (problem p) (:domain d) (:init {init}) (:goal (won)))");
    assert_eq!(decide("either", &read(domain, &problem("(or (a) (b))"))), Some(Guarantee::Strong));
    assert_eq!(decide("neither", &read(domain, &problem("(unknown (a))"))), None);
}

/// More initial states than are listed: 2^12 of them, held as diagrams.
#[test]
fn many_initial_states_are_described() {
    let atoms: Vec<String> = (0..12).map(|number| format!("p{number}")).collect();
    let declared: String = atoms.iter().map(|atom| format!(" ({atom})")).collect();
    let clear: String =
        atoms.iter().map(|atom| format!(" (:action clear-{atom} :effect (not ({atom})))")).collect();
    let domain = format!("(define (domain d) (:predicates{declared}){clear})");
    let unknown: String = atoms.iter().map(|atom| format!(" (unknown ({atom}))")).collect();
    let goal: String = atoms.iter().map(|atom| format!(" (not ({atom}))")).collect();
    let problem = format!("(define (problem p) (:domain d) (:init{unknown}) (:goal (and{goal})))");
    let task = ground(&read(&domain, &problem));
    assert!(matches!(task.initial, InitialStates::Described(_)));
    for representation in [Representation::Explicit, Representation::Symbolic] {
        let plan = run(&task, representation).verdict.solved().expect("it has a plan");
        assert_eq!(plan.sequence().map(|steps| steps.len()), Some(12), "{representation:?}");
    }
}

/// The multiplier of a linear congruential generator (Knuth): the same problems everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn literal(&mut self) -> String {
        let atom = format!("(p{})", self.roll(4));
        if self.roll(2) == 0 { atom } else { format!("(not {atom})") }
    }

    fn effect(&mut self, depth: u32) -> String {
        match self.roll(6) {
            0 if depth > 0 => format!("(oneof {} {})", self.effect(depth - 1), self.effect(depth - 1)),
            1 if depth > 0 => format!("(when {} {})", self.literal(), self.effect(depth - 1)),
            2 if depth > 0 => format!("(and {} {})", self.effect(depth - 1), self.effect(depth - 1)),
            _ => self.literal(),
        }
    }

    fn init(&mut self) -> String {
        match self.roll(4) {
            0 => format!("(oneof (p{}) (p{}))", self.roll(2), 2 + self.roll(2)),
            1 => format!("(or (p{}) {})", self.roll(4), self.literal()),
            2 => format!("(unknown (p{}))", self.roll(4)),
            _ => format!("(oneof (and (p0) (p{})) (p2) (and))", self.roll(4)),
        }
    }
}

#[test]
fn random_problems_have_one_answer() {
    let mut counts = [0; 3];
    for seed in 0..400 {
        let mut dice = Dice(seed);
        let mut actions = String::new();
        for number in 0..3 + dice.roll(4) {
            let condition = match dice.roll(3) {
                0 => "(and)".to_owned(),
                1 => format!("(or {} {})", dice.literal(), dice.literal()),
                _ => dice.literal(),
            };
            let observe =
                if dice.roll(3) > 0 { format!(":observe (p{})", dice.roll(4)) } else { String::new() };
            let effect = dice.effect(2);
            actions += &format!("(:action a{number} :precondition {condition} {observe} :effect {effect})\n");
        }
        let domain = format!("(define (domain d) (:predicates (p0) (p1) (p2) (p3))\n{actions})");
        let init: String = (0..1 + dice.roll(3)).map(|_| dice.init()).collect();
        let goal = if dice.roll(3) == 0 {
            format!("(and {} {})", dice.literal(), dice.literal())
        } else {
            dice.literal()
        };
        let problem =
            format!("(define (problem p) (:domain d) (:init (unknown (p3)) {init}) (:goal {goal}))");
        let read = read(&domain, &problem);
        if ground_hidden(&read, &Budget::unlimited(), &Silent).is_err() {
            continue;
        }
        let answer = decide(&format!("seed {seed}\n{domain}\n{problem}"), &read);
        counts[answer.map_or(2, |found| found as usize)] += 1;
    }
    assert!(counts.iter().all(|&count| count >= 5), "all kinds of answers occur: {counts:?}");
}
