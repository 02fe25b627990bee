"""Every command of docs/guides: run against a stack where that is possible, otherwise checked for its subcommands and options.

A command is a line of a fenced block of shell (`sh`), or one of a block without a language that begins with `$`, `nav` or
`navlaunch`. RULES says what becomes of each; a command without a rule fails. Commands that cannot run here give a reason.
"""

import datetime
import gzip
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import stack  # first: it extends the import path

GUIDES = stack.ROOT / "docs/guides"

# Where a command runs: in the demo's stack, in that of Launch/inject.yaml, on files alone, or not (with the reason).
DEMO, INJECT, FILES = "demo", "inject", "files"

# The first rule whose expression is found in `PAGE: COMMAND` decides.
RULES = [
    # Programs that take a long time, a machine or a right of their own.
    (r"Launch/drive --build", "builds everything; the demo part of Tests/run does that"),
    (r"systemctl|journalctl|sudo ", "needs systemd, or another user"),
    (r"NAV_BUS=tcp:", "needs a second host; the drive `machines` has one"),
    (r"https://example|maps\.example|europe", "needs the network"),
    (r"^fleet.md: (navlaunch|nav topic)", "a fleet of its own; the drive `fleet` runs it"),
    (r"nav scale", "needs replicas; the drive `swap` does that"),
    (r"--shadow|--lockstep|nav play", "needs minutes; the drives `swap`, `lockstep`, `replay` and `play` do that"),
    (r"nav swap", DEMO),
    (r"nav (map|call map/fetch|topic echo map/)", "needs regions; the drive `maps` and the guides' drives do that"),
    (r"drive\.nmea|drive\.gpx", "needs a recording in that format; the drive `match` has them"),
    (r"nav rec export|nav foxglove", "needs a recording or a port; the drive `foreign_recordings` has them"),
    (r"nav openlr", "needs the map of the code's place; TrafficFeedsTests decode such codes"),
    (r"nav drive Launch/demo.yaml", "a whole drive; the drive `replay` does that"),
    (r"^launching.md: navlaunch stack.yaml", "the stack of the text; the unit tests of Launcher start such stacks"),
    (r"nav-router --http 127|--origins", "a second server; the drive `osrm_http` has them"),
    (r"nav-router --http --map", FILES),
    (r"curl .*127\.0\.0\.1:5000", FILES),
    (r"nav match|nav place|nav snapshot .*--at", FILES),
    (r"nav (snapshot|film)|nav-film", "needs a recorded drive or a running stack; the drive `film` has them"),
    (r"^injecting.md: navlaunch", "the stack in which the other commands of the page run"),
    (r"^injecting.md: ", INJECT),
    (r"navlaunch --(print|schema|manifest-schema)", FILES),
    (r"nav (why|node|top|topic|call|go|graph)", DEMO),
]

# Commands that go on until they are stopped: the first line of output is enough.
ENDLESS = re.compile(r"topic echo|nav top$|node log .*-f|nav-router --http")
# Commands that print nothing when all is well.
SILENT = re.compile(r"inject\.py")
# Commands whose exit code reports what they found.
FINDING = re.compile(r"nav why")


def commands(page):
    """Yields (line number, command) of a page."""
    language, text = None, page.read_text(encoding="utf-8")
    pending = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            language = line[3:].strip() if language is None else None
            continue
        if language is None or language not in ("", "sh"):
            continue
        if language == "" and not re.match(r"\$ |nav |navlaunch ", line):
            continue
        line = re.sub(r"(^|\s+)#.*$", "", line) if language == "sh" else re.split(r"\s{3,}", line.removeprefix("$ "))[0]
        line = pending + line.strip()
        pending = line[:-1] + " " if line.endswith("\\") else ""
        if line and not pending:
            yield number, line


def rule(page, command):
    for expression, where in RULES:
        if re.search(expression, f"{page.name}: {command}"):
            return where
    return None


class Syntax:
    """Whether our programs have the subcommands and options of a command."""

    OTHERS = {"curl", "mv", "zcat", "jq", "sudo", "systemctl", "journalctl", "./Launch/drive", ".cache/python/bin/python"}

    def __init__(self):
        self.pages = {}

    def help(self, program, path):
        key = (program, *path)
        if key not in self.pages:
            code, output, errors = stack.run(program, *path, "--help", seconds=20)
            if code != 0:
                raise ValueError(f"{' '.join(key)} --help ends with {code}: {errors[-200:]}")
            self.pages[key] = output
        return self.pages[key]

    def fault(self, command):
        """What is wrong; empty where nothing is."""
        for part in re.split(r"\s(?:\||&&)\s", command):
            words = shlex.split(part)
            while words and re.match(r"[A-Z_]+=", words[0]):
                words = words[1:]
            if words[:2] == ["sudo", "-u"]:
                words = words[3:]
                while words and re.match(r"[A-Z_]+=", words[0]):
                    words = words[1:]
            program = os.path.basename(words[0])
            if not (stack.OPTIONS.programs / program).exists():
                if words[0] in self.OTHERS:
                    continue
                return f"{words[0]} is no program of ours"
            try:
                fault = self.fault_of(program, words[1:])
            except ValueError as error:
                fault = str(error)
            if fault:
                return fault
        return ""

    def fault_of(self, program, words):
        path = []
        while True:
            page = self.help(program, path)
            below = re.findall(r"^  ([a-z][a-z-]*) ", page.partition("SUBCOMMANDS:")[2], re.M)
            if not below:
                break
            if not words or words[0] not in below:
                return f"{' '.join([program, *path])} has no subcommand \"{words[0] if words else ''}\""
            path, words = [*path, words[0]], words[1:]
        known = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", page))
        for word in words:
            option = word.split("=")[0]
            if re.match(r"--?[a-z]", option) and option not in known:
                return f"{' '.join([program, *path])} has no option {option}"
        return ""


def track(header, rows):
    """A GPX file of the rows of a CSV."""
    points = ""
    for row in rows:
        fix = dict(zip(header.split(","), row.split(",")))
        time_of_day = datetime.timedelta(seconds=float(fix["time"]))
        stamp = (datetime.datetime(2026, 6, 1, 10) + time_of_day).isoformat() + "Z"
        points += f'<trkpt lat="{fix["lat"]}" lon="{fix["lon"]}"><time>{stamp}</time></trkpt>'
    return f'<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{points}</trkseg></trk></gpx>'


class Runner:
    """Runs commands in a scratch folder in which the names that the guides use are there."""

    # Names in the texts, and their replacements here.
    INSTEAD = [
        (r"\S*\b(porto|malta)\.(osm\.pbf|navmap)", "town.osm"),
        (r"35\.8989,14\.5146", "46.99714,-30.02392"),
        (r"-8\.61,41\.15;-8\.60,41\.16", "-30.02392,46.99714;-29.97645,47.00287"),
        (r'"rua sa bandeira"', "Crown"),
        (r"High Street / Mill Lane", "Crown Avenue"),
        (r"(topic hz \S+)$", r"\1 --seconds 1"),
        (r"inject\.csv 2000 60", "inject.csv 200 3"),
        (r"\S*/nav-([a-z-]+?)(-new)?(?=\s|$)", r"nav-\1"),
    ]

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="nav-guides-"))
        (self.folder / "town.osm").symlink_to(stack.ROOT / ".cache/town.osm")
        # A short piece of the first vehicle's fixes.
        rows = (stack.ROOT / "Launch/inject.csv").read_text(encoding="utf-8").splitlines()
        (self.folder / "drive.csv").write_text("\n".join(rows[:60]) + "\n", encoding="utf-8")
        (self.folder / "fleet.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
        (self.folder / "drive.csv.gz").write_bytes(gzip.compress((self.folder / "drive.csv").read_bytes()))
        (self.folder / "day").mkdir()
        for name in ("morning", "evening"):
            (self.folder / "day" / f"{name}.gpx").write_text(track(rows[0], rows[1:30]), encoding="utf-8")
        for name in ("Launch", "Protocols", "clients"):
            (self.folder / name).symlink_to(stack.ROOT / name)
        (self.folder / "Short.csv").write_text("\n".join(rows[:5]) + "\n", encoding="utf-8")
        self.children = []

    def end(self):
        for child in self.children:
            child.kill()
            child.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, command, base=None, environment=None):
        """What went wrong; empty where it went well."""
        for words, other in self.INSTEAD:
            command = re.sub(words, other, command)
        if base:
            command = re.sub(r"ipc:///run/user/1000/navstack/\w+", base, command)
        command = command.replace(".cache/python/bin/python", sys.executable)
        if "inject.py" in command:
            command = command.replace("Launch/inject.csv", "Short.csv")
        path = f"{stack.OPTIONS.programs}{os.pathsep}{os.environ['PATH']}"
        child = subprocess.Popen(["bash", "-c", f"exec {command}" if "|" not in command else command], cwd=self.folder,
                                 env={**os.environ, **(environment or {}), "PATH": path}, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, errors="replace", stdin=subprocess.DEVNULL)
        if ENDLESS.search(command):
            return self.first_line(child)
        try:
            output = child.communicate(timeout=25)[0]
        except subprocess.TimeoutExpired:
            child.kill()
            return f"it goes on: {child.communicate()[0][-300:]}"
        allowed = (0, 1) if FINDING.search(command) else (0,)
        is_good = child.returncode in allowed and (output.strip() or SILENT.search(command))
        return "" if is_good else f"exit code {child.returncode}: {output[-300:]}"

    def first_line(self, child):
        self.children.append(child)
        lines = []
        reader = threading.Thread(target=lambda: lines.append(child.stdout.readline()), daemon=True)
        reader.start()
        reader.join(15)
        return "" if lines and lines[0].strip() else f"no line within 15 s: {lines}"


def test_each_command_of_the_guides_is_known_or_runs__BUS_14(results):
    syntax, runner, by_place = Syntax(), Runner(), {DEMO: [], INJECT: [], FILES: []}
    count = checked = 0
    for page in sorted(GUIDES.glob("*.md")):
        faults = []
        for number, command in commands(page):
            count += 1
            where = rule(page, command)
            if where is None:
                faults.append(f"line {number}: no rule of {pathlib.Path(__file__).name} fits: {command}")
                continue
            fault = syntax.fault(command)
            if fault:
                faults.append(f"line {number}: {command}: {fault}")
            if where in by_place:
                by_place[where].append((page, number, command))
            else:
                checked += 1
        results.add(not faults, f"the commands of {page.name} have known subcommands and options", "; ".join(faults))
    try:
        run_all(results, runner, by_place)
    finally:
        runner.end()
    print(f"      {count} commands, {count - checked} of them run, {checked} checked for their words only", flush=True)


def run_all(results, runner, by_place):
    def check(commands_there, run=None):
        base = run.base if run else None
        environment = {"XDG_RUNTIME_DIR": run.folder} if run else None
        for page, number, command in commands_there:
            begin = time.monotonic()
            fault = runner.run(command, base, environment)
            results.add(not fault, f"{page.name}:{number}: {command} ({time.monotonic() - begin:.1f} s)", fault,
                        run.log if run and fault else None)

    def demo():
        check(by_place[FILES])
        with stack.Stack("guide-commands-demo", "--without", "renderer", rate=4, port=None) as run:
            ear = stack.Ear(run)
            ear.wait(lambda record: record.progress > 3, 60, run)
            check(by_place[DEMO], run)
            ear.end()

    def inject():
        with stack.Stack("guide-commands-inject", file=stack.ROOT / "Launch/inject.yaml", name="inject", rate=None, port=None) as run:
            is_up = stack.eventually(lambda: "all ready" in run.output, 30)
            results.add(is_up, "Launch/inject.yaml starts without a location provider, and waits for fixes", run.output[-300:], run.log)
            feeder = Feeder(runner, run)
            check([entry for entry in by_place[INJECT] if "examples/" not in entry[2]], run)
            feeder.end()
            check([entry for entry in by_place[INJECT] if "examples/" in entry[2]], run)

    other = threading.Thread(target=inject)
    other.start()
    demo()
    other.join()


def test_units_of_the_guides_are_valid__BUS_14(results):
    """systemd itself reads the units of operation.md, where it is installed."""
    if not shutil.which("systemd-analyze"):
        print("left out: there is no systemd-analyze here to read the units", flush=True)
        return
    text = (GUIDES / "operation.md").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        units = []
        for unit in re.findall(r"```ini\n(.*?)```", text, re.S):
            units.append(pathlib.Path(name) / re.match(r"# /etc/systemd/system/(\S+)", unit)[1])
            here = unit.replace("/opt/navstack/bin", str(stack.OPTIONS.programs)).replace("User=navstack\n", "User=root\n")
            units[-1].write_text(here, encoding="utf-8")
        done = subprocess.run(["systemd-analyze", "verify", *map(str, units)], capture_output=True, text=True, check=False)
    results.add(len(units) == 2 and done.returncode == 0 and not done.stderr.strip(), "systemd reads the units of operation.md",
                f"{len(units)} units: {done.stderr}")


class Feeder:
    """Feeds the fixes of Launch/inject.csv while other commands run."""

    def __init__(self, runner, run):
        program = stack.ROOT / "clients/python/examples/inject.py"
        self.child = subprocess.Popen([sys.executable, program, run.base, stack.ROOT / "Launch/inject.csv"])
        runner.children.append(self.child)

    def end(self):
        self.child.kill()


def main():
    stack.options(__doc__)
    results = stack.Results()
    test_each_command_of_the_guides_is_known_or_runs__BUS_14(results)
    test_units_of_the_guides_are_valid__BUS_14(results)
    results.end()


if __name__ == "__main__":
    main()
