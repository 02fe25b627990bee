"""Nodes that serve HTTP are swapped and scaled while clients send requests, and no request is lost.

--swaps N    swaps of the router under requests (4)
"""

import http.client
import pathlib
import re
import socket
import threading
import time

import stack  # first: it tells where ours are
import load

ROUTE = "/route/v1/driving/-30.02392,46.99714;-29.97645,47.00287?steps=true"
TABLE = "/table/v1/driving/" + ";".join(f"{-30.02 + 0.0008 * i:.5f},46.9985" for i in range(40))


class Clients:
    """Threads that send requests without a pause: failures of any kind are counted, nothing is tried again."""

    def __init__(self, port, token, *plans):
        self.port, self.token, self.goes_on = port, token, True
        self.done, self.failures, self.lock = [0] * len(plans), [], threading.Lock()
        self.threads = [threading.Thread(target=self.run, args=(number, *plan), daemon=True)
                        for number, plan in enumerate(plans)]
        for thread in self.threads:
            thread.start()

    def run(self, number, target, keeps, pause):
        link = None
        while self.goes_on:
            if link is None:
                link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
            try:
                link.request("GET", target, headers={"Authorization": f"Bearer {self.token}"})
                reply = link.getresponse()
                body = reply.read()
                if reply.status != 200:
                    self.fail(f"{target[:20]}: {reply.status} {body[:200]!r}")
                will_close = reply.will_close
            except (OSError, http.client.HTTPException) as error:
                self.fail(f"{target[:20]} after {self.done[number]}: {type(error).__name__}: {error}")
                will_close = True
            self.done[number] += 1
            if not keeps or will_close:
                link.close()
                link = None
            time.sleep(pause)

    def fail(self, why):
        with self.lock:
            self.failures.append(why)

    def wait_for(self, more, seconds=60):
        """Whether each thread has sent so many further requests."""
        goal = [count + more for count in self.done]
        return load.until(lambda: all(have >= want for have, want in zip(self.done, goal)), seconds)

    def end(self):
        self.goes_on = False
        for thread in self.threads:
            thread.join(40)
        return sum(self.done)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def started(label, nodes, name="web"):
    """A stack of some nodes on the map of the town, ready; and the token of its HTTP servers."""
    stack.LOGS.mkdir(parents=True, exist_ok=True)
    file = stack.LOGS / f"{label}.yaml"
    file.write_text(f"stack: {name}\nmap: {stack.ROOT / '.cache/town.osm'}\nnodes:\n{nodes}"
                    "external: [location/, guidance/, route/, traffic/, session, voice/, navigate/, scene/]\n", encoding="utf-8")
    run = stack.Stack(label, file=file, name=name, rate=None, port=None)
    if not load.until(lambda: "all ready" in run.output or run.process.poll() is not None, 90) or run.process.poll() is not None:
        run.stop()
        raise RuntimeError(f"the stack did not start: {run.output[-2000:]}")
    token = (pathlib.Path(run.folder) / "navstack" / name / "token").read_text(encoding="utf-8").strip()
    return run, token


PLANS = [(ROUTE, True, 0), (ROUTE, False, 0), (ROUTE, True, 0.02), (ROUTE, False, 0.002), (TABLE, True, 0), (TABLE, False, 0)]


def swap_router(results):
    """The router again and again, with connections that are kept and new ones."""
    port = free_port()
    run, token = started("swap-http", f"  router:\n    run: nav-router\n    params: {{http: '127.0.0.1:{port}'}}\n")
    with run:
        clients, why = Clients(port, token, *PLANS), []
        for _ in range(stack.OPTIONS.swaps):
            if not clients.wait_for(5):
                why.append("requests came to a stop")
                break
            code, text = load.nav(run, "swap", "router", "--run", stack.OPTIONS.programs / "nav-router")
            if code != 0:
                why.append(f"exit {code}: {text}")
                break
        clients.wait_for(5)
        count = clients.end()
        why += clients.failures[:5]
        results.add(not why, f"{stack.OPTIONS.swaps} swaps of a router with http under requests: {count} requests, "
                    f"{len(clients.failures)} failed", "; ".join(why))
        occupied(results, run, port, token)


def occupied(results, run, port, token):
    """A successor whose port another program has: the swap fails, says why, and nothing changes."""
    with socket.socket() as foreign:
        foreign.bind(("127.0.0.1", 0))
        foreign.listen()
        taken = foreign.getsockname()[1]
        code, text = load.nav(run, "swap", "router", "--run", stack.OPTIONS.programs / "nav-router", "--set",
                              f"http=127.0.0.1:{taken}")
        is_named = f"cannot listen on 127.0.0.1:{taken}: Address already in use" in text
        clients = Clients(port, token, *PLANS[:2])
        clients.wait_for(3)
        clients.end()
        results.add(code == 1 and "exit 78" in text and is_named and not clients.failures,
                    "a successor whose port is in use ends the swap; the answer has its last error line, and the old one goes on",
                    f"exit {code}: {text}; {clients.failures[:3]}")
    code, text = load.nav(run, "swap", "router", "--run", stack.OPTIONS.programs / "nav-router", "--set", "htpt=1")
    results.add(code == 1 and 'unknown key "htpt"' in text and 'did you mean "http"' in text,
                "an unknown parameter of a swap is refused, with the one that was meant", f"exit {code}: {text}")
    other = free_port()
    code, text = load.nav(run, "swap", "router", "--run", stack.OPTIONS.programs / "nav-router", "--set", f"http=127.0.0.1:{other}")
    clients = Clients(other, token, *PLANS[:2])
    clients.wait_for(3)
    clients.end()
    is_gone = load.until(lambda: refuses(port), 10)
    results.add(code == 0 and not clients.failures and is_gone, "a successor with another port leaves the old one",
                f"exit {code}: {text}; {clients.failures[:3]}, {is_gone}")


def refuses(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def scale_router(results):
    """Replicas share the port; they come, go, and are swapped."""
    port = free_port()
    run, token = started("scale-http", f"  router:\n    run: nav-router\n    replicas: 2\n    params: {{http: '127.0.0.1:{port}'}}\n")
    with run:
        clients, why = Clients(port, token, *PLANS[:4]), []
        for words in (["scale", "router", 3], ["swap", "router", "--run", stack.OPTIONS.programs / "nav-router"], ["scale", "router", 1]):
            clients.wait_for(5)
            code, text = load.nav(run, *words)
            if code != 0:
                why.append(f"{words[:2]}: exit {code}: {text}")
        if not load.until(lambda: len(load.processes(run)) == 2, 10):
            why.append(f"processes that gave their vehicles away are still there: {load.processes(run)}")
        clients.wait_for(5)
        count = clients.end()
        why += clients.failures[:5]
        results.add(not why, f"a router with http from 2 replicas to 3, swapped, and to 1: {count} requests, "
                    f"{len(clients.failures)} failed", "; ".join(why))


def swap_page(results):
    """The page keeps its address over a swap, also where the port was any free one."""
    run, _ = started("swap-page", f"  renderer:\n    run: nav-renderer\n    params: {{port: 0, page_parts: {stack.ROOT / '.cache/page'}}}\n")
    with run:
        found = re.search(r"page: http://127\.0\.0\.1:(\d+)/\?token=(\w+)", run.output)
        port, token = int(found[1]), found[2]
        clients, why = Clients(port, token, ("/", True, 0.002), ("/", False, 0.002)), []
        for _ in range(2):
            clients.wait_for(20)
            code, text = load.nav(run, "swap", "renderer", "--run", stack.OPTIONS.programs / "nav-renderer")
            if code != 0:
                why.append(f"exit {code}: {text}")
        clients.wait_for(20)
        count = clients.end()
        why += clients.failures[:5]
        results.add(not why, f"2 swaps of a renderer under requests for its page: {count} requests, {len(clients.failures)} failed",
                    "; ".join(why))


def main():
    stack.options(__doc__, swaps=4, only="")
    results = stack.Results()
    tests = {"router": swap_router, "scale": scale_router, "page": swap_page}
    for name, test in tests.items():
        if not stack.OPTIONS.only or name in stack.OPTIONS.only.split(","):
            test(results)
    results.end()


if __name__ == "__main__":
    main()
