"""The engines on unified-planning's own problems: each is solved, proved unsolvable, or declined."""

from __future__ import annotations

from fractions import Fraction

import pytest

up = pytest.importorskip("unified_planning")
import unified_planning.shortcuts as shortcuts  # noqa: E402
from unified_planning.engines import PlanGenerationResultStatus as Status  # noqa: E402
from unified_planning.engines import ValidationResultStatus  # noqa: E402
from unified_planning.engines.mixins.oneshot_planner import OptimalityGuarantee  # noqa: E402
from unified_planning.model.metrics import MinimizeActionCosts, Oversubscription  # noqa: E402
from unified_planning.test.examples import get_example_problems  # noqa: E402

shortcuts.get_environment().credits_stream = None
PROBLEMS = get_example_problems()
POSITIVE = (Status.SOLVED_OPTIMALLY, Status.SOLVED_SATISFICING)


def test_the_engines_are_there_without_an_import_of_ours() -> None:
    names = shortcuts.get_environment().factory.engines
    assert {"counterplay", "counterplay-opt"} <= set(names)


FACTORY = shortcuts.get_environment().factory
TAKEN = [
    (name, engine)
    for name, example in sorted(PROBLEMS.items())
    for engine in ("counterplay", "counterplay-opt")
    if FACTORY.engine(engine).supports(example.problem.kind)
]


@pytest.mark.parametrize("name, engine", TAKEN)
def test_own_problems_of_unified_planning(name: str, engine: str) -> None:
    example = PROBLEMS[name]
    with shortcuts.OneshotPlanner(name=engine) as planner:
        result = planner.solve(example.problem, timeout=60)
    if not example.solvable:
        assert result.status == Status.UNSOLVABLE_PROVEN, result
        return
    assert result.status in POSITIVE, result
    assert result.plan is not None
    if example.problem.kind.has_hierarchical():
        with shortcuts.PlanValidator(name="counterplay") as validator:
            assert validator.validate(example.problem, result.plan).status == ValidationResultStatus.VALID
        return
    # Their validator and ours agree.
    for judge in ("sequential_plan_validator", "counterplay"):
        with shortcuts.PlanValidator(name=judge) as validator:
            if validator.supports(example.problem.kind):
                assert validator.validate(example.problem, result.plan).status == ValidationResultStatus.VALID, judge


def test_what_is_declined() -> None:
    """Time, schedules, processes, and whole numbers without bounds as parameters."""
    taken = {name for name, engine in TAKEN if engine == "counterplay"}
    print(f"{len(taken)} of {len(PROBLEMS)} problems of unified-planning are taken")
    assert len(taken) >= 44
    reasons = {"CONTINUOUS_TIME", "DISCRETE_TIME", "PROCESSES", "SCHEDULING", "UNBOUNDED_INT_ACTION_PARAMETERS"}
    for name in set(PROBLEMS) - taken:
        assert PROBLEMS[name].problem.kind.features & reasons, name


def test_guarantees_are_true() -> None:
    factory = shortcuts.get_environment().factory
    plain, optimal = factory.engine("counterplay"), factory.engine("counterplay-opt")
    assert optimal.satisfies(OptimalityGuarantee.SOLVED_OPTIMALLY)
    assert plain.satisfies(OptimalityGuarantee.SATISFICING)
    assert not plain.satisfies(OptimalityGuarantee.SOLVED_OPTIMALLY)
    hierarchical = next(one.problem for one in PROBLEMS.values() if one.problem.kind.has_hierarchical())
    assert not optimal.supports(hierarchical.kind)


def switches() -> "up.model.Problem":
    """Three lamps; the third costs more than the other two."""
    problem = shortcuts.Problem("switches")
    costs = {}
    for number in range(3):
        lit = problem.add_fluent(f"lit{number}", default_initial_value=False)
        action = shortcuts.InstantaneousAction(f"switch{number}")
        action.add_effect(lit, True)
        problem.add_action(action)
        costs[action] = shortcuts.Int(1 + 4 * (number == 2))
    lamps = [problem.fluent(f"lit{number}") for number in range(3)]
    problem.add_goal(shortcuts.Or(lamps[2], shortcuts.And(lamps[0], lamps[1])))
    problem.add_quality_metric(MinimizeActionCosts(costs))
    return problem


def test_plans_of_least_cost() -> None:
    with shortcuts.OneshotPlanner(name="counterplay-opt") as planner:
        result = planner.solve(switches())
    assert result.status == Status.SOLVED_OPTIMALLY
    assert sorted(action.action.name for action in result.plan.actions) == ["switch0", "switch1"]


def test_oversubscription_takes_the_best_gain() -> None:
    problem = shortcuts.Problem("choice")
    here, there = (problem.add_fluent(name, default_initial_value=False) for name in ("here", "there"))
    for fluent, other in ((here, there), (there, here)):
        action = shortcuts.InstantaneousAction(f"go-{fluent.name}")
        action.add_precondition(shortcuts.Not(other))
        action.add_effect(fluent, True)
        problem.add_action(action)
    problem.add_quality_metric(Oversubscription({here(): 5, there(): Fraction(21, 4)}))
    with shortcuts.OneshotPlanner(name="counterplay-opt") as planner:
        assert planner.supports(problem.kind)
        result = planner.solve(problem)
    assert result.status == Status.SOLVED_OPTIMALLY, result
    assert [action.action.name for action in result.plan.actions] == ["go-there"]


def test_anytime_plans_get_better() -> None:
    with shortcuts.AnytimePlanner(name="counterplay") as planner:
        results = list(planner.get_solutions(switches(), timeout=20))
    assert results and results[-1].status == Status.SOLVED_OPTIMALLY


def test_one_shot_is_soon_and_need_not_be_optimal() -> None:
    with shortcuts.OneshotPlanner(name="counterplay") as planner:
        result = planner.solve(switches(), timeout=20)
    assert result.status in POSITIVE and result.plan is not None
    with shortcuts.OneshotPlanner(name="counterplay", params={"quality": "optimal"}) as planner:
        assert planner.solve(switches(), timeout=20).status == Status.SOLVED_OPTIMALLY


def test_numbers_without_a_range() -> None:
    """A plan within ranges is a plan; that it is optimal is not known, so a metric is refused."""
    problem = shortcuts.Problem("endless")
    left, right = (problem.add_fluent(name, shortcuts.IntType(), default_initial_value=0) for name in ("left", "right"))
    for name, by_left, by_right in (("near", 3, -1), ("far", -1, 2)):
        action = shortcuts.InstantaneousAction(name)
        action.add_increase_effect(left, by_left)
        action.add_increase_effect(right, by_right)
        problem.add_action(action)
    problem.add_goal(shortcuts.Equals(shortcuts.Plus(left, right), 7))
    for engine in ("counterplay", "counterplay-opt"):
        with shortcuts.OneshotPlanner(name=engine) as planner:
            result = planner.solve(problem, timeout=6)
        assert result.status == Status.SOLVED_SATISFICING and result.plan is not None, result
        with shortcuts.PlanValidator(name="sequential_plan_validator") as validator:
            assert validator.validate(problem, result.plan).status == ValidationResultStatus.VALID
    problem.add_quality_metric(up.model.metrics.MinimizeSequentialPlanLength())
    with shortcuts.OneshotPlanner(name="counterplay-opt") as planner:
        result = planner.solve(problem, timeout=6)
    assert result.status in (Status.UNSUPPORTED_PROBLEM, Status.TIMEOUT) and result.plan is None


def test_a_wrong_plan_is_invalid() -> None:
    problem = switches()
    plan = up.plans.SequentialPlan([up.plans.ActionInstance(problem.action("switch0"))])
    with shortcuts.PlanValidator(name="counterplay") as validator:
        assert validator.validate(problem, plan).status == ValidationResultStatus.INVALID


def test_a_timeout_is_a_status() -> None:
    with shortcuts.OneshotPlanner(name="counterplay-opt") as planner:
        assert planner.solve(switches(), timeout=0.0).status == Status.TIMEOUT
