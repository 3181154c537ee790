"""Axelrod: our strategies as `axelrod.Player` classes, and Axelrod's strategies in our matches and tournaments.

>>> import axelrod, counterplay                                             # doctest: +SKIP
>>> from counterplay.interop.axelrod import field, player_class             # doctest: +SKIP
>>> axelrod.Match([player_class("DBS")(), axelrod.Grudger()], turns=5).play()   # doctest: +SKIP
>>> counterplay.dilemma.tournament(["DBS", "TitForTat"], own=field())       # doctest: +SKIP
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Optional

import axelrod as axl
from axelrod.action import Action

from .. import dilemma

C, D = Action.C, Action.D
_ACTIONS = {"C": C, "D": D}
_LETTERS = {C: "C", D: "D"}


class CounterplayPlayer(axl.Player):
    """A strategy of Counterplay; `player_class` makes subclasses for the single ones."""

    name = "Counterplay"
    strategy_name = ""
    classifier = {
        "memory_depth": float("inf"),
        "stochastic": False,
        "long_run_time": False,
        "inspects_source": False,
        "manipulates_source": False,
        "manipulates_state": False,
    }

    def __init__(self) -> None:
        super().__init__()
        self._asked: Optional[dilemma.Strategy] = None
        self._seen = 0

    def _begin(self) -> dilemma.Strategy:
        attributes = self.match_attributes
        length = attributes.get("length", math.inf)
        is_known = isinstance(length, (int, float)) and 0 < length < math.inf
        game = attributes.get("game") or axl.DefaultGame
        r, p, s, t = (float(payoff) for payoff in game.RPST())
        return dilemma.Strategy(
            self.strategy_name,
            turns=int(length) if is_known else 200,
            known_length=is_known,
            noise=float(attributes.get("noise", 0.0) or 0.0),
            payoffs=(r, s, t, p),
            seed=int(self._random.randint(0, 2**31 - 1)) if self.classifier["stochastic"] else 0,
        )

    def strategy(self, opponent: Any) -> Any:
        """The next move."""
        if self._asked is None or self._seen > len(self.history):
            self._asked, self._seen = self._begin(), 0
        turns = zip(self.history[self._seen :], opponent.history[self._seen : len(self.history)])
        since = [(_LETTERS[own], _LETTERS[other]) for own, other in turns]
        self._seen = len(self.history)
        return _ACTIONS[self._asked.choose(since)]

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        state["_asked"], state["_seen"] = None, 0
        return state


def player_class(name: str) -> type[CounterplayPlayer]:
    """The strategy of this name as a class of players."""
    info = next((info for info in dilemma.strategies() if info.name.lower() == name.lower()), None)
    if info is None:
        # Versions of DBS are not in the list; an unknown name is refused here, with the name that was probably meant.
        dilemma.Strategy(name)
    memory = None if info is None else info.memory
    classifier = {
        **CounterplayPlayer.classifier,
        "memory_depth": float("inf") if memory is None else memory,
        "stochastic": True if info is None else info.stochastic,
    }
    own = name if info is None else info.name
    fields = {"name": f"Counterplay {own}", "strategy_name": own, "classifier": classifier, "__module__": __name__}
    return type(f"Counterplay{own}", (CounterplayPlayer,), fields)


def player_classes() -> list[type[CounterplayPlayer]]:
    """All strategies of our field."""
    return [player_class(info.name) for info in dilemma.strategies() if info.in_field]


class _Opponent(axl.Player):
    """The other player, as far as an Axelrod strategy may see it: its past moves."""

    name = "Opponent"
    classifier = CounterplayPlayer.classifier

    def strategy(self, opponent: Any) -> Any:
        return C


def factory(player: type[Any], **arguments: Any) -> dilemma.Factory:
    """A strategy of Axelrod as a player of our matches and tournaments. Strategies that read the source of their opponent are refused."""
    kinds = ("inspects_source", "manipulates_source", "manipulates_state")
    if any(player.classifier.get(kind) for kind in kinds):
        raise ValueError(f"{player.name} looks into its opponent, which is not there")

    def make(setting: dilemma.Setting) -> dilemma.Reply:
        own, opponent = player(**arguments), _Opponent()
        r, s, t, p = setting.payoffs
        game = axl.Game(r=r, s=s, t=t, p=p)
        length = math.inf if setting.turns is None else setting.turns
        own.set_match_attributes(length=length, game=game, noise=setting.noise)
        if player.classifier.get("stochastic"):
            own.set_seed(setting.seed)

        def reply(last_own: Optional[str], last_other: Optional[str]) -> str:
            if last_own is not None and last_other is not None:
                one, two = _ACTIONS[last_own], _ACTIONS[last_other]
                own.update_history(one, two)
                opponent.update_history(two, one)
            return _LETTERS[own.strategy(opponent)]

        return reply

    return make


def field(players: Optional[Iterable[type[Any]]] = None, *, slow: bool = False) -> dict[str, dilemma.Factory]:
    """Strategies of Axelrod by name, for `own=` of a tournament: those given, or all that play by the rules. Those that Axelrod calls slow (teams of
    all others, and its DBS) take seconds for a match and are left out unless `slow` is true."""
    if players is None:
        players = [one for one in axl.strategies if slow or not one.classifier.get("long_run_time")]
    named: dict[str, dilemma.Factory] = {}
    for one in players:
        name = f"Axelrod {one.name}"
        if name in named:
            raise ValueError(f"two strategies are called {one.name}")
        named[name] = factory(one)
    return named
