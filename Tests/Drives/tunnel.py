"""A drive through a tunnel that forks, with real processes: the receiver is silent below ground, and guidance goes on.

Once by each tube. Locations are estimated, progress and announcements go on, and nobody departs at the exit (TU-4).
"""

import pathlib
import tempfile
import threading

import msgpack

import stack

STACK = """\
stack: tunnel
map: {map}
nodes:
  location:
    run: nav-location-provider
    params: {{source: simulator, rate: 8, start_at: "46.9883088,-29.9883588", start_bearing_deg: 180, noise_m: 3}}
  matcher: {{run: nav-map-matcher}}
  router: {{run: nav-router}}
  navigator: {{run: nav-navigator}}
  voice: {{run: nav-voice-guidance, params: {{sink: none}}}}
external: [traffic/flow, traffic/incidents, route/better, guidance/warning]
start:
  - navigate/start: {{to: {{lat_deg: {lat}, lon_deg: {lon}}}}}
"""


class Told:
    """What was said, by topic: (stamp, payload)."""

    def __init__(self):
        self.said = {}

    def take(self, topic, header, payload):
        vehicle, _, leaf = topic.decode().partition("/")
        if vehicle != "ego":
            return
        stamp = msgpack.unpackb(header)["stamp"]
        self.said.setdefault(leaf, []).append((stamp, msgpack.unpackb(payload) if payload else {}))

    def of(self, leaf):
        return self.said.get(leaf, [])


class TunnelEar(stack.Ear):
    def __init__(self, one):
        threading.Thread.__init__(self, daemon=True)
        self.record, self.base, self.goes_on = Told(), one.base, True
        self.start()


def test_guidance_goes_on_in_a_tunnel__TU_4(results, name, lat, lon):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "tunnel.yaml"
        file.write_text(STACK.format(map=stack.ROOT / ".cache/town.osm", lat=lat, lon=lon), encoding="utf-8")
        with stack.Stack(f"tunnel-{name}", file=file, name="tunnel", rate=None, port=None) as one:
            ear = TunnelEar(one)
            has_arrived = ear.wait(lambda told: told.of("guidance/arrival"), 240, one)
            told = ear.end()
            results.add(bool(has_arrived), f"{name}: the drive arrives", "there is no arrival", one.log)
    matched = told.of("location/matched")
    estimated = [(stamp, one) for stamp, one in matched if one.get("estimated")]
    inside = [one for _, one in estimated if one.get("in_tunnel")]
    results.add(len(inside) >= 10, f"{name}: {len(inside)} places in the tunnel are estimated", f"only {len(inside)}")
    bare = all(one.get("raw") is None and one["state"] == "matched" for _, one in estimated)
    results.add(bare, f"{name}: an estimate has a place and no fix", "one has a fix, or no place")
    if not estimated:
        return
    first, last = estimated[0][0], estimated[-1][0]
    progress = [one for stamp, one in told.of("guidance/progress") if first <= stamp <= last and one.get("estimated")]
    results.add(len(progress) >= 10, f"{name}: progress goes on {len(progress)} times", f"only {len(progress)} times")
    spoken = [one["text"] for stamp, one in told.of("voice/announcement") if first <= stamp <= last]
    results.add(bool(spoken), f"{name}: below ground it is said: {spoken[:1]}", "nothing is said")
    departures = [one for stamp, one in told.of("guidance/deviation") if stamp >= first]
    results.add(not departures, f"{name}: nobody departs at the exit", str(departures)[:300])


def main():
    stack.options(__doc__)
    results = stack.Results()
    test_guidance_goes_on_in_a_tunnel__TU_4(results, "east tube", 46.98365, -29.9790)
    test_guidance_goes_on_in_a_tunnel__TU_4(results, "west tube", 46.98400, -29.9960)
    results.end()


if __name__ == "__main__":
    main()
