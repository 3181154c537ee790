"""Plans that survive the other players.

>>> import counterplay
>>> domain = "(define (domain lamp) (:predicates (lit)) (:action switch :effect (lit)))"
>>> problem = "(define (problem dark) (:domain lamp) (:init) (:goal (lit)))"
>>> answer = counterplay.solve(domain, problem)
>>> answer.verdict, answer.cost, answer.plan
('solved', 1, ['(switch)'])

Planning is at the top: `solve`, `mdp`, `check`, `check_certificate`, `ground`, `act`, `generate`. Games have modules of their own: `game` (general games), `kriegspiel`,
`bridge`, `go` and `dilemma`. `counterplay.interop` talks with other packages.
"""

from . import bridge, dilemma, game, go, kriegspiel, planning
from ._answers import Answer, Record
from ._errors import CounterplayError, Finding, InputError, InternalError, LimitReached, OptionError
from ._native import Cancel
from ._native import version as __version__
from ._options import Progress
from .game import Game
from .planning import act, check, check_certificate, generate, ground, mdp, picture, solve

__all__ = [
    "Answer",
    "Cancel",
    "CounterplayError",
    "Finding",
    "Game",
    "InputError",
    "InternalError",
    "LimitReached",
    "OptionError",
    "Progress",
    "Record",
    "__version__",
    "act",
    "bridge",
    "check",
    "check_certificate",
    "dilemma",
    "game",
    "generate",
    "go",
    "ground",
    "kriegspiel",
    "mdp",
    "picture",
    "planning",
    "solve",
]
