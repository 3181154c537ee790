"""What is wrong becomes an exception with its place; nothing ends the interpreter."""

from __future__ import annotations

import io
from pathlib import Path

import counterplay
import pytest
from conftest import DOMAIN, PROBLEM


def test_errors_have_file_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "wrong.pddl"
    file.write_text(PROBLEM.replace("(lit)", "(lti)").replace("(:init)", "(:init)\n "))
    with pytest.raises(counterplay.InputError) as raised:
        counterplay.solve(DOMAIN, file)
    error = raised.value
    assert (error.file, error.line, error.column) == (str(file), 2, 11), error
    assert "lti" in str(error) and "^" in str(error)
    assert error.findings[0].code.startswith("pddl::")
    assert isinstance(error, ValueError) and isinstance(error, counterplay.CounterplayError)


def test_all_errors_of_a_text_are_told() -> None:
    with pytest.raises(counterplay.InputError) as raised:
        counterplay.solve(DOMAIN.replace(":effect (lit)", ":effect (and (a) (b))"), PROBLEM)
    assert len(raised.value.findings) == 2


@pytest.mark.parametrize("value", [None, 7, 1.5, [], {}, object(), ["(a)"]])
def test_wrong_types(value: object) -> None:
    with pytest.raises(TypeError):
        counterplay.solve(value, PROBLEM)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ["", "(", ")", "(define", "\0", "(" * 100_000, "(define (domain \ud800))", "x\n" * 1000, "(a) ; \u2028"]
)
def test_texts_that_make_no_sense(text: str) -> None:
    for pair in ((text, PROBLEM), (DOMAIN, text)):
        with pytest.raises((counterplay.CounterplayError, OSError, ValueError)):
            counterplay.solve(*pair)


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(counterplay.InputError, match="UTF-8") as raised:
        counterplay.solve(b"(define\n\xff", PROBLEM)
    assert raised.value.line == 2
    with pytest.raises(FileNotFoundError):
        counterplay.solve("no-such-file.pddl", PROBLEM)
    with pytest.raises(TypeError):

        class Odd(io.StringIO):
            def read(self, size: object = None) -> int:  # type: ignore[override]
                return 7

        counterplay.solve(Odd(), PROBLEM)


def test_a_huge_text_is_read() -> None:
    facts = "\n".join(f"(p o{number})" for number in range(100_000))
    names = " ".join(f"o{number}" for number in range(100_000))
    domain = "(define (domain d) (:predicates (p ?x) (q)) (:action a :effect (q)))"
    problem = f"(define (problem x) (:domain d) (:objects {names}) (:init {facts}) (:goal (q)))"
    assert counterplay.solve(domain, problem).plan == ["(a)"]


@pytest.mark.parametrize(
    "options",
    [
        {"time_limit": -1},
        {"time_limit": "soon"},
        {"time_limit": True},
        {"memory_limit": "much"},
        {"memory_limit": 1.5},
        {"memory_limit": -3},
        {"node_limit": "x"},
        {"time_limit": float("nan")},
        {"seed": -1},
        {"seed": "x"},
        {"check": 7},
        {"progress": 3},
        {"cancel": "now"},
        {"seed": float("nan")},
        {"search": object()},
    ],
)
def test_options_of_the_wrong_type(options: dict[str, object]) -> None:
    with pytest.raises((counterplay.OptionError, TypeError, OverflowError)):
        counterplay.solve(DOMAIN, PROBLEM, **options)  # type: ignore[arg-type]


def test_other_readers_refuse_nonsense() -> None:
    for call in (
        lambda: counterplay.Game("(role"),
        lambda: counterplay.Game("(role x) (<= (p ?x) (not (q ?x)))"),
        lambda: counterplay.go.solve("(;SZ[7]"),
        lambda: counterplay.go.solve("(;SZ[7])"),
        lambda: counterplay.kriegspiel.solve(["nonsense"], 3),
        lambda: counterplay.kriegspiel.solve(["k7/8/1K6/8/8/8/8/7R w - - 0 1"], 2),
        lambda: counterplay.kriegspiel.solve([], 3),
        lambda: counterplay.bridge.suit("AKX", "2"),
        lambda: counterplay.bridge.plan("N:AK - - -", contract="3NT"),
        lambda: counterplay.bridge.show("[Deal \"nonsense\"]\n"),
        lambda: counterplay.dilemma.match("NoSuchStrategy", "TitForTat"),
        lambda: counterplay.dilemma.match("TitForTat", "TitForTat", noise=2),
        lambda: counterplay.dilemma.Strategy("TitForTat", turns=0),
        lambda: counterplay.dilemma.tournament(teams=[10**9]),
        lambda: counterplay.go.solve("(;SZ[7]PL[B]AW[aa]MA[aa]" + "(;B[bb]" * 300_000),
        lambda: counterplay.Game("(role x) (<= (p a) " + "(not " * 300_000 + "(q a)" + ")" * 300_001),
        lambda: counterplay.mdp("(" * 300_000),
        lambda: counterplay.kriegspiel.solve(["k7/8/1K6/8/8/8/8/7R w - - 0 1"], 10**30),
        lambda: counterplay.bridge.show("[Deal \"N:" + "A" * 1_000_000 + "\"]\n"),
        lambda: counterplay.generate("hunter-prey", edge=0),
        lambda: counterplay.generate("no-such-thing"),  # type: ignore[arg-type]
    ):
        with pytest.raises(counterplay.CounterplayError):
            call()


def test_unknown_commands_of_the_native_module() -> None:
    from counterplay import _native

    with pytest.raises(_native.Failure):
        _native.run("no-such-command", "{}")
    with pytest.raises(_native.Failure):
        _native.run("solve", "no json")
    with pytest.raises(_native.Failure):
        _native.Session("no-such-session", "{}")


def test_names_of_any_length() -> None:
    own = {"x" * 100_000: lambda setting: lambda own, other: "C"}
    answer = counterplay.dilemma.tournament(["TitForTat"], own=own, turns=2)
    assert len(answer.ranking) == 2 and str(answer)
