"""Exceptions."""

from __future__ import annotations

import json
from typing import Any, Optional


class CounterplayError(Exception):
    """The base of all exceptions of this package."""


class Finding:
    """One thing that is wrong with a text, with its place; `None` where there is no such place."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.severity: str = fields.get("severity", "error")
        self.code: str = fields.get("code", "")
        self.message: str = fields.get("message", "")
        self.help: Optional[str] = fields.get("help")
        self.file: Optional[str] = fields.get("file")
        self.line: Optional[int] = fields.get("line")
        self.column: Optional[int] = fields.get("column")
        self.source: Optional[str] = fields.get("source")

    def __repr__(self) -> str:
        return f"Finding({str(self)!r})"

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.message}" if place else self.message


class InputError(CounterplayError, ValueError):
    """A text cannot be used. `findings` has everything that is wrong; `file`, `line` and `column` are the first place."""

    def __init__(self, message: str, findings: Optional[list[Finding]] = None) -> None:
        super().__init__(message)
        self.findings: list[Finding] = findings or []
        first = self.findings[0] if self.findings else Finding({})
        self.file: Optional[str] = first.file
        self.line: Optional[int] = first.line
        self.column: Optional[int] = first.column

    def __str__(self) -> str:
        lines = []
        for finding in self.findings:
            lines.append(str(finding))
            if finding.source is not None and finding.column is not None:
                lines.append(f"    {finding.source}")
                lines.append("    " + " " * (finding.column - 1) + "^")
            if finding.help:
                lines.append(f"    help: {finding.help}")
        return "\n".join(lines) or super().__str__()

    def __reduce__(self) -> Any:
        return (InputError, (self.args[0], self.findings))


class OptionError(CounterplayError, ValueError):
    """Options that do not fit together or do not fit the problem, or a name that does not exist. `help` says what to do."""

    def __init__(self, message: str, help: Optional[str] = None) -> None:
        super().__init__(message if help is None else f"{message}: {help}")
        self.help = help


class LimitReached(CounterplayError):
    """A limit was reached before there was anything to answer. `limit` is `time`, `cpu`, `memory`, `nodes` or `interrupt`."""

    def __init__(self, message: str, limit: str) -> None:
        super().__init__(message)
        self.limit = limit

    def __reduce__(self) -> Any:
        return (LimitReached, (self.args[0], self.limit))


class InternalError(CounterplayError, RuntimeError):
    """A bug of Counterplay: an answer did not pass its check, or the engine failed. Please report it."""


def from_failure(text: str) -> CounterplayError:
    """The exception for a failure of the native module."""
    failure: dict[str, Any] = json.loads(text)
    message, kind = failure["message"], failure["kind"]
    if kind == "input":
        return InputError(message, [Finding(fields) for fields in failure["findings"]])
    if kind == "request":
        return OptionError(message, failure.get("help"))
    if kind == "limit":
        return LimitReached(message, failure["limit"])
    return InternalError(message)
