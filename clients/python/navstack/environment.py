"""What the launcher gives a node: environment variables, the notify socket, the end of its parent."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import signal
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .errors import BusError, NodeError
from .wire import default_address

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
_PR_SET_PDEATHSIG = 1


@dataclass
class Environment:
    """The variables of a node; `vehicles` is empty where the stack serves any vehicle, which is forgotten after `forget_s`."""

    bus: str
    name: str
    parameters_path: str | None
    vehicles: list[str]
    wiring: dict[str, str]
    is_lockstep: bool
    is_supervised: bool
    watchdog_s: float
    forget_s: float | None = None

    @staticmethod
    def read(program: str, given: Mapping[str, str] | None = None) -> Environment:
        """Reads NAV_BUS and its companions; raises NodeError that names the variable that is wrong."""
        variables = os.environ if given is None else given
        try:
            bus = variables.get("NAV_BUS") or default_address()
        except BusError as error:
            raise NodeError(str(error)) from None
        name = variables.get("NAV_NODE") or program
        if not _NAME.fullmatch(name):
            raise NodeError(f'NAV_NODE: "{name}" is not a valid name: a-z 0-9 . _ - , at most 63 bytes')
        if variables.get("NAV_STANDBY") == "1":
            raise NodeError("NAV_STANDBY: a node of the Python package cannot take over from a running process; "
                            "stop that one and start this one")
        if "NAV_GROUP" in variables:
            raise NodeError("NAV_GROUP: a node of the Python package cannot be one of several replicas; leave out `replicas`")
        text = variables.get("NAV_VEHICLE", "ego")
        vehicles = [] if text in ("any", "*", "") else text.split(",")
        for vehicle in vehicles:
            if not _NAME.fullmatch(vehicle):
                raise NodeError(f'NAV_VEHICLE: "{vehicle}" is not a vehicle name')
        watchdog_us = variables.get("WATCHDOG_USEC", "")
        watchdog_s = int(watchdog_us) / 3e6 if watchdog_us.isdigit() else 1.0
        return Environment(
            bus=bus, name=name, parameters_path=variables.get("NAV_PARAMS"), vehicles=vehicles,
            wiring=_wiring(variables.get("NAV_WIRE", "")), is_lockstep=variables.get("NAV_LOCKSTEP") == "1",
            is_supervised="NAV_NODE" in variables, watchdog_s=max(0.02, min(1.0, watchdog_s)),
            forget_s=None if vehicles else _forget_s(variables.get("NAV_FORGET_S", "")))


def _forget_s(text: str) -> float | None:
    """Event seconds of silence after which a vehicle is forgotten; None for never."""
    try:
        seconds = float(text or 900)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise NodeError(f'NAV_FORGET_S: "{text}" is not a number of seconds; 0 means never')
    return seconds or None


def _wiring(text: str) -> dict[str, str]:
    """Names on the bus by the node's own: `location/raw=gps/fix,…`."""
    names: dict[str, str] = {}
    for pair in filter(None, text.split(",")):
        own, _, on_bus = pair.partition("=")
        if not own or not on_bus or own in names:
            raise NodeError(f'NAV_WIRE: "{text}" is not a list such as location/raw=gps/fix,…')
        names[own] = on_bus
    return names


class Notifier:
    """Reports to the supervisor by systemd's notify protocol; silent without NOTIFY_SOCKET."""

    def __init__(self, path: str | None) -> None:
        self._socket: socket.socket | None = None
        if path:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            self._socket.setblocking(False)
            self._path = "\0" + path[1:] if path.startswith("@") else path

    def send(self, text: str) -> None:
        """Sends lines such as READY=1, WATCHDOG=1, STOPPING=1 or STATUS=text."""
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.sendto(text.encode(), self._path)


class StopSignals:
    """Ends a node on SIGTERM, SIGINT, or the end of its launcher."""

    def __init__(self, on_stop: Callable[[], None], is_supervised: bool) -> None:
        self._parent = os.getppid() if is_supervised else 0
        launcher = os.environ.get("NAV_LAUNCHER_PID", "")
        self._launcher = int(launcher) if is_supervised and launcher.isdigit() else 0
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: on_stop())
        if is_supervised:
            with contextlib.suppress(OSError, AttributeError):
                ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)

    @property
    def is_orphaned(self) -> bool:
        """Whether the process that started this one, or the launcher, has ended."""
        if self._parent and os.getppid() != self._parent:
            return True
        if not self._launcher:
            return False
        try:
            os.kill(self._launcher, 0)
        except ProcessLookupError:
            return True
        except OSError:
            return False
        return False


class StackTime:
    """Event time at a node: the last `_clock`, or where there is none the last stamp, extrapolated by the monotonic clock."""

    def __init__(self) -> None:
        self._base: tuple[int, float, float] | None = None
        self._floor = -(2**63)
        self._run: int | None = None

    def set_clock(self, now_ns: int, rate: float, is_paused: bool, run: int) -> None:
        """Follows the clock's source; a new run sets the time, backwards too."""
        if self._run != run:
            self._floor = now_ns
        self._run = run
        self._base = (now_ns, time.monotonic(), 0.0 if is_paused else rate)

    def observe_stamp(self, stamp_ns: int) -> None:
        """Follows the stamps of messages where there is no clock."""
        if self._run is None and stamp_ns > (self.now_ns or -(2**63)):
            self._base = (stamp_ns, time.monotonic(), 1.0)

    @property
    def now_ns(self) -> int | None:
        """Event time; None while none is known. It never goes back within one run of the clock."""
        if self._base is None:
            return None
        now, at, rate = self._base
        self._floor = max(self._floor, now + int((time.monotonic() - at) * rate * 1e9))
        return self._floor
