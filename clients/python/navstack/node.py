"""A stage in Python: declared by decorators, started and supervised by navlaunch or by hand.

    node = navstack.Node("my_voice", "Announces the next maneuver.")
    announce = node.output("voice/announcement")
    language = node.parameter("language", "en-US", "BCP 47 tag of the language.")

    @node.input("guidance/maneuver")
    def maneuver(message):
        announce({"key": "1", "kind": "action", "text": message.payload["text"], "language": language.value,
                  "expected_duration_s": 2.0})

    @node.call("voice/repeat")
    def repeat(request, vehicle):
        return {"text": node.state(vehicle).get("text", "")}

    if __name__ == "__main__":
        node.main()

`python my_voice.py --manifest` writes my_voice.json, which a stack file names; `--describe` prints it, so that a stack
file need not name it at all.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import logging
import os
import pathlib
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeVar

from ._version import VERSION
from .contract import TOPICS, declaration
from .environment import Environment
from .errors import NavstackError, NodeError
from .manifest import Kind, Parameter, read_parameters
from .wire import Cause, Message, Payload

if TYPE_CHECKING:
    from .runtime import MemoryRuntime, Runtime

T = TypeVar("T")
Function = TypeVar("Function", bound=Callable[..., Any])
Delivery = Literal["stream", "state", "event"]


@dataclass
class Input:
    """A topic that a node reads, and its handlers."""

    topic: str
    is_required: bool = False
    is_optional: bool = False
    handlers: list[Callable[[Message], Any]] = field(default_factory=list)


class Output:
    """A topic that a node publishes; calling it publishes a message."""

    def __init__(self, node: Node, topic: str, delivery: Delivery, schema: str) -> None:
        self.topic, self.delivery, self.schema, self._node = topic, delivery, schema, node

    def __call__(self, payload: Payload | None, *, vehicle: str | None = None, stamp: int | None = None,
                 key: str | None = None, cause: Message | Cause | None = None, **more: Any) -> bool:
        """Publishes; vehicle, stamp and cause are those of the message or call that is being handled unless given."""
        return self._node.runtime.publish(self, payload, vehicle, stamp, key, cause, more)


class Use:
    """A call that a node makes; calling it returns the reply or raises CallError."""

    def __init__(self, node: Node, name: str) -> None:
        self.name, self._node = name, node

    def __call__(self, request: Payload | None = None, vehicle: str | None = None, timeout_s: float | None = None) -> Any:
        """Makes the call; the watchdog is fed while it waits, and other inputs wait until it returns."""
        return self._node.runtime.request(self.name, request, vehicle, timeout_s)


@dataclass
class Served:
    """A call that a node answers."""

    name: str
    handler: Callable[..., Any]
    is_threaded: bool


@dataclass
class Timer:
    """A function that runs every so many seconds of the machine."""

    seconds: float
    handler: Callable[[], Any]


class Node:
    """A stage: what it reads, publishes, answers, calls and can be configured with, and the loop that runs it.

    Handlers run one at a time on one thread, so what a stage keeps needs no lock. A handler that raises is logged and
    counted, makes the node degraded, and the node goes on.
    """

    def __init__(self, program: str, about: str = "", version: str = VERSION) -> None:
        self.program, self.about, self.version = program, about or f"{program}, in Python.", version
        self.inputs: dict[str, Input] = {}
        self.outputs: dict[str, Output] = {}
        self.served: dict[str, Served] = {}
        self.used: list[str] = []
        self.parameters: dict[str, Parameter[Any]] = {}
        self.timers: list[Timer] = []
        self.start_handlers: list[Callable[[], Any]] = []
        self.stop_handlers: list[Callable[[], Any]] = []
        self.forget_handlers: list[Callable[[str], Any]] = []
        self.log = logging.getLogger(f"navstack.{program}")
        self._runtime: Runtime | None = None

    # --- declaring

    def input(self, *topics: str, required: bool = False, optional: bool = False) -> Callable[[Function], Function]:
        """Handles each message of topics, named without the vehicle.

        The node is degraded while a `required` one never came; a stack file may lack a publisher of an `optional` one.
        """
        for topic in topics:
            self._check_topic(topic)

        def add(handler: Function) -> Function:
            for topic in topics:
                entry = self.inputs.setdefault(topic, Input(topic))
                entry.is_required, entry.is_optional = entry.is_required or required, entry.is_optional or optional
                entry.handlers.append(handler)
            return handler

        return add

    def output(self, topic: str, delivery: Delivery = "stream", schema: str = "unknown/1.0") -> Output:
        """Declares a topic that the node publishes; call what it returns.

        `delivery` and `schema` are for topics of your own; those of the contract have theirs.
        """
        self._check_topic(topic)
        declared = declaration(topic)
        if declared is not None:
            schema = TOPICS[declared]["schema"]
            delivery = _delivery(TOPICS[declared]["class"])
        return self.outputs.setdefault(topic, Output(self, topic, delivery, schema))

    def call(self, name: str, threaded: bool = False) -> Callable[[Function], Function]:
        """Answers a call: a function of the request and the vehicle (and the `Call`) that returns the reply.

        It raises CallError to refuse. A `threaded` one runs on a thread of its own beside the other handlers, and may
        take as long as its call allows.
        """
        if name in self.served:
            raise NodeError(f'the call "{name}" has two handlers')

        def add(handler: Function) -> Function:
            self.served[name] = Served(name, handler, threaded)
            return handler

        return add

    def uses(self, name: str) -> Use:
        """Declares a call that the node makes; call what it returns."""
        if name not in self.used:
            self.used.append(name)
        return Use(self, name)

    def parameter(self, name: str, default: T, about: str = "", *, kind: Kind | None = None, unit: str | None = None,
                  minimum: float | None = None, maximum: float | None = None, values: list[str] | None = None,
                  required: bool = False) -> Parameter[T]:
        """Declares a parameter; its `value` is that of the stack file, checked against range and `values`."""
        parameter = Parameter(name, default, about or name.replace("_", " "), kind=kind, unit=unit, minimum=minimum,
                              maximum=maximum, values=values, required=required)
        self.parameters[name] = parameter
        return parameter

    def every(self, seconds: float) -> Callable[[Function], Function]:
        """Runs a function every so many seconds of the machine, between the other handlers."""

        def add(handler: Function) -> Function:
            self.timers.append(Timer(seconds, handler))
            return handler

        return add

    def on_start(self, handler: Function) -> Function:
        """Runs a function before the node reports that it is ready; parameters and states are there."""
        self.start_handlers.append(handler)
        return handler

    def on_stop(self, handler: Function) -> Function:
        """Runs a function when the node ends in order."""
        self.stop_handlers.append(handler)
        return handler

    def on_forget(self, handler: Function) -> Function:
        """Runs a function of a vehicle that has been silent for NAV_FORGET_S event seconds, in a stack that serves any vehicle.

        The content of `state` for that vehicle is removed automatically.
        """
        self.forget_handlers.append(handler)
        return handler

    @staticmethod
    def _check_topic(topic: str) -> None:
        if "*" in topic or topic.endswith("/") or not topic:
            raise NodeError(f'"{topic}" is no topic: a node names each topic, without the vehicle')
        first, _, rest = topic.partition("/")
        if rest in TOPICS and declaration(first) is None and not topic.startswith("_"):
            raise NodeError(f'"{topic}": name it without the vehicle, "{rest}"; the stack says which vehicles there are')

    # --- running

    @property
    def runtime(self) -> Runtime:
        """What the node runs in; raises NodeError before it runs."""
        if self._runtime is None:
            raise NodeError(f"{self.program} does not run: publishing and calling work inside its handlers", 1)
        return self._runtime

    @runtime.setter
    def runtime(self, runtime: Runtime | None) -> None:
        self._runtime = runtime

    @property
    def now_ns(self) -> int | None:
        """Event time in nanoseconds since 1970 UTC; None while none is known."""
        return self.runtime.time.now_ns

    def state(self, vehicle: str) -> dict[str, Any]:
        """What the node remembers of a vehicle: a dict of MessagePack values that survives a restart.

        It is published on `_state/<node>` before an event or a reply that may depend on it, and a quarter of a second
        after a change at the latest.
        """
        return self.runtime.state(vehicle)

    def manifest(self) -> dict[str, Any]:
        """The manifest that the node reports to navlaunch; topics without the vehicle."""
        required = [entry.topic for entry in self.inputs.values() if entry.is_required]
        optional = [entry.topic for entry in self.inputs.values() if entry.is_optional]
        manifest: dict[str, Any] = {
            "name": self.program, "about": self.about,
            "parameters": [parameter.declaration() for parameter in self.parameters.values()],
            "inputs": list(self.inputs), "outputs": list(self.outputs), "serves": list(self.served), "calls": list(self.used)}
        return manifest | ({"requires": required} if required else {}) | ({"optionalInputs": optional} if optional else {})

    def manifest_text(self) -> str:
        """The manifest as it is written to a file."""
        return json.dumps(self.manifest(), indent=2, ensure_ascii=False) + "\n"

    def run(self, stop: threading.Event | None = None, environment: Mapping[str, str] | None = None) -> None:
        """Runs until SIGTERM, SIGINT, the end of the launcher, or `stop`.

        Raises NodeError where it cannot run: wrong parameters, no broker within 20 s, a name that is taken.
        """
        from .bus_runtime import BusRuntime
        from .lockstep_runtime import run_lockstep

        given = Environment.read(self.program, environment)
        read_parameters(given.parameters_path, list(self.parameters.values()))
        if given.is_lockstep:
            run_lockstep(self, given, stop or threading.Event())
        else:
            BusRuntime(self, given, stop or threading.Event()).run()

    def main(self, arguments: list[str] | None = None) -> NoReturn:
        """Reads the command line, runs, and exits as navlaunch expects: 78 for a configuration that a restart cannot fix."""
        parser = argparse.ArgumentParser(prog=self.program, description=self.about)
        parser.add_argument("--manifest", nargs="?", const="", metavar="FILE",
                            help="write the manifest to FILE (default: beside the program, its name with .json)")
        parser.add_argument("--describe", action="store_true", help="print the manifest")
        parser.add_argument("--version", action="version", version=f"{self.program} {self.version}")
        options = parser.parse_args(arguments)
        if options.describe:
            print(self.manifest_text(), end="")
            sys.exit(0)
        if options.manifest is not None:
            target = pathlib.Path(options.manifest or pathlib.Path(sys.argv[0]).with_suffix(".json"))
            target.write_text(self.manifest_text(), encoding="utf-8")
            print(target)
            sys.exit(0)
        logging.basicConfig(level=logging.INFO, handlers=[_Lines()])
        faulthandler.enable()  # the watchdog's SIGABRT prints where each thread stands
        try:
            self.run()
        except NodeError as error:
            print(f"error: {error}", file=sys.stderr)
            sys.exit(error.exit_code)
        except NavstackError as error:
            print(f"error: {error}", file=sys.stderr)
            sys.exit(1)
        sys.stderr.flush()
        os._exit(0)  # threads of a handler that never returns must not hold the process

    def feed(self, topic: str, payload: Payload | None, stamp: int = 0, key: str | None = None) -> list[Message]:
        """Hands the node one message, without a bus, and returns what it publishes: for tests of a stage alone."""
        return self._alone().feed(topic, payload, stamp, key)

    def ask(self, name: str, request: Payload | None = None, vehicle: str = "ego") -> Payload:
        """Makes a call to the node, without a bus, and returns its reply: for tests of a stage alone."""
        return self._alone().ask(name, request or {}, vehicle)

    def _alone(self) -> MemoryRuntime:
        from .runtime import MemoryRuntime

        if not isinstance(self._runtime, MemoryRuntime):
            self._runtime = MemoryRuntime(self)
        return self._runtime


class _Lines(logging.Handler):
    """Writes news to the standard output, warnings and errors to the standard error, as navlaunch shows them."""

    def emit(self, record: logging.LogRecord) -> None:
        text = " | ".join(record.getMessage().splitlines())
        if record.exc_info and record.exc_info[2] is not None:
            last = traceback.extract_tb(record.exc_info[2])[-1]
            text += f" ({pathlib.Path(last.filename).name}:{last.lineno})"
        word = "" if record.levelno <= logging.INFO else f"{record.levelname.lower()}: "
        print(word + text, file=sys.stdout if record.levelno <= logging.INFO else sys.stderr, flush=True)


def _delivery(text: str) -> Delivery:
    return "event" if text == "event" else "state" if text == "state" else "stream"
