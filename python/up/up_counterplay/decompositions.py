"""Plans of task networks in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Union

import unified_planning as up
from unified_planning.model.htn import Method
from unified_planning.plans import ActionInstance, HierarchicalPlan, SequentialPlan
from unified_planning.plans.hierarchical_plan import Decomposition, MethodInstance

from .refusal import Untranslatable

if TYPE_CHECKING:
    from .translate import Translation


class Decompositions:
    """Plans of task networks in the format of the competition of 2020, in both directions: actions with numbers, the roots, and a line for
    each task."""

    def __init__(self, translation: Translation) -> None:
        self.translation = translation
        self.problem = translation.original
        self.manager = self.problem.environment.expression_manager

    def plan(self, text: str) -> HierarchicalPlan:
        """A plan of ours as one of unified-planning."""
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
                actions[words[0]] = self.translation.instance(words[1], words[2:])
        flat = SequentialPlan(list(actions.values()), self.problem.environment)
        made = _Decomposer(self.translation, actions, lines)
        return HierarchicalPlan(flat, Decomposition(made.match(self.problem.task_network.subtasks, roots)))

    def text(self, plan: HierarchicalPlan, top: Optional[Method]) -> str:
        """A plan of the given problem as text. `top` is the method of the first network, if one was made for it."""
        flat = plan.action_plan
        if not isinstance(flat, SequentialPlan):
            raise up.exceptions.UPUsageError("only plans without time are checked")
        numbers = {id(action): str(number) for number, action in enumerate(flat.actions)}
        first = [f"{number} {self.translation.action_text(action)[1:-1]}" for number, action in enumerate(flat.actions)]
        tasks: list[str] = []
        names = iter(range(len(flat.actions), 1 << 30))
        writer = self.translation.writer

        def line(method: Method, arguments: list[Any], children: list[str]) -> str:
            number = str(next(names))
            task = " ".join([writer.get_pddl_name(method.achieved_task.task), *map(self.translation.argument, arguments)])
            tasks.append(" ".join([number, task, "->", writer.get_pddl_name(method), *children]))
            return number

        def write(done: Any) -> str:
            if isinstance(done, ActionInstance):
                if id(done) not in numbers:
                    raise up.exceptions.UPUsageError(f"{done} is in the tree of the plan, but not among its actions")
                return numbers[id(done)]
            method = self.problem.method(done.method.name)
            own = {parameter.name: value for parameter, value in zip(method.parameters, done.parameters)}
            arguments = [own[one.name] for one in method.achieved_task.parameters]
            return line(method, arguments, within(method.subtasks, done.decomposition))

        def within(subtasks: Any, tree: Decomposition) -> list[str]:
            missing = [one.identifier for one in subtasks if one.identifier not in tree.subtasks]
            if missing:
                raise up.exceptions.UPUsageError(f"the plan does not carry out {missing[0]}")
            return [write(tree.subtasks[one.identifier]) for one in subtasks]

        if top is None:
            roots = within(self.problem.task_network.subtasks, plan.decomposition)
        else:
            roots = [line(top, [], within(top.subtasks, plan.decomposition))]
        return "\n".join(["==>", *first, "root " + " ".join(roots), *tasks, "<=="]) + "\n"


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
        return list(self.translation.objects(self.lines[number][1]))

    def task_of(self, number: str) -> str:
        if number in self.actions:
            return str(self.actions[number].action.name)
        return str(self.method(self.lines[number][0]).achieved_task.task.name)

    def method(self, name: str) -> Any:
        return self.translation.writer.get_item_named(name)

    def build(self, number: str) -> Union[ActionInstance, MethodInstance]:
        if number in self.actions:
            return self.actions[number]
        name, _, children = self.lines[number]
        method = self.method(name)
        subtasks = self.match(method.subtasks, children)
        values: dict[Any, Any] = dict(zip(method.achieved_task.parameters, self.arguments_of(number)))
        for subtask in method.subtasks:
            for expression, value in zip(subtask.parameters, self.given(subtasks[subtask.identifier])):
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
