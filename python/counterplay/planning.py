"""Planning: plans of least cost, of best net benefit, policies, task networks, hidden states, decision processes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Optional, Union

from . import _call
from ._answers import Answer
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
    SolveAnswer,
    SolveOptions,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import CallOptions


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


def solve(
    domain: Text,
    problem: Optional[Text] = None,
    *,
    on_plan: Optional[Callable[[FoundPlan], Any]] = None,
    **options: Unpack[SolveOptions],
) -> Solved:
    """Solves a planning problem and checks the answer.

    The kind of the problem is detected: a plan of least cost, a plan of best net benefit, a policy where actions have several outcomes, a plan or
    policy that carries out a task network, or a plan for hidden states. Without `problem`, the first text is a task in Fast Downward's translator format.

    Reaching a limit is an answer: `verdict` is `stopped`, and the best that is known is there. `on_plan` gets each plan as soon as it is found and checked while
    the search for a better one goes on, on the calling thread; what it raises ends the call.

    >>> import counterplay
    >>> domain = "(define (domain lamp) (:predicates (lit)) (:action switch :effect (lit)))"
    >>> problem = "(define (problem dark) (:domain lamp) (:init) (:goal (lit)))"
    >>> counterplay.solve(domain, problem).plan
    ['(switch)']
    """
    if on_plan is not None and not callable(on_plan):
        raise OptionError(f"`on_plan` is a function, not {type(on_plan).__name__}")
    told = None if on_plan is None else (lambda text: on_plan(FoundPlan(json.loads(text))))
    return ask(Solved, "solve", _request(domain, problem), options, plans=told)


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
    problem, also that it is about them."""
    if isinstance(certificate, Mapping):
        files = {name: source(text, name) for name, text in certificate.items()}
    else:
        folder = Path(certificate)
        names = ("task.sas", "invariant.txt", "plan")
        files = {name: source(folder / name, name) for name in names if (folder / name).exists()}
    missing = [name for name in ("task.sas", "invariant.txt") if name not in files]
    if missing:
        raise InputError(f"the certificate has no {missing[0]}")
    if (domain is None) != (problem is None):
        raise OptionError("a certificate is compared with a domain and a problem, not with one of them")
    request: dict[str, Any] = {"task": files["task.sas"]["text"], "invariant": files["invariant.txt"]["text"]}
    request["plan"] = files["plan"]["text"] if "plan" in files else None
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
