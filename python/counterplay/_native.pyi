"""The native module. Use the functions of the package instead."""

from collections.abc import Callable, Sequence
from typing import Any, Optional, TypedDict, Union

version: str

class Limits(TypedDict):
    time: Optional[Union[float, str]]
    cpu: Optional[Union[float, str]]
    memory: Optional[Union[int, str]]
    nodes: Optional[int]

class Failure(Exception): ...

class Cancel:
    def __init__(self) -> None: ...
    def cancel(self) -> None: ...
    @property
    def cancelled(self) -> bool: ...

class Session:
    def __init__(self, kind: str, request: str, limits: Optional[Limits] = None) -> None: ...
    def call(
        self, method: str, arguments: str, limits: Optional[Limits] = None, cancel: Optional[Cancel] = None
    ) -> str: ...

def run(
    command: str,
    request: str,
    limits: Optional[Limits] = None,
    progress: Optional[Callable[[str, dict[str, float], Optional[float], Optional[float]], Any]] = None,
    cancel: Optional[Cancel] = None,
    players: Optional[Sequence[tuple[str, Any]]] = None,
    found: Optional[Callable[[str, str], Any]] = None,
) -> tuple[str, list[tuple[str, str]]]: ...
