"""Writes `counterplay/_types.py` from the JSON Schemas in `docs/schema`.

Requests become `TypedDict`s of keyword options, answers become classes with typed fields. With `--check` nothing is written, and the
exit code is 1 if the file is not up to date.
"""

from __future__ import annotations

import json
import keyword
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SCHEMAS = HERE.parent.parent / "docs" / "schema"
TARGET = HERE.parent / "counterplay" / "_types.py"

Schema = dict[str, Any]

SHORTER = {("SolveOptions", "plans"): "Union[int, Literal['all-optimal'], Plans, None]"}
"""Options that Python takes in a shorter form, too: the package makes the whole one of it."""

HEAD = '''"""Types of options and answers. Written by `tools/generate_types.py` from `docs/schema`; do not edit."""

from __future__ import annotations

from typing import Any, Literal, Optional, TypedDict, Union

from ._answers import Answer, Record
from ._options import CallOptions


'''


def camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.replace("_", "-").split("-"))


def attribute(name: str) -> str:
    """A field as a Python name: `if` becomes `if_`, `known-length` becomes `known_length`."""
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


class Writer:
    """Collects classes, so that equal definitions of several schemas become one."""

    def __init__(self) -> None:
        self.classes: dict[str, str] = {}

    def add_schema(self, path: Path) -> None:
        schema: Schema = json.loads(path.read_text())
        stem = path.stem
        is_request = stem.endswith("-request")
        name = camel(stem.removesuffix("-request")) + ("Options" if is_request else "Answer")
        self.schema, self.is_request, self.prefix = schema, is_request, camel(stem.removesuffix("-request"))
        self.names: dict[str, str] = {}
        self.add_class(name, self.flat(schema) if is_request else schema, top=True)

    def flat(self, schema: Schema) -> Schema:
        """The rules of a match stand among the other options."""
        properties = {}
        for name, field in schema["properties"].items():
            if name == "rules" and "properties" in self.resolve(field):
                properties.update(self.resolve(field)["properties"])
            else:
                properties[name] = field
        return {**schema, "properties": properties}

    def resolve(self, schema: Schema) -> Schema:
        reference = schema.get("$ref")
        return self.schema["$defs"][reference.rsplit("/", 1)[1]] if reference else schema

    def properties(self, schema: Schema) -> Schema:
        """The fields of an object, or of all alternatives together."""
        fields = dict(schema.get("properties", {}))
        for part in schema.get("oneOf", []) + schema.get("anyOf", []) + schema.get("allOf", []):
            for name, field in self.properties(self.resolve(part)).items():
                if name in fields and fields[name] != field and "const" in field:
                    known = fields[name].get("enum", [fields[name].get("const")])
                    field = {"enum": [*known, field["const"]]}
                fields[name] = field
        return fields

    def add_class(self, name: str, schema: Schema, top: bool = False) -> str:
        fields = self.properties(schema)
        required = set(schema.get("required", []))
        lines = []
        if self.is_request:
            base = "CallOptions, total=False" if top else "TypedDict, total=False"
        else:
            base = "Answer" if top else "Record"
        lines.append(f"class {name}({base}):")
        described = " ".join(schema.get("description", name).split())
        lines.append(f'    """{described}"""'.replace("\\", "\\\\"))
        for field_name, field in fields.items():
            kind = self.kind(field, field_name)
            kind = SHORTER.get((name, field_name), kind)
            if not self.is_request and field_name not in required and not kind.startswith("Optional"):
                kind = f"Optional[{kind}]"
            lines.append("")
            lines.append(f"    {attribute(field_name)}: {kind}")
            text = " ".join(field.get("description", "").split()).replace("\\", "\\\\")
            if text:
                lines.append(f'    """{text}"""' if not text.endswith('"') else f"    # {text}")
        if not fields:
            lines.append("    pass")
        text = "\n".join(lines) + "\n"
        if self.classes.get(name, text) != text:
            name, text = self.prefix + name, text.replace(f"class {name}(", f"class {self.prefix + name}(", 1)
        self.classes[name] = text
        return name

    def kind(self, schema: Schema | bool, name: str) -> str:
        if schema is True or not isinstance(schema, dict):
            return "Any"
        if "$ref" in schema:
            definition = schema["$ref"].rsplit("/", 1)[1]
            return self.definition(definition)
        if "const" in schema:
            return f"Literal[{schema['const']!r}]"
        if "enum" in schema:
            return "Literal[" + ", ".join(repr(value) for value in schema["enum"]) + "]"
        parts = schema.get("anyOf") or schema.get("oneOf")
        if parts and not any("properties" in self.resolve(part) for part in parts if "$ref" not in part):
            return union([self.kind(part, name) for part in parts])
        return self.plain(schema, name)

    def plain(self, schema: Schema, name: str) -> str:
        types = schema.get("type")
        if isinstance(types, list):
            return union([self.plain({**schema, "type": one}, name) for one in types])
        if types == "array":
            if "prefixItems" in schema:
                return "list[Any]"
            return f"list[{self.kind(schema.get('items', True), name)}]"
        if types == "object" or "properties" in schema or "oneOf" in schema:
            if self.properties(schema):
                return self.add_class(camel(name), schema)
            return f"dict[str, {self.kind(schema.get('additionalProperties', True), name)}]"
        simple = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
        return simple.get(types or "", "Any")

    def definition(self, name: str) -> str:
        if name in self.names:
            return self.names[name]
        schema = self.schema["$defs"][name]
        parts = schema.get("anyOf", []) + schema.get("oneOf", [])
        if parts and not all(self.properties(self.resolve(part)) for part in parts):
            self.names[name] = union([self.kind(part, name) for part in parts])
        elif self.properties(schema):
            # A definition may contain itself.
            self.names[name] = camel_kept(name)
            self.names[name] = self.add_class(camel_kept(name), schema)
        else:
            self.names[name] = self.kind(schema, name)
        return self.names[name]


def camel_kept(name: str) -> str:
    return name[0].upper() + name[1:]


def union(parts: list[str]) -> str:
    values: list[str] = []
    others: list[str] = []
    optional = False
    for part in parts:
        if part == "None":
            optional = True
        elif part.startswith("Literal["):
            values.append(part[len("Literal[") : -1])
        elif part not in others:
            others.append(part)
    if values:
        others.insert(0, "Literal[" + ", ".join(dict.fromkeys(values)) + "]")
    body = others[0] if len(others) == 1 else "Union[" + ", ".join(others) + "]"
    return f"Optional[{body}]" if optional and not body.startswith("Optional") else body


def text() -> str:
    writer = Writer()
    for path in sorted(SCHEMAS.glob("*.json")):
        writer.add_schema(path)
    return HEAD + "\n\n".join(writer.classes.values())


if __name__ == "__main__":
    wanted = text()
    if "--check" not in sys.argv:
        TARGET.write_text(wanted)
    elif TARGET.read_text() != wanted:
        sys.exit("counterplay/_types.py is not what docs/schema says; run python/tools/generate_types.py")
