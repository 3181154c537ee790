"""Answers: objects with typed fields, which are JSON underneath."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from html import escape
from typing import Any, Optional, Union, get_args, get_origin, get_type_hints


@functools.lru_cache(maxsize=None)
def _hints(cls: type) -> dict[str, Any]:
    """The types of the fields of a class, by their names in JSON."""
    return {name.rstrip("_"): hint for name, hint in get_type_hints(cls).items() if not name.startswith("_")}


def _typed(hint: Any, value: Any) -> Any:
    """A value of JSON as an object of the type that is declared for it."""
    if isinstance(value, dict):
        records = [one for one in (hint, *get_args(hint)) if isinstance(one, type) and issubclass(one, Record)]
        if records:
            return records[0](value)
        arguments = get_args(hint) if get_origin(hint) is dict else ()
        inner = arguments[1] if len(arguments) == 2 else Any
        return {key: _typed(inner, one) for key, one in value.items()} if inner is not Any else Record(value)
    if isinstance(value, list):
        options = get_args(hint) if get_origin(hint) is Union else (hint,)
        inners = [get_args(one)[0] for one in options if get_origin(one) is list and get_args(one)]
        for inner in inners:
            if not value or isinstance(value[0], dict) == (isinstance(inner, type) and issubclass(inner, Record)):
                return [_typed(inner, one) for one in value]
        return [_typed(inners[0] if inners else Any, one) for one in value]
    return value


class Record:
    """A part of an answer. Fields are attributes and keys; one that does not apply is `None`."""

    __slots__ = ("_fields", "_made")

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields
        self._made: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("_fields", "_made"):
            raise AttributeError(name)
        key = name.rstrip("_")
        if key not in self._made:
            hints = _hints(type(self))  # type: ignore[arg-type]
            if key not in self._fields:
                if key in hints:
                    return None
                raise AttributeError(f"{type(self).__name__} has no field {name!r}; it has {', '.join(self._fields)}")
            self._made[key] = _typed(hints.get(key, Any), self._fields[key])
        return self._made[key]

    def __getitem__(self, name: str) -> Any:
        if name not in self._fields:
            raise KeyError(name)
        return getattr(self, name)

    def get(self, name: str, default: Any = None) -> Any:
        """The field of this name, or the default."""
        return self[name] if name in self._fields else default

    def keys(self) -> Iterator[str]:
        """The names of the fields that are there."""
        return iter(self._fields)

    def __contains__(self, name: object) -> bool:
        return name in self._fields

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._fields]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self._fields == other._fields

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries and lists, as the JSON form has them. It is a copy."""
        copy: dict[str, Any] = json.loads(self.to_json())
        return copy

    def to_json(self, indent: Optional[int] = None) -> str:
        """The same JSON as the command prints with `--json`."""
        return json.dumps(self._fields, indent=indent, ensure_ascii=False)

    def __reduce__(self) -> Any:
        return (type(self), (self._fields,))

    def __repr__(self) -> str:
        parts = []
        for name, value in self._fields.items():
            if value is None:
                continue
            text = repr(value)
            parts.append(f"{name}={text if len(text) <= 60 else text[:57] + '...'}")
        return f"{type(self).__name__}({', '.join(parts)})"


class Answer(Record):
    """An answer, with its texts and pictures."""

    __slots__ = ("_forms",)

    def __init__(self, fields: dict[str, Any], forms: Optional[dict[str, str]] = None) -> None:
        super().__init__(fields)
        self._forms: dict[str, str] = dict(forms or {})

    def __reduce__(self) -> Any:
        return (type(self), (self._fields, self._forms))

    def form(self, name: str) -> Optional[str]:
        """Another form of the answer: `text`, `summary`, `file`, `svg`, … `None` if it has no such form."""
        return self._forms.get(name)

    @property
    def forms(self) -> list[str]:
        """The names of the other forms."""
        return list(self._forms)

    def __str__(self) -> str:
        return self._forms.get("text") or self._forms.get("summary") or repr(self)

    def to_svg(self) -> Optional[str]:
        """A picture; `None` if there is nothing to see."""
        if "svg" not in self._forms:
            from . import _call

            _, forms = _call.native("picture", self._fields)
            self._forms["svg"] = forms.get("svg", "")
        return self._forms["svg"] or None

    def _repr_svg_(self) -> Optional[str]:
        return self.to_svg()

    def _repr_html_(self) -> str:
        words = self._forms.get("summary") or self._forms.get("text") or repr(self)
        others = [self._forms[name] for name in _OTHER_PICTURES if self._forms.get(name)]
        return html(words, self.to_svg() or "", *others)


_OTHER_PICTURES = ("tree_svg", "heat_map", "ecology_svg")


def html(words: str, *pictures: str) -> str:
    """Words and pictures (SVG) for a notebook."""
    return f"<div><pre>{escape(words.rstrip())}</pre>{''.join(pictures)}</div>"
