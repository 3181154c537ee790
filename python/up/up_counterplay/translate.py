"""Problems of unified-planning as PDDL and HDDL, and plans in both directions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Optional, Union

import unified_planning as up
from unified_planning.engines import CompilationKind
from unified_planning.io import PDDLReader, PDDLWriter
from unified_planning.io.pddl_writer import ConverterToPDDLString
from unified_planning.model.htn import HierarchicalProblem
from unified_planning.plans import ActionInstance, HierarchicalPlan, Plan, SequentialPlan
from unified_planning.plans.hierarchical_plan import Decomposition, MethodInstance


COMPILERS = {
    "OBJECT_FLUENTS": CompilationKind.USERTYPE_FLUENTS_REMOVING,
    "BOUNDED_TYPES": CompilationKind.BOUNDED_TYPES_REMOVING,
    "STATE_INVARIANTS": CompilationKind.STATE_INVARIANTS_REMOVING,
}
"""Features that a compiler of unified-planning takes out."""


class Untranslatable(Exception):
    """A problem that PDDL has no words for."""


class Translation:
    """The texts of a problem, and the way back from a plan."""

    def __init__(self, problem: up.model.AbstractProblem) -> None:
        if not isinstance(problem, up.model.Problem):
            raise Untranslatable(f"{type(problem).__name__} has no PDDL")
        self.given = problem
        self.is_hierarchical = isinstance(problem, HierarchicalProblem)
        self.compiled: list[Any] = []
        self.original = self._compile(problem)
        gains = self._gains()
        #: Whether any plan that reaches the goal is an answer.
        self.is_classical = not self.is_hierarchical and gains is None
        plain = problem = self.original
        if gains is not None:
            plain = problem.clone()
            plain.clear_quality_metrics()
        try:
            self.writer = PDDLWriter(plain, needs_requirements=True, rewrite_bool_assignments=True)
            self.domain = self.writer.get_domain()
            self.problem = self.writer.get_problem()
        except (NotImplementedError, AssertionError, up.exceptions.UPException) as error:
            raise Untranslatable(str(error) or type(error).__name__) from error
        if gains is not None:
            self._add_preferences(gains)

    def _compile(self, problem: up.model.Problem) -> up.model.Problem:
        """The problem without what PDDL has no words for, by the compilers of unified-planning."""
        if self.is_hierarchical:
            return problem
        factory = problem.environment.factory
        for feature, kind in COMPILERS.items():
            if feature in problem.kind.features:
                with factory.Compiler(problem_kind=problem.kind, compilation_kind=kind) as compiler:
                    result = compiler.compile(problem, kind)
                self.compiled.append(result)
                problem = result.problem
        return problem

    def _gains(self) -> Optional[dict[Any, Union[int, Fraction]]]:
        metrics = self.original.quality_metrics
        if len(metrics) == 1 and metrics[0].is_oversubscription():
            return dict(metrics[0].goals)
        return None

    def _add_preferences(self, gains: dict[Any, Union[int, Fraction]]) -> None:
        """A goal that brings a gain is a preference: the best plan violates those that are worth least."""
        converter = ConverterToPDDLString(self.original.environment, self.writer._get_mangled_name)
        wishes, costs = [], []
        for number, (goal, gain) in enumerate(gains.items()):
            wishes.append(f"(preference gain{number} {converter.convert(goal)})")
            costs.append(f"(* {_decimal(gain)} (is-violated gain{number}))")
        mark = "(:goal (and"
        if mark not in self.problem:
            raise Untranslatable("the goal is not a conjunction")
        self.problem = self.problem.replace(mark, mark + "\n" + "\n".join(wishes), 1)
        metric = f"(:metric minimize (+ 0 {' '.join(costs)}))" if costs else ""
        end = self.problem.rindex(")")
        self.problem = self.problem[:end] + metric + "\n)\n"

    def _item(self, name: str) -> Any:
        """The action or object of the problem that a name in PDDL stands for."""
        item = self.writer.get_item_named(name)
        if isinstance(item, up.model.Action):
            return self.original.action(item.name)
        return item

    def plan(self, answer: Any) -> Plan:
        """A plan of ours as one of unified-planning."""
        if self.is_hierarchical:
            return self._hierarchical(answer.form("file"))
        text = "\n".join(answer.plan)
        plan = PDDLReader(self.original.environment).parse_plan_string(self.original, text, self._item)
        for result in reversed(self.compiled):
            plan = plan.replace_action_instances(result.map_back_action_instance)
        return plan

    def value(self, answer: Any) -> float:
        """What a plan costs; the less the better, also where the metric is to be maximised."""
        value = answer.cost if answer.metric is None else answer.metric
        metrics = self.original.quality_metrics
        is_maximised = any(metric.is_maximize_expression_on_final_state() for metric in metrics)
        return float("inf") if value is None else (-value if is_maximised else value)

    def sequential_text(self, plan: SequentialPlan) -> str:
        """A plan of unified-planning as text."""
        lines = [self._action_text(action) for action in plan.actions]
        return "\n".join(lines) + "\n"

    def _action_text(self, action: ActionInstance) -> str:
        name = self.writer.get_pddl_name(self._written(action.action))
        return f"({' '.join([name, *map(self._argument, action.actual_parameters)])})"

    def _written(self, action: Any) -> Any:
        """The action as the writer knows it: it may have written a copy of the problem."""
        return self.writer.problem.action(action.name)

    def _argument(self, argument: Any) -> str:
        return str(self.writer.get_pddl_name(argument.object()))

    # Plans of task networks, in the format of the competition of 2020: actions with numbers, the roots, and a line for each task.

    def _hierarchical(self, text: str) -> HierarchicalPlan:
        actions: dict[str, ActionInstance] = {}
        lines: dict[str, tuple[str, list[str], list[str]]] = {}
        roots: list[str] = []
        for line in text.splitlines():
            words = line.replace("(", " ").replace(")", " ").split()
            if line.startswith(";") or not words or words[0] in ("==>", "<=="):
                continue
            if words[0] == "root":
                roots = words[1:]
            elif "->" in words:
                arrow = words.index("->")
                lines[words[0]] = (words[arrow + 1], words[2:arrow], words[arrow + 2 :])
            else:
                actions[words[0]] = self._instance(words[1], words[2:])
        flat = SequentialPlan(list(actions.values()), self.original.environment)
        network = self.original.task_network
        made = _Decomposer(self, actions, lines)
        subtasks = made.match(network.subtasks, roots)
        return HierarchicalPlan(flat, Decomposition(subtasks))

    def _instance(self, name: str, arguments: list[str]) -> ActionInstance:
        objects = self.original.environment.expression_manager.auto_promote([self._item(one) for one in arguments])
        return ActionInstance(self._item(name), tuple(objects))

    def hierarchical_text(self, plan: HierarchicalPlan) -> str:
        """A plan of a task network as text."""
        flat = plan.action_plan
        if not isinstance(flat, SequentialPlan):
            raise up.exceptions.UPUsageError("only plans without time are checked")
        numbers = {id(action): str(number) for number, action in enumerate(flat.actions)}
        lines = ["==>", *(f"{number} {self._action_text(action)[1:-1]}" for number, action in enumerate(flat.actions))]
        tasks: list[str] = []
        names = iter(range(len(flat.actions), 1 << 30))

        def write(subtask: Any, done: Any, bindings: dict[Any, Any]) -> str:
            if isinstance(done, ActionInstance):
                return numbers[id(done)]
            number = str(next(names))
            own = dict(zip(done.method.parameters, done.parameters))
            children = [
                write(child, done.decomposition.subtasks[child.identifier], own) for child in done.method.subtasks
            ]
            arguments = [self._argument(own[one]) for one in done.method.achieved_task.parameters]
            task = " ".join([self.writer.get_pddl_name(done.method.achieved_task.task), *arguments])
            method = self.writer.get_pddl_name(done.method)
            tasks.append(" ".join([number, task, "->", method, *children]))
            return number

        subtasks = self.original.task_network.subtasks
        roots = [write(one, plan.decomposition.subtasks[one.identifier], {}) for one in subtasks]
        return "\n".join([*lines, "root " + " ".join(roots), *tasks, "<=="]) + "\n"


class _Decomposer:
    """Builds the tree of a decomposition from its lines."""

    def __init__(self, translation: Translation, actions: dict[str, ActionInstance], lines: dict[str, Any]) -> None:
        self.translation = translation
        self.actions = actions
        self.lines = lines

    def match(self, subtasks: list[Any], numbers: list[str]) -> dict[str, Union[ActionInstance, MethodInstance]]:
        """Which line carries out which subtask. Lines name subtasks in any order: one fits if its arguments do not contradict the others."""
        left = list(numbers)
        known: dict[Any, Any] = {}
        matched: dict[str, Union[ActionInstance, MethodInstance]] = {}
        for subtask in subtasks:
            number = next((one for one in left if self.fits(subtask, one, known)), None)
            if number is None:
                raise Untranslatable(f"no line of the plan carries out {subtask}")
            left.remove(number)
            known.update(zip(subtask.parameters, self.arguments_of(number)))
            matched[subtask.identifier] = self.build(number)
        return matched

    def fits(self, subtask: Any, number: str, known: dict[Any, Any]) -> bool:
        if self.task_of(number) != subtask.task.name:
            return False
        pairs = zip(subtask.parameters, self.arguments_of(number))
        return all(known.get(one, one if one.is_object_exp() else value) == value for one, value in pairs)

    def arguments_of(self, number: str) -> list[Any]:
        if number in self.actions:
            return list(self.actions[number].actual_parameters)
        objects = [self.translation._item(argument) for argument in self.lines[number][1]]
        return list(self.translation.original.environment.expression_manager.auto_promote(objects))

    def task_of(self, number: str) -> str:
        if number in self.actions:
            return str(self.actions[number].action.name)
        method = self.method(self.lines[number][0])
        return str(method.achieved_task.task.name)

    def method(self, name: str) -> Any:
        return self.translation.writer.get_item_named(name)

    def build(self, number: str) -> Union[ActionInstance, MethodInstance]:
        if number in self.actions:
            return self.actions[number]
        name, _, children = self.lines[number]
        method = self.method(name)
        subtasks = self.match(method.subtasks, children)
        values: dict[Any, Any] = {}
        for parameter, value in zip(method.achieved_task.parameters, self.arguments_of(number)):
            values[parameter] = value
        for subtask in method.subtasks:
            given = self.given(subtasks[subtask.identifier])
            for expression, value in zip(subtask.parameters, given):
                if expression.is_parameter_exp():
                    values.setdefault(expression.parameter(), value)
        missing = [one.name for one in method.parameters if one not in values]
        if missing:
            raise Untranslatable(f"the plan does not tell {', '.join(missing)} of method {name}")
        return MethodInstance(method, tuple(values[one] for one in method.parameters), Decomposition(subtasks))

    @staticmethod
    def given(done: Union[ActionInstance, MethodInstance]) -> tuple[Any, ...]:
        """The arguments of the task that was carried out."""
        if isinstance(done, ActionInstance):
            return tuple(done.actual_parameters)
        own = dict(zip(done.method.parameters, done.parameters))
        return tuple(own[one] for one in done.method.achieved_task.parameters)


def _decimal(number: Union[int, Fraction]) -> str:
    """A number as PDDL writes it: decimals, since it has no fractions."""
    value = Fraction(number)
    if value.denominator == 1:
        return str(value.numerator)
    for digits in range(1, 19):
        shifted = value * 10**digits
        if shifted.denominator == 1:
            text = str(abs(shifted.numerator)).rjust(digits + 1, "0")
            return ("-" if value < 0 else "") + text[:-digits] + "." + text[-digits:]
    raise Untranslatable(f"{number} has no finite decimal")
