"""Errors of this package; each has a sentence that says what is wrong and what to do."""

from __future__ import annotations


class NavstackError(Exception):
    """Base of all errors of this package."""


class ContractError(NavstackError, ValueError):
    """A payload that breaks the contract; `path` is the place in it."""

    def __init__(self, path: str, text: str) -> None:
        super().__init__(f"{path or 'payload'}: {text}")
        self.path = path


class CallError(NavstackError):
    """A call that ended without a reply payload; `code` is for programs, `field` the place in the request."""

    def __init__(self, code: str, message: str, field: str | None = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.message, self.field = code, message, field


class PatternError(NavstackError, ValueError):
    """A subscription pattern that the bus cannot serve."""


class BusError(NavstackError, ConnectionError):
    """No broker, or no address of one."""


class NodeError(NavstackError):
    """A node that cannot run as it is declared or configured; `exit_code` is the process's."""

    def __init__(self, text: str, exit_code: int = 78) -> None:
        super().__init__(text)
        self.exit_code = exit_code
