"""navlaunch under a service manager: systemd's notify protocol over real datagram sockets, with a path and abstract.

The stack is of drawn nodes, which only report that they are ready.
"""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import stack  # first: it extends the import path

STACK = """stack: service
bus: {run: drawn-node}
log: {to: stack.log}
nodes:
  a: {run: drawn-node}
  b: {run: drawn-node, after: [a]}
"""


class Manager:
    """A service manager: a datagram socket, and navlaunch that it has started."""

    def __init__(self, text, files=None, is_abstract=False, watchdog_us=None, watchdog_pid=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="nav-service-"))
        for file, content in {"stack.yaml": text, **(files or {})}.items():
            (self.folder / file).write_text(content, encoding="utf-8")
        name = f"nav-test-{os.getpid()}-{time.monotonic_ns()}" if is_abstract else str(self.folder / "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + name if is_abstract else name)
        self.socket.settimeout(0.1)
        environment = {**os.environ, "XDG_RUNTIME_DIR": str(self.folder), "NOTIFY_SOCKET": ("@" if is_abstract else "") + name}
        if watchdog_us:
            environment["WATCHDOG_USEC"] = str(watchdog_us)
        if watchdog_pid:
            environment["WATCHDOG_PID"] = str(watchdog_pid)
        self.messages = []
        with open(self.folder / "output", "w", encoding="utf-8") as output:
            self.process = subprocess.Popen([str(stack.OPTIONS.programs / "navlaunch"), "stack.yaml"], cwd=self.folder,
                                            env=environment, stdout=output, stderr=subprocess.STDOUT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.socket.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def receive(self):
        """Takes one datagram, if one comes within 0.1 s."""
        try:
            data = self.socket.recv(4096)
        except TimeoutError:
            return
        self.messages.append((time.monotonic(), data.decode()))

    def wait(self, condition, seconds=20):
        """Whether `condition()` came to hold while datagrams were received."""
        deadline = time.monotonic() + seconds
        while not condition() and time.monotonic() < deadline:
            self.receive()
        return condition()

    def texts(self, word):
        return [text for _, text in self.messages if text.startswith(word)]

    @property
    def output(self):
        return (self.folder / "output").read_text(encoding="utf-8", errors="replace")

    def node_environments(self):
        """The variables of each drawn node."""
        for entry in pathlib.Path("/proc").iterdir():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                if parent == self.process.pid:
                    yield (entry / "environ").read_bytes().decode(errors="replace").split("\0")
            except (OSError, ValueError, IndexError):
                continue


def test_readiness_signs_of_life_reload_and_stop_are_reported__BUS_14(results):
    with Manager(STACK, watchdog_us=400_000) as manager:
        is_ready = manager.wait(lambda: manager.texts("READY=1"))
        lines = manager.output
        results.add(is_ready and "| all ready" in lines or manager.wait(lambda: "| all ready" in manager.output, 5),
                    "READY=1 comes once all nodes are ready", lines)
        before = [text for _, text in manager.messages[:[text for _, text in manager.messages].index("READY=1")]]
        results.add(any(text.startswith("STATUS=starting: ") for text in before) and "EXTEND_TIMEOUT_USEC=60000000" in before,
                    "before that, the status counts what is ready and more time is asked for", before)
        manager.wait(lambda: manager.texts("STATUS=3 processes"), 5)
        results.add(bool(manager.texts("STATUS=3 processes are ready")), "then it says that all are", manager.messages)
        count = len(manager.texts("WATCHDOG=1"))
        manager.wait(lambda: len(manager.texts("WATCHDOG=1")) >= count + 5, 10)
        times = [at for at, text in manager.messages if text == "WATCHDOG=1"][-5:]
        paces = [after - at for at, after in zip(times, times[1:])]
        # A busy machine may delay one; half of the time allowed is 0.2 s.
        results.add(len(times) == 5 and sorted(paces)[1] < 0.3, "WATCHDOG=1 comes at half of WATCHDOG_USEC", paces)
        variables = [line for lines in manager.node_environments() for line in lines]
        own = manager.socket.getsockname()
        results.add(any(line.startswith("NOTIFY_SOCKET=") for line in variables) and f"NOTIFY_SOCKET={own}" not in variables,
                    "nodes notify the launcher, not its manager", own)

        log = manager.folder / "stack.log"
        log.rename(manager.folder / "stack.log.old")
        begin = time.monotonic_ns() // 1000
        manager.process.send_signal(signal.SIGHUP)
        ready = len(manager.texts("READY=1"))
        manager.wait(lambda: len(manager.texts("READY=1")) > ready, 10)
        reload = (manager.texts("RELOADING=1") or [""])[0]
        moment = int(reload.partition("MONOTONIC_USEC=")[2] or 0)
        results.add(begin <= moment <= time.monotonic_ns() // 1000 and len(manager.texts("READY=1")) == ready + 1,
                    "SIGHUP is a reload with its moment, and READY=1 ends it", manager.messages[-5:])
        results.add(log.exists() and "was reopened" in log.read_text(), "a reload begins a renamed log file anew", manager.output[-300:])

        manager.process.send_signal(signal.SIGTERM)
        manager.wait(lambda: manager.process.poll() is not None)
        manager.wait(lambda: manager.texts("STATUS=stopped"), 2)
        results.add(len(manager.texts("STOPPING=1")) == 1 and manager.process.returncode == 0,
                    "STOPPING=1 comes once, and the end is clean", f"{manager.process.returncode} {manager.messages[-5:]}")


def test_an_abstract_socket_and_a_watchdog_of_another_process__BUS_14(results):
    with Manager(STACK, is_abstract=True, watchdog_us=200_000, watchdog_pid=1) as manager:
        is_ready = manager.wait(lambda: manager.texts("READY=1"))
        inherited = [line for lines in manager.node_environments() for line in lines if line.startswith("WATCHDOG_PID=")]
        manager.process.send_signal(signal.SIGTERM)
        manager.wait(lambda: manager.process.poll() is not None and manager.texts("STOPPING=1"))
        results.add(is_ready and bool(manager.texts("STOPPING=1")), "an abstract socket (@) is reported to", manager.messages)
        results.add(not manager.texts("WATCHDOG=1") and not inherited,
                    "a watchdog of another process is neither served nor inherited", inherited or manager.messages)


def test_a_node_that_is_never_ready_is_not_reported_as_ready__BUS_14(results):
    text = """stack: service
bus: {run: drawn-node}
nodes:
  a: {run: sleep 1000, manifest: a.json, ready: 300ms, restart: never}
"""
    with Manager(text, {"a.json": '{"name": "a", "about": "Sleeps."}'}) as manager:
        manager.wait(lambda: manager.process.poll() is not None)
        results.add(not manager.texts("READY=1") and manager.process.returncode == 1, "no READY=1 comes where a node is never ready",
                    f"{manager.process.returncode} {manager.output}")
        results.add("send the datagram READY=1 to the Unix socket that NOTIFY_SOCKET names" in manager.output,
                    "the launcher says what such a node must send", manager.output)


def main():
    stack.options(__doc__)
    results = stack.Results()
    test_readiness_signs_of_life_reload_and_stop_are_reported__BUS_14(results)
    test_an_abstract_socket_and_a_watchdog_of_another_process__BUS_14(results)
    test_a_node_that_is_never_ready_is_not_reported_as_ready__BUS_14(results)
    results.end()


if __name__ == "__main__":
    main()
