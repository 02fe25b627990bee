"""A stack with one stage left out fails its check, and the launcher names what is missing."""

import concurrent.futures

import stack

STAGES = ["location", "matcher", "router", "navigator", "poller", "traffic", "voice", "renderer"]


def leave_out(results, node):
    arguments = ["--without", node, "--check", "25s"]
    port = None if node == "renderer" else 0
    with stack.Stack(f"without-{node}", *arguments, rate=None if node == "location" else 20, port=port) as run:
        code = run.wait(90)
        # The verdict comes at the end; what the check of the file said before does not count.
        verdict = [line for line in run.output.splitlines() if "unmet:" in line or "failed" in line]
        what = f"without {node} the check fails and names it"
        if code in (None, 0):
            results.add(False, what, f"exit code {code}", run.log)
        else:
            is_named = any(node in line for line in verdict)
            results.add(is_named, what, f"not named in: {' | '.join(verdict[-3:])}", run.log)


def main():
    stack.options(__doc__, only="")
    chosen = stack.OPTIONS.only.split(",") if stack.OPTIONS.only else STAGES
    results = stack.Results()
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda node: leave_out(results, node), chosen))
    results.end()


if __name__ == "__main__":
    main()
