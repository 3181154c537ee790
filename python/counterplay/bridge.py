"""Contract bridge: declarer's plan for a deal, boards played out, duplicate matches, and single suits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Optional

from . import _call
from ._answers import Answer, Record
from ._call import Session, Text, source
from ._errors import OptionError
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
    Evidence,
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
    """Boards, and the same as PBN and LIN."""

    pbn: str = ""
    lin: str = ""

    def _repr_html_(self) -> str:
        return "".join(board._repr_html_() for board in self)


def show(boards: Text, *, double_dummy: bool = False, **options: Unpack[CallOptions]) -> Boards:
    """The boards of a PBN or LIN text, or of one deal `N:… … … …`; with `double_dummy` also the tricks with all hands open."""
    given: dict[str, Any] = dict(options)
    request = {"source": source(boards, "boards.pbn"), "options": {"double-dummy": double_dummy}}
    made, forms = _call.native("bridge-show", request, given)
    shown = Boards(_several(BridgeShowAnswer, made))
    shown.pbn, shown.lin = forms.get("file", ""), forms.get("lin", "")
    return shown


def deal(**options: Unpack[BridgeDealOptions]) -> Boards:
    """Random deals."""
    given: dict[str, Any] = dict(options)
    made, forms = _call.native("bridge-deal", _call.kebab, given)
    shown = Boards(_several(BridgeShowAnswer, made))
    shown.pbn, shown.lin = forms.get("file", ""), forms.get("lin", "")
    return shown


class CardOdds(Record):
    """The odds of a card."""

    card: str
    """Suit and rank, such as `HQ`."""

    makes: float
    """The share of layouts, from 0 to 1, in which declarer makes the contract after it."""

    tricks: float
    """Declarer's tricks on average."""


class Odds(Answer):
    """What each legal card is worth over layouts of the cards that the player on turn does not see."""

    seat: str
    """The letter of the seat to play."""

    cards: list[CardOdds]
    """All legal cards, the best for this player first."""

    layouts: int
    """How many layouts were solved."""

    complete: bool
    """Whether these are all that are possible."""

    evidence: Evidence


def odds(
    board: Text,
    cards: Sequence[str],
    *,
    layouts: int = 20,
    boards: Optional[str] = None,
    contract: Optional[str] = None,
    by: str = "S",
    seed: int = 0,
    **options: Unpack[CallOptions],
) -> Odds:
    """What each card is worth after some cards were played, the opening lead first, by double dummy over layouts that agree with what the player on turn knows.

    `boards="2"` picks one board of a text with several.
    """
    given: dict[str, Any] = dict(options)
    where = _split(board, {"boards": boards, "contract": contract, "by": by})
    asked = {"cards": list(cards), "layouts": layouts, "seed": seed}
    return _call.answered(Odds, "bridge-odds", {**where, "options": asked}, given)


class Par(Answer):
    """The best that both sides can reach on a deal with all hands open."""

    score: int
    """The score of north and south."""

    contracts: list[str]
    """The contracts that reach it, such as `4S by N`."""

    tricks: list[list[int]]
    """The tricks that north, east, south and west take as declarer in clubs, diamonds, hearts, spades and notrump."""


def par(
    board: Text,
    *,
    boards: Optional[str] = None,
    dealer: Optional[Literal["N", "E", "S", "W"]] = None,
    **options: Unpack[CallOptions],
) -> Par:
    """The par of a board; `boards="2"` picks one of several. Who deals matters on the few deals where both sides can make the same contract."""
    given: dict[str, Any] = dict(options)
    # A board is only ready to be played with some contract; par does not depend on it.
    where = _split(board, {"boards": boards, "contract": "1NT"})
    return _call.answered(Par, "bridge-par", {**where, "options": _call.kebab({"dealer": dealer})}, given)


def suit(north: str, south: str, tricks: Optional[int] = None, **options: Unpack[CallOptions]) -> BridgeSuitAnswer:
    """The best play of a suit, with its exact odds against best defence."""
    given: dict[str, Any] = dict(options)
    return _call.answered(BridgeSuitAnswer, "bridge-suit", {"north": north, "south": south, "tricks": tricks}, given)


def plan(boards: Optional[Text] = None, /, **options: Unpack[PlanKeywords]) -> list[BridgePlanAnswer]:
    """Declarer's plan after the opening lead, for each board."""
    given: dict[str, Any] = dict(options)
    where = _split(boards, given)
    made, _ = _call.native("bridge-plan", lambda rest: {**where, "options": _call.kebab(rest)}, given)
    return _several(BridgePlanAnswer, made)


class Played(list[BridgePlayAnswer]):
    """Boards that were played, the same as PBN and LIN, and the limit that ended the run."""

    pbn: str = ""
    lin: str = ""
    limit: Optional[str] = None

    def _repr_html_(self) -> str:
        return "".join(board._repr_html_() for board in self)


def play(boards: Optional[Text] = None, /, **options: Unpack[PlayKeywords]) -> Played:
    """Plays boards out."""
    given: dict[str, Any] = dict(options)
    where = _split(boards, given)
    made, forms = _call.native("bridge-play", lambda rest: {**where, "options": _call.kebab(rest)}, given)
    played = Played(_several(BridgePlayAnswer, made["boards"]))
    played.pbn, played.lin, played.limit = forms.get("file", ""), forms.get("lin", ""), made["limit"]
    return played


def match(boards: Optional[Text] = None, /, **options: Unpack[MatchKeywords]) -> BridgeMatchAnswer:
    """A duplicate match of two declarers."""
    given: dict[str, Any] = dict(options)
    where = _split(boards, given)
    return _call.answered(BridgeMatchAnswer, "bridge-match", lambda rest: {**where, "options": _call.kebab(rest)}, given)


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
        self._told: Optional[dict[str, Any]] = self._session.call("advance")

    def _news(self) -> dict[str, Any]:
        """What was told last; asked for again after a call that was interrupted."""
        if self._told is None:
            self._told = self._session.call("look")
        told: dict[str, Any] = self._told
        return told

    @property
    def prompt(self) -> Optional[BridgePlayPromptAnswer]:
        """What is asked; `None` at the end of the board."""
        news = self._news()
        return None if "end" in news else BridgePlayPromptAnswer(news)

    @property
    def end(self) -> Optional[BridgePlayEndAnswer]:
        """How the board ended; `None` before that."""
        news = self._news()
        return BridgePlayEndAnswer(news) if "end" in news else None

    def play(self, card: str, **options: Unpack[CallOptions]) -> Optional[BridgePlayPromptAnswer]:
        """Plays a card such as `HQ`; returns what is asked next, or `None` at the end of the board."""
        self._news()
        told, self._told = self._told, None
        try:
            self._told = self._session.call("play", card, dict(options))
        except OptionError:
            # Refused: nothing was played.
            self._told = told
            raise
        return self.prompt
