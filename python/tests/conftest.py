"""Paths, small problems, and packages that may be missing."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

DOMAIN = """(define (domain lamp)
  (:predicates (lit))
  (:action switch :effect (lit)))"""
PROBLEM = "(define (problem dark) (:domain lamp) (:init) (:goal (lit)))"


def pytest_configure() -> None:
    """Interrupts reach the tests and what they start, also where a shell that runs them in the background has them ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def examples() -> Path:
    """The bundled examples."""
    return EXAMPLES


def big_problem() -> tuple[str, str]:
    """A problem that no engine solves in a minute: a sliding puzzle of 6 x 6."""
    edge = 6
    cells = [f"c{x}-{y}" for x in range(edge) for y in range(edge)]
    tiles = [f"t{number}" for number in range(edge * edge - 1)]
    near = []
    for x in range(edge):
        for y in range(edge):
            for dx, dy in ((1, 0), (0, 1)):
                if x + dx < edge and y + dy < edge:
                    one, two = f"c{x}-{y}", f"c{x + dx}-{y + dy}"
                    near += [f"(near {one} {two})", f"(near {two} {one})"]
    start = [f"(at {tile} {cell})" for tile, cell in zip(tiles, reversed(cells))]
    goal = [f"(at {tile} {cell})" for tile, cell in zip(tiles, cells)]
    domain = """(define (domain tiles) (:requirements :typing) (:types tile cell)
      (:predicates (at ?t - tile ?c - cell) (free ?c - cell) (near ?a ?b - cell))
      (:action slide :parameters (?t - tile ?a ?b - cell)
        :precondition (and (at ?t ?a) (free ?b) (near ?a ?b))
        :effect (and (not (at ?t ?a)) (not (free ?b)) (at ?t ?b) (free ?a))))"""
    problem = f"""(define (problem big) (:domain tiles)
      (:objects {" ".join(tiles)} - tile {" ".join(cells)} - cell)
      (:init (free {cells[0]}) {" ".join(near)} {" ".join(start)})
      (:goal (and {" ".join(goal)})))"""
    return domain, problem
