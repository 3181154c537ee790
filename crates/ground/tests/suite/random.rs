//! Random small problems as text: every connective, quantifiers, conditional effects, derived predicates.

/// A small generator of pseudo-random numbers (splitmix64), the same on every machine.
pub(crate) struct Dice(u64);

impl Dice {
    /// A number below the bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }
}

/// A domain and a problem, with a random goal unless one is given.
pub(crate) fn random_problem(seed: u64, goal: Option<&str>) -> (String, String) {
    let mut dice = Dice(seed);
    let derived = dice.below(3) == 0;
    let mut domain = String::from(
        "(define (domain d) (:requirements :adl :derived-predicates) (:types s t) (:constants k - t)
         (:predicates (f) (g ?x - t) (h ?x - t ?y - t) (i ?x - (either s t)) (j ?x - t ?y - t) (above ?x - t) (apart ?x - t))",
    );
    if derived {
        domain += "(:derived (above ?x - t) (or (g ?x) (exists (?y - t) (and (above ?y) (j ?y ?x)))))
                   (:derived (apart ?x - t) (and (not (above ?x)) (forall (?y - t) (or (j ?x ?y) (i ?y)))))";
    }
    for action in 0..2 + dice.below(3) {
        let mut scope = vec!["k"];
        let parameters = match dice.below(3) {
            0 => "",
            1 => "?a - t",
            _ => "?a - t ?b - t",
        };
        scope.extend(["?a", "?b"].iter().filter(|name| parameters.contains(*name)));
        let precondition = condition(&mut dice, &mut scope, 2, derived);
        let effects: Vec<String> =
            (0..1 + dice.below(3)).map(|_| effect(&mut dice, &mut scope, derived)).collect();
        domain += &format!(
            "(:action a{action} :parameters ({parameters}) :precondition {precondition} :effect (and {}))",
            effects.join(" ")
        );
    }
    domain += ")";
    let mut init = String::new();
    for atom in ["(f)", "(g k)", "(g x)", "(h k x)", "(h x k)", "(i u)", "(i k)"] {
        if dice.below(2) == 0 {
            init += atom;
        }
    }
    for atom in ["(j k x)", "(j x k)", "(j x x)"] {
        if dice.below(2) == 0 {
            init += atom;
        }
    }
    let random = condition(&mut dice, &mut vec!["k", "x"], 2, derived);
    let other = condition(&mut dice, &mut vec!["k", "x"], 1, derived);
    let goal = match goal {
        Some(given) => given.to_owned(),
        None => format!("(and {random} {other})"),
    };
    let problem =
        format!("(define (problem p) (:domain d) (:objects x - t u - s) (:init {init}) (:goal {goal}))");
    (domain, problem)
}

/// A domain and a problem about things in places: groups, their negated values, things that move together.
/// The goal is random unless one is given.
pub(crate) fn random_transport(seed: u64, goal: Option<&str>) -> (String, String) {
    let mut dice = Dice(seed);
    let needs = [
        "(at ?o ?l)",
        "(at ?o ?l)",
        "(at ?o ?l)",
        "(clear ?m)",
        "(link ?l ?m)",
        "(not (at ?o ?m))",
        "(not (in ?o))",
        "(in ?o)",
        "(forall (?q - thing) (not (at ?q ?m)))",
        "(exists (?q - thing) (and (in ?q) (at ?q ?l)))",
    ];
    let changes = [
        "(not (at ?o ?l))",
        "(not (at ?o ?l))",
        "(at ?o ?m)",
        "(at ?o ?m)",
        "(not (clear ?m))",
        "(clear ?l)",
        "(in ?o)",
        "(not (in ?o))",
        "(when (in ?o) (not (at ?o ?l)))",
        "(when (not (in ?o)) (and (not (at ?o ?l)) (at ?o ?m)))",
        "(forall (?q - thing) (when (at ?q ?l) (and (not (at ?q ?l)) (at ?q ?m))))",
        "(when (at ?o ?l) (in ?o))",
        "(forall (?n - place) (not (at ?o ?n)))",
    ];
    let mut domain = String::from(
        "(define (domain d) (:requirements :adl) (:types thing place)
         (:predicates (at ?o - thing ?l - place) (clear ?l - place) (in ?o - thing) (link ?l ?m - place))",
    );
    for action in 0..1 + dice.below(3) {
        let pick = |dice: &mut Dice, items: &[&str], count: usize| -> String {
            let mut picked: Vec<&str> = (0..count).map(|_| items[dice.below(items.len())]).collect();
            picked.dedup();
            picked.join(" ")
        };
        let (few, some) = (1 + dice.below(3), 2 + dice.below(3));
        let (precondition, effect) = (pick(&mut dice, &needs, few), pick(&mut dice, &changes, some));
        domain += &format!(
            "(:action a{action} :parameters (?o - thing ?l - place ?m - place) :precondition (and {precondition}) :effect (and {effect}))"
        );
    }
    domain += ")";
    let mut init = String::new();
    for atom in
        ["(link a b)", "(link b c)", "(link c a)", "(link b a)", "(clear a)", "(clear b)", "(in x)", "(in y)"]
    {
        if dice.below(3) > 0 {
            init += atom;
        }
    }
    for thing in ["x", "y"] {
        init += &format!("(at {thing} {})", dice.pick(&["a", "b", "c"]));
    }
    let random =
        format!("(and (at x {}) (not (at y {})))", dice.pick(&["a", "b", "c"]), dice.pick(&["a", "b", "c"]));
    let goal = goal.unwrap_or(&random);
    let problem = format!(
        "(define (problem p) (:domain d) (:objects x y - thing a b c - place) (:init {init}) (:goal {goal}))"
    );
    (domain, problem)
}

fn atom(dice: &mut Dice, scope: &[&str], readable: &[&str]) -> String {
    let predicate = dice.pick(readable);
    match predicate {
        "f" => "(f)".to_owned(),
        "h" | "j" => format!("({predicate} {} {})", dice.pick(scope), dice.pick(scope)),
        _ => format!("({predicate} {})", dice.pick(scope)),
    }
}

fn condition(dice: &mut Dice, scope: &mut Vec<&'static str>, depth: usize, derived: bool) -> String {
    let readable: &[&str] =
        if derived { &["f", "g", "h", "i", "j", "above", "apart"] } else { &["f", "g", "h", "i", "j"] };
    if depth == 0 {
        let text = atom(dice, scope, readable);
        return if dice.below(3) == 0 { format!("(not {text})") } else { text };
    }
    match dice.below(8) {
        0..=2 => {
            let parts: Vec<String> =
                (0..1 + dice.below(3)).map(|_| condition(dice, scope, depth - 1, derived)).collect();
            format!("(and {})", parts.join(" "))
        }
        3 => {
            let parts: Vec<String> =
                (0..2 + dice.below(2)).map(|_| condition(dice, scope, depth - 1, derived)).collect();
            format!("(or {})", parts.join(" "))
        }
        4 => format!("(not {})", condition(dice, scope, depth - 1, derived)),
        5 | 6 => {
            let name = ["?v", "?w"][depth - 1];
            scope.push(name);
            let inner = condition(dice, scope, depth - 1, derived);
            scope.pop();
            format!("({} ({name} - t) {inner})", dice.pick(&["exists", "forall"]))
        }
        _ => format!("(= {} {})", dice.pick(scope), dice.pick(scope)),
    }
}

fn effect(dice: &mut Dice, scope: &mut Vec<&'static str>, derived: bool) -> String {
    match dice.below(5) {
        0 => {
            scope.push("?e");
            let inner = effect(dice, scope, derived);
            scope.pop();
            format!("(forall (?e - t) {inner})")
        }
        1 => {
            let when = condition(dice, scope, 1, derived);
            let then = change(dice, scope);
            let also = change(dice, scope);
            format!("(when {when} (and {then} {also}))")
        }
        _ => change(dice, scope),
    }
}

fn change(dice: &mut Dice, scope: &[&str]) -> String {
    let text = atom(dice, scope, &["f", "g", "h", "i"]);
    if dice.below(2) == 0 { format!("(not {text})") } else { text }
}
