"""Go: life and death, and a GTP engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from . import _call
from ._call import Session, Text, ask, source
from ._errors import OptionError
from ._types import GoSolveAnswer, GoSolveOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import CallOptions


def solve(
    sgf: Text,
    *,
    game: int = 1,
    target: Optional[str] = None,
    moves: bool = False,
    try_: Optional[str] = None,
    **options: Unpack[GoSolveOptions],
) -> GoSolveAnswer:
    """Solves a life-and-death problem. The colour to move is `PL`, a stone of the target is marked with `MA` or named by `target`.

    With `moves`, every first move in the region is rated (`answer.moves`, the best first); `try_="C4"` tries one (`answer.tried`).

    `answer.form("file")` is the problem with its contingency tree as SGF, `answer.form("tree_svg")` a picture of that tree.
    """
    if not isinstance(game, int) or game < 1:
        raise OptionError("`game` is counted from 1")
    request = {"sgf": source(sgf, "problem.sgf"), "game": game - 1, "target": target, "moves": bool(moves), "try": try_}
    return ask(GoSolveAnswer, "go-solve", request, options)


class GtpError(OptionError):
    """The engine refused a command."""


class Gtp:
    """A GTP engine on an empty board of 19 lines."""

    def __init__(self, **options: Unpack[GoSolveOptions]) -> None:
        self._session = Session("go", _call.kebab(options))
        self.is_over = False

    def send(self, command: str, **options: Unpack[CallOptions]) -> str:
        """Sends a command and returns what the engine says. What it refuses raises `GtpError`."""
        if "\n" in command or "\r" in command:
            raise OptionError("a command is one line")
        given: dict[str, Any] = dict(options)
        reply = self._session.call("send", command + "\n", given)
        self.is_over = bool(reply["quit"])
        text = str(reply["text"]).strip()
        if text.startswith("?"):
            raise GtpError(text[1:].strip())
        return text.removeprefix("=").strip()
