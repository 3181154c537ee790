"""Planning: plans of least cost, of best net benefit, policies, and task networks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Optional

from . import _call
from ._answers import Answer
from ._call import Text, ask, source
from ._errors import Finding
from ._types import ActAnswer, ActOptions, CheckAnswer, CheckOptions, GroundAnswer, SolveAnswer, SolveOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import CallOptions


def _request(domain: Text, problem: Optional[Text]) -> dict[str, Any]:
    second = None if problem is None else source(problem, "problem")
    return {"domain": source(domain, "domain"), "problem": second}


def solve(domain: Text, problem: Optional[Text] = None, **options: Unpack[SolveOptions]) -> SolveAnswer:
    """Solves a planning problem and checks the answer.

    The kind of the problem is detected: a plan of least cost, a plan of best net benefit, a policy where actions have several outcomes, or a plan or
    policy that carries out a task network. Without `problem`, the first text is a task in Fast Downward's translator format.

    Reaching a limit is an answer: `verdict` is `stopped`, and the best that is known is there.

    >>> import counterplay
    >>> domain = "(define (domain lamp) (:predicates (lit)) (:action switch :effect (lit)))"
    >>> problem = "(define (problem dark) (:domain lamp) (:init) (:goal (lit)))"
    >>> counterplay.solve(domain, problem).plan
    ['(switch)']
    """
    return ask(SolveAnswer, "solve", _request(domain, problem), options)


class Check(CheckAnswer):
    """Whether a plan or policy is valid; true if it is."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return bool(self["valid"])

    @property
    def findings(self) -> list[Finding]:
        """What is wrong, with places."""
        import json

        return [Finding(fields) for fields in json.loads(self.form("findings") or "[]")]


def check(domain: Text, problem: Text, answer: Text, **options: Unpack[CheckOptions]) -> Check:
    """Validates a plan or a policy on the problem as it is written, without grounding or search.

    `answer` is a text as `solve` writes it (`answer.form("file")`) or as other planners do, also as a list of steps.
    """
    if isinstance(answer, (list, tuple)):
        answer = "".join(f"{step}\n" for step in answer)
    if isinstance(answer, str) and not answer.strip():
        answer = "\n"
    request = {**_request(domain, problem), "answer": source(answer, "plan")}
    return ask(Check, "check", request, options)


def ground(domain: Text, problem: Text, **options: Unpack[CallOptions]) -> GroundAnswer:
    """Grounds a problem. `answer.form("sas")` is the finite task in Fast Downward's translator format."""
    return ask(GroundAnswer, "ground", _request(domain, problem), options)


def act(
    domain: Text, problem: Text, policy: Optional[Text] = None, **options: Unpack[ActOptions]
) -> ActAnswer:
    """Acts in a simulated world where nature picks the outcomes: with a policy, or by planning on the way."""
    given = None if policy is None else source(policy, "policy")
    return ask(ActAnswer, "act", {**_request(domain, problem), "answer": given}, options)


class Generated(NamedTuple):
    """A domain and a problem."""

    domain: str
    problem: str


def generate(
    what: Literal["hunter-prey", "hunter-prey-htn", "robot-navigation", "robot-navigation-htn"], **sizes: Any
) -> Generated:
    """A problem of a case study.

    `hunter-prey` has `edge=4`, `prey=1` and `apart=False`; `robot-navigation` has `packages=2`, `kid_doors=3` and `seed=0`.
    """
    defaults: dict[str, Any]
    if what.startswith("hunter-prey"):
        defaults = {"edge": 4, "prey": 1, **({"apart": False} if what == "hunter-prey" else {})}
    else:
        defaults = {"packages": 2, "kid_doors": 3, "seed": 0}
    made, _ = _call.native("generate", {"what": what, **_call.kebab({**defaults, **sizes})})
    return Generated(made["domain"], made["problem"])


def picture(answer: Any) -> Optional[str]:
    """A picture (SVG) of an answer, or of what a command printed with `--json`; `None` if there is nothing to see."""
    if isinstance(answer, Answer):
        return answer.to_svg()
    _, forms = _call.native("picture", answer)
    return forms.get("svg")
