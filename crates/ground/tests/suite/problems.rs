//! Small problems with known optimal costs, each for a feature or a trap.

/// A problem: name, domain, problem, and the cost of an optimal plan as text, or `None` if there is no plan.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) domain: &'static str,
    pub(crate) problem: &'static str,
    pub(crate) cost: Option<&'static str>,
}

/// All of them.
pub(crate) const CASES: &[Case] = &[
    Case {
        name: "two rooms and a ball (STRIPS, static types as predicates)",
        domain: "(define (domain d) (:predicates (room ?r) (ball ?b) (at-robby ?r) (at ?b ?r) (free) (carry ?b))
          (:action move :parameters (?f ?t) :precondition (and (room ?f) (room ?t) (at-robby ?f))
            :effect (and (at-robby ?t) (not (at-robby ?f))))
          (:action pick :parameters (?b ?r) :precondition (and (ball ?b) (room ?r) (at ?b ?r) (at-robby ?r) (free))
            :effect (and (carry ?b) (not (at ?b ?r)) (not (free))))
          (:action drop :parameters (?b ?r) :precondition (and (ball ?b) (room ?r) (carry ?b) (at-robby ?r))
            :effect (and (at ?b ?r) (free) (not (carry ?b)))))",
        problem: "(define (problem p) (:domain d) (:objects a b x y)
          (:init (room a) (room b) (ball x) (ball y) (at-robby a) (at x a) (at y a) (free))
          (:goal (and (at x b) (at y b))))",
        cost: Some("7"),
    },
    Case {
        name: "three blocks (one group for where a block is)",
        domain: "(define (domain d) (:requirements :typing) (:types block)
          (:predicates (on ?x ?y - block) (ontable ?x - block) (clear ?x - block) (empty) (holding ?x - block))
          (:action pick-up :parameters (?x - block) :precondition (and (clear ?x) (ontable ?x) (empty))
            :effect (and (not (ontable ?x)) (not (clear ?x)) (not (empty)) (holding ?x)))
          (:action put-down :parameters (?x - block) :precondition (holding ?x)
            :effect (and (not (holding ?x)) (clear ?x) (empty) (ontable ?x)))
          (:action stack :parameters (?x ?y - block) :precondition (and (holding ?x) (clear ?y))
            :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (empty) (on ?x ?y)))
          (:action unstack :parameters (?x ?y - block) :precondition (and (on ?x ?y) (clear ?x) (empty))
            :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (empty)) (not (on ?x ?y)))))",
        problem: "(define (problem p) (:domain d) (:objects a b c - block)
          (:init (on c a) (ontable a) (ontable b) (clear c) (clear b) (empty))
          (:goal (and (on a b) (on b c))))",
        cost: Some("6"),
    },
    Case {
        name: "a lift (universal conditional effects, one of them with a negation)",
        domain: "(define (domain d) (:requirements :adl) (:types person floor)
          (:predicates (origin ?p - person ?f - floor) (destin ?p - person ?f - floor) (boarded ?p - person)
            (served ?p - person) (lift-at ?f - floor))
          (:action stop :parameters (?f - floor) :precondition (lift-at ?f)
            :effect (and (forall (?p - person) (when (and (boarded ?p) (destin ?p ?f))
                (and (not (boarded ?p)) (served ?p))))
              (forall (?p - person) (when (and (origin ?p ?f) (not (served ?p))) (boarded ?p)))))
          (:action move :parameters (?f ?g - floor) :precondition (and (lift-at ?f) (not (= ?f ?g)))
            :effect (and (lift-at ?g) (not (lift-at ?f)))))",
        problem: "(define (problem p) (:domain d) (:objects p q - person f g h - floor)
          (:init (lift-at f) (origin p g) (destin p h) (origin q h) (destin q f))
          (:goal (forall (?p - person) (served ?p))))",
        cost: Some("6"),
    },
    Case {
        name: "orders (a universal precondition guarded by a static atom needs no axiom)",
        domain: "(define (domain d) (:requirements :adl) (:types order product)
          (:predicates (includes ?o - order ?p - product) (started ?o - order) (made ?p - product) (shipped ?o - order))
          (:action start :parameters (?o - order) :precondition (not (shipped ?o)) :effect (started ?o))
          (:action make :parameters (?p - product)
            :precondition (forall (?o - order) (imply (includes ?o ?p) (started ?o))) :effect (made ?p))
          (:action ship :parameters (?o - order)
            :precondition (and (started ?o) (forall (?p - product) (or (not (includes ?o ?p)) (made ?p))))
            :effect (and (shipped ?o) (not (started ?o)))))",
        problem: "(define (problem p) (:domain d) (:objects o1 o2 - order p1 p2 - product)
          (:init (includes o1 p1) (includes o1 p2) (includes o2 p2))
          (:goal (and (shipped o1) (shipped o2))))",
        cost: Some("6"),
    },
    Case {
        name: "lamps (a universal disjunction that is too large to split)",
        domain: "(define (domain d) (:requirements :adl) (:types lamp)
          (:predicates (red ?l - lamp) (green ?l - lamp) (open) (spent ?l - lamp) (near ?a ?b - lamp))
          (:action paint :parameters (?l - lamp) :precondition (not (spent ?l))
            :effect (and (spent ?l) (green ?l)))
          (:action enter :precondition (forall (?l - lamp) (or (red ?l) (green ?l)
              (exists (?m - lamp) (and (near ?l ?m) (green ?m))))) :effect (open)))",
        problem: "(define (problem p) (:domain d) (:objects a b c e f g h - lamp)
          (:init (near a b) (near b c) (near c e) (near e f) (near f g) (near g h) (near h a) (near a c) (near b a))
          (:goal (open)))",
        cost: Some("4"),
    },
    Case {
        name: "keys (existential precondition over fluents, constants, either)",
        domain: "(define (domain d) (:requirements :adl) (:types key card - object door room) (:constants hall - room)
          (:predicates (has ?k - (either key card)) (opens ?k - (either key card) ?d - door) (lies ?k - (either key card) ?r - room)
            (between ?r ?s - room ?d - door) (in ?r - room) (broken ?k - (either key card)))
          (:action take :parameters (?k - (either key card) ?r - room) :precondition (and (in ?r) (lies ?k ?r))
            :effect (and (has ?k) (not (lies ?k ?r))))
          (:action go :parameters (?r ?s - room ?d - door)
            :precondition (and (in ?r) (between ?r ?s ?d)
              (exists (?k - (either key card)) (and (has ?k) (opens ?k ?d) (not (broken ?k)))))
            :effect (and (in ?s) (not (in ?r)) (forall (?c - card) (when (has ?c) (broken ?c)))))
          (:action back :parameters (?r - room) :precondition (not (in hall))
            :effect (and (in hall) (when (not (= ?r hall)) (not (in ?r))))))",
        problem: "(define (problem p) (:domain d) (:objects k - key c - card d1 d2 - door r s - room)
          (:init (in hall) (lies k r) (lies c hall) (opens k d2) (opens c d1)
            (between hall r d1) (between hall s d2) (between r s d1))
          (:goal (in s)))",
        cost: Some("5"),
    },
    Case {
        name: "a maze with doors (derived predicates: closure, negation over it)",
        domain: "(define (domain d) (:requirements :adl :derived-predicates) (:types place)
          (:predicates (adj ?a ?b - place) (shut ?a - place) (at ?a - place) (reach ?a - place) (cut ?a - place) (lever ?a ?b - place))
          (:derived (reach ?a - place) (or (at ?a) (exists (?b - place) (and (reach ?b) (adj ?b ?a) (not (shut ?a))))))
          (:derived (cut ?a - place) (not (reach ?a)))
          (:action walk :parameters (?a ?b - place) :precondition (and (at ?a) (reach ?b) (not (= ?a ?b)))
            :effect (and (at ?b) (not (at ?a))))
          (:action pull :parameters (?a ?b - place) :precondition (and (at ?a) (lever ?a ?b) (cut ?b))
            :effect (and (not (shut ?b)) (when (not (shut ?a)) (shut ?a)))))",
        problem: "(define (problem p) (:domain d) (:objects a b c e - place)
          (:init (at a) (adj a b) (adj b a) (adj b c) (adj c b) (adj c e) (shut c) (shut e) (lever b c) (lever c e) (lever c b))
          (:goal (and (at e) (forall (?x - place) (or (cut ?x) (= ?x e))))))",
        cost: Some("5"),
    },
    Case {
        name: "safe places (recursion under a universal quantifier)",
        domain: "(define (domain d) (:requirements :adl :derived-predicates) (:types place)
          (:predicates (next ?a ?b - place) (fire ?a - place) (safe ?a - place) (at ?a - place))
          (:derived (safe ?a - place) (and (not (fire ?a)) (forall (?b - place) (imply (next ?a ?b) (safe ?b)))))
          (:action douse :parameters (?a - place) :precondition (and (at ?a) (fire ?a)) :effect (not (fire ?a)))
          (:action hop :parameters (?a ?b - place) :precondition (and (at ?a) (not (at ?b)))
            :effect (and (at ?b) (not (at ?a)))))",
        problem: "(define (problem p) (:domain d) (:objects a b c e - place)
          (:init (at a) (next a b) (next a c) (next b e) (fire b) (fire e))
          (:goal (safe a)))",
        cost: Some("4"),
    },
    Case {
        name: "hide and seek (negated values of a group)",
        domain: "(define (domain d) (:requirements :strips :negative-preconditions :typing) (:types place thing)
          (:predicates (at ?t - thing ?p - place) (seen ?p - place))
          (:action move :parameters (?t - thing ?a ?b - place) :precondition (at ?t ?a)
            :effect (and (not (at ?t ?a)) (at ?t ?b)))
          (:action look :parameters (?t ?u - thing ?p - place) :precondition (and (at ?t ?p) (not (at ?u ?p)))
            :effect (seen ?p)))",
        problem: "(define (problem p) (:domain d) (:objects x y - thing a b c e - place)
          (:init (at x a) (at y a)) (:goal (and (seen a) (seen c) (not (at x c)) (not (at y b)))))",
        cost: Some("3"),
    },
    Case {
        name: "switches (conditional effects that add and delete the same atom)",
        domain: "(define (domain d) (:requirements :adl) (:predicates (on ?x) (off-limits ?x) (linked ?x ?y))
          (:action flip :parameters (?x) :precondition (not (off-limits ?x))
            :effect (and (when (on ?x) (not (on ?x))) (when (not (on ?x)) (on ?x))
              (forall (?y) (when (and (linked ?x ?y) (on ?y)) (not (on ?y))))
              (forall (?y) (when (and (linked ?x ?y) (not (on ?y))) (on ?y)))))
          (:action renew :parameters (?x) :precondition (on ?x)
            :effect (and (not (on ?x)) (on ?x) (when (off-limits ?x) (not (off-limits ?x))))))",
        problem: "(define (problem p) (:domain d) (:objects a b c e)
          (:init (linked a b) (linked b c) (linked c e) (on e) (off-limits c))
          (:goal (and (on a) (on b) (on c) (not (on e)))))",
        cost: Some("5"),
    },
    Case {
        name: "tolls (fractions, zero, undefined and quantified costs)",
        domain: "(define (domain d) (:requirements :typing :action-costs :adl) (:types town)
          (:predicates (at ?t - town) (road ?a ?b - town) (paid ?t - town)) (:functions (total-cost) (toll ?a ?b - town) (fee ?a - town))
          (:action drive :parameters (?a ?b - town) :precondition (and (at ?a) (road ?a ?b))
            :effect (and (at ?b) (not (at ?a)) (increase (total-cost) (+ (toll ?a ?b) 0.25))))
          (:action fly :parameters (?a ?b - town) :precondition (at ?a)
            :effect (and (at ?b) (not (at ?a)) (forall (?t - town) (increase (total-cost) (fee ?t)))))
          (:action pay :parameters (?t - town) :precondition (at ?t) :effect (paid ?t)))",
        problem: "(define (problem p) (:domain d) (:objects a b c e - town)
          (:init (= (total-cost) 0) (at a) (road a b) (road b c) (road c e) (road a e) (= (toll a b) 1) (= (toll b c) 0.5) (= (toll c e) 2)
            (= (fee a) 1) (= (fee b) 1) (= (fee c) 0.125) (= (fee e) 1.75))
          (:goal (and (at e) (paid b))) (:metric minimize (total-cost)))",
        cost: Some("17/4"),
    },
    Case {
        name: "roads (a negated atom balances a group)",
        domain: "(define (domain d) (:requirements :adl) (:types town road)
          (:predicates (built ?r - road) (joins ?r - road ?a ?b - town) (at ?a - town))
          (:action build :parameters (?r - road ?a ?b - town) :precondition (and (not (built ?r)) (not (= ?a ?b)))
            :effect (and (built ?r) (joins ?r ?a ?b)))
          (:action raze :parameters (?r - road ?a ?b - town) :precondition (and (built ?r) (joins ?r ?a ?b))
            :effect (and (not (built ?r)) (not (joins ?r ?a ?b))))
          (:action walk :parameters (?r - road ?a ?b - town) :precondition (and (at ?a) (joins ?r ?a ?b))
            :effect (and (not (at ?a)) (at ?b))))",
        problem: "(define (problem p) (:domain d) (:objects a b c - town r - road) (:init (at a))
          (:goal (and (at c) (joins r a b))))",
        cost: Some("4"),
    },
    Case {
        name: "a box in a corridor (dead ends that backward search sees)",
        domain: "(define (domain d) (:requirements :typing) (:types cell)
          (:predicates (next ?a ?b - cell) (man ?a - cell) (box ?a - cell) (clear ?a - cell))
          (:action step :parameters (?a ?b - cell) :precondition (and (man ?a) (next ?a ?b) (clear ?b))
            :effect (and (man ?b) (not (man ?a)) (clear ?a) (not (clear ?b))))
          (:action push :parameters (?a ?b ?c - cell)
            :precondition (and (man ?a) (box ?b) (clear ?c) (next ?a ?b) (next ?b ?c))
            :effect (and (man ?b) (not (man ?a)) (clear ?a) (box ?c) (not (box ?b)) (not (clear ?c)))))",
        problem: "(define (problem p) (:domain d) (:objects a b c e f - cell)
          (:init (next a b) (next b c) (next c e) (next e f) (next b a) (next c b) (man b) (box c) (clear a) (clear e) (clear f))
          (:goal (and (box e) (man a))))",
        cost: Some("3"),
    },
    Case {
        name: "a fuse (a conditional effect that leads into a dead end)",
        domain: "(define (domain d) (:requirements :adl) (:predicates (alive) (armed) (there) (dark))
          (:action run :precondition (and) :effect (and (there) (when (armed) (not (alive)))))
          (:action disarm :precondition (alive) :effect (and (not (armed)) (dark)))
          (:action light :precondition (and (alive) (dark)) :effect (not (dark))))",
        problem: "(define (problem p) (:domain d) (:init (alive) (armed)) (:goal (and (alive) (there) (not (dark)))))",
        cost: Some("3"),
    },
    Case {
        name: "a disjunctive goal with quantifiers",
        domain: "(define (domain d) (:requirements :adl) (:types t) (:predicates (p ?x - t) (q ?x - t))
          (:action a :parameters (?x - t) :precondition (not (p ?x)) :effect (p ?x))
          (:action b :parameters (?x - t) :precondition (p ?x) :effect (and (q ?x) (not (p ?x)))))",
        problem: "(define (problem p) (:domain d) (:objects x y - t) (:init)
          (:goal (or (and (forall (?x - t) (q ?x)) (exists (?x - t) (p ?x)))
                     (not (exists (?x - t) (or (p ?x) (not (q ?x))))))))",
        cost: Some("4"),
    },
    Case {
        name: "a goal that holds",
        domain: "(define (domain d) (:predicates (p) (q)) (:action a :precondition (p) :effect (and (q) (not (p)))))",
        problem: "(define (problem p) (:domain d) (:init (p)) (:goal (p)))",
        cost: Some("0"),
    },
    Case {
        name: "a goal that nothing reaches",
        domain: "(define (domain d) (:predicates (p) (q) (r)) (:action a :precondition (p) :effect (and (q) (not (p)))))",
        problem: "(define (problem p) (:domain d) (:init (p)) (:goal (r)))",
        cost: None,
    },
    Case {
        name: "a goal that only the relaxation reaches",
        domain: "(define (domain d) (:predicates (p) (q)) (:action a :precondition (p) :effect (and (q) (not (p)))))",
        problem: "(define (problem p) (:domain d) (:init (p)) (:goal (and (p) (q))))",
        cost: None,
    },
    Case {
        name: "no objects of a type (empty quantifiers)",
        domain: "(define (domain d) (:requirements :adl) (:types t u) (:predicates (p ?x - t) (done) (ok))
          (:action a :precondition (forall (?x - u) (done)) :effect (ok))
          (:action b :precondition (exists (?x - u) (ok)) :effect (done))
          (:action c :precondition (and (ok) (not (exists (?x - u) (ok)))) :effect (and (done) (forall (?x - u) (not (ok))))))",
        problem: "(define (problem p) (:domain d) (:objects x - t) (:init) (:goal (and (done) (ok))))",
        cost: Some("2"),
    },
    Case {
        name: "equal parameters (equality joins, adding wins over deleting)",
        domain: "(define (domain d) (:requirements :adl) (:predicates (at ?x) (mark ?x ?y))
          (:action swap :parameters (?x ?y ?z) :precondition (and (at ?x) (= ?y ?z) (or (not (= ?x ?y)) (mark ?x ?z)))
            :effect (and (not (at ?x)) (at ?y) (mark ?z ?x) (when (= ?x ?z) (not (mark ?x ?x)))))
          (:action stay :parameters (?x) :precondition (at ?x) :effect (and (mark ?x ?x) (not (at ?x)) (at ?x))))",
        problem: "(define (problem p) (:domain d) (:objects a b c) (:init (at a))
          (:goal (and (at c) (mark c b) (mark b b) (not (mark a a)))))",
        cost: Some("3"),
    },
    Case {
        name: "seats (large conditions in effects, goal and rules)",
        domain: "(define (domain d) (:requirements :adl :derived-predicates) (:types seat)
          (:predicates (full ?s - seat) (lit ?s - seat) (loose ?s - seat) (happy) (calm) (odd))
          (:derived (calm) (forall (?s - seat) (or (full ?s) (lit ?s))))
          (:derived (odd) (and (not (calm)) (forall (?s - seat) (or (not (full ?s)) (lit ?s) (loose ?s)))))
          (:action turn :parameters (?s - seat) :precondition (loose ?s)
            :effect (and (when (full ?s) (not (full ?s))) (when (not (full ?s)) (full ?s))))
          (:action flash :precondition (not (happy)) :effect (forall (?s - seat) (when (not (full ?s)) (lit ?s))))
          (:action ask :precondition (or (calm) (odd))
            :effect (and (when (forall (?s - seat) (or (full ?s) (lit ?s))) (happy))
                         (when (not (forall (?s - seat) (or (not (full ?s)) (lit ?s)))) (not (happy))))))",
        problem: "(define (problem p) (:domain d) (:objects a b c e f g - seat)
          (:init (full a) (full c) (full f) (full g) (loose a) (loose b) (loose c))
          (:goal (and (happy) (forall (?s - seat) (or (not (lit ?s)) (not (full ?s)))) (lit a) (not (full b)))))",
        cost: Some("3"),
    },
    Case {
        name: "chains (existential variables that never meet)",
        domain: "(define (domain d) (:requirements :adl) (:types node)
          (:predicates (link ?a ?b - node) (on ?a - node) (won) (mid ?a - node))
          (:action light :parameters (?a - node) :precondition (not (won)) :effect (on ?a))
          (:action shift :parameters (?a - node) :precondition (and (on ?a) (exists (?b ?c - node) (and (link ?a ?b) (link ?b ?c) (on ?c))))
            :effect (and (mid ?a) (not (on ?a))))
          (:action win :precondition (exists (?a ?b ?c ?e - node) (and (mid ?a) (link ?b ?c) (on ?b) (on ?c) (link ?c ?e) (not (on ?e))))
            :effect (won)))",
        problem: "(define (problem p) (:domain d) (:objects a b c e - node)
          (:init (link a b) (link b c) (link c e) (link e a)) (:goal (won)))",
        cost: Some("5"),
    },
    Case {
        name: "twelve arguments",
        domain: "(define (domain d)
          (:predicates (in ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l) (out ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l))
          (:action act :parameters (?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l)
            :precondition (in ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l)
            :effect (and (out ?l ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?a) (not (in ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l)))))",
        problem: "(define (problem p) (:domain d) (:objects x y) (:init (in x x y x x y x x y x y y))
          (:goal (out y x y x x y x x y x y x)))",
        cost: Some("1"),
    },
];
