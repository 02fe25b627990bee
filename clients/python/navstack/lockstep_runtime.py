"""Runs a node that a conductor leads (NAV_LOCKSTEP=1)."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

from .contract import checked, declaration
from .environment import Environment, Notifier, StopSignals
from .errors import NodeError
from .runtime import MemoryRuntime
from .server import Call, Server, lockstep
from .wire import Header, Message, pack, unpack

if TYPE_CHECKING:
    from .node import Node


def run_lockstep(node: Node, environment: Environment, stop: threading.Event) -> None:
    """Runs a node that a conductor leads; one with timers, or one that makes calls, is refused."""
    if node.timers or node.used:
        raise NodeError("NAV_LOCKSTEP: a node of the Python package with timers, or one that makes calls, cannot run in "
                        "lock-step; `navstack.lockstep` has the whole protocol")
    runtime = MemoryRuntime(node, environment.name)
    node.runtime = runtime
    for handler in node.start_handlers:
        handler()

    def handle(event: dict[str, Any]) -> list[dict[str, Any]]:
        runtime.published.clear()
        replies = []
        if event["kind"] == "message":
            own = event["topic"]
            topic = own if own.startswith("_") else f"{event['vehicle']}/{own}"
            header: Header = {key: event[key] for key in ("seq", "src", "run", "key", "latched") if key in event}
            header |= {"stamp": event.get("stamp_ns", 0)}
            declared = declaration(own)
            payload = unpack(event["payload"]) if event.get("payload") else None
            runtime.handle(Message(topic, header, checked(declared, payload) if declared and payload is not None else payload))
        elif event["kind"] == "call":
            head = {"id": event["id"], "name": event["name"], "vehicle": event["vehicle"], "timeout_ms": 3_600_000}
            answer, data = runtime.serve(Call(head), event.get("payload") or b"")
            reply: dict[str, Any] = {"kind": "reply", "id": event["id"]}
            if answer["ok"]:
                reply["payload"] = data or b"\x80"
            else:
                reply["error"] = {key: answer[key] for key in ("code", "message", "field") if key in answer}
            replies.append(reply)
        return [_lockstep_output(message) for message in runtime.published] + replies

    server = Server(environment.bus, environment.name, {f"_lockstep/{environment.name}": lockstep(handle)})
    signals = StopSignals(stop.set, environment.is_supervised)
    Notifier(os.environ.get("NOTIFY_SOCKET")).send("READY=1")
    server.run(until=lambda: stop.is_set() or signals.is_orphaned)


def _lockstep_output(message: Message) -> dict[str, Any]:
    result: dict[str, Any] = {"kind": "publish", "topic": message.name, "stamp_ns": message.stamp}
    result["payload"] = pack(message.payload) if message.payload is not None else b""
    return result | ({"key": message.key} if message.key is not None else {})
