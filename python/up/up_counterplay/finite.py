"""Parameters that are truth values or numbers of a range.

PDDL has objects as parameters and nothing else. Here an action with such a parameter becomes one action for each value, and a fluent
becomes one fluent for each value, so that what is left has objects only.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, Optional

from unified_planning.model import FNode, Fluent, InstantaneousAction, Problem, SensingAction
from unified_planning.model.metrics import (
    MaximizeExpressionOnFinalState,
    MinimizeActionCosts,
    MinimizeExpressionOnFinalState,
    Oversubscription,
)
from unified_planning.plans import ActionInstance

from .refusal import Inapplicable, Untranslatable

FEATURES = {
    "BOOL_FLUENT_PARAMETERS",
    "BOUNDED_INT_FLUENT_PARAMETERS",
    "BOOL_ACTION_PARAMETERS",
    "BOUNDED_INT_ACTION_PARAMETERS",
}
"""What is taken out here."""

MOST_ACTIONS = 20_000
"""More actions than this are not written."""


class _Undefined(Exception):
    """A fluent with a number outside of its range."""


class FiniteParameters:
    """A problem without such parameters, and the way back from its actions."""

    def __init__(self, given: Problem) -> None:
        self.given = given
        self.environment = given.environment
        self.manager = given.environment.expression_manager
        self.fluents: dict[tuple[str, tuple[str, ...]], Fluent] = {}
        self.came_from: dict[str, tuple[Any, tuple[Optional[FNode], ...]]] = {}
        self.named: dict[tuple[str, tuple[str, ...]], str] = {}
        self.problem: Problem = type(given)(given.name, given.environment)
        self.problem.add_objects(given.all_objects)
        self._add_fluents()
        copies = self._add_actions()
        for goal in given.goals:
            self.problem.add_goal(self._condition(goal))
        for constraint in given.trajectory_constraints:
            self.problem.add_trajectory_constraint(self._condition(constraint))
        for metric in given.quality_metrics:
            self.problem.add_quality_metric(self._metric(metric, copies))

    def map_back_action_instance(self, instance: ActionInstance) -> ActionInstance:
        """The action of the given problem that an action of the new one stands for."""
        action, values = self.came_from[instance.action.name]
        left = iter(instance.actual_parameters)
        return ActionInstance(action, tuple(next(left) if value is None else value for value in values))

    def map_action_instance(self, instance: ActionInstance) -> ActionInstance:
        """The other way round. An action that can never be applied is no action of the new problem."""
        objects = [self._values(one.type) is None for one in instance.action.parameters]
        pairs = list(zip(objects, instance.actual_parameters))
        values = _key([None if is_object else value for is_object, value in pairs])
        name = self.named.get((instance.action.name, values))
        if name is None:
            raise Inapplicable(f"{instance} reads or writes what does not exist")
        left = tuple(value for is_object, value in pairs if is_object)
        return ActionInstance(self.problem.action(name), left)

    def _values(self, of: Any) -> Optional[list[FNode]]:
        """The values of a type that PDDL has no objects for; `None` for a type of objects."""
        if of.is_bool_type():
            return [self.manager.FALSE(), self.manager.TRUE()]
        if of.is_int_type() and of.lower_bound is not None and of.upper_bound is not None:
            return [self.manager.Int(value) for value in range(of.lower_bound, of.upper_bound + 1)]
        if of.is_user_type():
            return None
        raise Untranslatable(f"a parameter of the type {of} has no finite range")

    def _combinations(self, parameters: Sequence[Any]) -> Iterable[tuple[Optional[FNode], ...]]:
        """A value for each parameter that is no object, in all combinations."""
        choices: list[Sequence[Optional[FNode]]] = []
        for parameter in parameters:
            values = self._values(parameter.type)
            choices.append([None] if values is None else values)
        return product(*choices)

    def _add_fluents(self) -> None:
        for fluent in self.given.fluents:
            for values in self._combinations(fluent.signature):
                left = [one for one, value in zip(fluent.signature, values) if value is None]
                name = "_".join([fluent.name, *(str(value) for value in values if value is not None)])
                copy = Fluent(fresh_name(self.problem, name), fluent.type, left, self.environment)
                self.problem.add_fluent(copy)
                self.fluents[fluent.name, _key(values)] = copy
        for expression, value in self.given.initial_values.items():
            self.problem.set_initial_value(self._rewrite(expression, {}), self._rewrite(value, {}))

    def _add_actions(self) -> dict[Any, list[tuple[Any, Mapping[Any, FNode]]]]:
        copies: dict[Any, list[tuple[Any, Mapping[Any, FNode]]]] = {}
        for action in self.given.actions:
            for values in self._combinations(action.parameters):
                bound = {one: value for one, value in zip(action.parameters, values) if value is not None}
                name = "_".join([action.name, *(str(value) for value in values if value is not None)])
                name = fresh_name(self.problem, name)
                try:
                    copy = self._action(action, name, bound)
                except _Undefined:
                    # It reads or writes what does not exist, so it can never be applied.
                    continue
                self.problem.add_action(copy)
                self.came_from[name] = (action, values)
                self.named[action.name, _key(values)] = name
                copies.setdefault(action, []).append((copy, bound))
                if len(self.came_from) > MOST_ACTIONS:
                    raise Untranslatable(f"the numbers among the parameters make more than {MOST_ACTIONS} actions")
        return copies

    def _action(self, action: Any, name: str, bound: Mapping[Any, FNode]) -> Any:
        if not isinstance(action, InstantaneousAction):
            raise Untranslatable(f"{action.name} is no action without time")
        left = OrderedDict((one.name, one.type) for one in action.parameters if one not in bound)
        copy = type(action)(name, left, self.environment)
        inner: dict[Any, FNode] = dict(bound)
        inner.update({one: self.manager.ParameterExp(copy.parameter(one.name)) for one in action.parameters if one not in bound})
        for precondition in action.preconditions:
            for part in precondition.args if precondition.is_and() else [precondition]:
                copy.add_precondition(self._rewrite(part, inner, allow_undefined=True))
        for effect in action.effects:
            self._add_effect(copy, effect, inner)
        if isinstance(action, SensingAction):
            copy.add_observed_fluents([self._rewrite(one, inner, allow_undefined=True) for one in action.observed_fluents])
        if action.simulated_effect is not None:
            raise Untranslatable(f"the effect of {action.name} is a function")
        return copy

    def _add_effect(self, copy: Any, effect: Any, bound: Mapping[Any, FNode]) -> None:
        finite = [one for one in effect.forall if self._values(one.type) is not None]
        others = [one for one in effect.forall if one not in finite]
        for values in product(*(self._values(one.type) or [] for one in finite)):
            inner = {**bound, **dict(zip(finite, values))}
            condition = self._rewrite(effect.condition, inner)
            if condition.is_false():
                continue
            fluent = self._rewrite(effect.fluent, inner, allow_undefined=condition.is_true())
            value = self._rewrite(effect.value, inner)
            add = {True: copy.add_increase_effect, False: copy.add_effect}[effect.is_increase()]
            add = copy.add_decrease_effect if effect.is_decrease() else add
            add(fluent, value, condition, forall=others)

    def _metric(self, metric: Any, copies: Mapping[Any, list[tuple[Any, Mapping[Any, FNode]]]]) -> Any:
        if isinstance(metric, MinimizeActionCosts):
            costs = {}
            for action, made in copies.items():
                cost = metric.get_action_cost(action)
                for copy, bound in made:
                    if cost is not None:
                        own = {one: self.manager.ParameterExp(copy.parameter(one.name)) for one in action.parameters if one not in bound}
                        costs[copy] = self._rewrite(cost, {**bound, **own})
            return MinimizeActionCosts(costs, environment=self.environment)
        if isinstance(metric, Oversubscription):
            gains = {self._condition(goal): gain for goal, gain in metric.goals.items()}
            return Oversubscription(gains, environment=self.environment)
        if isinstance(metric, (MinimizeExpressionOnFinalState, MaximizeExpressionOnFinalState)):
            return type(metric)(self._condition(metric.expression), environment=self.environment)
        return metric

    def _condition(self, condition: FNode) -> FNode:
        return self._rewrite(condition, {})

    def _rewrite(self, node: FNode, bound: Mapping[Any, FNode], allow_undefined: bool = False) -> FNode:
        """An expression over the new fluents. `allow_undefined` is for places where a fluent that does not exist rules the action
        out; elsewhere it is not known what it would mean."""
        try:
            return self._inner(node, bound).simplify()
        except _Undefined as undefined:
            if allow_undefined:
                raise
            raise Untranslatable(str(undefined)) from None

    def _inner(self, node: FNode, bound: Mapping[Any, FNode]) -> FNode:
        if node.is_parameter_exp():
            return bound[node.parameter()]
        if node.is_variable_exp():
            return bound.get(node.variable(), node)
        if node.is_exists() or node.is_forall():
            return self._quantified(node, bound)
        arguments = [self._inner(one, bound) for one in node.args]
        if not node.is_fluent_exp():
            return self.manager.create_node(node.node_type, tuple(arguments), node._content.payload)
        return self._fluent(node, [one.simplify() for one in arguments])

    def _fluent(self, node: FNode, arguments: list[FNode]) -> FNode:
        values: list[Optional[FNode]] = []
        for parameter, argument in zip(node.fluent().signature, arguments):
            is_object = self._values(parameter.type) is None
            if not is_object and not argument.is_constant():
                raise Untranslatable(f"the number {argument} of {node.fluent().name} depends on the state")
            values.append(None if is_object else argument)
        fluent = self.fluents.get((node.fluent().name, _key(values)))
        if fluent is None:
            raise _Undefined(f"{node.fluent().name} is not defined for {', '.join(map(str, arguments))}")
        return self.manager.FluentExp(fluent, [one for one, value in zip(arguments, values) if value is None])

    def _quantified(self, node: FNode, bound: Mapping[Any, FNode]) -> FNode:
        variables = node.variables()
        finite = [one for one in variables if self._values(one.type) is not None]
        others = [one for one in variables if one not in finite]
        choices = product(*(self._values(one.type) or [] for one in finite))
        parts = [self._inner(node.arg(0), {**bound, **dict(zip(finite, values))}) for values in choices]
        joined = self.manager.Or(parts) if node.is_exists() else self.manager.And(parts)
        if not others:
            return joined
        return self.manager.Exists(joined, *others) if node.is_exists() else self.manager.Forall(joined, *others)


def fresh_name(problem: Problem, name: str) -> str:
    """The name, or one like it if the problem has it already."""
    while problem.has_name(name):
        name += "_"
    return name


def _key(values: Sequence[Optional[FNode]]) -> tuple[str, ...]:
    return tuple("" if value is None else str(value) for value in values)
