"""Repeated games of two players with two moves each, with noise: matches, tournaments and ecologies."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, Union

from . import _call
from ._call import Session, Text, source
from ._types import (
    Belief,
    DilemmaMatchAnswer,
    DilemmaMatchOptions,
    DilemmaPlayAnswer,
    DilemmaRoshamboAnswer,
    DilemmaRoshamboOptions,
    DilemmaStrategiesAnswer,
    DilemmaTournamentAnswer,
    DilemmaTournamentOptions,
    StrategyInfo,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Setting(NamedTuple):
    """What a player is told before a match."""

    turns: Optional[int]
    """How many turns there will be; `None` if that is not known."""
    noise: float
    """How likely a move is to come out as its opposite."""
    payoffs: tuple[float, float, float, float]
    """What CC, CD, DC and DD are worth to the player."""
    seed: int
    """For a player that leaves something to chance: the same seed of a match or tournament gives it the same number."""


Reply = Callable[[Optional[str], Optional[str]], str]
"""A player in one match: gets the moves of the last turn as they were executed, its own first (`None` in the first turn), and
returns `C` or `D`."""

Factory = Callable[[Setting], Reply]
"""Makes a player for one match."""


def history_player(choose: Callable[[str, str], str]) -> Factory:
    """A factory for a function of both histories: `choose("CCD", "CDD")` returns `C` or `D`."""

    def factory(_: Setting) -> Reply:
        own: list[str] = []
        other: list[str] = []

        def reply(last_own: Optional[str], last_other: Optional[str]) -> str:
            if last_own is not None and last_other is not None:
                own.append(last_own)
                other.append(last_other)
            return choose("".join(own), "".join(other))

        return reply

    return factory


def strategies() -> list[StrategyInfo]:
    """The strategies of the library."""
    fields, _ = _call.native("dilemma-strategies", {})
    return list(DilemmaStrategiesAnswer(fields).strategies)


_RULES = ("turns", "known_length", "going_on", "noise", "payoffs")


def _options(rest: dict[str, Any]) -> dict[str, Any]:
    """Options with the rules of a match apart."""
    rules = {name: rest.pop(name) for name in _RULES if name in rest}
    return {**_call.kebab(rest), "rules": _call.kebab(rules)}


def _own(players: Mapping[str, Factory]) -> list[tuple[str, Any]]:
    """Players of the caller's own, who are told their setting as a dictionary."""

    def told(factory: Factory) -> Callable[[dict[str, Any]], Reply]:
        def make(setting: dict[str, Any]) -> Reply:
            return factory(Setting(setting["turns"], setting["noise"], tuple(setting["payoffs"]), setting["seed"]))

        return make

    for name, factory in players.items():
        if not callable(factory):
            raise TypeError(f"player {name!r}: a function that makes a player is needed, not {type(factory).__name__}")
    return [(name, told(factory)) for name, factory in players.items()]


def _conditions(conditions: Optional[Mapping[str, Text]]) -> list[dict[str, str]]:
    return [{"name": name, "text": source(text, name)["text"]} for name, text in (conditions or {}).items()]


Named = Union[str, Factory]


def match(
    first: Named,
    second: Named,
    /,
    *,
    conditions: Optional[Mapping[str, Text]] = None,
    **options: Unpack[DilemmaMatchOptions],
) -> DilemmaMatchAnswer:
    """Plays a match between strategies of the library by name, and players of the caller's own.

    >>> import counterplay
    >>> counterplay.dilemma.match("TitForTat", "Defector", turns=5).moves
    ['CDDDD', 'DDDDD']
    """
    own: dict[str, Factory] = {}
    names = []
    for number, player in enumerate((first, second)):
        name = player if isinstance(player, str) else f"{getattr(player, '__name__', 'player')} ({number + 1})"
        names.append(name)
        if not isinstance(player, str):
            own[name] = player
    given: dict[str, Any] = dict(options)

    def request(rest: dict[str, Any]) -> dict[str, Any]:
        asked = {**_options(rest), "first": names[0], "second": names[1]}
        return {"options": asked, "conditions": _conditions(conditions)}

    return _call.answered(DilemmaMatchAnswer, "dilemma-match", request, given, _own(own))


class Standing(NamedTuple):
    """How a player stands while a tournament goes on."""

    strategy: str
    mean: float
    """The mean score of the matches so far."""
    matches: int


def tournament(
    players: Sequence[str] = (),
    /,
    *,
    own: Optional[Mapping[str, Factory]] = None,
    conditions: Optional[Mapping[str, Text]] = None,
    on_standings: Optional[Callable[[list[Standing]], Any]] = None,
    **options: Unpack[DilemmaTournamentOptions],
) -> DilemmaTournamentAnswer:
    """Plays a round robin: the strategies named (the whole library without names), and players of the caller's own.

    A player that raises or returns no move is reported in `faults`, and none of its matches counts. `on_standings` gets the ranking now and then while
    matches are played, on the calling thread; what it raises ends the call.
    """
    given: dict[str, Any] = dict(options)
    _call.callback("on_standings", on_standings)

    def tell(_: str, text: str) -> None:
        if on_standings is not None:
            on_standings([Standing(**row) for row in json.loads(text)])

    def request(rest: dict[str, Any]) -> dict[str, Any]:
        asked = {**_options(rest), "players": list(players)}
        return {"options": asked, "conditions": _conditions(conditions)}

    told = None if on_standings is None else tell
    return _call.answered(DilemmaTournamentAnswer, "dilemma-tournament", request, given, _own(own or {}), told)


def roshambo(**options: Unpack[DilemmaRoshamboOptions]) -> DilemmaRoshamboAnswer:
    """Rock, paper, scissors: a player that learns against others."""
    given: dict[str, Any] = dict(options)
    return _call.answered(DilemmaRoshamboAnswer, "dilemma-roshambo", _call.kebab, given)


class Strategy:
    """A strategy of the library in a match that you run: you say what was executed, it says what it intends."""

    def __init__(
        self,
        name: str,
        *,
        turns: int = 200,
        known_length: bool = False,
        noise: float = 0.0,
        payoffs: Sequence[float] = (3, 0, 5, 1),
        seed: int = 0,
    ) -> None:
        rules = {"turns": turns, "known-length": known_length, "noise": noise, "payoffs": list(payoffs)}
        self._session = Session("dilemma-strategy", {"strategy": name, "rules": rules, "seed": seed})
        self.name = name

    def choose(self, since: Sequence[tuple[str, str]] = ()) -> str:
        """The next move; `since` has the executed moves of the turns since the last call, the own one first."""
        return str(self._session.call("choose", [list(turn) for turn in since]))


class Turn(NamedTuple):
    """What happened in one turn, your side first."""

    moves: tuple[str, str]
    gains: tuple[float, float]


class Advice(NamedTuple):
    """What DBS in your place would do, and what it believes about the strategy."""

    move: str
    beliefs: list[Belief]


class Match:
    """A match of yours against a strategy, turn by turn."""

    def __init__(self, strategy: str, *, seed: int = 0, **rules: Any) -> None:
        request = {"strategy": strategy, "rules": _call.kebab(rules), "seed": seed}
        self._session = Session("dilemma", request)

    def play(self, move: str) -> Turn:
        """Plays a turn: noise may flip each move."""
        turn = self._session.call("play", move)
        return Turn(tuple(turn["moves"]), tuple(turn["gains"]))

    def advice(self) -> Advice:
        """What DBS would do in your place."""
        told = self._session.call("advice")
        return Advice(told["move"], [Belief(belief) for belief in told["beliefs"] or []])

    def score(self) -> DilemmaPlayAnswer:
        """Moves and points so far."""
        return DilemmaPlayAnswer(self._session.call("score"))

    def _repr_html_(self) -> str:
        return self.score()._repr_html_()
