"""Kriegspiel: chess in which each side sees only its own men."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Optional

from . import _call
from ._answers import Record, html
from ._call import Session, Text, ask, source
from ._types import (
    KriegspielDatabaseRowAnswer,
    KriegspielEstimateAnswer,
    KriegspielGenerateOptions,
    KriegspielImportAnswer,
    KriegspielPlayAnswer,
    KriegspielPlayOptions,
    KriegspielPlayWantedAnswer,
    KriegspielSolveAnswer,
    KriegspielSolveOptions,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import CallOptions


class Belief:
    """A belief state: the positions that are held possible, as FEN."""

    def __init__(self, positions: Iterable[str]) -> None:
        if isinstance(positions, str):
            positions = [positions]
        self.positions: list[str] = list(positions)

    def solve(self, depth: int, **options: Unpack[KriegspielSolveOptions]) -> Mate:
        """Whether a plan mates in all positions within `depth` plies, an odd number."""
        return solve(self.positions, depth, **options)

    def to_svg(self) -> str:
        """The board: own men, and shades where men of the other side may stand."""
        _, forms = _call.native(
            "kriegspiel-picture", {"problem": {"belief": self.positions, "depth": 1}, "picture": "board"}
        )
        return forms["svg"]

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_html_(self) -> str:
        return html(repr(self), self.to_svg())

    def __len__(self) -> int:
        return len(self.positions)

    def __iter__(self) -> Any:
        return iter(self.positions)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Belief) and set(self.positions) == set(other.positions)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Belief of {len(self.positions)} positions"


class BeliefTree(Record):
    """The positions that are possible at each try of a proof, in the shape of the proof."""

    count: int
    """How many positions are possible before the try."""

    positions: list[str]
    """The first of them, as FEN."""

    illegal: Optional[BeliefTree]
    """The node after the try was rejected."""

    after: Optional[list[list[BeliefTree]]]
    """The nodes after each announcement and each announcement of a reply, in the order of the proof."""


class Mate(KriegspielSolveAnswer):
    """Whether there is a mate."""

    __slots__ = ()

    @property
    def beliefs(self) -> Optional[BeliefTree]:
        """The positions at each try of the proof, if that was asked for (`proof=True`)."""
        text = self.form("beliefs")
        return None if text is None else BeliefTree(json.loads(text))


def solve(
    positions: Iterable[str], depth: int, *, id: Any = None, **options: Unpack[KriegspielSolveOptions]
) -> Mate:
    """Whether a plan mates in all positions (FEN) within `depth` plies, an odd number."""
    listed = [positions] if isinstance(positions, str) else list(positions)
    request = {"problem": {"id": id, "belief": listed, "depth": depth}}
    return ask(Mate, "kriegspiel-solve", request, options)


def solve_history(
    start: str, steps: Sequence[dict[str, Any]], depth: int, *, id: Any = None, **options: Unpack[KriegspielSolveOptions]
) -> Mate:
    """The same for the belief state that a history leads to (`estimate` has its form). The search goes on while positions are still being estimated."""
    problem = {"id": id, "root_fen": start, "history": list(steps), "depth": depth}
    return ask(Mate, "kriegspiel-solve", {"problem": problem, "interleave": True}, options)


def proof_tree(positions: Iterable[str], depth: int) -> str:
    """A picture (SVG) of a plan that mates in all positions."""
    listed = [positions] if isinstance(positions, str) else list(positions)
    request = {"problem": {"belief": listed, "depth": depth}, "picture": "tree"}
    _, forms = _call.native("kriegspiel-picture", request)
    return forms["svg"]


class Estimate(KriegspielEstimateAnswer):
    """The belief state after each step of a history."""

    __slots__ = ()

    @property
    def belief(self) -> Belief:
        """The belief state after the last step."""
        return Belief(self["positions"])


def estimate(start: str, steps: Sequence[dict[str, Any]], **options: Unpack[CallOptions]) -> Estimate:
    """Carries the belief state through a history, which is what the files of `kriegspiel estimate` have in `steps`."""
    given: dict[str, Any] = dict(options)
    request = {"history": {"id": None, "start_fen": start, "steps": list(steps)}, "list": True}
    return _call.answered(Estimate, "kriegspiel-estimate", request, given)


class Database(NamedTuple):
    """Problems that were made from games."""

    counts: dict[str, Any]
    rows: list[KriegspielDatabaseRowAnswer]


def generate(
    *,
    known: Iterable[KriegspielDatabaseRowAnswer] = (),
    from_: Optional[Iterable[KriegspielDatabaseRowAnswer]] = None,
    **options: Unpack[KriegspielGenerateOptions],
) -> Database:
    """Makes a database of mates and near misses. Rows that are `known` from an earlier call are not made again, and games go on after theirs; with `from_`,
    the near misses among its rows are asked again at another depth."""
    given: dict[str, Any] = dict(options)
    rows = {
        "known": [row.to_dict() for row in known],
        "from": None if from_ is None else [row.to_dict() for row in from_],
    }
    made, _ = _call.native("kriegspiel-generate", lambda rest: {**rows, "options": _call.kebab(rest)}, given)
    return Database(made["counts"], [KriegspielDatabaseRowAnswer(row) for row in made["rows"]])


def import_pgn(pgn: Text, depth: int) -> list[KriegspielImportAnswer]:
    """Problems from filtered Kriegspiel PGN."""
    problems, _ = _call.native("kriegspiel-import", {"pgn": source(pgn, "games.pgn"), "depth": depth})
    return [KriegspielImportAnswer(problem) for problem in problems]


def match(**options: Unpack[KriegspielPlayOptions]) -> KriegspielPlayAnswer:
    """A game between programs: `white` and `black` are `careful`, `rash` or `random`. `answer.form("pgn")` is the game as PGN."""
    given: dict[str, Any] = {"white": "careful", "black": "careful", **options}
    return _call.answered(KriegspielPlayAnswer, "kriegspiel-match", _call.kebab, given)


class Said(NamedTuple):
    """A try, and what the referee announced. The try of a program is hidden from its opponent."""

    by: str
    attempt: Optional[str]
    said: str


class KriegspielGame:
    """A game with its referee, in which you (`you`) and programs play."""

    def _repr_html_(self) -> str:
        return self.record()._repr_html_()

    def __init__(self, **options: Unpack[KriegspielPlayOptions]) -> None:
        self._session = Session("kriegspiel", _call.kebab(options))

    @property
    def turn(self) -> Literal["you", "program", "over"]:
        """Who has to act."""
        turn: Literal["you", "program", "over"] = self._session.call("turn")
        return turn

    def prompt(self) -> Optional[KriegspielPlayWantedAnswer]:
        """What you see; `None` if it is not your turn. The news are told once."""
        wanted = self._session.call("prompt")
        return None if wanted is None else KriegspielPlayWantedAnswer(wanted)

    def attempt(self, move: str) -> Said:
        """Tries a move such as `e2e4`."""
        said = self._session.call("attempt", move)
        return Said(said["by"], said["try"], said["said"])

    def reply(self, **options: Unpack[CallOptions]) -> Said:
        """Lets the program whose turn it is try something."""
        said = self._session.call("reply", None, dict(options))
        return Said(said["by"], said["try"], said["said"])

    def record(self) -> KriegspielPlayAnswer:
        """All tries so far, and how the game stands."""
        return KriegspielPlayAnswer(self._session.call("record"))

    def pgn(self, white: str = "White", black: str = "Black") -> str:
        """The game as PGN that any chess program reads, with the tries that were rejected in its comments."""
        return str(self._session.call("pgn", [white, black]))
