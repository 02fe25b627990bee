"""The rows of the guides: what each asks for, its counterpart in this stack, and the test that proves it.

`Tests/guides_table.py` reads the calls of `row`, `page_row`, `missing_row` and `no_row` from the sources, in their order, so their
arguments are literals. A test function carries the IDs of docs/features.md in its name.
"""

ROWS = []


def row(asked, counterpart):
    """Marks a test as the proof of a row: what the guide asks for, in our words, and what answers it here."""

    def add(test):
        ROWS.append((test.__module__, asked, counterpart, test))
        return test

    return add


def page_row(asked, counterpart, tests):
    """A row that a screen shows: `tests` names the tests of Tests/Page/test_page.py that look at it."""


def missing_row(asked, counterpart, ids):
    """A row that is not there yet; `ids` are those of docs/features.md."""


def no_row(asked, reason):
    """A row that does not apply to this stack, and why."""


class Wrong(Exception):
    """What a test found."""


def check(holds, why):
    """Fails the test unless `holds`; `why` is what was found instead, or a function that says so."""
    if not holds:
        raise Wrong(why() if callable(why) else str(why))


def equal(found, wanted, what):
    check(found == wanted, f"{what}: {_short(found)}, expected {_short(wanted)}")


def near(found, wanted, within, what):
    check(found is not None and abs(found - wanted) <= within, f"{what}: {found}, expected {wanted} ± {within}")


def _short(value):
    text = repr(value)
    return text if len(text) < 300 else text[:300] + "…"
