"""Writes the notebooks of `python/notebooks` from their cells, without outputs, so that they stay short and comparable."""

from __future__ import annotations

import json
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "notebooks"

BOOKS: dict[str, list[str]] = {
    "1-plans": [
        "# Plans of least cost\n\nA domain and a problem in PDDL go in, a plan comes out, proved to be optimal and checked by code that shares nothing with the search.",
        '''import counterplay

domain = """(define (domain delivery) (:requirements :typing :action-costs)
  (:types place parcel)
  (:predicates (at ?p - parcel ?x - place) (here ?x - place) (road ?x ?y - place) (held ?p - parcel))
  (:functions (total-cost) - number (length ?x ?y - place) - number)
  (:action go :parameters (?x ?y - place) :precondition (and (here ?x) (road ?x ?y))
    :effect (and (not (here ?x)) (here ?y) (increase (total-cost) (length ?x ?y))))
  (:action take :parameters (?p - parcel ?x - place) :precondition (and (here ?x) (at ?p ?x))
    :effect (and (held ?p) (not (at ?p ?x)) (increase (total-cost) 1)))
  (:action leave :parameters (?p - parcel ?x - place) :precondition (and (here ?x) (held ?p))
    :effect (and (at ?p ?x) (not (held ?p)) (increase (total-cost) 1))))"""
problem = """(define (problem two) (:domain delivery) (:objects a b c d - place p q - parcel)
  (:init (here a) (at p b) (at q c) (= (total-cost) 0)
    (road a b) (road b a) (road b c) (road c b) (road c d) (road d c) (road a d) (road d a)
    (= (length a b) 2) (= (length b a) 2) (= (length b c) 3) (= (length c b) 3)
    (= (length c d) 1) (= (length d c) 1) (= (length a d) 9) (= (length d a) 9))
  (:goal (and (at p d) (at q a))) (:metric minimize (total-cost)))"""
answer = counterplay.solve(domain, problem)
answer''',
        "An answer is an object with typed fields; `to_dict()` and `to_json()` give what the command prints with `--json`.",
        "answer.verdict, answer.cost, answer.evidence",
        "The check is a call of its own, also for plans of other planners.",
        'counterplay.check(domain, problem, answer.plan).valid, counterplay.check(domain, problem, answer.plan[:-1]).why',
        "Limits are answers too: the best plan so far, and what is proved about the cost.",
        'counterplay.solve(domain, problem, time_limit="0s").why',
    ],
    "2-net-benefit": [
        "# Net benefit: which wishes are worth what they cost?",
        '''import counterplay

domain = """(define (domain trip) (:requirements :typing :preferences :action-costs) (:types town)
  (:predicates (seen ?t - town) (in ?t - town) (way ?a ?b - town)) (:functions (total-cost) - number (fare ?a ?b - town) - number)
  (:action travel :parameters (?a ?b - town) :precondition (and (in ?a) (way ?a ?b))
    :effect (and (not (in ?a)) (in ?b) (seen ?b) (increase (total-cost) (fare ?a ?b)))))"""
problem = """(define (problem weekend) (:domain trip) (:objects home lake hill fair - town)
  (:init (in home) (= (total-cost) 0) (way home lake) (way lake home) (way home hill) (way hill home) (way hill fair) (way fair hill)
    (= (fare home lake) 3) (= (fare lake home) 3) (= (fare home hill) 2) (= (fare hill home) 2) (= (fare hill fair) 6) (= (fare fair hill) 6))
  (:goal (and (in home) (preference lake (seen lake)) (preference hill (seen hill)) (preference fair (seen fair))))
  (:metric minimize (+ (total-cost) (* 8 (is-violated lake)) (* 3 (is-violated hill)) (* 10 (is-violated fair)))))"""
answer = counterplay.solve(domain, problem)
answer''',
        "[(wish.name, wish.held, wish.weight) for wish in answer.preferences], answer.metric",
    ],
    "3-policies": [
        "# Policies: nature picks the outcome\n\nA hunter on a grid, and prey that takes its steps.",
        'import counterplay\n\nmade = counterplay.generate("hunter-prey", edge=3, prey=1)\nanswer = counterplay.solve(made.domain, made.problem, picture=True)\nanswer',
        "[(rule.if_, rule.do) for rule in answer.policy][:3], answer.class_",
        "The policy acts in a simulated world.",
        'run = counterplay.act(made.domain, made.problem, answer.form("file"), seed=1)\nrun.end, run.actions',
    ],
    "4-task-networks": [
        "# Task networks: know-how as methods",
        '''import counterplay

domain = """(define (domain errands) (:requirements :typing :hierarchy)
  (:types place thing)
  (:predicates (at ?p - place) (road ?p ?q - place) (sells ?p - place ?t - thing) (have ?t - thing))
  (:task fetch :parameters (?t - thing))
  (:task get-to :parameters (?p - place))
  (:method by-shop :parameters (?t - thing ?p - place) :task (fetch ?t) :precondition (sells ?p ?t)
    :ordered-subtasks (and (get-to ?p) (buy ?t ?p)))
  (:method there :parameters (?p - place) :task (get-to ?p) :precondition (at ?p) :ordered-subtasks ())
  (:method on-foot :parameters (?p ?q ?r - place) :task (get-to ?r) :precondition (and (at ?p) (road ?p ?q) (not (at ?r)))
    :ordered-subtasks (and (go ?p ?q) (get-to ?r)))
  (:action go :parameters (?p ?q - place) :precondition (and (at ?p) (road ?p ?q)) :effect (and (not (at ?p)) (at ?q)))
  (:action buy :parameters (?t - thing ?p - place) :precondition (and (at ?p) (sells ?p ?t)) :effect (have ?t)))"""
problem = """(define (problem morning) (:domain errands) (:objects home square shop baker - place milk bread - thing)
  (:htn :parameters () :ordered-subtasks (and (fetch milk) (fetch bread) (get-to home)))
  (:init (at home) (road home square) (road square home) (road square shop) (road shop square) (road square baker) (road baker square)
    (sells shop milk) (sells baker bread)))"""
answer = counterplay.solve(domain, problem, picture=True, time_limit=30)
answer''',
        "answer.verdict, answer.optimal, answer.plan",
        'print(answer.form("file"))\nbool(counterplay.check(domain, problem, answer.form("file")))',
    ],
    "5-games": [
        "# General games: rules in, values and players out",
        '''import counterplay

rules = """(role first) (role second) (init (heap 7)) (init (control first))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
(<= (legal ?p (take 1)) (true (control ?p)) (true (heap ?n)) (succ ?m ?n))
(<= (legal ?p (take 2)) (true (control ?p)) (true (heap ?n)) (succ ?m ?n) (succ ?l ?m))
(<= (legal first noop) (true (control second))) (<= (legal second noop) (true (control first)))
(<= (next (control first)) (true (control second))) (<= (next (control second)) (true (control first)))
(<= (next (heap ?m)) (does ?p (take 1)) (true (heap ?n)) (succ ?m ?n))
(<= (next (heap ?l)) (does ?p (take 2)) (true (heap ?n)) (succ ?m ?n) (succ ?l ?m))
(<= terminal (true (heap 0)))
(<= (goal first 100) (true (heap 0)) (true (control second))) (<= (goal first 0) (true (heap 0)) (true (control first)))
(<= (goal second 100) (true (heap 0)) (true (control first))) (<= (goal second 0) (true (heap 0)) (true (control second)))"""
game = counterplay.Game(rules)
answer = game.solve(from_="")
print(answer)''',
        "A match between a function and a player of ours.",
        '''def greedy(turn):
    return turn.legal[-1]

record = game.match([greedy, "hybrid"], start_clock=1, play_clock=1)
record.players, record.moves, record.rewards''',
        "Positions show their cells as a board. Here x plays at random against a player of ours.",
        '''tic_tac_toe = counterplay.Game("""(role x) (role o) (line 1) (line 2) (line 3) (init (control x))
(<= (legal ?p (mark ?c ?r)) (true (control ?p)) (empty ?c ?r))
(<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))
(<= (next (cell ?c ?r ?p)) (does ?p (mark ?c ?r))) (<= (next (cell ?c ?r ?p)) (true (cell ?c ?r ?p)))
(<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
(<= (empty ?c ?r) (line ?c) (line ?r) (not (true (cell ?c ?r x))) (not (true (cell ?c ?r o)))) (<= open (empty ?c ?r))
(<= (three ?p) (true (cell ?c 1 ?p)) (true (cell ?c 2 ?p)) (true (cell ?c 3 ?p)))
(<= (three ?p) (true (cell 1 ?r ?p)) (true (cell 2 ?r ?p)) (true (cell 3 ?r ?p)))
(<= (three ?p) (true (cell 1 1 ?p)) (true (cell 2 2 ?p)) (true (cell 3 3 ?p)))
(<= (three ?p) (true (cell 1 3 ?p)) (true (cell 2 2 ?p)) (true (cell 3 1 ?p)))
(<= terminal (three ?p)) (<= terminal (not open))
(<= (goal ?p 100) (role ?p) (three ?p)) (<= (goal ?p 0) (role ?p) (three ?q) (distinct ?p ?q))
(<= (goal ?p 50) (role ?p) (not (three x)) (not (three o)))""")
record = tic_tac_toe.match(["random", "hybrid"], start_clock=1, play_clock=1)
tic_tac_toe.position(record.moves)''',
        "A strategy is a file of its own, which is checked by the plain reading of the rules.",
        '''strategy = tic_tac_toe.solve(strategy=True).form("strategy")
print(strategy[:200])
print(tic_tac_toe.check_strategy(strategy))''',
    ],
    "6-kriegspiel": [
        "# Kriegspiel: an opponent you cannot see",
        'from counterplay import kriegspiel\n\nbelief = kriegspiel.Belief(["4/p3/1PBk/QK1n w - - 0 1", "1k1b/p3/1PB1/QK2 w - - 0 1", "1k2/2p1/1PBp/QK2 w - - 0 1"])\nbelief',
        "Is there a plan that mates in all of these positions?",
        "answer = belief.solve(3, proof=True)\nprint(answer)",
        "from IPython.display import SVG\n\nSVG(kriegspiel.proof_tree(belief, 3))",
    ],
    "7-bridge": [
        "# Bridge: opponents with hidden cards",
        "from counterplay import bridge\n\nboard = bridge.deal(count=1, seed=4)\nboard[0]",
        'print(bridge.suit("KJ74", "A2"))',
        'plan = bridge.plan(board.pbn, layouts=20, samples=0)[0]\nprint(plan.card, plan.explanation)',
        'print(bridge.play(board.pbn, declarer="rules")[0])',
    ],
    "8-go": [
        "# Go: life and death",
        'from counterplay import go\n\nanswer = go.solve("(;SZ[7]PL[B]AW[ab][bb][cb][db][da]AB[ac][bc][cc][dc][ec][eb][ea]MA[bb])")\nprint(answer)\nanswer',
    ],
    "9-dilemma": [
        "# Repeated games: an agent you can learn to predict",
        'from counterplay import dilemma\n\nanswer = dilemma.tournament(["DBS", "TitForTat", "Defector", "Grudger", "Random"], turns=50, noise=0.1, repetitions=3, matrices=True)\nanswer',
        'from IPython.display import SVG\n\nSVG(answer.form("heat_map"))',
        "A player of your own is a function that makes a player for each match.",
        'careful = dilemma.history_player(lambda own, other: "D" if other.endswith("DD") else "C")\n[(rank.strategy, round(rank.mean, 1)) for rank in dilemma.tournament(["DBS", "Defector"], own={"careful": careful}, turns=50, noise=0.1).ranking]',
    ],
    "10-hidden-states": [
        "# Hidden states: a plan that looks before it acts\n\nWhich illness it is, is not known; the wrong medicine harms. The plan branches on what is observed.",
        '''import counterplay

domain = """(define (domain medicine) (:requirements :strips :typing :conditional-effects :contingent) (:types illness)
  (:predicates (ill ?i - illness) (stained) (shows ?i - illness) (harmed) (well))
  (:action stain :parameters () :effect (and (stained) (forall (?i - illness) (when (ill ?i) (shows ?i)))))
  (:action inspect :parameters (?i - illness) :precondition (stained) :observe (shows ?i))
  (:action medicate :parameters (?i - illness) :precondition (not (harmed))
    :effect (and (when (ill ?i) (and (well) (not (ill ?i)))) (when (not (ill ?i)) (harmed)))))"""
problem = """(define (problem three) (:domain medicine) (:objects flu measles mumps - illness)
  (:init (oneof (ill flu) (ill measles) (ill mumps))) (:goal (and (well) (not (harmed)))))"""
answer = counterplay.solve(domain, problem, picture=True)
answer''',
        "print(answer.form('file'))\nanswer.kind, answer.class_, answer.evidence",
        "The check follows every state that is possible.",
        "bool(counterplay.check(domain, problem, answer.form('file')))",
    ],
    "11-decision-processes": [
        "# Decision processes: nature picks by known odds\n\nTwo agents meet in a hallway. Moving right gets us past with probability 3/4.",
        '''import counterplay

hallway = """(mdp hallway (initial face-to-face) (goal passed)
  (action face-to-face move-right (cost 1) (3/4 free) (1/4 blocked))
  (action face-to-face give-up (cost 0) gave-up)
  (action free walk-on (cost 1) passed)
  (action blocked step-back (cost 1) face-to-face)
  (action blocked give-up (cost 0) gave-up))"""
answer = counterplay.mdp(hallway, objective="min-cost")
answer''',
        "The value is an exact fraction.",
        "answer.exact, answer.value, answer.evidence",
        "With another objective the best policy is another one.",
        'print(counterplay.mdp(hallway, objective="horizon", horizon=3))',
    ],
}


def notebook(cells: list[str]) -> str:
    made = []
    for number, text in enumerate(cells):
        is_text = text.startswith("# ") or (text[0].isupper() and text.rstrip().endswith((".", "?", ":")) and "\n" not in text.strip())
        cell = {"cell_type": "markdown" if is_text else "code", "id": f"cell-{number}", "metadata": {}, "source": text.splitlines(keepends=True)}
        if not is_text:
            cell.update({"execution_count": None, "outputs": []})
        made.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    book = {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    TARGET.mkdir(exist_ok=True)
    for name, cells in BOOKS.items():
        (TARGET / f"{name}.ipynb").write_text(notebook(cells))
