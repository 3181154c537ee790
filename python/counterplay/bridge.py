"""Contract bridge: declarer's plan for a deal, boards played out, duplicate matches, and single suits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional

from . import _call
from ._call import Session, Text, ask, source
from ._types import (
    BridgeBoardsOptions,
    BridgeCalibrateAnswer,
    BridgeCalibrateOptions,
    BridgeDealOptions,
    BridgeMatchAnswer,
    BridgeMatchOptions,
    BridgePlanAnswer,
    BridgePlanOptions,
    BridgePlayAnswer,
    BridgePlayEndAnswer,
    BridgePlayOptions,
    BridgePlayPromptAnswer,
    BridgeShowAnswer,
    BridgeSuitAnswer,
    BridgeSuitOptions,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import CallOptions

    class PlanKeywords(BridgePlanOptions, BridgeBoardsOptions, total=False):
        """Options of a plan and of its boards."""

    class PlayKeywords(BridgePlayOptions, BridgeBoardsOptions, total=False):
        """Options of play and of its boards."""

    class MatchKeywords(BridgeMatchOptions, BridgeBoardsOptions, total=False):
        """Options of a match and of its boards."""


_BOARDS = ("boards", "deals", "kind", "contract", "by", "lead", "told", "bidding")


def _split(boards: Optional[Text], options: dict[str, Any]) -> dict[str, Any]:
    """The part of a request that says which boards; its options are taken out of `options`."""
    chosen = {name: options.pop(name) for name in _BOARDS if name in options}
    if "seed" in options:
        chosen["seed"] = options["seed"]
    text = None if boards is None else source(boards, "boards.pbn")
    return {"source": text, "boards": _call.kebab(chosen)}


def _several(kind: type[Any], made: Sequence[dict[str, Any]]) -> list[Any]:
    """Answers with forms of their own."""
    answers = []
    for one in made:
        forms = {name: one[name] for name in ("text", "svg") if one.get(name)}
        answers.append(kind(one["answer"], forms))
    return answers


class Boards(list[BridgeShowAnswer]):
    """Boards, and the same as PBN."""

    pbn: str = ""

    def _repr_html_(self) -> str:
        return "".join(board._repr_html_() for board in self)


def show(boards: Text, *, double_dummy: bool = False, **options: Unpack[CallOptions]) -> Boards:
    """The boards of a PBN or LIN text, or of one deal `N:… … … …`; with `double_dummy` also the tricks with all hands open."""
    given: dict[str, Any] = dict(options)
    request = {"source": source(boards, "boards.pbn"), "options": {"double-dummy": double_dummy}}
    made, forms = _call.native("bridge-show", request, given)
    shown = Boards(_several(BridgeShowAnswer, made))
    shown.pbn = forms.get("file", "")
    return shown


def deal(**options: Unpack[BridgeDealOptions]) -> Boards:
    """Random deals."""
    given: dict[str, Any] = dict(options)
    made, forms = _call.native("bridge-deal", _call.kebab, given)
    shown = Boards(_several(BridgeShowAnswer, made))
    shown.pbn = forms.get("file", "")
    return shown


def suit(north: str, south: str, tricks: Optional[int] = None, **options: Unpack[CallOptions]) -> BridgeSuitAnswer:
    """The best play of a suit, with its exact odds against best defence."""
    given: dict[str, Any] = dict(options)
    fields, forms = _call.native("bridge-suit", {"north": north, "south": south, "tricks": tricks}, given)
    return BridgeSuitAnswer(fields, forms)


def plan(boards: Optional[Text] = None, /, **options: Unpack[PlanKeywords]) -> list[BridgePlanAnswer]:
    """Declarer's plan after the opening lead, for each board."""
    given: dict[str, Any] = dict(options)
    where = _split(boards, given)
    made, _ = _call.native("bridge-plan", lambda rest: {**where, "options": _call.kebab(rest)}, given)
    return _several(BridgePlanAnswer, made)


class Played(list[BridgePlayAnswer]):
    """Boards that were played, the same as PBN, and the limit that ended the run."""

    pbn: str = ""
    limit: Optional[str] = None

    def _repr_html_(self) -> str:
        return "".join(board._repr_html_() for board in self)


def play(boards: Optional[Text] = None, /, **options: Unpack[PlayKeywords]) -> Played:
    """Plays boards out."""
    given: dict[str, Any] = dict(options)
    where = _split(boards, given)
    made, forms = _call.native("bridge-play", lambda rest: {**where, "options": _call.kebab(rest)}, given)
    played = Played(_several(BridgePlayAnswer, made["boards"]))
    played.pbn, played.limit = forms.get("file", ""), made["limit"]
    return played


def match(boards: Optional[Text] = None, /, **options: Unpack[MatchKeywords]) -> BridgeMatchAnswer:
    """A duplicate match of two declarers."""
    given: dict[str, Any] = dict(options)
    where = _split(boards, given)
    fields, forms = _call.native("bridge-match", lambda rest: {**where, "options": _call.kebab(rest)}, given)
    return BridgeMatchAnswer(fields, forms)


def calibrate(**options: Unpack[BridgeCalibrateOptions]) -> BridgeCalibrateAnswer:
    """Compares told chances with results on random deals."""
    given: dict[str, Any] = dict(options)
    made, forms = _call.native("bridge-calibrate", _call.kebab, given)
    return BridgeCalibrateAnswer({**made["table"], "trials": made["trials"]}, forms)


class Table:
    """A board on which you play a side: `declarer="you"` or `defence="you"`."""

    def __init__(self, board: Optional[Text] = None, /, **options: Unpack[PlayKeywords]) -> None:
        given: dict[str, Any] = dict(options)
        where = _split(board, given)
        self._session = Session("bridge", {**where, "options": _call.kebab(given)})
        self.end: Optional[BridgePlayEndAnswer] = None
        self.prompt: Optional[BridgePlayPromptAnswer] = None
        self._heard(self._session.call("advance"))

    def _heard(self, news: dict[str, Any]) -> None:
        if "end" in news:
            self.prompt, self.end = None, BridgePlayEndAnswer(news)
        else:
            self.prompt = BridgePlayPromptAnswer(news)

    def play(self, card: str, **options: Unpack[CallOptions]) -> Optional[BridgePlayPromptAnswer]:
        """Plays a card such as `HQ`; returns what is asked next, or `None` at the end of the board."""
        self._heard(self._session.call("play", card, dict(options)))
        return self.prompt
