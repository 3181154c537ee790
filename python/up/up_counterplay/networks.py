"""Task networks: without what HDDL or the compilers of unified-planning have no words for, and their plans in both directions.

The compilers of unified-planning take problems without task networks only. So the conditions of methods travel as those of actions: a plain problem
is made with an action for each method, that is compiled, and the methods get their conditions back from what it has become. Constraints on
variables become conditions, and variables of the first network become parameters of a method for it.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Callable, Optional, Union

import unified_planning as up
from unified_planning.model import InstantaneousAction, Problem
from unified_planning.model.htn import HierarchicalProblem, Method, Task
from unified_planning.plans import ActionInstance, HierarchicalPlan, SequentialPlan
from unified_planning.plans.hierarchical_plan import Decomposition, MethodInstance

from .finite import fresh_name
from .refusal import Untranslatable


def needs_rebuilding(problem: HierarchicalProblem, compiled: set[str]) -> bool:
    """Whether the network cannot be written as it is."""
    network = problem.task_network
    constraints = [*network.non_temporal_constraints(), *(one for method in problem.methods for one in method.non_temporal_constraints())]
    return bool(compiled & problem.kind.features or network.variables or constraints)


class PlainNetwork:
    """A network that HDDL has words for, with the same plans."""

    def __init__(self, given: HierarchicalProblem, compile_plain: Callable[[Problem], Problem]) -> None:
        self.given = given
        self.stand_ins: dict[str, str] = {}
        self.top: Optional[Method] = None
        plain = compile_plain(self._carrier())
        self.problem = self._rebuilt(plain)

    def _carrier(self) -> Problem:
        """The problem without its network; an action stands for the conditions of each method."""
        given = self.given
        carrier = Problem(given.name, given.environment)
        carrier.add_objects(given.all_objects)
        for fluent in given.fluents:
            carrier.add_fluent(fluent)
        for expression, value in given.initial_values.items():
            carrier.set_initial_value(expression, value)
        for action in given.actions:
            carrier.add_action(action.clone())
        for goal in given.goals:
            carrier.add_goal(goal)
        for constraint in given.trajectory_constraints:
            carrier.add_trajectory_constraint(constraint)
        for method in given.methods:
            conditions = [*method.preconditions, *method.non_temporal_constraints()]
            self._stand_in(carrier, method.name, method.parameters, conditions)
        network = given.task_network
        if network.variables or network.non_temporal_constraints():
            self._stand_in(carrier, "", network.variables, network.non_temporal_constraints())
        return carrier

    def _stand_in(self, carrier: Problem, name: str, parameters: Any, conditions: Any) -> None:
        own = fresh_name(carrier, f"method_{name}")
        action = InstantaneousAction(own, OrderedDict((one.name, one.type) for one in parameters), self.given.environment)
        manager = self.given.environment.expression_manager
        renamed = {manager.ParameterExp(one): manager.ParameterExp(action.parameter(one.name)) for one in parameters}
        for condition in conditions:
            action.add_precondition(condition.substitute(renamed))
        carrier.add_action(action)
        self.stand_ins[name] = own

    def _rebuilt(self, plain: Problem) -> HierarchicalProblem:
        given = self.given
        made = HierarchicalProblem(given.name, given.environment)
        made.add_objects(plain.all_objects)
        for fluent in plain.fluents:
            made.add_fluent(fluent)
        for expression, value in plain.initial_values.items():
            made.set_initial_value(expression, value)
        carriers = set(self.stand_ins.values())
        for action in plain.actions:
            if action.name not in carriers:
                made.add_action(action)
        for goal in plain.goals:
            made.add_goal(goal)
        for task in given.tasks:
            made.add_task(task)
        for method in given.methods:
            made.add_method(self._method(made, plain, method))
        self._add_network(made, plain)
        for metric in given.quality_metrics:
            made.add_quality_metric(self._metric(made, metric))
        return made

    def _conditions(self, plain: Problem, name: str) -> Any:
        own = self.stand_ins[name]
        if not plain.has_action(own):
            raise Untranslatable(f"the conditions of method {name} cannot be compiled")
        return plain.action(own)

    def _method(self, made: HierarchicalProblem, plain: Problem, method: Method) -> Method:
        copy = Method(method.name, OrderedDict((one.name, one.type) for one in method.parameters), self.given.environment)
        copy.set_task(method.achieved_task.task, *(copy.parameter(one.name) for one in method.achieved_task.parameters))
        self._fill(made, plain, copy, method, method.name)
        return copy

    def _fill(self, made: HierarchicalProblem, plain: Problem, copy: Method, network: Any, name: str) -> None:
        """Conditions, subtasks and their order."""
        manager = self.given.environment.expression_manager
        stand_in = self._conditions(plain, name)
        if len(stand_in.parameters) != len(copy.parameters):
            raise Untranslatable(f"the conditions of method {name} cannot be compiled")
        own = {manager.ParameterExp(one): manager.ParameterExp(copy.parameter(one.name)) for one in stand_in.parameters}
        for condition in stand_in.preconditions:
            copy.add_precondition(condition.substitute(own))
        variables = getattr(network, "variables", None) or getattr(network, "parameters", [])
        renamed = {manager.ParameterExp(one): manager.ParameterExp(copy.parameter(one.name)) for one in variables}
        made_subtasks = {}
        for subtask in network.subtasks:
            task = subtask.task
            target = made.action(task.name) if isinstance(task, up.model.Action) else task
            arguments = [one.substitute(renamed) for one in subtask.parameters]
            made_subtasks[subtask.identifier] = copy.add_subtask(target, *arguments, ident=subtask.identifier)
        order = network.partial_order()
        if order is None:
            raise Untranslatable("the order of the subtasks has time in it")
        for one, other in order:
            copy.set_strictly_before(made_subtasks[one], made_subtasks[other])

    def _add_network(self, made: HierarchicalProblem, plain: Problem) -> None:
        network = self.given.task_network
        if "" not in self.stand_ins:
            self._copy_network(made, network)
            return
        task = Task(fresh_name(made, "network"), _env=self.given.environment)
        made.add_task(task)
        self.top = Method(fresh_name(made, "network_method"), OrderedDict((one.name, one.type) for one in network.variables), self.given.environment)
        self.top.set_task(task)
        self._fill(made, plain, self.top, network, "")
        made.add_method(self.top)
        made.task_network.add_subtask(task, ident="network")

    @staticmethod
    def _copy_network(made: HierarchicalProblem, network: Any) -> None:
        made_subtasks = {}
        for subtask in network.subtasks:
            task = subtask.task
            target = made.action(task.name) if isinstance(task, up.model.Action) else task
            made_subtasks[subtask.identifier] = made.task_network.add_subtask(target, *subtask.parameters, ident=subtask.identifier)
        order = network.partial_order()
        if order is None:
            raise Untranslatable("the order of the tasks has time in it")
        for one, other in order:
            made.task_network.set_strictly_before(made_subtasks[one], made_subtasks[other])

    @staticmethod
    def _metric(made: HierarchicalProblem, metric: Any) -> Any:
        if not metric.is_minimize_action_costs():
            return metric
        costs = {made.action(action.name): cost for action, cost in metric.costs.items()}
        return up.model.metrics.MinimizeActionCosts(costs, metric.default, environment=made.environment)

    def plan_back(self, plan: HierarchicalPlan, action_back: Callable[[ActionInstance], Any]) -> HierarchicalPlan:
        """A plan of the new problem as one of the given problem."""
        known = {id(one): action_back(one) for one in plan.action_plan.actions}
        flat = SequentialPlan([known[id(one)] for one in plan.action_plan.actions], self.given.environment)

        def back(part: Union[ActionInstance, MethodInstance]) -> Union[ActionInstance, MethodInstance]:
            if isinstance(part, ActionInstance):
                done: ActionInstance = known[id(part)]
                return done
            method = self.given.method(part.method.name)
            return MethodInstance(method, part.parameters, inner(part.decomposition))

        def inner(tree: Decomposition) -> Decomposition:
            return Decomposition({name: back(part) for name, part in tree.subtasks.items()})

        tree = plan.decomposition
        if self.top is not None:
            (only,) = tree.subtasks.values()
            tree = only.decomposition
        return HierarchicalPlan(flat, inner(tree))
