"""Changes of numbers that meet where parameters are the same object: as in unified-planning's own simulator."""

from __future__ import annotations

from itertools import product

import pytest

up = pytest.importorskip("unified_planning")
import unified_planning.shortcuts as shortcuts  # noqa: E402
from unified_planning.engines import PlanGenerationResultStatus as Status  # noqa: E402
from unified_planning.engines import UPSequentialSimulator  # noqa: E402
from up_counterplay.coinciding import DistinctNumbers  # noqa: E402

shortcuts.get_environment().credits_stream = None


def problem(first: str, second: str, goal: tuple[int, int]) -> "up.model.Problem":
    """Two counters and an action that changes the counters of both of its parameters."""
    thing = shortcuts.UserType("Thing")
    made = shortcuts.Problem(f"{first}-{second}")
    count = made.add_fluent("count", shortcuts.IntType(0, 9), default_initial_value=0, of=thing)
    made.add_objects([shortcuts.Object("x", thing), shortcuts.Object("y", thing)])
    action = shortcuts.InstantaneousAction("change", one=thing, two=thing)
    one, two = count(action.parameter("one")), count(action.parameter("two"))
    for fluent, kind in ((one, first), (two, second)):
        if kind == "to 2":
            action.add_effect(fluent, 2)
        elif kind == "more by 1":
            action.add_effect(fluent, shortcuts.Plus(fluent, 1))
        elif kind == "by 1":
            action.add_increase_effect(fluent, 1)
        else:
            action.add_increase_effect(fluent, 2)
    made.add_action(action)
    for name, value in zip("xy", goal):
        made.add_goal(shortcuts.Equals(count(made.object(name)), value))
    return made


def fewest_steps(given: "up.model.Problem") -> "int | None":
    """By trying everything in the simulator of unified-planning."""
    instances = list(product(given.actions, given.all_objects, given.all_objects))
    with UPSequentialSimulator(given) as simulator:
        layer, seen, steps = [simulator.get_initial_state()], set(), 0
        while layer:
            if any(simulator.is_goal(state) for state in layer):
                return steps
            following = []
            for state in layer:
                for action, one, two in instances:
                    try:
                        state_after = simulator.apply(state, action, (one, two))
                    except up.exceptions.UPInvalidActionError:
                        continue
                    if state_after is not None:
                        key = tuple(str(state_after.get_value(expression)) for expression in given.initial_values)
                        if key not in seen:
                            seen.add(key)
                            following.append(state_after)
            layer, steps = following, steps + 1
    return None


KINDS = ["to 2", "more by 1", "by 1", "by 2"]


@pytest.mark.parametrize("first, second", list(product(KINDS, KINDS)))
def test_plans_are_those_of_the_simulator(first: str, second: str) -> None:
    for goal in ((2, 2), (3, 0), (1, 2), (4, 1)):
        given = problem(first, second, goal)
        given.add_quality_metric(shortcuts.MinimizeSequentialPlanLength())
        with shortcuts.OneshotPlanner(name="counterplay-opt") as planner:
            result = planner.solve(given, timeout=30)
        wanted = fewest_steps(given)
        if wanted is None:
            assert result.status == Status.UNSOLVABLE_PROVEN, (goal, result)
        else:
            assert result.status == Status.SOLVED_OPTIMALLY, (goal, result)
            assert len(result.plan.actions) == wanted, (goal, result.plan)


def test_the_ways_to_coincide() -> None:
    """All different keeps its name; types that share no object do not coincide."""
    made = DistinctNumbers(problem("by 1", "by 1", (1, 1)))
    assert [(action.name, len(action.parameters)) for action in made.problem.actions] == [("change", 2), ("change_same", 1)]
