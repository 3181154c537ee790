"""General games, given by their rules in GDL."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, Union

from . import _call
from ._answers import html
from ._call import Session, Text, ask, source
from ._types import (
    CheckStrategyAnswer,
    GameGroundAnswer,
    GameMatchAnswer,
    GameMatchOptions,
    GameSimulateAnswer,
    GameSimulateOptions,
    GameSolveAnswer,
    GameSolveOptions,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import CallOptions


class StrategyCheck(CheckStrategyAnswer):
    """Whether a strategy does what it says; true if it does."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return bool(self["valid"])


class Turn(NamedTuple):
    """What a player is told when it has to move."""

    role: str
    legal: list[str]
    fluents: list[str]
    """What holds in the position."""
    moves: list[list[str]]
    """The joint moves so far."""
    seconds: float
    """Time for the move."""


Player = Union[str, Callable[[Turn], str]]
"""The name of a player of the library (`random`, `rules`, `uct`, `hybrid`), or a function that returns a legal move."""


class Move(NamedTuple):
    """A move, and what is known of it."""

    move: str
    proved: bool
    """Whether it is proved that no move is better."""
    value: Optional[float]
    """What the player expects to get, from 0 to 1."""
    playouts: int


class Game:
    """The rules of a game."""

    def __init__(self, rules: Text) -> None:
        self._rules = source(rules, "game")
        told, _ = _call.native("game-rules", {"rules": self._rules})
        self.roles: list[str] = told["roles"]
        """The names of the roles, in the order of the rules."""
        self.has_perfect_information: bool = told["perfect"]
        """Whether all moves are seen, and none is drawn by chance."""

    @property
    def name(self) -> str:
        """What messages call the rules."""
        return self._rules["name"]

    @property
    def rules(self) -> str:
        """The text of the rules."""
        return self._rules["text"]

    def ground(self, **options: Unpack[CallOptions]) -> GameGroundAnswer:
        """Instantiates the game. `answer.form("gdl")` is the text of the ground rules."""
        return ask(GameGroundAnswer, "game-ground", {"rules": self._rules}, options)

    def simulate(self, **options: Unpack[GameSimulateOptions]) -> GameSimulateAnswer:
        """Plays at random."""
        return ask(GameSimulateAnswer, "game-simulate", {"rules": self._rules}, options)

    def solve(
        self,
        *,
        strategy: bool = False,
        store: Optional[Union[str, os.PathLike[str]]] = None,
        workers: Optional[int] = None,
        **options: Unpack[GameSolveOptions],
    ) -> GameSolveAnswer:
        """The value of every reachable position.

        With `strategy`, `answer.form("strategy")` has strategies that prove the value, for `check_strategy`; `answer.form("no_strategy")` says why if there are none.
        `store` is a folder that keeps layers and values, from where a later call goes on; with `engine="layered"` or `workers` these are layers on disk.
        """
        given: dict[str, Any] = dict(options)
        if strategy:
            given["playbook"] = True
        folder = None if store is None else os.fspath(store)
        request = {"rules": self._rules, "store": folder, "workers": workers}
        return ask(GameSolveAnswer, "game-solve", request, given)

    def check_strategy(self, strategy: Text, **options: Unpack[CallOptions]) -> StrategyCheck:
        """Replays a strategy by the plain reading of the rules, without any search."""
        request = {"rules": self._rules, "strategy": source(strategy, "strategy")["text"]}
        return ask(StrategyCheck, "game-check", request, options)

    def position(self, moves: Sequence[Sequence[str]] = ()) -> Position:
        """The position after some joint moves."""
        position = Position(self)
        for joint in moves:
            position.make(joint)
        return position

    def player(self, role: str, *, player: str = "hybrid", threads: int = 1, seed: int = 0) -> GamePlayer:
        """A player of one match; it thinks as long as it lives."""
        return GamePlayer(self, role, player=player, threads=threads, seed=seed)

    def match(self, players: Sequence[Player], **options: Unpack[GameMatchOptions]) -> GameMatchAnswer:
        """Plays a match: one player for each role, in the order of the rules. Players are asked at the same time.

        A function that raises ends the match with its exception.
        """
        names: list[str] = []
        own: list[tuple[str, Any]] = []
        for number, player in enumerate(players):
            if isinstance(player, str):
                names.append(player)
                continue
            if not callable(player):
                raise TypeError(f"a player is a name or a function, not {type(player).__name__}")
            name = f"{getattr(player, '__name__', type(player).__name__)} ({number + 1})"
            names.append(name)
            own.append((name, _told(player)))
        return ask(GameMatchAnswer, "game-match", {"rules": self._rules, "players": names}, options, own)

    def __repr__(self) -> str:
        return f"Game({self.name!r})"

    def _repr_html_(self) -> str:
        return html(f"{self.name}: {', '.join(self.roles)}")


def _told(player: Callable[[Turn], str]) -> Callable[[str], str]:
    """A player that is told in JSON."""

    def choose(turn: str) -> str:
        move = player(Turn(**json.loads(turn)))
        if not isinstance(move, str):
            raise TypeError(f"a player returns a move as text, not {type(move).__name__}")
        return move

    return choose


class Position:
    """A position of a game, by the plain reading of its rules."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._session = Session("game-position", {"rules": game._rules})
        self._known: Optional[dict[str, Any]] = None

    @property
    def _state(self) -> dict[str, Any]:
        """What is known of the position; asked for again after a call that was interrupted."""
        if self._known is None:
            self._known = self._session.call("state")
        known: dict[str, Any] = self._known
        return known

    def _change(self, method: str, arguments: Any = None) -> None:
        self._known = None
        self._known = self._session.call(method, arguments)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return bool(self._state["over"])

    @property
    def legal(self) -> list[list[str]]:
        """The legal moves of each role."""
        return [list(moves) for moves in self._state["legal"]]

    @property
    def fluents(self) -> list[str]:
        """What holds."""
        return list(self._state["fluents"])

    @property
    def rewards(self) -> list[Optional[int]]:
        """What each role gets if the match ends here; `None` where the rules do not say."""
        return list(self._state["rewards"])

    @property
    def made(self) -> int:
        """Joint moves so far."""
        return int(self._state["made"])

    def make(self, joint: Sequence[str]) -> None:
        """Makes a move for each role."""
        self._change("make", list(joint))

    def undo(self) -> None:
        """Takes the last joint move back."""
        self._change("undo")

    def __repr__(self) -> str:
        return f"Position({' '.join(self.fluents)})"

    def _repr_html_(self) -> str:
        return html("\n".join(self.fluents), board(self.fluents))


def board(fluents: Sequence[str]) -> str:
    """The cells of a position as a table, if there are facts such as `(cell 1 3 x)`: of all that have three arguments those with most facts. Empty if there are none."""
    groups: dict[str, dict[tuple[str, str], str]] = {}
    for fluent in fluents:
        words = fluent.strip("()").split()
        if len(words) == 4 and fluent.count("(") == 1:
            groups.setdefault(words[0], {})[words[1], words[2]] = words[3]
    if not groups:
        return ""
    cells = max(groups.values(), key=len)
    columns, rows = (sorted({place[side] for place in cells}, key=_by_number) for side in (0, 1))
    lines = []
    for row in rows:
        marks = (escape(cells.get((column, row), "")) for column in columns)
        lines.append("<tr>" + "".join(f'<td style="border:1px solid #999;padding:4px">{mark}</td>' for mark in marks) + "</tr>")
    return f"<table>{''.join(lines)}</table>"


def _by_number(word: str) -> tuple[int, str]:
    return (int(word), "") if word.isdigit() else (0, word)


class GamePlayer:
    """A player of one match. It thinks in threads of its own as long as it lives, also while the opponent does."""

    def __init__(self, game: Game, role: str, *, player: str = "hybrid", threads: int = 1, seed: int = 0) -> None:
        options = {"player": player, "threads": threads, "seed": seed}
        self._session = Session("game-player", {"rules": game._rules, "role": role, "options": options})
        self.role = role

    def best_move(self, seconds: float, **options: Unpack[CallOptions]) -> Move:
        """The best move that it finds within some time; earlier if it is proved."""
        found = self._session.call("best_move", seconds, dict(options))
        return Move(found["move"], found["proved"], found["value"], found["playouts"])

    def make(self, joint: Sequence[str]) -> None:
        """Tells what each role did, in the order of the rules."""
        self._session.call("make", list(joint))

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return bool(self._session.call("state")["over"])

    @property
    def legal(self) -> list[str]:
        """The legal moves of its role."""
        return list(self._session.call("state")["legal"])
