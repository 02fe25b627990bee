"""The stacks that the tests of the guides share, started when they are first asked for."""

import pathlib
import tempfile

import drawn
import msgpack
import stack
from lab import Running
from rows import Wrong

TOWN_MAP = stack.ROOT / ".cache/town.osm"

# Every stage with its defaults.
TOWN = """
stack: town
vehicles: any
map: {town}
nodes:
  matcher: {{run: nav-map-matcher}}
  router: {{run: nav-router}}
  navigator: {{run: nav-navigator}}
  voice: {{run: nav-voice-guidance, params: {{sink: none}}}}
  renderer: {{run: nav-renderer, params: {{port: 0}}}}
external: [location/raw, _clock, route/better, traffic/flow, traffic/incidents]
"""

# No screen and no voice; another choice wherever a parameter offers one.
OTHER = """
stack: other
vehicles: any
map: {town}
nodes:
  matcher: {{run: nav-map-matcher}}
  router: {{run: nav-router}}
  navigator:
    run: nav-navigator
    params: {{report_pass_through: true, skip_coincident_stops: true, on_missed: reroute, units: imperial_us,
              visit_first_stop_on_start: true, reroute_strategy: next_waypoint}}
external: [location/raw, _clock, route/better, traffic/flow, traffic/incidents]
"""

# Looks for faster routes all the time, and proposes them whatever the moment.
JAM = """
stack: jam
vehicles: any
map: {town}
nodes:
  matcher: {{run: nav-map-matcher}}
  router: {{run: nav-router}}
  navigator: {{run: nav-navigator, params: {{quiet_before_maneuver_s: 0, quiet_before_end_s: 0, traffic_interval_s: 30}}}}
  poller: {{run: nav-dynamic-routing, params: {{poll_interval_s: 10, min_time_difference_s: 30, min_time_difference_percentage: 0}}}}
external: [location/raw, _clock, traffic/flow, traffic/incidents]
"""

# The matcher and nobody else.
SOLO = """
stack: solo
vehicles: any
map: {town}
nodes:
  matcher: {{run: nav-map-matcher}}
external: [location/raw, _clock, route/active]
"""

# Streets and units of the United States.
US = """
stack: us
vehicles: any
map: {us}
nodes:
  matcher: {{run: nav-map-matcher}}
  router: {{run: nav-router}}
  navigator: {{run: nav-navigator, params: {{units: imperial_us}}}}
  voice: {{run: nav-voice-guidance, params: {{sink: none, units: imperial_us{voice}}}}}
  renderer: {{run: nav-renderer, params: {{port: 0, units: imperial_us}}}}
external: [location/raw, _clock, route/better, traffic/flow, traffic/incidents]
"""

# The same with a voice that says more.
CHATTY = US.replace("stack: us", "stack: chatty").replace("{voice}", ", announcements: talkative")

NUMBERS = """
stack: numbers
vehicles: any
map: {numbers}
nodes:
  matcher: {{run: nav-map-matcher}}
  router: {{run: nav-router}}
  renderer: {{run: nav-renderer, params: {{port: 0}}}}
external: ["location/", "guidance/", "route/", _clock, "traffic/", "voice/", "navigate/", session]
"""

# A server that speaks OSRM's API is asked for routes, and the poller asks it all the time.
ENGINE = """
stack: engine
vehicles: any
map: {town}
nodes:
  matcher: {{run: nav-map-matcher}}
  router:
    run: nav-router
    params: {{engine: online, engine_url: "http://127.0.0.1:{port}", engine_calls_per_hour: {budget}, engine_timeout_s: 20}}
  navigator: {{run: nav-navigator, params: {{traffic_interval_s: 0}}}}
  poller: {{run: nav-dynamic-routing, params: {{poll_interval_s: 10, min_time_difference_s: 30}}}}
external: [location/raw, _clock, traffic/flow, traffic/incidents]
"""

MINI = """
stack: mini
vehicles: any
map: {mini}
nodes:
  router: {{run: nav-router}}
external: [traffic/flow, traffic/incidents, _clock, location/raw]
"""

# Begins with the west of the town; a server has the east.
REGIONS = """
stack: regions
vehicles: any
map: {maps}
nodes:
  matcher: {{run: nav-map-matcher}}
  router: {{run: nav-router}}
  navigator: {{run: nav-navigator}}
  renderer: {{run: nav-renderer, params: {{port: 0}}}}
  regions: {{run: nav-regions, params: {{source: "http://127.0.0.1:{port}", around_m: 300, retry_s: 1}}}}
external: [location/raw, _clock, route/better, traffic/flow, traffic/incidents, voice/announcement, voice/repeat]
"""

STACKS = {"regions": REGIONS, "mini": MINI, "town": TOWN, "other": OTHER, "jam": JAM, "solo": SOLO, "us": US, "chatty": CHATTY, "numbers": NUMBERS, "engine": ENGINE}


class Lab:
    """All that tests share: running stacks by name, recordings, and what they worked out once."""

    def __init__(self):
        self.running, self.kept, self.servers = {}, {}, []
        self.folder = tempfile.TemporaryDirectory(prefix="nav-")
        self.path = pathlib.Path(self.folder.name)

    def stack(self, name, clock=True, **more):
        if name not in self.running:
            us, numbers, mini = self.path / "us.osm", self.path / "numbers.osm", self.path / "mini.osm"
            if name in ("us", "chatty"):
                self.us_drawing = drawn.us_map(us)
            if name == "numbers":
                self.numbers_drawing = drawn.numbers_map(numbers)
            if name == "mini":
                self.mini_drawing = drawn.mini_map(mini)
            text = STACKS[name].format(town=TOWN_MAP, us=us, numbers=numbers, mini=mini, voice="", **more)
            self.running[name] = Running(name, text, clock)
        return self.running[name]

    def end(self, name):
        """Ends a stack, so that the next test that asks for it gets a new one."""
        if name in self.running:
            self.running.pop(name).close()

    town = property(lambda self: self.stack("town"))
    other = property(lambda self: self.stack("other"))
    jam = property(lambda self: self.stack("jam"))
    solo = property(lambda self: self.stack("solo"))
    us = property(lambda self: self.stack("us"))
    chatty = property(lambda self: self.stack("chatty"))
    numbers = property(lambda self: self.stack("numbers"))

    def once(self, make, *details):
        """What `make` returns for this lab, made the first time; a failure stays one."""
        key = (make.__name__, *details)
        if key not in self.kept:
            try:
                self.kept[key] = make(self, *details), None
            except Wrong as wrong:
                self.kept[key] = None, wrong
        value, wrong = self.kept[key]
        if wrong:
            raise wrong
        return value

    def recording(self, file, *settings, without=()):
        """The messages (topic without vehicle, header, payload) of a stack file that runs in one process."""
        return self.once(_recorded, str(file), settings, tuple(without))

    def close(self):
        for running in self.running.values():
            running.close()
        for server in self.servers:
            server.__exit__()
        self.folder.cleanup()


def _recorded(lab, file, settings, without):
    from navstack import recording

    target = lab.path / f"{len(lab.kept)}.mcap"
    words = [word for setting in settings for word in ("--set", setting)]
    words += [word for node in without for word in ("--without", node)]
    code, _, errors = stack.run("nav", "drive", file, *words, "--record", target, "--quiet", seconds=120)
    if code != 0:
        raise Wrong(f"nav drive ended with {code}: {errors[-300:]}")
    messages = []
    for topic, header, payload in recording.messages(target):
        header = msgpack.unpackb(header) if isinstance(header, (bytes, bytearray)) else header
        messages.append((topic.partition("/")[2] if not topic.startswith("_") else topic, header,
                         msgpack.unpackb(payload) if payload else None))
    target.unlink()
    return messages
