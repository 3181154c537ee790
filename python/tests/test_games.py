"""General games, Kriegspiel, bridge, Go, and repeated games."""

from __future__ import annotations

import json
import random
import threading
from pathlib import Path

import counterplay
import pytest
from counterplay import bridge, dilemma, go, kriegspiel


@pytest.fixture
def tic_tac_toe(examples: Path) -> counterplay.Game:
    return counterplay.Game(examples / "games" / "tic-tac-toe.kif")


def test_a_game_is_grounded_simulated_and_solved(tic_tac_toe: counterplay.Game) -> None:
    assert tic_tac_toe.roles == ["x", "o"] and tic_tac_toe.has_perfect_information
    assert tic_tac_toe.ground().fluents > 0
    assert "(role x)" in tic_tac_toe.ground().form("gdl")
    assert tic_tac_toe.simulate(seconds=0.1).playouts > 0
    answer = tic_tac_toe.solve(from_="(mark 1 1)")
    assert (answer.verdict, answer.value, answer.states) == ("solved", [50, 50], 5478)
    best = [choice.move for choice in answer.position.choices if choice.optimal]
    assert best == ["(mark 2 2)"]


def test_strategies_are_written_and_checked(tic_tac_toe: counterplay.Game, examples: Path) -> None:
    strategy = tic_tac_toe.solve(strategy=True).form("strategy")
    assert strategy is not None
    checked = tic_tac_toe.check_strategy(strategy)
    assert checked and checked.valid and checked.positions > 100
    assert [(reward.role, reward.at_least, reward.at_most) for reward in checked.rewards] == [("x", 50, 50)]
    # Another first move than the one that the rest of the strategy is about.
    assert not tic_tac_toe.check_strategy(strategy.replace("(mark 1 1)", "(mark 1 2)", 1))
    lines = strategy.splitlines(keepends=True)
    assert not tic_tac_toe.check_strategy("".join(lines[:-5]))
    with pytest.raises(counterplay.InputError, match="no strategy"):
        tic_tac_toe.check_strategy("(mark 1 1)")
    assert tic_tac_toe.solve().form("strategy") is None
    drawn = counterplay.Game(examples / "games" / "roshambo.kif").solve(strategy=True)
    assert drawn.form("strategy") is None


def test_layers_are_kept_in_a_folder(tic_tac_toe: counterplay.Game, tmp_path: Path) -> None:
    symbolic, layered = tmp_path / "symbolic", tmp_path / "layered"
    assert tic_tac_toe.solve(engine="symbolic", store=symbolic).value == [50, 50]
    assert len(list(symbolic.iterdir())) > 5
    assert tic_tac_toe.solve(engine="symbolic", store=str(symbolic)).value == [50, 50]
    assert tic_tac_toe.solve(engine="layered", store=layered, workers=2).value == [50, 50]
    assert len(list(layered.iterdir())) > 5
    with pytest.raises(counterplay.OptionError, match="store"):
        tic_tac_toe.solve(workers=2)
    with pytest.raises(counterplay.OptionError, match="symbolic"):
        tic_tac_toe.solve(engine="explicit", store=tmp_path)


def test_positions_go_forth_and_back(tic_tac_toe: counterplay.Game) -> None:
    position = tic_tac_toe.position()
    assert len(position.legal[0]) == 9 and position.legal[1] == ["noop"]
    position.make(["(mark 2 2)", "noop"])
    assert position.made == 1 and "(cell 2 2 x)" in position.fluents
    with pytest.raises(counterplay.OptionError, match="not a legal move"):
        position.make(["noop", "(mark 2 2)"])
    position.undo()
    assert position.made == 0
    with pytest.raises(counterplay.OptionError):
        position.undo()


def test_a_player_wins_what_can_be_won(tic_tac_toe: counterplay.Game) -> None:
    player = tic_tac_toe.player("x", seed=1)
    for joint in (["(mark 1 1)", "noop"], ["noop", "(mark 1 3)"], ["(mark 2 2)", "noop"], ["noop", "(mark 3 1)"]):
        player.make(joint)
    assert player.best_move(5).move == "(mark 3 3)"
    with pytest.raises(counterplay.OptionError, match="no role"):
        tic_tac_toe.player("z")


def test_a_match_of_python_and_our_players(tic_tac_toe: counterplay.Game) -> None:
    seen = []

    def first_legal(turn: counterplay.game.Turn) -> str:
        seen.append((turn.role, threading.get_ident()))
        return turn.legal[0]

    record = tic_tac_toe.match([first_legal, "random"], start_clock=0, play_clock=20, seed=4)
    assert record.completed and sum(record.rewards) == 100 and record.players[1] == "random"
    assert seen and not any(any(errors) for errors in record.errors)
    again = tic_tac_toe.match([first_legal, "random"], start_clock=0, play_clock=20, seed=4)
    assert again.moves == record.moves


def test_moves_that_are_wrong_are_recorded(tic_tac_toe: counterplay.Game) -> None:
    record = tic_tac_toe.match([lambda turn: "(jump 7)", "random"], start_clock=0, play_clock=20)
    assert record.completed and record.errors[0][0] == "IL (jump 7)"


def test_what_a_player_raises_ends_the_match(tic_tac_toe: counterplay.Game) -> None:
    def broken(turn: counterplay.game.Turn) -> str:
        raise LookupError("no idea")

    with pytest.raises(LookupError, match="no idea"):
        tic_tac_toe.match([broken, "random"], start_clock=0, play_clock=20)
    with pytest.raises(TypeError):
        tic_tac_toe.match([lambda turn: 7, "random"], start_clock=0, play_clock=20)  # type: ignore[list-item,return-value]
    with pytest.raises(counterplay.OptionError, match="roles"):
        tic_tac_toe.match(["random"])
    with pytest.raises(counterplay.OptionError, match="no player"):
        tic_tac_toe.match(["random", "nobody"])


def test_kriegspiel_is_solved(examples: Path) -> None:
    first = json.loads((examples / "kriegspiel" / "problems.jsonl").read_text().splitlines()[0])
    answer = kriegspiel.solve(first["belief"], first["depth"], proof=True)
    assert answer.verdict == "solved" and answer.checked and isinstance(answer.proof.try_, str)
    assert answer.to_svg().startswith("<svg")
    belief = kriegspiel.Belief(first["belief"])
    assert len(belief) == 3 and belief._repr_svg_().startswith("<svg")
    assert kriegspiel.proof_tree(first["belief"], first["depth"]).startswith("<svg")


def test_the_positions_along_a_proof(examples: Path) -> None:
    first = json.loads((examples / "kriegspiel" / "problems.jsonl").read_text().splitlines()[0])
    answer = kriegspiel.solve(first["belief"], first["depth"], proof=True)
    tree = answer.beliefs
    assert tree is not None and tree.count == 3 and set(tree.positions) == set(first["belief"])
    assert tree.after and all(node.count <= 3 for nodes in tree.after for node in nodes)
    assert kriegspiel.solve(first["belief"], first["depth"]).beliefs is None


def test_a_history_is_solved_while_it_is_estimated() -> None:
    """White hears of a pawn move only; the mate in one is there wherever the pawn went."""
    start = "7k/p5pp/8/8/8/8/6PP/R6K b - - 0 1"
    steps = [{"by": "b", "illegal_heard": 0, "percept": {"legal": True, "checks": [], "end": None}}]
    answer = kriegspiel.solve_history(start, steps, 1)
    listed = kriegspiel.estimate(start, steps).belief
    assert answer.verdict == kriegspiel.solve(listed, 1).verdict and len(listed) > 3


def test_kriegspiel_databases_go_on() -> None:
    first = kriegspiel.generate(mates=2, near_misses=1, seed=1)
    assert len(first.rows) == 3 and first.counts["mates"] == 2
    more = kriegspiel.generate(mates=3, near_misses=2, seed=1, known=first.rows)
    assert len(more.rows) == 2 and not {row.id for row in more.rows} & {row.id for row in first.rows}
    deeper = kriegspiel.generate(from_=first.rows, depth=5)
    assert len(deeper.rows) <= 1 and all(row.depth == 5 for row in deeper.rows)


def test_kriegspiel_is_estimated() -> None:
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    quiet = {"legal": True, "checks": [], "end": None}
    steps = [{"by": "w", "try": "a2a4", "percept": quiet}, {"by": "b", "illegal_heard": 0, "percept": quiet}]
    estimate = kriegspiel.estimate(start, steps)
    assert [step.states for step in estimate.steps][0] == 1 and len(estimate.belief) == estimate.steps[1].states > 10


def test_kriegspiel_is_played() -> None:
    game = kriegspiel.KriegspielGame(fen="k7/8/1K6/8/8/8/8/7R w - - 0 1", black="random")
    assert game.turn == "you" and "h1h8" in game.prompt().tries
    assert "illegal" in game.attempt("b6a7").said.lower() or game.turn == "you"
    with pytest.raises(counterplay.OptionError):
        game.attempt("zz")
    assert game.attempt("h1h8").by == "w"
    assert game.turn == "over" and game.record().end == "checkmate"
    record = kriegspiel.match(white="random", black="random", moves=10, seed=2)
    assert record.form("pgn").startswith('[Event "Kriegspiel"]') and "1. " in record.form("pgn")
    assert '[White "me"]' in game.pgn("me", "you") and "Rh8#" in game.pgn()
    assert record.tries and record.end in ("unfinished", "checkmate", "stalemate", "insufficient")


def test_bridge(examples: Path) -> None:
    suit = bridge.suit("KJ74", "A2", tricks=3)
    assert 0 < suit.percent < 100 and suit.line
    boards = bridge.deal(count=2, seed=1)
    assert len(boards) == 2 and boards[0].to_svg().startswith("<svg") and "[Deal" in boards.pbn
    shown = bridge.show(boards.pbn, double_dummy=True)
    assert len(shown[0].double_dummy) == 4 and all(0 <= tricks <= 13 for row in shown[0].double_dummy for tricks in row)
    played = bridge.play(boards.pbn, declarer="rules")
    assert len(played) == 2 and played.limit is None and "[Play" in played.pbn
    plan = bridge.plan(examples / "bridge" / "notrump.pbn", boards="1", layouts=10, samples=0)[0]
    assert plan.card and plan.explanation
    assert boards.lin.count("md|") == 2 and len(bridge.show(boards.lin)) == 2 and "pc|" in played.lin
    par = bridge.par(boards.pbn, boards="1")
    assert [list(row) for row in par.tricks] == [list(row) for row in shown[0].double_dummy] and par.contracts
    duplicate = bridge.match(boards.pbn, declarers=["rules", "double-dummy"])
    assert duplicate.boards == 2


def test_odds_of_cards() -> None:
    board = bridge.deal(count=1, seed=3).pbn
    lead = bridge.play(board, declarer="rules")[0].play[:1]
    odds = bridge.odds(board, lead, layouts=3)
    assert odds.layouts == 3 and odds.cards and all(0 <= card.makes <= 1 for card in odds.cards)
    assert odds.evidence.kind == "sampled"
    with pytest.raises(counterplay.OptionError, match="dummy"):
        bridge.odds(board, [])
    with pytest.raises(counterplay.CounterplayError):
        bridge.odds(board, ["XX"])


def test_a_board_is_played_card_by_card() -> None:
    board = bridge.deal(count=1, seed=3).pbn
    table = bridge.Table(board, declarer="rules", defence="you")
    cards = 0
    with pytest.raises(counterplay.OptionError, match="may not be played"):
        table.play("XX")
    while table.prompt is not None:
        table.play(table.prompt.legal[0])
        cards += 1
    assert cards == 26 and table.end is not None and table.end.end


def test_go(examples: Path) -> None:
    answer = go.solve(examples / "go" / "straight-three.sgf")
    assert (answer.verdict, answer.move) == ("solved", "B7") and answer.to_svg().startswith("<svg")
    assert answer.form("file").startswith("(;") and answer.form("tree_svg").startswith("<svg")
    rated = go.solve(examples / "go" / "straight-three.sgf", moves=True, try_="A7")
    assert rated.moves[0].move == "B7" and rated.moves[0].proved and rated.tried.result == "none" and rated.tried.line == ["B7"]
    with pytest.raises(counterplay.OptionError):
        go.solve(examples / "go" / "straight-three.sgf", try_="Z99")
    engine = go.Gtp()
    assert engine.send("name") and engine.send("boardsize 9") == ""
    with pytest.raises(go.GtpError):
        engine.send("no-such-command")
    with pytest.raises(counterplay.OptionError):
        engine.send("name\nname")


def test_dilemma() -> None:
    assert any(info.name == "DBS" for info in dilemma.strategies())
    match = dilemma.match("TitForTat", "Defector", turns=5)
    assert (match.moves, match.scores) == (["CDDDD", "DDDDD"], [4.0, 9.0])
    answer = dilemma.tournament(["TitForTat", "Defector", "Cooperator"], turns=20, matrices=True, ecology=3)
    assert answer.ranking[0].strategy == "Defector" and answer.evidence.kind == "proved"
    assert answer.to_svg().startswith("<svg") and answer.form("heat_map").startswith("<svg")
    assert dilemma.roshambo(turns=10).results


def test_python_players_in_matches_and_tournaments() -> None:
    def tit_for_tat(setting: dilemma.Setting) -> dilemma.Reply:
        assert setting.payoffs == (3, 0, 5, 1)
        return lambda own, other: other or "C"

    for seed in range(3):
        own = dilemma.match(tit_for_tat, "Prober4", turns=40, noise=0.2, seed=seed)
        theirs = dilemma.match("TitForTat", "Prober4", turns=40, noise=0.2, seed=seed)
        assert own.moves == theirs.moves
    grudger = dilemma.history_player(lambda own, other: "D" if "D" in other else "C")
    answer = dilemma.tournament(["Defector"], own={"mine": tit_for_tat, "grudge": grudger}, turns=10, threads=4)
    assert {rank.strategy for rank in answer.ranking} == {"Defector", "mine", "grudge"} and not answer.faults


def test_seeds_of_python_players() -> None:
    """They depend on the match alone: not on threads, and not on the order of matches."""

    def chancy(setting: dilemma.Setting) -> dilemma.Reply:
        chance = random.Random(setting.seed)
        return lambda own, other: chance.choice("CD")

    def play(threads: int, seed: int = 1) -> list[tuple[str, float]]:
        own = {"a": chancy, "b": chancy}
        answer = dilemma.tournament(["TitForTat", "Random"], own=own, turns=30, noise=0.1, seed=seed, threads=threads)
        return [(rank.strategy, rank.mean) for rank in answer.ranking]

    assert play(1) == play(4) == play(1) != play(1, seed=2)


def test_standings_are_told_on_the_way() -> None:
    told: list[list[dilemma.Standing]] = []
    dilemma.tournament(repetitions=200, noise=0.1, on_standings=told.append, time_limit=1)
    assert told and told[-1][0].mean >= told[-1][-1].mean and told[-1][0].matches > 0

    def stop(standings: list[dilemma.Standing]) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError) as raised:
        dilemma.tournament(repetitions=100_000, noise=0.1, on_standings=stop)
    assert raised.value.answer.verdict == "stopped"  # type: ignore[attr-defined]


def test_players_that_fail_are_reported() -> None:
    def raises(setting: dilemma.Setting) -> dilemma.Reply:
        def reply(own: object, other: object) -> str:
            if own is not None:
                raise ZeroDivisionError("turn two")
            return "C"

        return reply

    answer = dilemma.tournament(["TitForTat", "Defector"], own={"bad": raises}, turns=5)
    assert {rank.strategy for rank in answer.ranking} == {"Defector", "TitForTat"}
    assert (answer.faults[0].strategy, answer.faults[0].turn) == ("bad", 2) and "turn two" in answer.faults[0].why
    assert dilemma.match(lambda setting: lambda own, other: "E", "TitForTat", turns=5).faults[0].turn == 1
    assert dilemma.match(lambda setting: 7, "TitForTat", turns=5).faults  # type: ignore[arg-type,return-value]
    with pytest.raises(TypeError):
        dilemma.tournament(own={"x": 7})  # type: ignore[dict-item]


def test_a_strategy_is_asked_turn_by_turn() -> None:
    strategy = dilemma.Strategy("TitForTat")
    assert strategy.choose() == "C" and strategy.choose() == "C"
    assert strategy.choose([("C", "D")]) == "D"
    assert strategy.choose([("D", "C")]) == "C"
    with pytest.raises(counterplay.OptionError, match="did you mean"):
        dilemma.Strategy("TitForTa")
    own = dilemma.Match("TitForTat", turns=10)
    assert own.play("D").moves == ("D", "C") and own.play("C").moves == ("C", "D")
    assert own.score().scores == [5.0, 5.0] and own.advice().move in ("C", "D")
