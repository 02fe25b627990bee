"""Checks the module and the golden bytes against PyPI's msgpack: python selftest.py [EXAMPLES].

Every example is decoded, checked against the contract, encoded again (the bytes must be the same),
and compared with its JSON. Requests with an unknown field, or too large, are refused by a server.
Prints one line; exits 1 at the first difference.
"""

import json
import pathlib
import sys

import msgpack

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import navstack


def shown(value):
    """As the JSON beside the bytes shows it."""
    if isinstance(value, bytes):
        return {"$bytes": value.hex()}
    if isinstance(value, dict):
        return {key: shown(inner) for key, inner in value.items()}
    return [shown(inner) for inner in value] if isinstance(value, list) else value


def structures():
    """Schema name -> name of the structure."""
    names = {topic["schema"].split("/")[0]: name for name, topic in navstack.TOPICS.items()}
    for call in navstack.CALLS.values():
        names |= {call["request"]: call["request"], call["reply"]: call["reply"]}
    return names


def main(folder):
    names = structures()
    files = sorted(folder.glob("*.msgpack"))
    assert {file.stem for file in files} == set(names), "an example is missing"
    for file in files:
        data = file.read_bytes()
        payload = msgpack.unpackb(data)
        navstack.check(names[file.stem], payload)
        again = navstack.checked(names[file.stem], payload, to_wire=True)
        assert msgpack.packb(again) == data, f"{file.name}: other bytes when encoded again"
        text = json.loads(file.with_suffix(".json").read_text())
        assert shown(payload) == text, f"{file.name}: JSON and bytes differ"
        refuses(names[file.stem], payload)
        knows(names[file.stem], payload)
    for name in navstack.CALLS:
        serves(name, folder)
    print(f"{len(files)} examples agree with msgpack {'.'.join(map(str, msgpack.version))}")


def knows(name, payload):
    """An unknown field is ignored, and refused by name where `strict` asks for it."""
    for path, more in misspelled(payload):
        assert navstack.checked(name, more), f"{name}: {path} was not ignored"
        try:
            navstack.checked(name, more, strict=True)
        except navstack.ContractError as error:
            assert error.path == path, f"{name}: {error.path} blamed for {path}"
            assert "unknown field" in str(error), f"{name}: {error}"
        else:
            raise AssertionError(f"{name}: the unknown field {path} was not refused")


def serves(name, folder):
    """A server takes the example of a call, and refuses one with an unknown field and one that is too large."""
    declared, answers = navstack.CALLS[name], []
    answer = (folder / f"{declared['reply']}.msgpack").read_bytes()
    handlers = {name: lambda request, vehicle: msgpack.unpackb(answer)}
    server = navstack.Server("ipc:///tmp/nobody-listens", "selftest", handlers)
    example = msgpack.unpackb((folder / f"{declared['request']}.msgpack").read_bytes())
    for data in (msgpack.packb(example), msgpack.packb(example | {"no_such_field": 1}), bytes(declared["max_size"] + 1)):
        call = navstack.Call({"id": "c", "name": name, "timeout_ms": 60_000})
        answers.append(server._outcome(call, data)[0])
    taken, unknown, large = answers
    assert taken["ok"], f"{name}: {taken}"
    assert (unknown["code"], unknown["field"]) == ("invalid", "no_such_field"), f"{name}: {unknown}"
    assert large["code"] == "invalid" and f"at most {declared['max_size']} " in large["message"], f"{name}: {large}"


def misspelled(payload):
    """(path, payload) with one unknown field, at the top or in the first entry of a list of maps."""
    yield "no_such_field", payload | {"no_such_field": 1}
    for key, value in payload.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield f"{key}[0].no_such_field", payload | {key: [value[0] | {"no_such_field": 1}] + value[1:]}


def refuses(name, payload):
    """A payload without a required field is refused by the name of that field."""
    for field, (_, required, _, _) in navstack.STRUCTURES[name].items():
        if not required:
            continue
        less = {key: value for key, value in payload.items() if key != field}
        try:
            navstack.check(name, less)
        except navstack.ContractError as error:
            assert error.path == field, f"{name}: {error.path} blamed for {field}"
        else:
            raise AssertionError(f"{name}: {field} is required and was not missed")


if __name__ == "__main__":
    here = pathlib.Path(__file__).parent
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here.parents[1] / "Protocols/examples")
