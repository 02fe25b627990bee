"""Builds the maps of the field tests, plays their drives with drawn time, and matches their traces."""

import dataclasses
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

import stack

INPUTS = pathlib.Path(__file__).resolve().parent / "inputs"
SCRATCH = pathlib.Path(tempfile.mkdtemp(prefix="nav-field-"))


class Wrong(Exception):
    """What a test found otherwise than it should be."""


def check(holds, otherwise):
    """Ends the test with the sentence `otherwise` unless `holds`."""
    if not holds:
        raise Wrong(otherwise)


def program(name):
    return str(stack.OPTIONS.programs / name)


def run(*words, folder=None, seconds=120, stdin=None):
    """Runs a program of navstack to its end; its exit code, output and errors are in what comes back."""
    return subprocess.run([program(words[0]), *map(str, words[1:])], cwd=folder, text=True, input=stdin,
                          capture_output=True, timeout=seconds, check=False)


def case(name):
    """A copy of the inputs of a case, with its maps built beside the OSM files; made once."""
    folder = SCRATCH / name
    if not folder.exists():
        shutil.copytree(INPUTS / name, folder)
        for osm in sorted([*folder.glob("*.osm"), *folder.glob("*.osm.pbf")]):
            map_of(osm)
    return folder


def map_of(osm, *options):
    """The map that is built of an OSM file, beside it."""
    built = osm.parent / (osm.name.split(".")[0] + ".navmap")
    if not built.exists():
        done = run("nav", "map", "build", osm, "-o", built, *options, seconds=300)
        check(done.returncode == 0, f"{osm.name} could not be built: {done.stderr.strip()[-300:]}")
    return built


@dataclasses.dataclass
class Line:
    """One event of a drive: when, of which topic, and what it says."""
    time: str
    topic: str
    text: str

    def value(self, key):
        """What stands behind `key=`; None where nothing does. Quoted texts are read whole."""
        found = re.search(rf'(?:^|\s){key}=("(?:[^"\\]|\\.)*"|\S+)', self.text)
        if not found:
            return None
        word = found.group(1)
        return json.loads(word) if word.startswith('"') else word


@dataclasses.dataclass
class Drive:
    """What a drive told, and how it ended."""
    lines: list
    errors: str
    code: int

    def of(self, topic):
        return [line for line in self.lines if line.topic == topic]

    @property
    def said(self):
        """What the voice said, in order."""
        return [line.value("text") for line in self.of("voice/announcement")]


def trip_text(map_name, stops, location, navigator=None, poller=None, traffic=None, calls=""):
    """A stack file of a vehicle that drives to stops, with the parameters of its stages; without `traffic` none is simulated."""
    nodes = {"location": ("nav-location-provider", location), "matcher": ("nav-map-matcher", {}), "router": ("nav-router", {}),
             "navigator": ("nav-navigator", navigator), "poller": ("nav-dynamic-routing", poller),
             "voice": ("nav-voice-guidance", {"sink": "none"})}
    if traffic:
        nodes["traffic"] = ("nav-traffic", traffic)
    rows = [f"  {name}: {{run: {program_name}, params: {json.dumps(params or {})}}}" for name, (program_name, params) in nodes.items()]
    external = "" if traffic else "external: [traffic/flow, traffic/incidents]\n"
    return (f"stack: case\nmap: {map_name}.navmap\nnodes:\n" + "\n".join(rows) + f"\n{external}start:\n"
            f"  - navigate/start: {{waypoints: {json.dumps(stops)}}}\n{calls}\nuntil: {{topic: guidance/arrival}}\n")


LINE = re.compile(r"^(\S+)  (\S+)  (.*)$")


def drive(folder, file, *options, seconds=300, limit=None):
    """Plays a stack file of a case to its end, all stages in one process."""
    bound = ["--limit", limit] if limit else []
    done = run("nav", "drive", file, *bound, *options, folder=folder, seconds=seconds)
    lines = [Line(*match.groups()) for match in map(LINE.match, done.stdout.splitlines()) if match]
    return Drive(lines, done.stderr, done.returncode)
