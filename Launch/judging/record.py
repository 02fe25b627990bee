"""What an outside reader of the topics remembers of a drive, for `rules` to judge."""

import collections

import msgpack
import navstack

Announced = collections.namedtuple("Announced", "stamp key kind route index text duration")
Maneuver = collections.namedtuple("Maneuver", "stamp event route index action")
Fix = collections.namedtuple("Fix", "time lat lon")
Match = collections.namedtuple("Match", "stamp state reason distance time lat lon")
Reroute = collections.namedtuple("Reroute", "stamp state place on_route_since")
Active = collections.namedtuple("Active", "stamp reason route replaces")


class Numbers:
    """The numbers of one topic, source and run: which are missing."""

    def __init__(self, first):
        self.last = first - 1
        self.missing = set()

    def take(self, seq):
        if seq > self.last:
            # A hole of a garbage number must not fill the memory.
            self.missing.update(range(self.last + 1, min(seq, self.last + 100_000)))
            self.last = seq
        else:
            self.missing.discard(seq)


class DriveRecord:
    """Takes messages in the order in which they came."""

    def __init__(self, vehicle="ego"):
        self.vehicle = vehicle
        self.counts = collections.Counter()
        self.numbers = {}
        self.runs = collections.defaultdict(set)
        self.statuses = {}
        self.faults = []
        self.errors = []
        self.routes = {}
        self.active = []
        self.announced = []
        self.maneuvers = []
        self.fixes = {}
        self.matches = []
        self.remaining = {}
        self.estimated = set()
        self.growths = []
        self.progress = 0
        self.deviations = []
        self.reroutes = []
        self.better = []
        self.arrivals = []
        self.flows = []
        self.place = None
        self.newest = 0

    def take(self, topic, header, payload):
        """One message: topic, and header and payload as bytes or as what they say."""
        topic = topic.decode(errors="replace") if isinstance(topic, bytes) else topic
        if topic.startswith("_bus"):
            return
        source = "?"
        try:
            header = _unpacked(header)
            source = header.get("src", "?")
            if not header.get("latched"):
                self.counts[topic] += 1
            self._count(topic, header)
            if payload in (b"", None):
                return
            name = navstack.declaration(topic)
            payload = _unpacked(payload)
            if name is None:
                self.faults.append((source, topic, "no topic of the contract"))
                return
            if not _is_understood(header["schema"], navstack.TOPICS[name]["schema"]):
                self.faults.append((source, topic, f"comes as {header['schema']}"))
                return
            payload = navstack.checked(name, payload)
        except Exception as error:  # whatever strangers send must not stop the judge
            self.faults.append((source, topic, str(error) or type(error).__name__))
            return
        reader = self._READERS.get(name)
        if reader and not (header.get("latched") and name not in ("route/active", "traffic/flow")):
            reader(self, header, payload)

    def _count(self, topic, header):
        source, run, seq = header["src"], header["run"], header["seq"]
        known = self.numbers.get((topic, source, run))
        if known is None:
            # A run that began before our time may begin anywhere; one that began later begins at 1.
            began_later = any(other[:2] == (topic, source) for other in self.numbers)
            first = 1 if began_later and not header.get("latched") else seq
            known = self.numbers[(topic, source, run)] = Numbers(first)
        known.take(seq)

    def _status(self, header, payload):
        self.runs[payload["node"]].add(payload["run"])
        self.statuses[payload["node"]] = payload

    def _clock(self, header, payload):
        self.newest = max(self.newest, payload["now_ns"])

    def _log(self, header, payload):
        if payload["level"] == "error":
            self.errors.append((payload["node"], payload["text"]))

    def _active(self, header, payload):
        route = payload.get("route")
        if route:
            self.routes[route["id"]] = route
        entry = Active(header["stamp"], payload["reason"], route["id"] if route else None,
                       payload.get("replaces"))
        if not header.get("latched") or entry not in self.active:
            self.active.append(entry)

    def _raw(self, header, payload):
        if payload.get("time_ns") is not None:
            fix = Fix(payload["time_ns"], payload["lat_deg"], payload["lon_deg"])
            self.fixes.setdefault(header["src"], {})[fix.time] = fix

    def _matched(self, header, payload):
        raw = payload.get("raw") or {}
        if payload.get("estimated") or raw.get("time_ns") is None:
            return
        match = Match(header["stamp"], payload["state"], payload.get("reason"),
                      payload.get("distance_m"), raw["time_ns"], raw["lat_deg"], raw["lon_deg"])
        self.matches.append(match)
        self.place = (match.lat, match.lon)

    def _progress(self, header, payload):
        self.progress += 1
        route, left = payload["route_id"], payload["remaining_m"]
        before = self.remaining.get(route)
        # A place that was only estimated may be taken back by a fix.
        is_corrected = route in self.estimated and not payload.get("estimated")
        if before is not None and left > before and not is_corrected:
            self.growths.append((route, header["stamp"], left - before))
        self.remaining[route] = left
        if payload.get("estimated"):
            self.estimated.add(route)
        else:
            self.estimated.discard(route)

    def _maneuver(self, header, payload):
        self.maneuvers.append(Maneuver(header["stamp"], payload["event"], payload["route_id"],
                                       payload["index"], payload["action"]))

    def _announcement(self, header, payload):
        self.announced.append(Announced(
            header["stamp"], payload["key"], payload["kind"], payload.get("route_id"),
            payload.get("maneuver_index"), payload["text"], payload["expected_duration_s"]))

    def _deviation(self, header, payload):
        if payload.get("first"):
            self.deviations.append((header["stamp"], payload["route_id"]))

    def _reroute(self, header, payload):
        self.reroutes.append(Reroute(header["stamp"], payload["state"], self.place, self.progress))

    def _better(self, header, payload):
        self.better.append((header["stamp"], payload["state"], payload["gain_s"]))

    def _arrival(self, header, payload):
        self.arrivals.append((header["stamp"], payload["event"], payload["route_id"]))

    def _flow(self, header, payload):
        self.flows.append((header["stamp"], payload["flow"]))

    _READERS = {
        "_node/<name>/status": _status, "_log/<node>": _log, "_clock": _clock, "route/active": _active,
        "location/raw": _raw, "location/matched": _matched, "guidance/progress": _progress,
        "guidance/maneuver": _maneuver, "voice/announcement": _announcement,
        "guidance/deviation": _deviation, "guidance/reroute": _reroute, "route/better": _better,
        "guidance/arrival": _arrival, "traffic/flow": _flow,
    }


def _is_understood(schema, ours):
    """The same name and major version; a reader takes any minor one."""
    return schema.split(".")[0] == ours.split(".")[0]


def _unpacked(data):
    if not isinstance(data, (bytes, bytearray)):
        return data
    return msgpack.unpackb(data)
