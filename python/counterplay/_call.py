"""From Python values to requests of the native module, and back."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Optional, Protocol, TypeVar, Union

from . import _native
from ._answers import Answer
from ._errors import Finding, InputError, OptionError, from_failure
from ._native import Cancel
from ._options import Progress


class Readable(Protocol):
    """Something with a method `read`: an open file."""

    def read(self) -> Union[str, bytes]: ...


Text = Union[str, bytes, "os.PathLike[str]", Readable]
"""A text: a string that holds it, a path, an open file, or bytes. A string without a line end or a bracket is a path."""


_LIMITS = {"time_limit": "time", "cpu_limit": "cpu", "memory_limit": "memory", "node_limit": "nodes"}
_LARGEST = 1 << 30
"""No text is larger than this; what is, is not text."""


def limits(options: dict[str, Any]) -> _native.Limits:
    """Takes the limits out of the options."""
    found: Any = {short: options.pop(name, None) for name, short in _LIMITS.items()}
    for name, short in _LIMITS.items():
        value = found[short]
        if isinstance(value, bool) or not isinstance(value, (int, float, str, type(None))):
            raise OptionError(f"`{name}` is a number or a text, not {type(value).__name__}")
        if short in ("memory", "nodes") and (isinstance(value, float) or (isinstance(value, int) and value < 0)):
            raise OptionError(f"`{name}` is a whole number of at least 0, not {value}")
    return found  # type: ignore[no-any-return]


def is_path(text: str) -> bool:
    """Whether a string is a path: no format that we read fits on a line without brackets, a colon or a bar."""
    return not any(mark in text for mark in "\n([|{") and text[1:2] != ":" and text != ""


def source(value: Text, what: str) -> dict[str, str]:
    """A text and its name for messages."""
    name = what
    if isinstance(value, str) and is_path(value):
        value = Path(value)
    if isinstance(value, os.PathLike):
        name = os.fspath(value)
        if os.path.getsize(name) > _LARGEST:
            raise InputError(f"{name} is larger than 1 GiB")
        value = Path(value).read_bytes()
    elif not isinstance(value, (str, bytes)):
        if not hasattr(value, "read"):
            raise TypeError(f"{what}: a text, a path or an open file is needed, not {type(value).__name__}")
        name = str(getattr(value, "name", what))
        value = value.read()
    if isinstance(value, bytes):
        value = _decode(value, name)
    if not isinstance(value, str):
        raise TypeError(f"{what}: `read` returned {type(value).__name__}")
    return {"name": name, "text": value.removeprefix("\ufeff")}


def _decode(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        finding = Finding({"message": f"byte {error.start} is not UTF-8", "file": name, "line": line})
        raise InputError(f"{name} is not UTF-8", [finding]) from None


def kebab(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options by their names in JSON; `None` leaves an option open."""
    return {
        name.rstrip("_").replace("_", "-"): _plain(value) for name, value in options.items() if value is not None
    }


def _plain(value: Any) -> Any:
    return value if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Sequence) else list(value)


def callback(name: str, function: Any) -> None:
    """Refuses what cannot be called."""
    if function is not None and not callable(function):
        raise OptionError(f"`{name}` is a function, not {type(function).__name__}")


def dumps(request: Any) -> str:
    """A request in JSON."""
    try:
        return json.dumps(request, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise OptionError(f"an option has no JSON form: {error}") from None


def native(
    command: str,
    request: Any,
    options: Optional[dict[str, Any]] = None,
    players: Optional[list[tuple[str, Any]]] = None,
    found: Optional[Callable[[str, str], Any]] = None,
) -> tuple[Any, dict[str, str]]:
    """Runs a command. The options of the call are taken out of `options`, before which `request` must not depend on them. `found` gets what is
    found on the way: a word for what it is, and JSON."""
    options = {} if options is None else options
    allowed, progress, cancel = limits(options), options.pop("progress", None), options.pop("cancel", None)
    callback("progress", progress)
    if cancel is not None and not isinstance(cancel, Cancel):
        raise OptionError(f"`cancel` is a Cancel, not {type(cancel).__name__}")
    report = None if progress is None else (lambda *news: progress(Progress(*news)))
    if callable(request):
        request = request(options)
    try:
        text, forms = _native.run(command, dumps(request), allowed, report, cancel, players, found)
    except _native.Failure as failure:
        raise from_failure(failure.args[0]) from None
    return json.loads(text), dict(forms)


A = TypeVar("A", bound=Answer)


def ask(
    kind: type[A],
    command: str,
    request: dict[str, Any],
    options: Mapping[str, Any],
    players: Optional[list[tuple[str, Any]]] = None,
    found: Optional[Callable[[str, str], Any]] = None,
) -> A:
    """Runs a command with options of its own and returns its answer."""

    def whole(rest: dict[str, Any]) -> dict[str, Any]:
        return {**request, "options": {**kebab(rest), **request.get("options", {})}}

    return answered(kind, command, whole, dict(options), players, found)


def answered(
    kind: type[A],
    command: str,
    request: Any,
    options: dict[str, Any],
    players: Optional[list[tuple[str, Any]]] = None,
    found: Optional[Callable[[str, str], Any]] = None,
) -> A:
    """Runs a command and returns its answer. A call that is interrupted leaves what was found by then as the attribute `answer` of the
    exception."""
    try:
        fields, forms = native(command, request, options, players, found)
    except BaseException as raised:
        partial = getattr(raised, "partial", None)
        if partial is not None:
            raised.answer = kind(json.loads(partial[0]), dict(partial[1]))  # type: ignore[attr-defined]
        raise
    return kind(fields, forms)


class Session:
    """Something with a state."""

    def __init__(self, kind: str, request: dict[str, Any], options: Optional[dict[str, Any]] = None) -> None:
        try:
            self._session = _native.Session(kind, dumps(request), limits(options or {}))
        except _native.Failure as failure:
            raise from_failure(failure.args[0]) from None

    def call(self, method: str, arguments: Any = None, options: Optional[dict[str, Any]] = None) -> Any:
        """Asks, and returns the answer as plain values."""
        options = {} if options is None else options
        allowed, cancel = limits(options), options.pop("cancel", None)
        try:
            return json.loads(self._session.call(method, dumps(arguments), allowed, cancel))
        except _native.Failure as failure:
            raise from_failure(failure.args[0]) from None
