"""Other packages: their answers and ours agree. A package that is missing is said to be skipped."""

from __future__ import annotations

import random

import counterplay
import pytest
from counterplay import bridge, dilemma, kriegspiel


def test_axelrod_strategies_play_the_same_moves_here_and_there() -> None:
    """200 pairs of deterministic strategies that only Axelrod has."""
    axl = pytest.importorskip("axelrod")
    from counterplay.interop.axelrod import factory

    ours = {info.name.lower().replace(" ", "") for info in dilemma.strategies()}

    def is_only_theirs(player: type) -> bool:
        name = player.__name__.lower()
        kinds = ("stochastic", "long_run_time", "inspects_source", "manipulates_source", "manipulates_state")
        # Players that ask a team of all others take seconds for a match.
        is_team = issubclass(player, axl.MetaPlayer)
        return name not in ours and not is_team and not any(player.classifier.get(kind) for kind in kinds)

    theirs = [player for player in axl.strategies if is_only_theirs(player)]
    assert len(theirs) > 40
    chance = random.Random(7)
    differing = []
    for _ in range(200):
        one, two = chance.choice(theirs), chance.choice(theirs)
        match = axl.Match([one(), two()], turns=15, match_attributes={"length": float("inf")})
        turns = match.play()
        expected = ["".join(str(turn[side]) for turn in turns) for side in range(2)]
        found = dilemma.match(factory(one), factory(two), turns=15)
        if found.moves != expected:
            differing.append((one.__name__, two.__name__, expected, found.moves, found.faults))
    assert not differing, differing[:5]


def test_our_strategies_are_axelrod_players() -> None:
    axl = pytest.importorskip("axelrod")
    from counterplay.interop.axelrod import player_class

    for name, twin in (("TitForTat", axl.TitForTat), ("Grudger", axl.Grudger), ("WinStayLoseShift", axl.WinStayLoseShift)):
        for opponent in (axl.Alternator, axl.Bully, axl.Prober):
            mine = axl.Match([player_class(name)(), opponent()], turns=30).play()
            theirs = axl.Match([twin(), opponent()], turns=30).play()
            assert mine == theirs, (name, opponent)
    noisy = axl.Match([player_class("DBS")(), axl.TitForTat()], turns=40, noise=0.1, seed=1)
    assert len(noisy.play()) == 40
    tournament = axl.Tournament([player_class("TitForTat")(), axl.Cooperator(), axl.Defector()], turns=5, repetitions=1)
    assert tournament.play(progress_bar=False).ranked_names
    with pytest.raises(counterplay.OptionError):
        player_class("NoSuchStrategy")


def test_axelrod_strategies_in_our_tournament() -> None:
    axl = pytest.importorskip("axelrod")
    from counterplay.interop.axelrod import factory, field

    own = field([axl.Grumpy, axl.Retaliate, axl.Random])
    answer = dilemma.tournament(["DBS", "TitForTat"], own=own, turns=20, repetitions=2, noise=0.1, seed=1, threads=2)
    assert len(answer.ranking) == 5 and not answer.faults

    class Spy(axl.Player):  # type: ignore[misc, name-defined]
        name = "Spy"
        classifier = {**axl.Cooperator.classifier, "inspects_source": True}

    with pytest.raises(ValueError, match="looks into"):
        factory(Spy)
    with pytest.raises(ValueError, match="two strategies"):
        field([axl.Grumpy, axl.Grumpy])


def test_all_strategies_of_axelrod_play_here() -> None:
    """All 240, with those that Axelrod calls slow, in this process."""
    pytest.importorskip("axelrod")
    from counterplay.interop.axelrod import field

    named = field(slow=True)
    assert len(named) >= 240
    for name, make in named.items():
        match = dilemma.match(make, "Alternator", turns=2, seed=1)
        assert not match.faults and match.turns == 2, (name, match.faults)


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "breakthrough(columns=5,rows=6)"])
def test_games_are_the_same_in_openspiel(name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from counterplay.interop.openspiel import RULES, joint, same_moves

    game = pyspiel.load_game(name)
    known = RULES[game.get_type().short_name]
    ours = counterplay.Game(known.rules(game))
    chance = random.Random(3)
    for _ in range(2):
        state, position = game.new_initial_state(), ours.position()
        while not state.is_terminal():
            assert not position.is_over and same_moves(state, position), str(state)
            action = chance.choice(state.legal_actions())
            position.make(joint(state.current_player(), known.move(state, action), 2))
            state.apply_action(action)
        assert position.is_over
        rewards = [50 * (1 + value) for value in state.returns()]
        assert position.rewards == rewards


def test_the_referee_of_openspiel_says_the_same() -> None:
    """Which tries there are, which of them are illegal, and where men are taken. OpenSpiel announces no checks, so those are not compared."""
    pyspiel = pytest.importorskip("pyspiel")
    import re

    chance = random.Random(11)
    illegal = captures = 0
    for _ in range(6):
        state = pyspiel.load_game("kriegspiel").new_initial_state()
        game = kriegspiel.KriegspielGame(white="you", black="you")
        for _ in range(40):
            if state.is_terminal() or game.turn == "over":
                break
            player = state.current_player()
            tries = {state.action_to_string(player, action): action for action in state.legal_actions()}
            assert set(tries) == set(game.prompt().tries)
            attempt = chance.choice(sorted(tries))
            state.apply_action(tries[attempt])
            theirs, ours = state.observation_string(0).split("\n", 1)[1], game.attempt(attempt).said
            assert ("Illegal" in theirs) == ("illegal" in ours), (theirs, ours)
            assert re.findall(r"at ([a-h][1-8]) captured", theirs) == re.findall(r"capture on ([a-h][1-8])", ours), (theirs, ours)
            illegal += "illegal" in ours
            captures += "capture" in ours
    assert illegal > 5 and captures > 5


def test_a_bot_of_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from counterplay.interop.openspiel import CounterplayBot

    game = pyspiel.load_game("tic_tac_toe")
    state = game.new_initial_state()
    bots = [CounterplayBot(game, 0, seconds=0.3), pyspiel.make_uniform_random_bot(1, 5)]
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    assert state.returns()[0] >= 0
    with pytest.raises(ValueError, match="no rules"):
        CounterplayBot(pyspiel.load_game("go(board_size=5)"), 0)


@pytest.mark.parametrize("name", ["connect_four", "breakthrough(columns=5,rows=6)"])
def test_bots_in_larger_games(name: str) -> None:
    """Both sides are ours; a bot that is asked in the middle of a game follows its history."""
    pyspiel = pytest.importorskip("pyspiel")
    from counterplay.interop.openspiel import CounterplayBot

    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    bots = [CounterplayBot(game, player, seconds=0.1, kind="uct") for player in range(2)]
    for _ in range(6):
        state.apply_action(bots[state.current_player()].step(state))
    late = CounterplayBot(game, state.current_player(), seconds=0.1, kind="uct")
    assert late.step(state) in state.legal_actions()
    late.restart_at(state)
    assert late.step(state) in state.legal_actions()


def test_a_gdl_game_in_openspiel(examples: object) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from counterplay.interop.openspiel import TIC_TAC_TOE, as_pyspiel

    game = as_pyspiel(counterplay.Game(TIC_TAC_TOE), "gdl_tic_tac_toe")
    state = game.new_initial_state()
    chance = random.Random(1)
    assert len(state.legal_actions()) == 9
    copy = state.clone()
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
    assert sum(state.returns()) == 100 and not copy.is_terminal()
    assert pyspiel.load_game("gdl_tic_tac_toe").num_players() == 2


def test_belief_states_and_announcements_of_python_chess() -> None:
    chess = pytest.importorskip("chess")
    from counterplay.interop.chess import announcement, from_boards, to_boards

    fens = ["1k6/7R/8/8/8/8/8/K5R1 w - - 0 1", "2k5/7R/8/8/8/8/8/K5R1 w - - 0 1"]
    belief = kriegspiel.Belief(fens)
    assert from_boards(to_boards(belief)) == belief
    assert from_boards(to_boards(belief)).solve(1).first_try == "g1g8"
    with pytest.raises(ValueError, match="8 x 8"):
        to_boards(kriegspiel.Belief(["4/p3/1PBk/QK1n w - - 0 1"]))
    # A random game: what python-chess says of each try is what our state estimation accepts, and the true position stays possible.
    chance = random.Random(5)
    board, steps = chess.Board(), []
    for _ in range(8):
        move = chance.choice(list(board.legal_moves))
        said = announcement(board, move)
        mine = board.turn == chess.WHITE
        steps.append({"by": "w", "try": move.uci(), "percept": said} if mine else {"by": "b", "illegal_heard": 0, "percept": said})
        board.push(move)
    estimate = kriegspiel.estimate(chess.STARTING_FEN, steps)
    found = {fen.split()[0] for fen in estimate.belief}
    assert board.board_fen() in found, (len(found), board.fen())


def test_deals_of_endplay() -> None:
    pytest.importorskip("endplay")
    from counterplay.interop.endplay import from_deal, from_play, to_deal, to_play
    from endplay.dds import calc_dd_table
    from endplay.types import Denom, Player

    board = bridge.deal(count=1, seed=9)
    deal = to_deal(board[0])
    shown = bridge.show(from_deal(deal), double_dummy=True)[0]
    assert shown.hands == board[0].hands
    # The double-dummy solver of endplay (DDS in C++) agrees with ours on all 20 figures.
    table = calc_dd_table(deal)
    strains = [Denom.clubs, Denom.diamonds, Denom.hearts, Denom.spades, Denom.nt]
    theirs = [[table[strain, seat] for strain in strains] for seat in (Player.north, Player.east, Player.south, Player.west)]
    assert [list(row) for row in shown.double_dummy] == theirs
    played = bridge.play(board.pbn, declarer="rules")[0]
    cards = to_play(played)
    assert len(cards) == 52 and from_play(cards) == list(played.play)
