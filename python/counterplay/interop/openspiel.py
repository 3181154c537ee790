"""OpenSpiel: our game player as a bot, and games given by rules in GDL as games of OpenSpiel.

A bot follows a state of OpenSpiel by its history, so the game has to be the same on both sides; `RULES` has the games for which we have written the rules.
"""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional

import pyspiel

from ..game import Game, GamePlayer, Position

TIC_TAC_TOE = """
(role x) (role o) (line 0) (line 1) (line 2) (init (control x))
(<= (base (cell ?r ?c ?p)) (line ?r) (line ?c) (role ?p)) (<= (base (control ?p)) (role ?p))
(<= (input ?p (mark ?r ?c)) (role ?p) (line ?r) (line ?c)) (<= (input ?p noop) (role ?p))
(<= (taken ?r ?c) (true (cell ?r ?c ?p)))
(<= (legal ?p (mark ?r ?c)) (true (control ?p)) (line ?r) (line ?c) (not (taken ?r ?c)))
(<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))
(<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
(<= (next (cell ?r ?c ?p)) (does ?p (mark ?r ?c))) (<= (next (cell ?r ?c ?p)) (true (cell ?r ?c ?p)))
(<= (three ?p) (line ?r) (true (cell ?r 0 ?p)) (true (cell ?r 1 ?p)) (true (cell ?r 2 ?p)))
(<= (three ?p) (line ?c) (true (cell 0 ?c ?p)) (true (cell 1 ?c ?p)) (true (cell 2 ?c ?p)))
(<= (three ?p) (true (cell 0 0 ?p)) (true (cell 1 1 ?p)) (true (cell 2 2 ?p)))
(<= (three ?p) (true (cell 0 2 ?p)) (true (cell 1 1 ?p)) (true (cell 2 0 ?p)))
(<= open (line ?r) (line ?c) (not (taken ?r ?c)))
(<= terminal (three ?p)) (<= terminal (not open))
(<= (goal x 100) (three x)) (<= (goal o 0) (three x)) (<= (goal o 100) (three o)) (<= (goal x 0) (three o))
(<= drawn (not (three x)) (not (three o))) (<= (goal x 50) drawn) (<= (goal o 50) drawn)
"""


def connect_four(width: int = 7, height: int = 6) -> str:
    """The rules of connect four."""
    successors = " ".join(f"(next-to {n} {n + 1})" for n in range(max(width, height)))
    columns = " ".join(f"(column {n})" for n in range(width))
    heights = " ".join(f"(row {n})" for n in range(height))
    begin = " ".join(f"(init (height {n} 0))" for n in range(width))
    return f"""
(role x) (role o) (init (control x)) {successors} {columns} {heights} {begin}
(<= (base (cell ?c ?r ?p)) (column ?c) (row ?r) (role ?p)) (<= (base (control ?p)) (role ?p))
(<= (base (height ?c ?r)) (column ?c) (row ?r)) (<= (base (height ?c {height})) (column ?c))
(<= (input ?p (drop ?c)) (role ?p) (column ?c)) (<= (input ?p noop) (role ?p))
(<= (legal ?p (drop ?c)) (true (control ?p)) (true (height ?c ?r)) (row ?r))
(<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))
(<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
(<= (next (cell ?c ?r ?p)) (does ?p (drop ?c)) (true (height ?c ?r)))
(<= (next (cell ?c ?r ?p)) (true (cell ?c ?r ?p)))
(<= (next (height ?c ?s)) (does ?p (drop ?c)) (true (height ?c ?r)) (next-to ?r ?s))
(<= (next (height ?c ?r)) (true (height ?c ?r)) (does ?p (drop ?d)) (distinct ?c ?d))
(<= (four ?p) (true (cell ?a ?r ?p)) (next-to ?a ?b) (true (cell ?b ?r ?p)) (next-to ?b ?c) (true (cell ?c ?r ?p)) (next-to ?c ?d) (true (cell ?d ?r ?p)))
(<= (four ?p) (true (cell ?c ?a ?p)) (next-to ?a ?b) (true (cell ?c ?b ?p)) (next-to ?b ?d) (true (cell ?c ?d ?p)) (next-to ?d ?e) (true (cell ?c ?e ?p)))
(<= (four ?p) (true (cell ?a ?r ?p)) (next-to ?a ?b) (next-to ?r ?s) (true (cell ?b ?s ?p)) (next-to ?b ?c) (next-to ?s ?t) (true (cell ?c ?t ?p)) (next-to ?c ?d) (next-to ?t ?u) (true (cell ?d ?u ?p)))
(<= (four ?p) (true (cell ?a ?r ?p)) (next-to ?a ?b) (next-to ?s ?r) (true (cell ?b ?s ?p)) (next-to ?b ?c) (next-to ?t ?s) (true (cell ?c ?t ?p)) (next-to ?c ?d) (next-to ?u ?t) (true (cell ?d ?u ?p)))
(<= open (true (height ?c ?r)) (row ?r))
(<= terminal (four ?p)) (<= terminal (not open))
(<= (goal x 100) (four x)) (<= (goal o 0) (four x)) (<= (goal o 100) (four o)) (<= (goal x 0) (four o))
(<= drawn (not (four x)) (not (four o))) (<= (goal x 50) drawn) (<= (goal o 50) drawn)
"""


def breakthrough(columns: int = 8, rows: int = 8) -> str:
    """The rules of breakthrough: black begins at the top, with row 0, and goes down."""
    successors = " ".join(f"(next-to {n} {n + 1})" for n in range(max(columns, rows) - 1))
    begin = " ".join(
        f"(init (cell {r} {c} {'black' if r < 2 else 'white'}))"
        for r in (0, 1, rows - 2, rows - 1)
        for c in range(columns)
    )
    lines = " ".join(f"(row {n})" for n in range(rows)) + " " + " ".join(f"(file {n})" for n in range(columns))
    return f"""
(role black) (role white) (init (control black)) {successors} {begin} {lines}
(<= (base (cell ?r ?c ?p)) (row ?r) (file ?c) (role ?p)) (<= (base (control ?p)) (role ?p))
(<= (input ?p (move ?r ?c ?s ?d)) (role ?p) (step ?p ?r ?s) (beside ?c ?d)) (<= (input ?p noop) (role ?p))
(<= (step black ?r ?s) (row ?r) (row ?s) (next-to ?r ?s)) (<= (step white ?r ?s) (row ?r) (row ?s) (next-to ?s ?r))
(<= (beside ?c ?c) (file ?c)) (<= (beside ?c ?d) (file ?c) (file ?d) (next-to ?c ?d)) (<= (beside ?c ?d) (file ?c) (file ?d) (next-to ?d ?c))
(<= (taken ?r ?c) (true (cell ?r ?c ?p)))
(<= (legal ?p (move ?r ?c ?s ?c)) (true (control ?p)) (true (cell ?r ?c ?p)) (step ?p ?r ?s) (not (taken ?s ?c)))
(<= (legal ?p (move ?r ?c ?s ?d)) (true (control ?p)) (true (cell ?r ?c ?p)) (step ?p ?r ?s) (beside ?c ?d) (distinct ?c ?d) (not (true (cell ?s ?d ?p))))
(<= (legal black noop) (true (control white))) (<= (legal white noop) (true (control black)))
(<= (next (control white)) (true (control black))) (<= (next (control black)) (true (control white)))
(<= (next (cell ?s ?d ?p)) (does ?p (move ?r ?c ?s ?d)))
(<= (next (cell ?r ?c ?p)) (true (cell ?r ?c ?p)) (not (left ?r ?c)) (not (entered ?r ?c)))
(<= (left ?r ?c) (does ?p (move ?r ?c ?s ?d))) (<= (entered ?s ?d) (does ?p (move ?r ?c ?s ?d)))
(<= (won black) (true (cell {rows - 1} ?c black))) (<= (won white) (true (cell 0 ?c white)))
(<= (lives ?p) (true (cell ?r ?c ?p))) (<= (won black) (not (lives white))) (<= (won white) (not (lives black)))
(<= terminal (won ?p))
(<= (goal black 100) (won black)) (<= (goal white 0) (won black)) (<= (goal white 100) (won white)) (<= (goal black 0) (won white))
(<= (goal ?p 50) (role ?p) (not (won black)) (not (won white)))
"""


class Known(NamedTuple):
    """A game of OpenSpiel whose rules we have: its rules, and our move for an action of a state."""

    rules: Callable[[Any], str]
    move: Callable[[Any, int], str]


def _breakthrough_move(state: Any, action: int) -> str:
    """OpenSpiel writes `a8a7`, with a `*` for a capture; the first row is the highest."""
    text = state.action_to_string(state.current_player(), action)
    rows = int(state.get_game().get_parameters()["rows"])
    file, rank, to_file, to_rank = text[0], int(text[1]), text[2], int(text[3])
    return f"(move {rows - rank} {ord(file) - 97} {rows - to_rank} {ord(to_file) - 97})"


def _drop(state: Any, action: int) -> str:
    return f"(drop {action})"


RULES: dict[str, Known] = {
    "tic_tac_toe": Known(lambda game: TIC_TAC_TOE, lambda state, action: f"(mark {action // 3} {action % 3})"),
    "connect_four": Known(lambda game: connect_four(), _drop),
    "breakthrough": Known(
        lambda game: breakthrough(int(game.get_parameters()["columns"]), int(game.get_parameters()["rows"])),
        _breakthrough_move,
    ),
}
"""Games that exist on both sides."""


def joint(player: int, move: str, roles: int) -> list[str]:
    """The joint move in which one role moves and the others wait."""
    return [move if role == player else "noop" for role in range(roles)]


class CounterplayBot(pyspiel.Bot):
    """Our game player as a bot of OpenSpiel."""

    def __init__(self, game: Any, player: int, *, seconds: float = 1.0, kind: str = "hybrid", seed: int = 0) -> None:
        pyspiel.Bot.__init__(self)
        name = game.get_type().short_name
        if name not in RULES:
            raise ValueError(f"no rules of {name}; there are those of {', '.join(RULES)}")
        self._known = RULES[name]
        self._game = Game(self._known.rules(game))
        self._id, self._seconds, self._kind, self._seed = player, seconds, kind, seed
        self._player: Optional[GamePlayer] = None
        self._told: list[int] = []

    def player_id(self) -> int:
        return self._id

    def provides_policy(self) -> bool:
        return False

    def restart_at(self, state: Any) -> None:
        self._player, self._told = None, []
        self._follow(state)

    def restart(self) -> None:
        self._player, self._told = None, []

    def _follow(self, state: Any) -> GamePlayer:
        """Tells the player what happened since."""
        history = list(state.history())
        if self._player is None or history[: len(self._told)] != self._told:
            self._player = self._game.player(self._game.roles[self._id], player=self._kind, seed=self._seed)
            self._told = []
        at = state.get_game().new_initial_state()
        for number, action in enumerate(history):
            if number >= len(self._told):
                move = self._known.move(at, action)
                self._player.make(joint(at.current_player(), move, len(self._game.roles)))
            at.apply_action(action)
        self._told = history
        return self._player

    def step(self, state: Any) -> int:
        """The action that the player chooses."""
        chosen = self._follow(state).best_move(self._seconds).move
        for action in state.legal_actions():
            if self._known.move(state, action) == chosen:
                return int(action)
        raise RuntimeError(f"{chosen} is not among the actions of the state")


def same_moves(state: Any, position: Position) -> bool:
    """Whether a state of OpenSpiel and a position of ours have the same legal moves."""
    known = RULES[state.get_game().get_type().short_name]
    theirs = {known.move(state, action) for action in state.legal_actions()}
    return theirs == set(position.legal[state.current_player()])


def as_pyspiel(game: Game, short_name: str) -> Any:
    """Registers a game in GDL as a game of OpenSpiel and loads it. In each position one role at most may have a choice.

    Actions are numbered in the order in which moves come up, so a number means the same move for as long as the process lives.
    """
    most = int(game.ground().moves)
    numbers: dict[str, int] = {}
    roles = game.roles
    game_type = pyspiel.GameType(
        short_name=short_name,
        long_name=game.name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=len(roles),
        min_num_players=len(roles),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={},
    )
    game_info = pyspiel.GameInfo(
        num_distinct_actions=most,
        max_chance_outcomes=0,
        num_players=len(roles),
        min_utility=0.0,
        max_utility=100.0,
        utility_sum=None,
        max_game_length=10_000,
    )

    class GdlState(pyspiel.State):
        """A position."""

        def __init__(self, own: Any) -> None:
            super().__init__(own)
            self._position = game.position()
            self._moves: list[list[str]] = []

        def current_player(self) -> int:
            if self._position.is_over:
                return int(pyspiel.PlayerId.TERMINAL)
            choosers = [role for role, moves in enumerate(self._position.legal) if len(moves) > 1]
            if len(choosers) > 1:
                raise RuntimeError("several roles choose at once in this position")
            return choosers[0] if choosers else 0

        def _legal_actions(self, player: int) -> list[int]:
            moves = self._position.legal[player]
            return sorted(numbers.setdefault(move, len(numbers)) for move in moves)

        def _apply_action(self, action: int) -> None:
            player = self.current_player()
            legal = self._position.legal
            move = next(move for move in legal[player] if numbers.get(move) == action)
            made = [move if role == player else moves[0] for role, moves in enumerate(legal)]
            self._position.make(made)
            self._moves.append(made)

        def _action_to_string(self, player: int, action: int) -> str:
            return next((move for move, number in numbers.items() if number == action), str(action))

        def is_terminal(self) -> bool:
            return self._position.is_over

        def returns(self) -> list[float]:
            if not self._position.is_over:
                return [0.0] * len(roles)
            return [float(reward or 0) for reward in self._position.rewards]

        def clone(self) -> Any:
            copy = type(self)(self.get_game())
            for player_action in self.full_history():
                copy.apply_action(player_action.action)
            return copy

        def __str__(self) -> str:
            return " ".join(self._position.fluents)

    class GdlGame(pyspiel.Game):
        """The game."""

        def __init__(self, params: Any = None) -> None:
            super().__init__(game_type, game_info, params or {})

        def new_initial_state(self) -> Any:
            return GdlState(self)

    pyspiel.register_game(game_type, GdlGame)
    return pyspiel.load_game(short_name)
