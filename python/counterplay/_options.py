"""Options of every call."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional, TypedDict, Union

from ._native import Cancel


class Progress(NamedTuple):
    """How far an engine is."""

    phase: str
    counts: dict[str, float]
    lower: Optional[float]
    """A lower bound that is proved by now, in the problem's own units."""
    upper: Optional[float]


class CallOptions(TypedDict, total=False):
    """Options of every call."""

    time_limit: Union[float, str, None]
    """Wall time: seconds, or a text such as `"30s"`."""
    cpu_limit: Union[float, str, None]
    """CPU time of the process from now on."""
    memory_limit: Union[int, str, None]
    """Bytes that the process may hold, or a text such as `"4GiB"`; three quarters of what is free unless it is given."""
    node_limit: Optional[int]
    """Nodes in the engine's own count."""
    progress: Optional[Callable[[Progress], Any]]
    """Gets reports while the engine works, on the calling thread. What it raises ends the call."""
    cancel: Optional[Cancel]
    """Stops the call from another thread."""
