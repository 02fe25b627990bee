"""What a node declares: parameters and the manifest that navlaunch reads."""

from __future__ import annotations

import difflib
import json
from typing import Any, Generic, Literal, TypeVar, cast

from .errors import NodeError

T = TypeVar("T")
Kind = Literal["bool", "int", "double", "string", "path", "strings"]
_TYPES: dict[str, type | tuple[type, ...]] = {
    "bool": bool, "int": int, "double": (int, float), "string": str, "path": str, "strings": list}


class Parameter(Generic[T]):
    """One parameter of a node; `value` is that of the stack file, or the default."""

    def __init__(self, name: str, default: T, about: str = "", *, kind: Kind | None = None, unit: str | None = None,
                 minimum: float | None = None, maximum: float | None = None, values: list[str] | None = None,
                 required: bool = False) -> None:
        self.name, self.default, self.about, self.unit, self.required = name, default, about, unit, required
        self.kind: Kind = kind or _kind_of(name, default)
        self.minimum, self.maximum, self.values = minimum, maximum, values or []
        self.value: T = default
        if default is not None:
            self.value = self.accepted(default)

    def accepted(self, value: Any) -> T:
        """The value in the parameter's own kind; raises NodeError with a sentence for one that it cannot have."""
        if not _is_of(self.kind, value) or (isinstance(value, bool) and self.kind != "bool"):
            raise NodeError(f"parameter \"{self.name}\": {value!r} is not a {self.kind}")
        if self.kind == "strings" and not all(isinstance(item, str) for item in value):
            raise NodeError(f"parameter \"{self.name}\": {value!r} is not a list of strings")
        if self.minimum is not None and value < self.minimum or self.maximum is not None and value > self.maximum:
            unit = f" {self.unit}" if self.unit else ""
            raise NodeError(f"parameter \"{self.name}\": {value}{unit} is outside {_range(self.minimum, self.maximum)}{unit}")
        if self.values and value not in self.values:
            raise NodeError(f"parameter \"{self.name}\": {value!r} is not one of {', '.join(self.values)}")
        return cast(T, float(value) if self.kind == "double" else value)

    def declaration(self) -> dict[str, Any]:
        """The entry of the manifest."""
        entry: dict[str, Any] = {"name": self.name, "kind": self.kind, "about": self.about, "isRequired": self.required,
                                 "values": self.values}
        optional = {"defaultValue": self.default, "unit": self.unit, "minimum": self.minimum, "maximum": self.maximum}
        return entry | {key: value for key, value in optional.items() if value is not None}


def _is_of(kind: Kind, value: Any) -> bool:
    return isinstance(value, _TYPES[kind])


def _kind_of(name: str, default: Any) -> Kind:
    for kind, wanted in (("bool", bool), ("int", int), ("double", float), ("string", str), ("strings", list)):
        if isinstance(default, wanted):
            return cast(Kind, kind)
    raise NodeError(f"parameter \"{name}\" has no default: name its kind, as in kind=\"string\"")


def _range(low: float | None, high: float | None) -> str:
    if low is None:
        return f"…{high:g}"
    return f"{low:g}…" if high is None else f"{low:g} to {high:g}"


def read_parameters(path: str | None, declared: list[Parameter[Any]]) -> None:
    """Sets the values that the launcher's JSON file gives; raises NodeError that names every fault."""
    given: Any = {}
    if path:
        try:
            with open(path, encoding="utf-8") as file:
                given = json.load(file)
        except (OSError, ValueError) as error:
            raise NodeError(f"{path}: cannot be read as JSON: {error}") from None
    if not isinstance(given, dict):
        raise NodeError(f"{path}: not a map of parameters")
    known = {parameter.name: parameter for parameter in declared}
    problems = []
    for name in sorted(set(given) - set(known)):
        near = difflib.get_close_matches(name, known, 1)
        problems.append(f"unknown parameter \"{name}\"" + (f"; did you mean \"{near[0]}\"?" if near else ""))
    for parameter in declared:
        if parameter.name not in given:
            if parameter.required:
                problems.append(f"parameter \"{parameter.name}\" is missing: {parameter.about}")
            continue
        try:
            parameter.value = parameter.accepted(given[parameter.name])
        except NodeError as error:
            problems.append(str(error))
    if problems:
        raise NodeError("; ".join(problems))
