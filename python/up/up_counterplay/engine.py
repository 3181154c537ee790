"""The engines."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import IO, Any, Callable, Optional

import counterplay
import unified_planning as up
from unified_planning.engines import (
    Credits,
    Engine,
    LogMessage,
    PlanGenerationResult,
    PlanGenerationResultStatus,
    ValidationResult,
    ValidationResultStatus,
)
from unified_planning.engines.mixins import AnytimePlannerMixin, OneshotPlannerMixin, PlanValidatorMixin
from unified_planning.engines.mixins.anytime_planner import AnytimeGuarantee
from unified_planning.engines.mixins.oneshot_planner import OptimalityGuarantee
from unified_planning.engines.results import LogLevel
from unified_planning.model import ProblemKind
from unified_planning.plans import HierarchicalPlan, Plan, PlanKind, SequentialPlan

from .translate import Translation, Untranslatable

CREDITS = Credits(
    "Counterplay",
    "The Counterplay developers",
    "",
    "",
    "MIT OR Apache-2.0",
    "Plans that survive the other players, each checked by independent code",
    "Symbolic and explicit search for optimal plans and plans of best net benefit, and task networks.",
)

COMMON = {
    "ACTION_BASED",
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
    "ACTIONS_COST",
    "PLAN_LENGTH",
    "OVERSUBSCRIPTION",
    "INT_NUMBERS_IN_ACTIONS_COST",
    "REAL_NUMBERS_IN_ACTIONS_COST",
    "STATIC_FLUENTS_IN_ACTIONS_COST",
    "INT_NUMBERS_IN_OVERSUBSCRIPTION",
    "REAL_NUMBERS_IN_OVERSUBSCRIPTION",
    "INT_FLUENTS",
    "REAL_FLUENTS",
    "SIMPLE_NUMERIC_PLANNING",
    "GENERAL_NUMERIC_PLANNING",
    "INCREASE_EFFECTS",
    "DECREASE_EFFECTS",
    "STATIC_FLUENTS_IN_NUMERIC_ASSIGNMENTS",
    "FLUENTS_IN_NUMERIC_ASSIGNMENTS",
    "FINAL_VALUE",
    # What the compilers of unified-planning take out (see `translate.COMPILERS`).
    "BOUNDED_TYPES",
    "OBJECT_FLUENTS",
    "STATIC_FLUENTS_IN_OBJECT_ASSIGNMENTS",
    "FLUENTS_IN_OBJECT_ASSIGNMENTS",
    "STATE_INVARIANTS",
}
"""What both engines do. A number that has no finite range is refused when that is seen, with `UNSUPPORTED_PROBLEM` and the action that makes it grow."""

HIERARCHICAL = {"HIERARCHICAL", "METHOD_PRECONDITIONS", "TASK_ORDER_TOTAL", "TASK_ORDER_PARTIAL"}
COMPILED = {"BOUNDED_TYPES", "OBJECT_FLUENTS", "STATE_INVARIANTS"}

LIMITS = {
    "time": PlanGenerationResultStatus.TIMEOUT,
    "cpu": PlanGenerationResultStatus.TIMEOUT,
    "memory": PlanGenerationResultStatus.MEMOUT,
}

#: Options that choose a search for optimal plans.
CHOOSES_A_SEARCH = {"search", "direction", "heuristic", "plans", "certificate"}


class _Planner(Engine, OneshotPlannerMixin):
    """What both engines have in common. Parameters are the options of `counterplay.solve`."""

    features: set[str] = COMMON
    #: How good plans have to be, unless the caller says so.
    quality = "optimal"

    def __init__(self, **options: Any) -> None:
        Engine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        self.options = options

    @staticmethod
    def get_credits(**kwargs: Any) -> Credits:
        return CREDITS

    @classmethod
    def supported_kind(cls) -> ProblemKind:
        return ProblemKind(cls.features, version=2)

    @classmethod
    def supports(cls, problem_kind: ProblemKind) -> bool:
        # The compilers do not take task networks.
        is_compiled_network = problem_kind.has_hierarchical() and bool(problem_kind.features & COMPILED)
        return bool(problem_kind <= cls.supported_kind()) and not is_compiled_network

    def _solve(
        self,
        problem: up.model.AbstractProblem,
        heuristic: Optional[Callable[[up.model.state.State], Optional[float]]] = None,
        timeout: Optional[float] = None,
        output_stream: Optional[IO[str]] = None,
        warm_start_plan: Optional[Plan] = None,
        **options: Any,
    ) -> PlanGenerationResult:
        if heuristic is not None:
            raise up.exceptions.UPUsageError("counterplay has heuristics of its own and takes no other")
        try:
            translation = Translation(problem)
            answer = self._ask(translation, self.quality, timeout, output_stream)
        except (Untranslatable, counterplay.InputError, counterplay.OptionError) as refused:
            return self._refused(PlanGenerationResultStatus.UNSUPPORTED_PROBLEM, str(refused))
        except counterplay.InternalError as error:
            return self._refused(PlanGenerationResultStatus.INTERNAL_ERROR, str(error))
        return self._result(translation, answer)

    def _ask(
        self, translation: Translation, quality: str, timeout: Optional[float], output_stream: Optional[IO[str]]
    ) -> Any:
        def report(news: counterplay.Progress) -> None:
            if output_stream is not None:
                figures = " ".join(f"{name} {value:g}" for name, value in news.counts.items())
                output_stream.write(f"{news.phase} {figures}".rstrip() + "\n")

        options: dict[str, Any] = {**self.options}
        if quality != "optimal" and translation.is_classical and not CHOOSES_A_SEARCH & options.keys():
            options.setdefault("quality", quality)
        if output_stream is not None:
            options["progress"] = report
        return counterplay.solve(translation.domain, translation.problem, time_limit=timeout, **options)

    def _refused(self, status: PlanGenerationResultStatus, why: str) -> PlanGenerationResult:
        return PlanGenerationResult(status, None, self.name, log_messages=[LogMessage(LogLevel.ERROR, why)])

    def _result(self, translation: Translation, answer: Any) -> PlanGenerationResult:
        metrics = {"engine_internal_time": str(answer.seconds)}
        logs = [LogMessage(LogLevel.INFO, answer.form("summary") or "")]
        plan = None if answer.plan is None else translation.plan(answer)
        return PlanGenerationResult(
            self._status(translation, answer, plan), plan, self.name, metrics=metrics, log_messages=logs
        )

    def _status(self, translation: Translation, answer: Any, plan: Optional[Plan]) -> PlanGenerationResultStatus:
        if answer.verdict == "unsolvable":
            return PlanGenerationResultStatus.UNSOLVABLE_PROVEN
        if answer.verdict == "solved":
            if answer.optimal and not translation.is_hierarchical:
                return PlanGenerationResultStatus.SOLVED_OPTIMALLY
            return PlanGenerationResultStatus.SOLVED_SATISFICING
        if plan is not None and self.satisfies(OptimalityGuarantee.SATISFICING):
            return PlanGenerationResultStatus.SOLVED_SATISFICING
        return LIMITS.get(answer.limit, PlanGenerationResultStatus.INTERNAL_ERROR)


class CounterplayOptimalEngine(_Planner):
    """Optimal plans: of least cost, of fewest steps, or of best gain."""

    @property
    def name(self) -> str:
        return "counterplay-opt"

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        return optimality_guarantee == OptimalityGuarantee.SOLVED_OPTIMALLY


class CounterplayEngine(_Planner, AnytimePlannerMixin, PlanValidatorMixin):
    """Plans, better plans, task networks, and the check of plans."""

    features = COMMON | HIERARCHICAL
    quality = "any"

    def __init__(self, **options: Any) -> None:
        _Planner.__init__(self, **options)
        AnytimePlannerMixin.__init__(self)

    @property
    def name(self) -> str:
        return "counterplay"

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        return optimality_guarantee == OptimalityGuarantee.SATISFICING

    @staticmethod
    def ensures(anytime_guarantee: AnytimeGuarantee) -> bool:
        return anytime_guarantee == AnytimeGuarantee.INCREASING_QUALITY

    def _get_solutions(
        self,
        problem: up.model.AbstractProblem,
        timeout: Optional[float] = None,
        output_stream: Optional[IO[str]] = None,
        warm_start_plan: Optional[Plan] = None,
        **options: Any,
    ) -> Iterator[PlanGenerationResult]:
        """The search is begun again with twice the time until it ends: all of them together take at most twice as long as the last one."""
        started, allowed, best = time.monotonic(), 0.5, None
        try:
            translation = Translation(problem)
            while True:
                left = None if timeout is None else timeout - (time.monotonic() - started)
                is_last = left is not None and left <= allowed
                seconds = max(left or 0.0, 0.0) if is_last else allowed
                answer = self._ask(translation, "improve", seconds, output_stream)
                if answer.verdict != "stopped" or is_last:
                    yield self._result(translation, answer)
                    return
                value = translation.value(answer)
                if answer.plan is not None and (best is None or value < best):
                    best = value
                    metrics = {"engine_internal_time": str(answer.seconds)}
                    status = PlanGenerationResultStatus.INTERMEDIATE
                    yield PlanGenerationResult(status, translation.plan(answer), self.name, metrics=metrics)
                allowed *= 2
        except (Untranslatable, counterplay.InputError, counterplay.OptionError) as refused:
            yield self._refused(PlanGenerationResultStatus.UNSUPPORTED_PROBLEM, str(refused))

    @staticmethod
    def supports_plan(plan_kind: PlanKind) -> bool:
        return plan_kind in (PlanKind.SEQUENTIAL_PLAN, PlanKind.HIERARCHICAL_PLAN)

    def _validate(self, problem: up.model.AbstractProblem, plan: Plan) -> ValidationResult:
        translation = Translation(problem)
        if isinstance(plan, HierarchicalPlan):
            text = translation.hierarchical_text(plan)
        elif isinstance(plan, SequentialPlan) and not translation.is_hierarchical:
            text = translation.sequential_text(plan)
        else:
            raise up.exceptions.UPUsageError(f"{type(plan).__name__} does not fit the problem")
        try:
            result = counterplay.check(translation.domain, translation.problem, text)
            valid, why = result.valid, result.why
        except counterplay.InputError as error:
            valid, why = False, str(error)
        status = ValidationResultStatus.VALID if valid else ValidationResultStatus.INVALID
        logs = [] if why is None else [LogMessage(LogLevel.INFO, why)]
        return ValidationResult(status, self.name, log_messages=logs)
