#!/usr/bin/env python3
"""Writes the tests that carry an ID into that ID's row of docs/features.md.

    Tests/features.py           rewrites the last column of each row
    Tests/features.py --check   says which rows are stale, and exits 1

What a test proves is for people to judge: the state of a row ("yes", "partly: what is lacking",
"not yet") stays as it is, and a state that the tests contradict is printed.
"""

import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parent
PAGE = TESTS.parent / "docs" / "features.md"
AREAS = "LOC MM TU RT TR DR PR MS OR EV VO RN OF BUS APP OUT".split()
ID = re.compile(rf"\b((?:{'|'.join(AREAS)})-\d+)\b")
SWIFT = re.compile(r"func `([^`]+)`|@Test\(\s*\"([^\"\n]+)\"")
PYTHON = re.compile(r"def (test_\w+)")


def named_tests():
    """Every test name with the IDs in it, as {id: ["Folder/File.swift: name"]}."""
    found = {}
    for path in sorted(TESTS.rglob("*")):
        if path.suffix not in (".swift", ".py") or "ArchitectureTests" in path.parts:
            continue
        pattern = SWIFT if path.suffix == ".swift" else PYTHON
        for groups in pattern.finditer(path.read_text(encoding="utf-8")):
            name = next(group for group in groups.groups() if group)
            words = name if path.suffix == ".swift" else re.sub(r"__([A-Z]+)_(\d+)", r" \1-\2 ", name)
            for key in dict.fromkeys(ID.findall(words)):
                found.setdefault(key, []).append(f"{path.relative_to(TESTS)}: {name}")
    return found


def main():
    tests = named_tests()
    lines = PAGE.read_text(encoding="utf-8").split("\n")
    known, doubts = set(), []
    for number, line in enumerate(lines):
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) != 6 or not ID.fullmatch(cells[1]):
            continue
        key, what, state = cells[1:4]
        known.add(key)
        proof = tests.get(key, [])
        if (state == "not yet") == bool(proof):
            doubts.append(f"{key}: the page says \"{state}\", {len(proof)} tests carry the ID")
        lines[number] = f"| {key} | {what} | {state} | {' · '.join(proof)} |".replace("|  |", "| |")
    doubts += [f"{key}: no row" for key in sorted(set(tests) - known)]
    for doubt in doubts:
        print(doubt, file=sys.stderr)
    text = "\n".join(lines)
    stale = text != PAGE.read_text(encoding="utf-8")
    if "--check" in sys.argv[1:]:
        if stale:
            print("docs/features.md is stale: run Tests/features.py", file=sys.stderr)
        return 1 if stale or doubts else 0
    PAGE.write_text(text, encoding="utf-8")
    return 1 if doubts else 0


if __name__ == "__main__":
    sys.exit(main())
