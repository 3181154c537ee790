"""Planning: plans of least cost, of best net benefit, policies, task networks, hidden states, decision processes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Optional, Union

from . import _call
from ._answers import Answer, Record
from ._call import Text, ask, source
from ._errors import Finding, InputError, OptionError
from ._types import (
    ActAnswer,
    ActOptions,
    CheckAnswer,
    CheckCertificateAnswer,
    CheckOptions,
    FoundPlan,
    GroundAnswer,
    MdpAnswer,
    MdpOptions,
    PolicyRule,
    SolveAnswer,
    SolveOptions,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import CallOptions

    class SolveKeywords(SolveOptions, total=False):
        """Options of `solve`, and several plans as the command line asks for them."""

        within: Optional[Union[float, str]]
        """All plans that cost at most so many times the least cost, such as 1.1."""
        loopless: bool
        """Whether plans that visit a state twice are left out."""
        unordered: bool
        """Whether of plans with the same actions in another order one is enough."""
        count: bool
        """Whether they are only counted."""


def _request(domain: Text, problem: Optional[Text]) -> dict[str, Any]:
    second = None if problem is None else source(problem, "problem")
    return {"domain": source(domain, "domain"), "problem": second}


class Solved(SolveAnswer):
    """An answer of `solve`."""

    __slots__ = ()

    @property
    def certificate_files(self) -> dict[str, str]:
        """The files of the certificate by name; none unless one was asked for (`certificate=True`) and could be made."""
        report = self.certificate
        names: list[str] = [] if report is None else report.files
        return {name: text for name in names if (text := self.form(name)) is not None}

    def write_certificate(self, folder: Union[str, os.PathLike[str]]) -> list[Path]:
        """Writes the files of the certificate to a folder, as `solve --certificate FOLDER` does. Returns their paths."""
        target, written = Path(folder), []
        target.mkdir(parents=True, exist_ok=True)
        for name, text in self.certificate_files.items():
            written.append(target / name)
            written[-1].write_text(text, encoding="utf-8")
        return written


class FoundPolicy(Record):
    """A policy that was found while a stronger one is looked for."""

    class_: Literal["strong", "strong-cyclic", "weak"]
    """What it is proved to guarantee."""

    open: list[Literal["strong", "strong-cyclic", "weak"]]
    """Stronger classes that are still looked for."""

    policy: list[PolicyRule]

    file: str
    """The policy as a file."""


_MILLION = 1_000_000


def _several(options: dict[str, Any]) -> None:
    """Puts the options for several plans together."""
    plans, within = options.pop("plans", None), options.pop("within", None)
    how = {name: options.pop(name) for name in ("loopless", "unordered", "count") if name in options}
    if plans is not None and within is not None:
        raise OptionError("`plans` and `within` are two ways to say which plans are wanted")
    if isinstance(plans, Mapping):
        which = {**plans, **how}
    elif within is not None:
        which = {"which": {"within": _factor(within)}, **how}
    elif plans == "all-optimal":
        which = {"which": {"within": _MILLION}, **how}
    elif isinstance(plans, int) and not isinstance(plans, bool) and plans > 0:
        which = {"which": {"cheapest": plans}, **how}
    elif plans is not None:
        raise OptionError(f'`plans` is a number above zero or "all-optimal", not {plans!r}')
    elif any(how.values()):
        raise OptionError("`loopless`, `unordered` and `count` are for several plans", "add `plans` or `within`")
    else:
        return
    options["plans"] = which


def _factor(within: Any) -> int:
    """A factor in millionths."""
    try:
        factor = Decimal(str(within)) * _MILLION
        whole = int(factor)
    except (ArithmeticError, ValueError):
        whole, factor = 0, Decimal(1)
    if whole != factor or whole < _MILLION or isinstance(within, bool):
        raise OptionError(f"`within` is a factor of at least 1 with at most six decimals, such as 1.1, not {within!r}")
    return whole


def solve(
    domain: Text,
    problem: Optional[Text] = None,
    *,
    on_plan: Optional[Callable[[FoundPlan], Any]] = None,
    on_policy: Optional[Callable[[FoundPolicy], Any]] = None,
    **options: Unpack[SolveKeywords],
) -> Solved:
    """Solves a planning problem and checks the answer.

    The kind of the problem is detected: a plan of least cost, a plan of best net benefit, a policy where actions have several outcomes, a plan or
    policy that carries out a task network, or a plan for hidden states. Without `problem`, the first text is a task in Fast Downward's translator format.

    Reaching a limit is an answer: `verdict` is `stopped`, and the best that is known is there. `on_plan` gets each plan as soon as it is found and checked while
    the search for a better one goes on; `on_policy` gets each policy while a stronger one is looked for. Both are called on the calling thread; what they raise
    ends the call. `plans=3`, `plans="all-optimal"` and `within=1.1` ask for several plans.

    >>> import counterplay
    >>> domain = "(define (domain lamp) (:predicates (lit)) (:action switch :effect (lit)))"
    >>> problem = "(define (problem dark) (:domain lamp) (:init) (:goal (lit)))"
    >>> counterplay.solve(domain, problem).plan
    ['(switch)']
    """
    _call.callback("on_plan", on_plan)
    _call.callback("on_policy", on_policy)

    def tell(what: str, text: str) -> None:
        if what == "plan" and on_plan is not None:
            on_plan(FoundPlan(json.loads(text)))
        if what == "policy" and on_policy is not None:
            on_policy(FoundPolicy(json.loads(text)))

    given: dict[str, Any] = dict(options)
    _several(given)
    told = None if on_plan is None and on_policy is None else tell
    return ask(Solved, "solve", _request(domain, problem), given, found=told)


def mdp(file: Text, problem: Optional[Text] = None, **options: Unpack[MdpOptions]) -> MdpAnswer:
    """The best policy where nature picks the outcomes by known odds, in exact fractions where possible.

    The process is a table `(mdp name (initial s) (goal t) (action s a (cost 1) (1/2 t) (1/2 s)))`, or a domain and a problem in PDDL with
    `probabilistic` effects, in one text or two.

    >>> import counterplay
    >>> table = "(mdp coin (initial s) (goal t) (action s toss (cost 1) (1/2 t) (1/2 s)))"
    >>> counterplay.mdp(table, objective="min-cost").exact
    '2'
    """
    return ask(MdpAnswer, "mdp", _request(file, problem), options)


class Check(CheckAnswer):
    """Whether a plan or policy is valid; true if it is."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return bool(self["valid"])

    @property
    def findings(self) -> list[Finding]:
        """What is wrong, with places."""
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


_CERTIFICATE = ("task.sas", "invariant.txt", "plan", "ranks.txt", "none.txt")
"""The files of a certificate."""


class CertificateCheck(CheckCertificateAnswer):
    """Whether a certificate is valid; true if it is."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return bool(self["valid"])


def check_certificate(
    certificate: Union[str, os.PathLike[str], Mapping[str, str]],
    domain: Optional[Text] = None,
    problem: Optional[Text] = None,
    **options: Unpack[CallOptions],
) -> CertificateCheck:
    """Checks a certificate without any search: a folder, or the files of one by name (`answer.certificate_files`). With the domain and the
    problem, also that it is about them; certificates of policies, task networks and hidden states need both."""
    if isinstance(certificate, Mapping):
        if not all(isinstance(text, str) for pair in certificate.items() for text in pair):
            raise TypeError("a certificate has names and texts of files")
        files = dict(certificate)
    else:
        folder = Path(certificate)
        if not folder.is_dir():
            raise InputError(f"{folder} is no folder")
        files = {name: source(folder / name, name)["text"] for name in _CERTIFICATE if (folder / name).is_file()}
    if (domain is None) != (problem is None):
        raise OptionError("a certificate is compared with a domain and a problem, not with one of them")
    request: dict[str, Any] = {"files": files}
    if domain is not None:
        request.update(_request(domain, problem))
    return ask(CertificateCheck, "check-certificate", request, options)


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

    `hunter-prey` and `hunter-prey-htn` have `edge=4`, `prey=1` and `apart=False`; the two of `robot-navigation` have `packages=2`, `kid_doors=3` and `seed=0`.
    """
    defaults: dict[str, Any]
    if what.startswith("hunter-prey"):
        defaults = {"edge": 4, "prey": 1, "apart": False}
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
