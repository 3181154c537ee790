"""Numbers without a finite range.

The searches need finitely many values. A problem whose numbers may grow without end is searched within a range around its constants, which is widened
until there is a plan: a plan that stays within a range is a plan. That there is none within a range proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Optional

import counterplay
from unified_planning.model import FNode, Problem

_CODES = {"ground::too-many-combinations", "ground::unbounded-number"}

WIDTHS = (4, 40, 400)
"""Ranges reach so many times as far from zero as the largest constant."""


def is_without_range(refused: counterplay.InputError) -> bool:
    """Whether a problem was refused since a number has no finite range, or one with too many values."""
    return any(finding.code in _CODES for finding in refused.findings)


def has_open_numbers(problem: Problem) -> bool:
    """Whether a number has a type without bounds."""
    types = [fluent.type for fluent in problem.fluents if fluent.type.is_int_type() or fluent.type.is_real_type()]
    return any(of.lower_bound is None or of.upper_bound is None for of in types)


def within_ranges(problem: Problem) -> Iterator[Problem]:
    """The problem with wider and wider ranges for its numbers. Ranges that it has itself are kept."""
    largest = max((abs(value) for value in _constants(problem)), default=Fraction(1))
    for width in WIDTHS:
        yield _within(problem, int(max(largest, Fraction(1)) * width) + 1)


def _constants(problem: Problem) -> Iterator[Fraction]:
    conditions: list[FNode] = [*problem.goals, *problem.initial_values.values()]
    for action in problem.actions:
        conditions.extend(action.preconditions)
        for effect in action.effects:
            conditions.extend((effect.value, effect.condition))
    while conditions:
        node = conditions.pop()
        conditions.extend(node.args)
        if node.is_int_constant() or node.is_real_constant():
            yield Fraction(node.constant_value())


def _bound(given: Optional[Any], ours: int) -> Any:
    return ours if given is None else given


def _within(problem: Problem, reach: int) -> Problem:
    """The same problem with bounded types for its numbers. Fluents are known by their names and types, so all expressions are made anew."""
    manager, types = problem.environment.expression_manager, problem.environment.type_manager
    new = {}
    for fluent in problem.fluents:
        of = fluent.type
        if of.is_int_type() or of.is_real_type():
            make = types.IntType if of.is_int_type() else types.RealType
            bounded = make(_bound(of.lower_bound, -reach), _bound(of.upper_bound, reach))
            new[fluent] = type(fluent)(fluent.name, bounded, list(fluent.signature), problem.environment)

    def rewrite(node: FNode) -> FNode:
        arguments = tuple(rewrite(one) for one in node.args)
        if node.is_fluent_exp() and node.fluent() in new:
            return manager.FluentExp(new[node.fluent()], arguments)
        return manager.create_node(node.node_type, arguments, node._content.payload)

    made = Problem(problem.name, problem.environment)
    made.add_objects(problem.all_objects)
    for fluent in problem.fluents:
        made.add_fluent(new.get(fluent, fluent))
    for expression, value in problem.initial_values.items():
        made.set_initial_value(rewrite(expression), value)
    for action in problem.actions:
        copy = action.clone()
        copy.clear_preconditions()
        copy.clear_effects()
        for condition in action.preconditions:
            copy.add_precondition(rewrite(condition))
        for effect in action.effects:
            add = copy.add_increase_effect if effect.is_increase() else copy.add_decrease_effect if effect.is_decrease() else copy.add_effect
            add(rewrite(effect.fluent), rewrite(effect.value), rewrite(effect.condition), forall=effect.forall)
        made.add_action(copy)
    for goal in problem.goals:
        made.add_goal(rewrite(goal))
    return made
