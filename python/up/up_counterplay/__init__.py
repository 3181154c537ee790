"""Counterplay as an engine of unified-planning. Importing this module registers the engines."""

from __future__ import annotations

from typing import Any

from . import _register

_register.install()

__all__ = ["CounterplayEngine", "CounterplayOptimalEngine"]


def __getattr__(name: str) -> Any:
    # The engine module needs unified-planning, which may be in the middle of its own import.
    if name in __all__:
        from . import engine

        return getattr(engine, name)
    raise AttributeError(name)
