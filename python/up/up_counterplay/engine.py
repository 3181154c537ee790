"""The engines."""

from __future__ import annotations

import queue
import threading
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
from unified_planning.model.problem_kind_versioning import LATEST_PROBLEM_KIND_VERSION
from unified_planning.plans import ActionInstance, Plan, PlanKind, SequentialPlan

from . import finite, hidden, ranges, undefined
from .refusal import Inapplicable, Untranslatable
from .translate import Translation

CREDITS = Credits(
    "Counterplay",
    "The Counterplay developers",
    "",
    "",
    "MIT OR Apache-2.0",
    "Plans that survive the other players, each checked by independent code",
    "Symbolic and explicit search for optimal plans and plans of best net benefit, task networks, and hidden states.",
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
    "INT_NUMBERS_IN_ACTIONS_COST",
    "REAL_NUMBERS_IN_ACTIONS_COST",
    "STATIC_FLUENTS_IN_ACTIONS_COST",
    # What compilers take out (see `translate.COMPILERS`).
    "BOUNDED_TYPES",
    "OBJECT_FLUENTS",
    "STATIC_FLUENTS_IN_OBJECT_ASSIGNMENTS",
    "FLUENTS_IN_OBJECT_ASSIGNMENTS",
    "STATE_INVARIANTS",
    *finite.FEATURES,
    *undefined.FEATURES,
}
"""What problems may have, with task networks and without."""

NUMERIC = {
    "INT_FLUENTS",
    "REAL_FLUENTS",
    "SIMPLE_NUMERIC_PLANNING",
    "GENERAL_NUMERIC_PLANNING",
    "INCREASE_EFFECTS",
    "DECREASE_EFFECTS",
    "STATIC_FLUENTS_IN_NUMERIC_ASSIGNMENTS",
    "FLUENTS_IN_NUMERIC_ASSIGNMENTS",
}
"""Numbers. Where one has no finite range, a plan is looked for within ranges; if a metric is to be optimised, `counterplay-opt` refuses with
`UNSUPPORTED_PROBLEM` and the action that makes it grow: the kind of a problem does not tell."""

PLAIN = COMMON | NUMERIC | {
    "OVERSUBSCRIPTION",
    "INT_NUMBERS_IN_OVERSUBSCRIPTION",
    "REAL_NUMBERS_IN_OVERSUBSCRIPTION",
    "FINAL_VALUE",
    "TRAJECTORY_CONSTRAINTS",
}
"""What problems without task networks may have."""

NETWORKS = COMMON | {
    "HIERARCHICAL",
    "METHOD_PRECONDITIONS",
    "TASK_ORDER_TOTAL",
    "TASK_ORDER_PARTIAL",
    "TASK_NETWORK_CONSTRAINTS",
    "INITIAL_TASK_NETWORK_VARIABLES",
}
"""What problems with task networks may have."""

LIMITS = {
    "time": PlanGenerationResultStatus.TIMEOUT,
    "cpu": PlanGenerationResultStatus.TIMEOUT,
    "memory": PlanGenerationResultStatus.MEMOUT,
}

#: What is done before a search begins.
BEFORE_THE_SEARCH = {"grounding", "normalise", "explore", "instantiate", "invariants", "simplify", "prune", "encode", "metric"}

#: Options that choose a search for optimal plans.
CHOOSES_A_SEARCH = {"search", "direction", "heuristic", "plans", "certificate"}


class _Clock:
    """The time that a call may take."""

    def __init__(self, allowed: Optional[float]) -> None:
        self._started, self._allowed = time.monotonic(), allowed

    def elapsed(self) -> float:
        """Seconds since the call."""
        return time.monotonic() - self._started

    def left(self) -> Optional[float]:
        """Seconds that are left, at least 0; `None` without a limit."""
        return None if self._allowed is None else max(self._allowed - self.elapsed(), 0.0)


class _Planner(Engine, OneshotPlannerMixin):
    """What both engines have in common. Parameters are the options of `counterplay.solve`."""

    #: What problems may have; one of the sets has to cover everything that a problem has.
    features: tuple[set[str], ...] = (PLAIN,)
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
        return ProblemKind(set().union(*cls.features), version=LATEST_PROBLEM_KIND_VERSION)

    @classmethod
    def supports(cls, problem_kind: ProblemKind) -> bool:
        kinds = (ProblemKind(features, version=LATEST_PROBLEM_KIND_VERSION) for features in cls.features)
        return any(problem_kind <= kind for kind in kinds)

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
        clock = _Clock(timeout)
        try:
            translation = Translation(problem)
            answer = self._ask(translation, self.quality, clock.left(), output_stream)
            if self._is_open(translation, answer):
                return self._within_ranges(translation, clock.left(), output_stream)
        except counterplay.InputError as refused:
            if ranges.is_without_range(refused) and self._takes_any(translation):
                return self._within_ranges(translation, clock.left(), output_stream)
            return self._refused(PlanGenerationResultStatus.UNSUPPORTED_PROBLEM, str(refused))
        except (Untranslatable, counterplay.OptionError) as refused:
            return self._refused(PlanGenerationResultStatus.UNSUPPORTED_PROBLEM, str(refused))
        except counterplay.InternalError as error:
            return self._refused(PlanGenerationResultStatus.INTERNAL_ERROR, str(error))
        return self._result(translation, answer)

    def _takes_any(self, translation: Translation) -> bool:
        """Where nothing is to be made least or greatest, any plan is as good as another."""
        return self.satisfies(OptimalityGuarantee.SATISFICING) or not translation.given.quality_metrics

    def _may_be_open(self, translation: Translation) -> bool:
        """Whether a plan within ranges is looked for if numbers have no finite range."""
        return self._takes_any(translation) and ranges.has_open_numbers(translation.given)

    def _is_open(self, translation: Translation, answer: Any) -> bool:
        """Whether the time was spent on the ranges of numbers, before any search."""
        return answer.verdict == "stopped" and answer.search is None and self._may_be_open(translation)

    def _within_ranges(self, translation: Translation, timeout: Optional[float], output_stream: Optional[IO[str]]) -> PlanGenerationResult:
        """Looks for any plan that keeps the numbers within ranges, in each of which a third of the time may be spent."""
        status = PlanGenerationResultStatus.UNSOLVABLE_INCOMPLETELY
        for problem in ranges.within_ranges(translation.given):
            share = None if timeout is None else timeout / len(ranges.WIDTHS)
            try:
                inner = Translation(problem)
                answer = self._ask(inner, "any", share, output_stream)
            except (Untranslatable, counterplay.InputError, counterplay.OptionError) as refused:
                return self._refused(PlanGenerationResultStatus.UNSUPPORTED_PROBLEM, str(refused))
            if answer.plan is not None:
                plan = inner.sequential(answer.plan)
                actions = [ActionInstance(translation.given.action(one.action.name), one.actual_parameters) for one in plan.actions]
                metrics = {"engine_internal_time": str(answer.seconds)}
                made = SequentialPlan(actions, translation.given.environment)
                solved = PlanGenerationResultStatus.SOLVED_SATISFICING
                logs = [LogMessage(LogLevel.INFO, "the numbers have no finite range; this plan stays within one")]
                return PlanGenerationResult(solved, made, self.name, metrics=metrics, log_messages=logs)
            if answer.verdict == "stopped":
                status = LIMITS.get(answer.limit, PlanGenerationResultStatus.INTERNAL_ERROR)
        return self._refused(status, "the numbers have no finite range, and no plan was found that stays within one")

    def _ask(
        self,
        translation: Translation,
        quality: str,
        timeout: Optional[float],
        output_stream: Optional[IO[str]],
        **more: Any,
    ) -> Any:
        cancel = more.pop("cancel", None) or counterplay.Cancel()
        is_searching = threading.Event()

        def report(news: counterplay.Progress) -> None:
            if news.phase not in BEFORE_THE_SEARCH:
                is_searching.set()
            if output_stream is not None:
                figures = " ".join(f"{name} {value:g}" for name, value in news.counts.items())
                output_stream.write(f"{news.phase} {figures}".rstrip() + "\n")

        options: dict[str, Any] = {**self.options, **translation.options}
        if translation.is_hidden:
            # Plans of unified-planning are trees, so none may go on for ever.
            options.setdefault("class_", "strong")
        if quality != "optimal" and translation.is_classical and not CHOOSES_A_SEARCH & options.keys():
            options.setdefault("quality", quality)
        timer: Optional[threading.Timer] = None
        if timeout is not None and self._may_be_open(translation):
            # Ranges that are not found soon are not there.
            timer = threading.Timer(timeout / 3, lambda: is_searching.is_set() or cancel.cancel())
            timer.start()
        if output_stream is not None or timer is not None:
            options["progress"] = report
        try:
            return counterplay.solve(translation.domain, translation.problem, time_limit=timeout, cancel=cancel, **options, **more)
        finally:
            if timer is not None:
                timer.cancel()

    def _refused(self, status: PlanGenerationResultStatus, why: str) -> PlanGenerationResult:
        return PlanGenerationResult(status, None, self.name, log_messages=[LogMessage(LogLevel.ERROR, why)])

    def _result(self, translation: Translation, answer: Any) -> PlanGenerationResult:
        metrics = {"engine_internal_time": str(answer.seconds)}
        logs = [LogMessage(LogLevel.INFO, answer.form("summary") or "")]
        plan = None if answer.plan is None and answer.policy is None else translation.plan(answer)
        return PlanGenerationResult(
            self._status(translation, answer, plan), plan, self.name, metrics=metrics, log_messages=logs
        )

    def _status(self, translation: Translation, answer: Any, plan: Optional[Plan]) -> PlanGenerationResultStatus:
        if answer.verdict == "unsolvable":
            return PlanGenerationResultStatus.UNSOLVABLE_PROVEN
        if answer.verdict == "solved":
            # Where nothing is to be made least or greatest, nothing is optimal either.
            if answer.optimal and not translation.is_hierarchical and translation.given.quality_metrics:
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

    features = (PLAIN, NETWORKS, hidden.FEATURES)
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
        """One search that goes on: each plan is passed on as soon as it is found. It ends with the generator."""
        clock = _Clock(timeout)
        try:
            translation = Translation(problem)
        except Untranslatable as refused:
            yield self._refused(PlanGenerationResultStatus.UNSUPPORTED_PROBLEM, str(refused))
            return
        news: queue.SimpleQueue[Any] = queue.SimpleQueue()
        cancel = counterplay.Cancel()

        def work() -> None:
            try:
                news.put(self._ask(translation, "improve", clock.left(), output_stream, on_plan=news.put, cancel=cancel))
            except BaseException as raised:
                news.put(raised)

        best = float("inf")
        thread = threading.Thread(target=work, name="counterplay", daemon=True)
        thread.start()
        try:
            while True:
                told = news.get()
                if not isinstance(told, counterplay.planning.FoundPlan):
                    break
                value = translation.value(told)
                if value < best:
                    best = value
                    metrics = {"engine_internal_time": str(clock.elapsed())}
                    plan = translation.sequential(told.plan)
                    yield PlanGenerationResult(PlanGenerationResultStatus.INTERMEDIATE, plan, self.name, metrics=metrics)
        finally:
            cancel.cancel()
            thread.join()
        yield self._told(translation, told, clock.left())

    def _told(self, translation: Translation, told: Any, timeout: Optional[float]) -> PlanGenerationResult:
        """The result of a search that is over."""
        if isinstance(told, counterplay.InputError) and ranges.is_without_range(told):
            return self._within_ranges(translation, timeout, None)
        if not isinstance(told, BaseException) and self._is_open(translation, told):
            return self._within_ranges(translation, timeout, None)
        if isinstance(told, (Untranslatable, counterplay.InputError, counterplay.OptionError)):
            return self._refused(PlanGenerationResultStatus.UNSUPPORTED_PROBLEM, str(told))
        if isinstance(told, counterplay.InternalError):
            return self._refused(PlanGenerationResultStatus.INTERNAL_ERROR, str(told))
        if isinstance(told, BaseException):
            raise told
        return self._result(translation, told)

    @staticmethod
    def supports_plan(plan_kind: PlanKind) -> bool:
        return plan_kind in (PlanKind.SEQUENTIAL_PLAN, PlanKind.HIERARCHICAL_PLAN, PlanKind.CONTINGENT_PLAN)

    def _validate(self, problem: up.model.AbstractProblem, plan: Plan) -> ValidationResult:
        translation = Translation(problem, solving=False)
        try:
            text = translation.text(plan)
            result = counterplay.check(translation.domain, translation.problem, text, **translation.options)
            valid, why = result.valid, result.why
        except (Inapplicable, counterplay.InputError) as error:
            valid, why = False, str(error)
        status = ValidationResultStatus.VALID if valid else ValidationResultStatus.INVALID
        logs = [] if why is None else [LogMessage(LogLevel.INFO, why)]
        return ValidationResult(status, self.name, log_messages=logs)
