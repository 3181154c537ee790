"""Fluents without an initial value.

Such a fluent may not be read before something is assigned to it. Each of them gets a companion that tells whether it has a value: an action needs
that of everything it reads, and an assignment sets it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from unified_planning.model import FNode, Fluent, InstantaneousAction, Problem
from unified_planning.model.fluent import get_all_fluent_exp
from unified_planning.plans import ActionInstance

from .finite import fresh_name
from .refusal import Untranslatable

FEATURES = {"UNDEFINED_INITIAL_NUMERIC", "UNDEFINED_INITIAL_SYMBOLIC"}
"""What is taken out here."""


class DefinedValues:
    """A problem in which every fluent has a value, with the same plans."""

    def __init__(self, given: Problem) -> None:
        self.given = given
        self.manager = given.environment.expression_manager
        self.problem: Problem = given.clone()
        self.companions: dict[Fluent, Fluent] = {}
        for expression in self._without_value():
            self._give_value(expression)
        self.problem.clear_actions()
        for action in given.actions:
            self.problem.add_action(self._action(action))
        self.problem.clear_goals()
        for goal in given.goals:
            self.problem.add_goal(goal)
            for known in self._known([(goal, ())]):
                self.problem.add_goal(known)
        self.problem.clear_quality_metrics()
        for metric in given.quality_metrics:
            self.problem.add_quality_metric(self._metric(metric))

    def map_back_action_instance(self, instance: ActionInstance) -> ActionInstance:
        """The action of the given problem that an action of the new one stands for."""
        return ActionInstance(self.given.action(instance.action.name), instance.actual_parameters)

    def _without_value(self) -> Iterator[FNode]:
        known = self.given.explicit_initial_values
        for fluent in self.given.fluents:
            if self.given.fluents_defaults.get(fluent) is None:
                for expression in get_all_fluent_exp(self.given, fluent):
                    if expression not in known:
                        yield expression

    def _give_value(self, expression: FNode) -> None:
        """Any value will do: it is never read."""
        fluent = expression.fluent()
        if fluent not in self.companions:
            name = fresh_name(self.problem, f"known_{fluent.name}")
            companion = Fluent(name, None, list(fluent.signature), self.given.environment)
            self.problem.add_fluent(companion, default_initial_value=True)
            self.companions[fluent] = companion
        of = fluent.type
        value: Any = False
        if of.is_int_type() or of.is_real_type():
            value = of.lower_bound if of.lower_bound is not None else (of.upper_bound if of.upper_bound is not None else 0)
        elif of.is_user_type():
            objects = list(self.problem.objects(of))
            if not objects:
                raise Untranslatable(f"there is no object that {fluent.name} could have as its value")
            value = objects[0]
        self.problem.set_initial_value(expression, value)
        self.problem.set_initial_value(self._companion(expression), False)

    def _companion(self, expression: FNode) -> FNode:
        return self.manager.FluentExp(self.companions[expression.fluent()], expression.args)

    def _known(self, read: Iterable[tuple[FNode, tuple[Any, ...]]]) -> list[FNode]:
        """That everything which is read has a value, for all values of the variables around it."""
        found: dict[FNode, None] = {}
        open_nodes = list(read)
        while open_nodes:
            node, variables = open_nodes.pop()
            if node.is_exists() or node.is_forall():
                variables = (*variables, *node.variables())
            open_nodes.extend((argument, variables) for argument in node.args)
            if node.is_fluent_exp() and node.fluent() in self.companions:
                known = self._companion(node)
                found[self.manager.Forall(known, *variables) if variables else known] = None
        return list(found)

    def _action(self, action: Any) -> Any:
        if not isinstance(action, InstantaneousAction):
            raise Untranslatable(f"{action.name} is no action without time")
        copy = action.clone()
        copy.clear_preconditions()
        copy.clear_effects()
        read: list[tuple[FNode, tuple[Any, ...]]] = [(condition, ()) for condition in action.preconditions]
        for effect in action.effects:
            parts = [effect.value, effect.condition, *effect.fluent.args]
            if effect.is_increase() or effect.is_decrease():
                parts.append(effect.fluent)
            read.extend((part, tuple(effect.forall)) for part in parts)
        for condition in [*action.preconditions, *self._known(read)]:
            copy.add_precondition(condition)
        for effect in action.effects:
            copy._add_effect_instance(effect.clone())
            if effect.fluent.fluent() in self.companions and effect.is_assignment():
                copy.add_effect(self._companion(effect.fluent), True, effect.condition, forall=effect.forall)
        return copy

    def _metric(self, metric: Any) -> Any:
        if metric.is_minimize_action_costs():
            if self._known((cost, ()) for cost in metric.costs.values() if cost is not None):
                raise Untranslatable("a cost may read a fluent without a value")
            costs = {self.problem.action(action.name): cost for action, cost in metric.costs.items()}
            return type(metric)(costs, metric.default, environment=self.given.environment)
        if not metric.is_minimize_sequential_plan_length():
            raise Untranslatable("the metric may read a fluent without a value")
        return metric
