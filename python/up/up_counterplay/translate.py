"""Problems of unified-planning as PDDL and HDDL, and plans in both directions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Optional, Union

import unified_planning as up
from unified_planning.engines import CompilationKind
from unified_planning.io.pddl_writer import ConverterToPDDLString
from unified_planning.model import ContingentProblem, FNode, Problem
from unified_planning.model.htn import HierarchicalProblem
from unified_planning.plans import ActionInstance, ContingentPlan, HierarchicalPlan, Plan, SequentialPlan

from . import finite, hidden, undefined
from .coinciding import DistinctNumbers, coinciding
from .decompositions import Decompositions
from .finite import FiniteParameters
from .hidden import Branches
from .networks import PlainNetwork, needs_rebuilding
from .refusal import Inapplicable, Untranslatable
from .undefined import DefinedValues
from .writer import Writer

COMPILERS = {
    "OBJECT_FLUENTS": CompilationKind.USERTYPE_FLUENTS_REMOVING,
    "BOUNDED_TYPES": CompilationKind.BOUNDED_TYPES_REMOVING,
    "STATE_INVARIANTS": CompilationKind.STATE_INVARIANTS_REMOVING,
    "TRAJECTORY_CONSTRAINTS": CompilationKind.TRAJECTORY_CONSTRAINTS_REMOVING,
}
"""Features that a compiler of unified-planning takes out."""


class Translation:
    """The texts of a problem, and the way back from a plan."""

    def __init__(self, problem: up.model.AbstractProblem, solving: bool = True) -> None:
        """`solving` is false if only a plan is to be checked: the checker takes more than the searches."""
        if not isinstance(problem, Problem):
            raise Untranslatable(f"{type(problem).__name__} has no PDDL")
        self.given = problem
        self.is_hierarchical = isinstance(problem, HierarchicalProblem)
        self.is_hidden = isinstance(problem, ContingentProblem)
        self.solving = solving
        self.compiled: list[Any] = []
        self.network: Optional[PlainNetwork] = None
        self.original = self._prepared(problem)
        gains = self._gains()
        #: Whether any plan that reaches the goal is an answer.
        self.is_classical = not self.is_hierarchical and not self.is_hidden and gains is None
        plain = self.original
        # Gains are written as preferences; any plan of a task network is an answer.
        if gains is not None or self.is_hierarchical:
            plain = self.original.clone()
            plain.clear_quality_metrics()
        try:
            self.writer = Writer(plain, needs_requirements=True, rewrite_bool_assignments=True)
            self.domain = self.writer.get_domain()
            self.problem = self.writer.get_problem()
        except (NotImplementedError, AssertionError, up.exceptions.UPException) as error:
            raise Untranslatable(str(error) or type(error).__name__) from error
        self.converter = ConverterToPDDLString(self.original.environment, self.writer._get_mangled_name)
        if gains is not None:
            self._add_preferences(gains)
        if self.is_hidden:
            self._add_hidden(problem)

    @property
    def options(self) -> dict[str, Any]:
        """What has to be said beside the texts."""
        return {"hidden": True} if self.is_hidden else {}

    def _prepared(self, problem: Problem) -> Problem:
        """The problem without what PDDL has no words for."""
        if isinstance(problem, ContingentProblem):
            return hidden.without_hidden_values(problem)
        if not isinstance(problem, HierarchicalProblem):
            return self._compile(problem)
        if needs_rebuilding(problem, set(COMPILERS) | finite.FEATURES | undefined.FEATURES):
            self.network = PlainNetwork(problem, self._compile)
            return self.network.problem
        return problem

    def _compile(self, problem: Problem) -> Problem:
        """By compilers: our own first, which leave what those of unified-planning can take."""
        features = problem.kind.features
        own: list[Any] = []
        if undefined.FEATURES & features:
            own.append(DefinedValues)
        if finite.FEATURES & features:
            own.append(FiniteParameters)
        for compiler in own:
            self.compiled.append(compiler(problem))
            problem = self.compiled[-1].problem
        for feature, kind in COMPILERS.items():
            if feature in problem.kind.features:
                problem = self._compile_by(kind, problem)
        if self.solving and any(map(_is_number_under_condition, problem.actions)):
            problem = self._compile_by(CompilationKind.CONDITIONAL_EFFECTS_REMOVING, problem)
        if self.solving and any(map(coinciding, problem.actions)):
            self.compiled.append(DistinctNumbers(problem))
            problem = self.compiled[-1].problem
        return problem

    def _compile_by(self, kind: CompilationKind, problem: Problem) -> Problem:
        with problem.environment.factory.Compiler(problem_kind=problem.kind, compilation_kind=kind) as compiler:
            self.compiled.append(compiler.compile(problem, kind))
        made: Problem = self.compiled[-1].problem
        return made

    def _gains(self) -> Optional[dict[Any, Union[int, Fraction]]]:
        metrics = self.original.quality_metrics
        if len(metrics) == 1 and metrics[0].is_oversubscription():
            return dict(metrics[0].goals)
        return None

    def _add_preferences(self, gains: dict[Any, Union[int, Fraction]]) -> None:
        """A goal that brings a gain is a preference: the best plan violates those that are worth least."""
        wishes, costs = [], []
        for number, (goal, gain) in enumerate(gains.items()):
            wishes.append(f"(preference gain{number} {self.converter.convert(goal)})")
            costs.append(f"(* {_decimal(gain)} (is-violated gain{number}))")
        mark = "(:goal (and"
        if mark not in self.problem:
            raise Untranslatable("the goal is not a conjunction")
        self.problem = self.problem.replace(mark, mark + "\n" + "\n".join(wishes), 1)
        metric = f"(:metric minimize (+ 0 {' '.join(costs)}))" if costs else ""
        end = self.problem.rindex(")")
        self.problem = self.problem[:end] + metric + "\n)\n"

    def _add_hidden(self, problem: ContingentProblem) -> None:
        told = hidden.constraints(problem, self.converter)
        self.problem = self.problem.replace("(:init", "(:init\n" + told, 1)
        if self.writer.observing != self.domain.count(":observe"):
            raise Untranslatable("what actions observe cannot be written")

    def _item(self, name: str) -> Any:
        """The action or object of the problem that a name in PDDL stands for."""
        item = self.writer.get_item_named(name)
        if isinstance(item, up.model.Action):
            return self.original.action(item.name)
        return item

    def objects(self, names: list[str]) -> list[FNode]:
        """Objects by their names in PDDL."""
        manager = self.original.environment.expression_manager
        return list(manager.auto_promote([self._item(name) for name in names]))

    def instance(self, name: str, arguments: list[str]) -> ActionInstance:
        """An action by its name in PDDL."""
        return ActionInstance(self._item(name), tuple(self.objects(arguments)))

    def step(self, text: str) -> ActionInstance:
        """A step `(go a b)` of a plan, as an action of the problem that was written."""
        name, *arguments = text.strip("() \n").split()
        return self.instance(name, arguments)

    def _back(self, instance: ActionInstance) -> Optional[ActionInstance]:
        """The action of the given problem that one of the written problem stands for."""
        for result in reversed(self.compiled):
            found = result.map_back_action_instance(instance)
            if found is None:
                return None
            instance = found
        if instance.action.environment is self.given.environment and instance.action not in self.given.actions:
            instance = ActionInstance(self.given.action(instance.action.name), instance.actual_parameters)
        return instance

    def plan(self, answer: Any) -> Plan:
        """A plan of ours as one of unified-planning."""
        if self.is_hidden:
            return Branches(self).plan(answer)
        if self.is_hierarchical:
            made = Decompositions(self).plan(answer.form("file"))
            return made if self.network is None else self.network.plan_back(made, self._back)
        return self.sequential(answer.plan)

    def sequential(self, steps: list[str]) -> SequentialPlan:
        """The steps of a plan as one of unified-planning."""
        found = [self._back(self.step(step)) for step in steps]
        return SequentialPlan([one for one in found if one is not None], self.given.environment)

    def value(self, answer: Any) -> float:
        """What a plan costs; the less the better, also where the metric is to be maximised."""
        value = answer.cost if answer.get("metric") is None else answer.metric
        metrics = self.original.quality_metrics
        is_maximised = any(metric.is_maximize_expression_on_final_state() for metric in metrics)
        return float("inf") if value is None else (-value if is_maximised else value)

    def text(self, plan: Plan) -> str:
        """A plan of unified-planning as text."""
        if isinstance(plan, ContingentPlan) and self.is_hidden:
            return Branches(self).text(plan)
        if isinstance(plan, HierarchicalPlan) and self.is_hierarchical:
            return Decompositions(self).text(plan, None if self.network is None else self.network.top)
        if isinstance(plan, SequentialPlan) and not self.is_hierarchical:
            return "".join(self.action_text(action) + "\n" for action in plan.actions) or "\n"
        raise up.exceptions.UPUsageError(f"{type(plan).__name__} does not fit the problem")

    def action_text(self, action: ActionInstance) -> str:
        """An action of the given problem as a step."""
        for result in self.compiled:
            action = result.map_action_instance(action) if isinstance(result, FiniteParameters) else _forward(result, action)
        written = self.writer.problem.action(action.action.name)
        return f"({' '.join([self.writer.get_pddl_name(written), *map(self.argument, action.actual_parameters)])})"

    def argument(self, argument: FNode) -> str:
        """An object as PDDL names it."""
        return str(self.writer.get_pddl_name(argument.object()))


def _is_number_under_condition(action: Any) -> bool:
    """Whether an action changes a number under a condition."""
    return any(effect.is_conditional() and not effect.fluent.type.is_bool_type() for effect in action.effects)


def _forward(result: Any, action: ActionInstance) -> ActionInstance:
    """The action that a compiler made of one: of the same name and parameters, or without parameters."""
    problem = result.problem
    if problem.has_action(action.action.name) and len(problem.action(action.action.name).parameters) == len(action.actual_parameters):
        return ActionInstance(problem.action(action.action.name), action.actual_parameters)
    for made in problem.actions:
        if not made.parameters:
            back = result.map_back_action_instance(ActionInstance(made))
            if back is not None and back.is_semantically_equivalent(action):
                return ActionInstance(made)
    raise Inapplicable(f"{action} can never be applied")


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
