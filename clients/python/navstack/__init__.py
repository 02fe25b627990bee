"""Reads, publishes, calls and replaces stages of a navstack bus; needs pyzmq and msgpack.

    import navstack

    with navstack.Bus() as bus:                                   # NAV_BUS, or the only running stack
        for message in bus.subscribe("ego/guidance/progress"):
            print(message.payload["remaining_text"])

Payloads are plain dicts, checked against the contract both ways. `Bus` is a connection, `Node` a stage that navlaunch
starts and supervises, `Server` answers calls alone, and `recording` reads recordings. The functions `subscribe`,
`publish` and `call` take a base address and need no connection.
"""

from ._version import VERSION as __version__
from .bus import Bus, call, publish, subscribe
from .contract import CALLS, COLUMNS, STRUCTURES, TOPICS, WORDS, check, checked, declaration, packed, unpacked
from .errors import BusError, CallError, ContractError, NavstackError, NodeError, PatternError
from .geometry import lines, polyline6, polyline6_text, split_line
from .manifest import Parameter
from .node import Node, Output
from .patterns import Pattern
from .publisher import Publisher
from .server import Call, Server, lockstep
from .subscription import Subscription
from .wire import Message, default_address, endpoints, run_number

__all__ = [
    "CALLS", "COLUMNS", "STRUCTURES", "TOPICS", "WORDS",
    "Bus", "BusError", "Call", "CallError", "ContractError", "Message", "NavstackError", "Node", "NodeError", "Output",
    "Parameter", "Pattern", "PatternError", "Publisher", "Server", "Subscription",
    "__version__", "call", "check", "checked", "declaration", "default_address", "endpoints", "lines", "lockstep", "packed",
    "polyline6", "polyline6_text", "publish", "run_number", "split_line", "subscribe", "unpacked",
]
