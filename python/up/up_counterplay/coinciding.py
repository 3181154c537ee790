"""Actions that change a number twice if two of their parameters are the same object.

The searches need to know which number an action changes. Here such an action becomes one action for each way in which these parameters may
coincide: in each of them it is known which changes meet. Changes by an amount add up, equal assignments are one, and any other two that meet rule
the action out, as in unified-planning's own simulator.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, Optional

from unified_planning.model import FNode, InstantaneousAction, Problem
from unified_planning.plans import ActionInstance

from .finite import fresh_name
from .refusal import Untranslatable

MOST_PARAMETERS = 5
"""More parameters than this that may coincide are not taken apart; five have 52 ways."""

Block = tuple[Any, ...]


def coinciding(action: Any) -> list[Any]:
    """The parameters that decide whether two changes of numbers meet."""
    numbers = [effect for effect in action.effects if not effect.fluent.type.is_bool_type() and not effect.fluent.type.is_user_type()]
    found: dict[Any, None] = {}
    for one, two in combinations(numbers, 2):
        if one.fluent.fluent() == two.fluent.fluent() and one.fluent != two.fluent:
            pairs = [(a, b) for a, b in zip(one.fluent.args, two.fluent.args) if a != b]
            if all(a.is_parameter_exp() and b.is_parameter_exp() for a, b in pairs):
                found.update({argument.parameter(): None for pair in pairs for argument in pair})
    return list(found)


class DistinctNumbers:
    """A problem in which every action knows which numbers it changes, with the same plans."""

    def __init__(self, given: Problem) -> None:
        self.given = given
        self.manager = given.environment.expression_manager
        self.problem: Problem = given.clone()
        self.problem.clear_actions()
        self.problem.clear_quality_metrics()
        self.came_from: dict[str, tuple[Any, list[int]]] = {}
        copies: dict[Any, list[tuple[Any, Mapping[Any, FNode]]]] = {}
        for action in given.actions:
            copies[action] = list(self._copies(action))
            for copy, _ in copies[action]:
                self.problem.add_action(copy)
        for metric in given.quality_metrics:
            self.problem.add_quality_metric(self._metric(metric, copies))

    def map_back_action_instance(self, instance: ActionInstance) -> ActionInstance:
        """The action of the given problem that an action of the new one stands for."""
        action, places = self.came_from[instance.action.name]
        return ActionInstance(action, tuple(instance.actual_parameters[place] for place in places))

    def _copies(self, action: Any) -> Iterator[tuple[Any, Mapping[Any, FNode]]]:
        deciding = coinciding(action)
        if deciding and not isinstance(action, InstantaneousAction):
            raise Untranslatable(f"{action.name} is no action without time")
        if len(deciding) > MOST_PARAMETERS:
            raise Untranslatable(f"{action.name} changes numbers of more than {MOST_PARAMETERS} parameters that may coincide")
        for blocks in _partitions(deciding):
            made = self._copy(action, blocks)
            if made is not None:
                yield made

    def _copy(self, action: Any, blocks: list[Block]) -> Optional[tuple[Any, Mapping[Any, FNode]]]:
        """The action where the parameters of a block are one object, and those of different blocks are not; `None` if there is no such."""
        first = {parameter: block[0] for block in blocks for parameter in block}
        kept = [one for one in action.parameters if first.get(one, one) == one]
        types = {}
        for one in kept:
            types[one] = _common_type([one.type, *(other.type for other, own in first.items() if own == one)])
            if types[one] is None:
                return None
        # The one in which all are different keeps the name.
        name = action.name if len(kept) == len(action.parameters) else fresh_name(self.given, f"{action.name}_same")
        while name in self.came_from:
            name += "_"
        copy = InstantaneousAction(name, OrderedDict((one.name, types[one]) for one in kept), self.given.environment)
        bound = {one: self.manager.ParameterExp(copy.parameter(first.get(one, one).name)) for one in action.parameters}
        for precondition in action.preconditions:
            copy.add_precondition(self._rewrite(precondition, bound))
        for one, two in combinations([block[0] for block in blocks], 2):
            copy.add_precondition(self.manager.Not(self.manager.Equals(bound[one], bound[two])))
        if not self._add_effects(action, copy, bound):
            return None
        if action.simulated_effect is not None:
            raise Untranslatable(f"the effect of {action.name} is a function")
        self.came_from[name] = (action, [kept.index(first.get(one, one)) for one in action.parameters])
        return copy, bound

    def _add_effects(self, action: Any, copy: Any, bound: Mapping[Any, FNode]) -> bool:
        """Adds the effects, those that meet as one; false if they cannot happen together."""
        groups: dict[Any, list[Any]] = {}
        for number, effect in enumerate(action.effects):
            fluent = self._rewrite(effect.fluent, bound)
            is_number = not fluent.type.is_bool_type() and not fluent.type.is_user_type()
            groups.setdefault(fluent if is_number else number, []).append(effect)
        for effects in groups.values():
            fluent = self._rewrite(effects[0].fluent, bound)
            values = [self._rewrite(effect.value, bound) for effect in effects]
            if len(effects) > 1 and any(effect.is_conditional() or effect.forall for effect in effects):
                raise Untranslatable(f"{action.name} changes {fluent} more than once, and under a condition")
            if effects[0].is_assignment():
                if not all(effect.is_assignment() for effect in effects) or any(other != values[0] for other in values):
                    return False
                copy.add_effect(fluent, values[0], self._rewrite(effects[0].condition, bound), forall=effects[0].forall)
                continue
            if any(effect.is_assignment() for effect in effects):
                return False
            if len(effects) > 1:
                signed = [value if effect.is_increase() else self.manager.Times(-1, value) for effect, value in zip(effects, values)]
                copy.add_increase_effect(fluent, self.manager.Plus(signed).simplify())
                continue
            add = copy.add_increase_effect if effects[0].is_increase() else copy.add_decrease_effect
            add(fluent, values[0], self._rewrite(effects[0].condition, bound), forall=effects[0].forall)
        return True

    def _metric(self, metric: Any, copies: Mapping[Any, list[tuple[Any, Mapping[Any, FNode]]]]) -> Any:
        if not metric.is_minimize_action_costs():
            return metric
        costs = {}
        for action, made in copies.items():
            cost = metric.get_action_cost(action)
            if cost is not None:
                costs.update({copy: self._rewrite(cost, bound) for copy, bound in made})
        return type(metric)(costs, environment=self.given.environment)

    def _rewrite(self, node: FNode, bound: Mapping[Any, FNode]) -> FNode:
        if node.is_parameter_exp():
            return bound[node.parameter()]
        arguments = tuple(self._rewrite(one, bound) for one in node.args)
        return self.manager.create_node(node.node_type, arguments, node._content.payload).simplify()


def _partitions(items: list[Any]) -> Iterator[list[Block]]:
    """All ways to put items into blocks; first that with a block for each."""
    if not items:
        yield []
        return
    *others, last = items
    for blocks in _partitions(others):
        yield [*blocks, (last,)]
        for place, block in enumerate(blocks):
            yield [*blocks[:place], (*block, last), *blocks[place + 1 :]]


def _common_type(types: list[Any]) -> Optional[Any]:
    """The narrowest of the types, if it is one of all; `None` if no object has all of them."""
    narrowest = types[0]
    for one in types[1:]:
        if narrowest in one.ancestors:
            narrowest = one
        elif one not in narrowest.ancestors:
            return None
    return narrowest
