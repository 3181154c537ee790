//! Both ways to hold belief states against each other, against the checker, and against a look at every belief state of the problem
//! as it is written.

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_check::{
    Confirmation, Guarantee as Claim, check_conformant, check_contingent, confirm_no_contingent,
    is_contingent, read_contingent, read_plan,
};
use counterplay_contingent::{Found, Guarantee, Options, Representation, solve, text};
use counterplay_ground::ground_hidden;
use counterplay_pddl::model::Problem;
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

/// What the checker says of a plan, given to it as text.
fn check(problem: &Problem, text: &str) -> Result<usize, String> {
    let (mut sources, budget) = (Sources::default(), Budget::unlimited());
    let file = sources.add("plan", text);
    let checked = if is_contingent(&sources, file) {
        let read = read_contingent(&sources, file, problem).map_err(|errors| errors[0].to_string())?;
        check_contingent(problem, &read, read.claimed, 100_000, &budget)
    } else {
        let steps = read_plan(&sources, file, problem).map_err(|errors| errors[0].to_string())?;
        check_conformant(problem, &steps, 100_000, &budget)
    };
    checked.map_err(|flaw| flaw.to_string())
}

/// The guarantee of the best plan, agreed upon by everything that can tell.
fn decide(name: &str, problem: &Problem) -> Option<Guarantee> {
    let (task, budget) = (ground(problem), Budget::unlimited());
    let mut answers = Vec::new();
    for representation in [Representation::Explicit, Representation::Symbolic] {
        let found = run(&task, representation);
        answers.push(match &found.verdict {
            Verdict::Solved(plan) => {
                let text = text(&task, plan);
                check(problem, &text)
                    .unwrap_or_else(|flaw| panic!("{name}, {representation:?}: {flaw}\n{text}"));
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

/// Plans that are wrong in one way each are refused for that reason.
#[test]
fn wrong_plans_are_refused() {
    let problem = read(&example("medicine/domain.pddl"), &example("medicine/p03.pddl"));
    for (plan, why) in [
        ("(medicate flu)", "the goal does not hold"),
        ("(inspect flu)", "not applicable"),
        (
            "(contingent-plan strong (node a (do (stain) (if (shows flu) b) (if (not (shows flu)) b))) (node b (goal)))",
            "does not observe",
        ),
        (
            "(contingent-plan strong (node a (do (stain) (next b)))
               (node b (do (inspect flu) (if (shows flu) c))) (node c (do (medicate flu) (next d))) (node d (goal)))",
            "no branch for what is seen",
        ),
        ("(contingent-plan strong (node a (do (stain) (next a))))", "come back"),
        ("(contingent-plan strong-cyclic (node a (do (stain) (next a))))", "never reaches the goal"),
        ("(contingent-plan strong (node a (do (stain) (next c))))", "no node `c`"),
        ("(contingent-plan weak (node a (goal)))", "expected `strong` or `strong-cyclic`"),
    ] {
        let found = check(&problem, plan).expect_err(plan);
        assert!(found.contains(why), "{plan}: {found}");
    }
}

/// The parts of a description that contradict each other are named.
#[test]
fn a_contradictory_start_is_refused() {
    let domain = "(define (domain d) (:predicates (a) (b) (c)) (:action go :effect (c)))";
    let problem = "(define (problem p) (:domain d)
        (:init (or (a) (b)) (or (not (a)) (c)) (or (not (a)) (not (c))) (or (not (b))) (unknown (c))) (:goal (c)))";
    let error =
        ground_hidden(&read(domain, problem), &Budget::unlimited(), &Silent).expect_err("no state fits");
    let diagnostic = error.diagnostic().expect("it has places");
    assert_eq!(diagnostic.labels.len(), 4, "{diagnostic:?}");
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
