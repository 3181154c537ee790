"""Adds the engines to the list of unified-planning when that list is imported, without importing anything before."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from typing import Any, Optional

FACTORY = "unified_planning.engines.factory"
ENGINES = {
    "counterplay": ("up_counterplay.engine", "CounterplayEngine"),
    "counterplay-opt": ("up_counterplay.engine", "CounterplayOptimalEngine"),
}


def register(factory: Any) -> None:
    """Adds the engines to the list of a factory module."""
    for name, place in ENGINES.items():
        factory.DEFAULT_ENGINES.setdefault(name, place)
        if name not in factory.DEFAULT_ENGINES_PREFERENCE_LIST:
            factory.DEFAULT_ENGINES_PREFERENCE_LIST.append(name)


class _Loader(importlib.abc.Loader):
    """Loads the factory as usual, and registers the engines then."""

    def __init__(self, loader: Any) -> None:
        self.loader = loader

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Any:
        return self.loader.create_module(spec)

    def exec_module(self, module: Any) -> None:
        self.loader.exec_module(module)
        register(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)


class _Finder(importlib.abc.MetaPathFinder):
    """Waits for the factory."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> Optional[importlib.machinery.ModuleSpec]:
        if name != FACTORY:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)
        return spec


def install() -> None:
    """Registers the engines, now or when the factory is imported."""
    factory = sys.modules.get(FACTORY)
    if factory is not None:
        register(factory)
    elif not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
