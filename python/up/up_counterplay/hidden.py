"""Problems with hidden fluents: how they are written, and plans that branch on what is seen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Optional

import unified_planning as up
from unified_planning.model import ContingentProblem, FNode, SensingAction
from unified_planning.plans import ActionInstance, ContingentPlan, ContingentPlanNode

from .refusal import Untranslatable

if TYPE_CHECKING:
    from .translate import Translation

FEATURES = {
    "ACTION_BASED",
    "CONTINGENT",
    "FLAT_TYPING",
    "HIERARCHICAL_TYPING",
    "NEGATIVE_CONDITIONS",
    "DISJUNCTIVE_CONDITIONS",
    "EQUALITIES",
    "EXISTENTIAL_CONDITIONS",
    "UNIVERSAL_CONDITIONS",
    "CONDITIONAL_EFFECTS",
    "FORALL_EFFECTS",
    "STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS",
    "FLUENTS_IN_BOOLEAN_ASSIGNMENTS",
    # Hidden fluents need no initial value.
    "UNDEFINED_INITIAL_SYMBOLIC",
}
"""What problems with hidden fluents may have."""


def _atoms(literals: Iterable[FNode]) -> Iterable[FNode]:
    return (one.arg(0) if one.is_not() else one for one in literals)


def without_hidden_values(problem: ContingentProblem) -> ContingentProblem:
    """The same problem, in which hidden fluents are false to begin with: what is known of them is written apart."""
    copy = problem.clone()
    for atom in _atoms(problem.hidden_fluents):
        copy.set_initial_value(atom, False)
    return copy


def constraints(problem: ContingentProblem, converter: Any) -> str:
    """What is known of the hidden fluents, as parts of `:init`."""
    parts = []
    for word, listed in (("or", problem.or_constraints), ("oneof", problem.oneof_constraints)):
        for literals in listed:
            parts.append(f"({word} {' '.join(converter.convert(one) for one in literals)})")
    return "\n".join(parts)


class Branches:
    """Plans that branch, in both directions."""

    def __init__(self, translation: Translation) -> None:
        self.translation = translation
        self.environment = translation.original.environment

    def plan(self, answer: Any) -> ContingentPlan:
        """A plan of ours as one of unified-planning: a place that several branches lead to is one node with several parents."""
        if answer.policy is None:
            places = self._chain(answer.plan)
        else:
            places = {place.node: place.do for place in answer.policy}
        made: dict[int, Optional[ContingentPlanNode]] = {}
        first = answer.policy[0].node if answer.policy else 0
        # Children are made before their parents, without recursion: plans may be long.
        open_places = [first]
        while open_places:
            node = open_places[-1]
            steps = places[node]
            left = [] if not steps else [branch.node for branch in steps[0].next if branch.node not in made]
            if left and node not in made:
                open_places.extend(left)
                continue
            open_places.pop()
            if node not in made:
                made[node] = self._node(steps, made)
        return ContingentPlan(made[first], self.environment)

    def _node(self, steps: Any, made: dict[int, Optional[ContingentPlanNode]]) -> Optional[ContingentPlanNode]:
        """Nothing is done at a goal, so it has no node."""
        if not steps:
            return None
        node = ContingentPlanNode(self.translation.step(steps[0].action))
        for branch in steps[0].next:
            child = made[branch.node]
            if child is not None:
                node.add_child(dict(map(self._literal, branch.if_)), child)
        return node

    @staticmethod
    def _chain(steps: list[str]) -> dict[int, Any]:
        import counterplay

        places: dict[int, Any] = {len(steps): []}
        for at, step in enumerate(steps):
            places[at] = [counterplay.Record({"action": step, "next": [{"if": [], "node": at + 1}]})]
        return places

    def _literal(self, text: str) -> tuple[FNode, FNode]:
        words = text.replace("(", " ").replace(")", " ").split()
        manager = self.environment.expression_manager
        value = manager.TRUE()
        if words[0] == "not":
            words, value = words[1:], manager.FALSE()
        fluent = self.translation.writer.get_item_named(words[0])
        objects = [self.translation.writer.get_item_named(word) for word in words[1:]]
        return manager.FluentExp(fluent, manager.auto_promote(objects)), value

    def text(self, plan: ContingentPlan) -> str:
        """A plan of unified-planning as text. After an observation without a node the plan has to be at a goal."""
        open_nodes = [] if plan.root_node is None else [plan.root_node]
        names: dict[int, int] = {id(node): 0 for node in open_nodes}
        lines = []
        while open_nodes:
            node = open_nodes.pop()
            parts = []
            for seen, child in node.children:
                if id(child) not in names:
                    names[id(child)] = len(names)
                    open_nodes.append(child)
                parts.append((dict(seen), names[id(child)]))
            branches = self._branches(node.action_instance, parts)
            action = self.translation.action_text(node.action_instance)
            lines.append(f"  (node {names[id(node)]} (do {action} {branches}))")
        lines.append("  (node goal (goal))")
        return "(contingent-plan strong\n" + "\n".join(lines) + ")\n"

    def _branches(self, action: ActionInstance, parts: list[tuple[dict[FNode, FNode], int]]) -> str:
        if not isinstance(action.action, SensingAction):
            if len(parts) > 1 or any(seen for seen, _ in parts):
                raise up.exceptions.UPUsageError(f"{action} observes nothing, and the plan branches after it")
            return f"(next {parts[0][1] if parts else 'goal'})"
        observed = self._observed(action)
        told = []
        for values in _all_values(len(observed)):
            fitting = [node for seen, node in parts if all(self._holds(one, value, seen) for one, value in zip(observed, values))]
            if len(fitting) > 1:
                raise up.exceptions.UPUsageError(f"several branches fit what {action} observes")
            literals = [self._text(one, value) for one, value in zip(observed, values)]
            condition = literals[0] if len(literals) == 1 else f"(and {' '.join(literals)})"
            told.append(f"(if {condition} {fitting[0] if fitting else 'goal'})")
        return " ".join(told)

    def _observed(self, action: ActionInstance) -> list[FNode]:
        """What an action observes, with its arguments."""
        values = dict(zip((self._parameter(one) for one in action.action.parameters), action.actual_parameters))
        return [one.substitute(values).simplify() for one in action.action.observed_fluents]

    def _parameter(self, parameter: Any) -> FNode:
        return self.environment.expression_manager.ParameterExp(parameter)

    @staticmethod
    def _holds(fluent: FNode, value: bool, seen: dict[FNode, FNode]) -> bool:
        wanted = seen.get(fluent)
        return wanted is None or wanted.is_true() == value

    def _text(self, fluent: FNode, value: bool) -> str:
        atom = self.translation.converter.convert(fluent)
        return atom if value else f"(not {atom})"


def _all_values(count: int) -> Iterable[tuple[bool, ...]]:
    if count > 10:
        raise Untranslatable(f"an action observes {count} fluents at once")
    return (tuple(bool(number >> place & 1) for place in range(count)) for number in range(1 << count))
