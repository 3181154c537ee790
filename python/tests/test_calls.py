"""Limits, interrupts, progress, threads, and what a call costs."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import counterplay
import pytest
from conftest import DOMAIN, EXAMPLES, PROBLEM, big_problem
from counterplay import _native, bridge, dilemma, go, kriegspiel


@pytest.mark.parametrize(
    "limits, name",
    [({"time_limit": 0.3}, "time"), ({"time_limit": "300ms"}, "time"), ({"cpu_limit": 0.3}, "cpu"), ({"memory_limit": "1MiB"}, "memory")],
)
def test_limits_are_answers(limits: dict[str, object], name: str) -> None:
    started = time.monotonic()
    answer = counterplay.solve(*big_problem(), **limits)  # type: ignore[arg-type]
    assert (answer.verdict, answer.limit) == ("stopped", name), answer
    assert time.monotonic() - started < 30


def test_progress_is_told_on_the_calling_thread() -> None:
    heard: list[counterplay.Progress] = []
    threads = set()

    def progress(news: counterplay.Progress) -> None:
        heard.append(news)
        threads.add(threading.get_ident())

    counterplay.solve(*big_problem(), time_limit=1, progress=progress)
    assert heard and threads == {threading.get_ident()}
    assert {"grounding"} <= {news.phase for news in heard}


def test_what_progress_raises_ends_the_call() -> None:
    def progress(news: counterplay.Progress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough") as raised:
        counterplay.solve(*big_problem(), progress=progress)
    assert raised.value.answer.verdict == "stopped"  # type: ignore[attr-defined]


def test_cancel_from_another_thread() -> None:
    cancel = counterplay.Cancel()
    timer = threading.Timer(0.3, cancel.cancel)
    timer.start()
    answer = counterplay.solve(*big_problem(), cancel=cancel)
    assert (answer.verdict, answer.limit, cancel.cancelled) == ("stopped", "interrupt", True)
    assert counterplay.solve(*big_problem(), cancel=cancel).limit == "interrupt"


@pytest.mark.parametrize("delay", [0.02, 0.1, 0.4, 1.0])
def test_keyboard_interrupt_stops_the_search(delay: float) -> None:
    """Each delay falls into another phase of the work: reading, grounding, search."""
    timer = threading.Timer(delay, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt) as raised:
        timer.start()
        counterplay.solve(*big_problem())
        time.sleep(delay + 1)
    # An interrupt before or during the search leaves what was known.
    answer = getattr(raised.value, "answer", None)
    assert answer is None or answer.verdict == "stopped"
    before = time.process_time()
    time.sleep(0.5)
    assert time.process_time() - before < 0.4, "the engine goes on"


def test_keyboard_interrupt_in_other_calls() -> None:
    game = counterplay.Game(EXAMPLES / "games" / "connect-four-7x6.kif")
    timer = threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        game.solve()
    player = game.player(game.roles[0])
    timer = threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT))
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        player.best_move(60)
    assert time.monotonic() - started < 20
    assert player.best_move(0.1).move in player.legal


def interruptible() -> dict[str, Callable[[], object]]:
    """Calls of all kinds that take a minute or more."""
    game = counterplay.Game(EXAMPLES / "games" / "connect-four-7x6.kif")
    hunters = counterplay.generate("hunter-prey", edge=30, prey=3)
    board = bridge.deal(count=1, seed=3).pbn
    states = 3000
    table = "(mdp x (initial s0) (goal end)" + "".join(
        f"(action s{one} {name} (cost 1) (1/2 s{(one * by + 1) % states}) (1/2 s{(one + by) % states}))"
        for one in range(states)
        for name, by in (("a", 17), ("b", 911), ("c", 1291))
    )

    def slow(setting: dilemma.Setting) -> dilemma.Reply:
        return lambda own, other: "C" if time.sleep(0.01) is None else "D"

    return {
        "improve": lambda: counterplay.solve(*big_problem(), quality="improve", on_plan=lambda plan: None),
        "policy": lambda: counterplay.solve(*hunters),
        "act": lambda: counterplay.act(*big_problem(), agent="replan"),
        "mdp": lambda: counterplay.mdp(table + ")", objective="discounted", discount="0.999999"),
        "simulate": lambda: game.simulate(seconds=100),
        "match": lambda: game.match([lambda turn: turn.legal[0], "uct"], start_clock=0, play_clock=60),
        "kriegspiel": lambda: kriegspiel.match(moves=200),
        "generate": lambda: kriegspiel.generate(),
        "bridge": lambda: bridge.play(deals=50, declarer="pimc", samples=500),
        "plan": lambda: bridge.plan(deals=20, layouts=2000, samples=500),
        "odds": lambda: bridge.odds(board, bridge.play(board, declarer="rules")[0].play[:1], layouts=100_000),
        "table": lambda: bridge.Table(board, declarer="pimc", defence="rules", samples=100_000),
        "go": lambda: [go.Gtp().send("genmove b") for _ in range(100)],
        "tournament": lambda: dilemma.tournament(repetitions=100_000, noise=0.1),
        "players": lambda: dilemma.tournament(["TitForTat"], own={"slow": slow}, repetitions=1000),
        "roshambo": lambda: dilemma.roshambo(turns=1_000_000_000),
    }


@pytest.mark.parametrize("name", list(interruptible()))
def test_keyboard_interrupt_in_every_kind_of_call(name: str) -> None:
    call = interruptible()[name]
    sent = [time.monotonic()]

    def interrupt() -> None:
        sent[0] = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.7, interrupt)
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        call()
    # Most stop within 0.1 s; a table of bridge waits two seconds for its players.
    assert time.monotonic() - sent[0] < 10, "the call went on"


def test_a_panic_is_an_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(_native.Failure, match="internal"):
        _native.run("panic", "{}")
    assert counterplay.solve(DOMAIN, PROBLEM).verdict == "solved"


def test_many_threads_at_once() -> None:
    results: list[object] = []

    def work(number: int) -> None:
        try:
            for _ in range(10):
                results.append(counterplay.solve(DOMAIN, PROBLEM, seed=number).cost)
                results.append(counterplay.dilemma.match("TitForTat", "Prober4", turns=20, seed=number).turns)
        except Exception as error:
            results.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results.count(1) == 160 and results.count(20) == 160, [one for one in results if one not in (1, 20)]


def test_one_session_from_many_threads() -> None:
    game = counterplay.Game(EXAMPLES / "games" / "tic-tac-toe.kif")
    position = game.position()
    moves: list[object] = []

    def look() -> None:
        for _ in range(50):
            moves.append(tuple(map(tuple, position._session.call("state")["legal"])))

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(moves) == 400 and len(set(moves)) == 1


def test_other_threads_run_while_an_engine_works() -> None:
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.01)

    thread = threading.Thread(target=tick)
    thread.start()
    counterplay.solve(*big_problem(), time_limit=1)
    done.set()
    thread.join()
    assert ticks > 10


def test_objects_outlive_what_they_came_from() -> None:
    position = counterplay.Game(EXAMPLES / "games" / "tic-tac-toe.kif").position()
    answer = counterplay.solve(DOMAIN, PROBLEM)
    evidence = answer.evidence
    del answer
    gc.collect()
    assert position.legal and evidence.engine


def test_the_overhead_of_a_call_is_small() -> None:
    """Over the time that the engine says it took. On a quiet machine it is a quarter of a millisecond."""
    counterplay.solve(DOMAIN, PROBLEM)
    overheads = []
    for _ in range(200):
        started = time.perf_counter()
        answer = counterplay.solve(DOMAIN, PROBLEM)
        overheads.append(time.perf_counter() - started - answer.seconds)
    overheads.sort()
    print(f"overhead of a call: {overheads[len(overheads) // 10] * 1e6:.0f} us at the 10th percentile, "
          f"{overheads[len(overheads) // 2] * 1e6:.0f} us median")
    assert overheads[len(overheads) // 10] < 0.001


def test_ten_thousand_calls_leak_nothing() -> None:
    script = """
import sys, resource, counterplay
domain, problem = sys.argv[1:3]
def calls(number):
    for _ in range(number):
        counterplay.solve(domain, problem, check=False)
        try:
            counterplay.solve(domain, "(define")
        except counterplay.InputError:
            pass
def held():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()
calls(500)
before = held()
calls(5000)
print(held() - before)
"""
    if not os.path.exists("/proc/self/statm"):
        pytest.skip("this system does not tell its memory")
    grown = subprocess.run([sys.executable, "-c", script, DOMAIN, PROBLEM], capture_output=True, text=True, check=True)
    assert int(grown.stdout) < 8 << 20, grown.stdout


def test_interrupting_a_script_ends_it() -> None:
    script = "import sys, counterplay\ncounterplay.solve(sys.argv[1], sys.argv[2])\n"
    process = subprocess.Popen([sys.executable, "-c", script, *big_problem()], stderr=subprocess.PIPE, text=True)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in told and process.returncode != 0
