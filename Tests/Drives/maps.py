"""Maps of several regions join, with no network at all, OF-1; a map is replaced under a running stack, OF-2.

A map with a road ahead taken out is renamed over the stack's while it drives; then files that are no
maps; then the first map again. Every node that holds a map goes over to it, or refuses it and goes on.
"""

import hashlib
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

import stack  # first: it tells where ours are
import navstack

HOLDERS = ["location", "matcher", "navigator", "renderer", "router", "traffic"]
FILE = """
stack: maps
map: {folder}/town.navmap
nodes:
  location:
    run: nav-location-provider
    params: {{source: simulator, rate: 4, start_at: "46.99714,-30.02392", start_time: "2026-06-01T10:00:00Z"}}
  matcher: {{run: nav-map-matcher}}
  router: {{run: nav-router}}
  navigator: {{run: nav-navigator}}
  traffic: {{run: nav-traffic, params: {{scenario: "{scenario}"}}}}
  renderer: {{run: nav-renderer, params: {{port: 0, page_access: open}}}}
external: [guidance/warning, route/better, voice/announcement, voice/repeat]
start:
  - navigate/start: {{to: {{lat_deg: 47.00287, lon_deg: -29.97645, name: Office}}}}
"""


NO_NETWORK = ("unshare", "--user", "--map-root-user", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
ZOOM = 13
EAST_OF_TOWN = {"lat_deg": 47.0, "lon_deg": -10.0}


def counter(record, node, name):
    return record.statuses.get(node, {}).get("counters", {}).get(name, 0)


def everywhere(record, name, count, nodes=HOLDERS):
    return all(counter(record, node, name) >= count for node in nodes)


def counters(record, name):
    return str({node: counter(record, node, name) for node in HOLDERS})


def without(way, source, target):
    """The town as OSM data without one of its ways."""
    text = source.read_text(encoding="utf-8")
    less = re.sub(rf'\s*<way id="{way}".*?</way>', "", text, flags=re.DOTALL)
    assert less != text, f"way {way} is not in {source}"
    target.write_text(less, encoding="utf-8")


def way_ahead(route, share=0.6):
    """A way of the route that lies so far on."""
    columns = route["segments"]
    wanted = columns["start_m"][-1] * share
    return next(way for way, start in zip(columns["way"], columns["start_m"]) if start >= wanted)


def shown_map(base):
    """What the page at `base` shows: the map's name, and a hash of all its tiles."""

    def fetch(path):
        with urllib.request.urlopen(base + path, timeout=10) as answer:
            return answer.read()

    west, south, east, north = json.loads(fetch("config.json"))["bounds"]
    name = re.search(r"map=(\w+)", fetch("style.json?theme=day").decode())[1]
    (left, low), (right, high) = tile_at(west, south), tile_at(east, north)
    tiles = [fetch(f"tiles/{ZOOM}/{column}/{row}.mvt?map={name}") for column in range(left, right + 1) for row in range(high, low + 1)]
    return name, hashlib.sha256(b"".join(tiles)).hexdigest()[:12]


def tile_at(lon, lat):
    count = 2 ** ZOOM
    return int((lon + 180) / 360 * count), int((1 - math.asinh(math.tan(math.radians(lat))) / math.pi) / 2 * count)


def unmatched(record):
    """Fixes between the first and the last match that were never answered."""
    answered = {match.time for match in record.matches}
    if not answered:
        return ["none answered"]
    first, last = min(answered), max(answered)
    sent = {time for fixes in record.fixes.values() for time in fixes}
    return sorted(time for time in sent if first < time < last and time not in answered)


def test_maps_are_replaced_in_a_drive__OF_2(results, folder):
    town, place = folder / "town.osm", folder / "town.navmap"
    for words in (("map", "town", "-o", town), ("map", "build", town, "-o", place, "--quiet")):
        code, out, errors = stack.run("nav", *words)
        assert code == 0, out + errors
    first = folder / "first.navmap"
    shutil.copy(place, first)
    file = folder / "maps.yaml"
    file.write_text(FILE.format(folder=folder, scenario=stack.ROOT / "Launch/demo-traffic.json"), encoding="utf-8")
    with stack.Stack("maps", file=file, name="maps", rate=None, port=None) as run:
        ear = stack.Ear(run)
        on_route = ear.wait(lambda record: record.progress >= 20, 90, run)
        page = re.search(r"page: (http://\S+)", run.output)
        page = page[1] if page else ""
        results.add(on_route and page, "a stack drives on a map of its own, OF-2", f"{ear.record.progress} locations", run.log)
        if not on_route or not page:
            ear.end()
            return
        route = ear.record.routes[ear.record.active[-1].route]
        gone = way_ahead(route)
        before_change = shown_map(page)
        without(gone, town, folder / "less.osm")
        code, out, errors = stack.run("nav", "map", "use", folder / "less.osm", place)
        results.add(code == 0 and "is now the map" in out, "nav map use puts a map in the place of the stack's, OF-2",
                    out + errors)
        taken = ear.wait(lambda record: everywhere(record, "maps_replaced", 1), 30, run)
        results.add(taken, "each node that holds a map goes over to the new one, OF-2",
                    counters(ear.record, "maps_replaced"), run.log)
        after = shown_map(page)
        results.add(before_change[0] != after[0] and before_change[1] != after[1],
                    "the page shows the new map: another name, and other tiles, OF-2", f"{before_change}, then {after}", run.log)

        def is_around(record):
            way = record.routes.get(record.active[-1].route)
            return way is not None and gone not in way["segments"]["way"]
        around = ear.wait(is_around, 60, run)
        completed = any(entry.state == "completed" for entry in ear.record.reroutes)
        results.add(around and completed, "a route over a road that the new map lacks is replaced by a reroute, OF-2",
                    f"way {gone}: {[entry.state for entry in ear.record.reroutes]}", run.log)

        # What is no map is refused and told, and nothing else happens.
        before = ear.record.progress
        broken = folder / "broken.part"
        broken.write_bytes(first.read_bytes()[:-4000])
        broken.rename(place)
        refused = ear.wait(lambda record: everywhere(record, "maps_refused", 1), 30, run)
        results.add(refused, "a damaged map is refused and counted, OF-2", counters(ear.record, "maps_refused"), run.log)
        told = ear.wait(lambda record: record.statuses["router"]["state"] == "degraded", 10, run)
        goes_on = ear.wait(lambda record: record.progress >= before + 20, 60, run)
        results.add(told and goes_on, "the old map goes on and the nodes say why, OF-2",
                    f"{ear.record.progress - before} locations; {ear.record.statuses['router']}", run.log)
        code, out, errors = stack.run("nav", "map", "use", stack.DEMO, place)
        results.add(code != 0 and "demo.yaml" in errors, "nav map use refuses what is no map, OF-2", out + errors)

        code, out, errors = stack.run("nav", "map", "use", first, place)
        results.add(code == 0 and place.read_bytes() == first.read_bytes(), "nav map use installs a built map as it is, OF-2", out + errors)
        back = ear.wait(lambda record: everywhere(record, "maps_replaced", 2), 30, run)
        mended = ["matcher", "navigator", "router", "traffic"]
        well = ear.wait(lambda record: all(record.statuses[node]["state"] == "ready" for node in mended), 30, run)
        results.add(back and well, "a good map mends it, OF-2", str({node: (ear.record.statuses[node]["state"], ear.record.statuses[node].get("why")) for node in HOLDERS}), run.log)
        arrived = ear.wait(lambda record: record.arrivals, 240, run)
        record = ear.end()
        lost = unmatched(record)
        results.add(arrived and not lost and not record.faults,
                    "over two replaced maps no fix is missed, and the drive arrives, OF-2",
                    f"{len(lost)} fixes without an answer; {record.arrivals}; {record.faults[:3]}", run.log)


def without_network():
    """The words that start a program in a network namespace of its own, with nothing in it but the loopback; () where that is
    not allowed."""
    done = subprocess.run([*NO_NETWORK, "true"], capture_output=True, check=False)
    return NO_NETWORK if done.returncode == 0 else ()


def regions_file(folder):
    """The demo on a map in two parts, as a stack file; its voice speaks into files."""
    town = folder / "town.osm"
    code, out, errors = stack.run("nav", "map", "town", "-o", town)
    assert code == 0, out + errors
    for name, box in (("west", "46,-31,48,-30"), ("east", "46,-30,48,-29")):
        code, out, errors = stack.run("nav", "map", "cut", town, "-o", folder / f"{name}.navmap", "--box", box)
        assert code == 0, out + errors
    text = stack.DEMO.read_text(encoding="utf-8")
    for old, new in ((r"map: \S+", "map: [west.navmap, east.navmap]"), (r"wav_dir: \S+", f"wav_dir: {folder}/voice"),
                     (r"page_parts: \S+", f"page_parts: {stack.ROOT}/.cache/page"),
                     (r"scenario: \S+", f"scenario: {stack.ROOT}/Launch/demo-traffic.json")):
        text, count = re.subn(old, new, text)
        assert count == 1, old
    file = folder / "regions.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def inside(run, program, *words):
    """What a program of Python prints that runs in the stack's own network, as JSON."""
    enter = ["nsenter", "--target", str(run.process.pid), "--user", "--net", "--preserve-credentials"]
    done = subprocess.run([*enter, sys.executable, "-c", program, *words], capture_output=True, text=True, timeout=60, check=False)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return {"error": (done.stdout + done.stderr)[-600:]}


# What there is of networks, and whether the world can be reached.
NETWORK = """
import json, os, socket
try:
    socket.create_connection(("192.0.2.1", 80), timeout=3)
    reached = "the world answers"
except OSError as error:
    reached = os.strerror(error.errno or 0)
print(json.dumps({"devices": sorted(os.listdir("/sys/class/net")), "names": [name for _, name in socket.if_nameindex()], "world": reached}))
"""

# All parts of the page that it names itself, followed from the first; then what the map's style names.
PAGE = r"""
import json, re, sys, urllib.error, urllib.parse, urllib.request
base = sys.argv[1]
fetched, outside, bad = {}, [], []
def fetch(url):
    if url in fetched:
        return b""
    if urllib.parse.urlsplit(url).netloc != urllib.parse.urlsplit(base).netloc:
        outside.append(url)
        return b""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            body = answer.read()
    except urllib.error.HTTPError as error:
        bad.append(f"{url}: {error.code}")
        body = b""
    fetched[url] = len(body)
    return body
def follow(url):
    text = fetch(url).decode("utf-8", "replace")
    if "/vendor/" in url:
        return
    outside.extend(at for at in re.findall(r"(?:https?|wss?)://[\w.-]+", text) if "www.w3.org" not in at and not at.endswith("//"))
    names = re.findall(r"(?:src|href)=\"([^\"#]+)\"", text) + re.findall(r"(?:from|import|new URL)\s*\(?\s*[\"']([\w./-]+)[\"']", text)
    for name in names:
        if "." in name and not name.startswith("data:"):  # the live link has none
            follow(urllib.parse.urljoin(url, name))
follow(base)
config = json.loads(fetch(urllib.parse.urljoin(base, "config.json")))
style = json.loads(fetch(urllib.parse.urljoin(base, "style.json?theme=day")))
named = [tiles for source in style["sources"].values() for tiles in source.get("tiles", [])] + [url for url in (style.get("sprite"),) if url]
import math
zoom, (lon, lat) = 14, config["center"]
column = int((lon + 180) / 360 * 2 ** zoom)
row = int((1 - math.asinh(math.tan(math.radians(lat))) / math.pi) / 2 * 2 ** zoom)
for url in named:
    for key, value in (("{z}", zoom), ("{x}", column), ("{y}", row)):
        url = url.replace(key, str(value))
    fetch(url)
print(json.dumps({"fetched": fetched, "outside": outside, "bad": bad, "map": style["sources"]}))
"""


def test_regions_join_without_a_network__OF_1(results, folder):
    file = regions_file(folder)
    cache = folder / "cache"
    prefix = without_network()
    with stack.Stack("regions", "--set", "renderer.page_access=open", file=file, rate=10, port=8123, prefix=prefix,
                     environment={"XDG_CACHE_HOME": str(cache)}) as run:
        ear = stack.Ear(run)
        drives = ear.wait(lambda record: record.progress >= 20, 90, run)
        alone = inside(run, NETWORK) if prefix else {}
        results.add(drives and alone.get("names") == ["lo"] and "answers" not in alone.get("world", "answers"),
                    "a stack of two regions drives in a network namespace without a network, OF-1",
                    f"{ear.record.progress} locations; {alone or 'no namespace is allowed here'}", run.log)
        if not drives:
            ear.end()
            return
        joined = list((cache / "navstack").glob("*.navmap"))
        route = ear.record.routes[ear.record.active[-1].route]
        crosses = route["west_deg"] < -30 < route["east_deg"]
        results.add(crosses and len(joined) == 1, "a route leads from one region to the other, over maps joined once, OF-1",
                    f"{route['west_deg']} to {route['east_deg']}; {joined}", run.log)
        page = inside(run, PAGE, "http://127.0.0.1:8123/")
        parts = page.get("fetched", {})
        kinds = {kind: any(re.search(kind, url) and size > 100 for url, size in parts.items())
                 for kind in (r"\.css$", r"main\.js$", r"vendor/maplibre-gl\.js$", r"\.mvt")}
        results.add(bool(parts) and all(kinds.values()) and not page["outside"] and not page["bad"],
                    f"the page comes whole without a network, {len(parts)} parts, and names no outside address, OF-1",
                    str({"kinds": kinds, **{key: page.get(key) for key in ("error", "outside", "bad", "map")}, "fetched": parts})[:1500], run.log)
        try:
            reply = navstack.call(run.base, "route/calculate", {
                "waypoints": [{"lat_deg": 46.99714, "lon_deg": -30.02392}, EAST_OF_TOWN]}, timeout_s=20)
            error = f"a reply came: {str(reply)[:80]}"
        except navstack.CallError as failure:
            error = failure.code
        before = ear.record.progress
        goes_on = ear.wait(lambda record: record.progress > before + 5, 30, run)
        results.add(error == "no_map_data" and goes_on, "a region that is missing is no_map_data, and the stack goes on, OF-1",
                    error, run.log)
        arrived = ear.wait(lambda record: record.arrivals, 240, run)
        record = ear.end()
        faults = stack.faults(record)
        results.add(arrived and not faults, "the whole drive is as it should be without a network, OF-1", f"{record.arrivals}; {faults}", run.log)
        spoken = [file for file in (folder / "voice").glob("*.wav") if file.stat().st_size > 1_000]
        # What a newer one took the place of is announced, and not spoken.
        results.add(len(record.announced) >= 10 and len(spoken) >= len(record.announced) / 2,
                    f"the voice speaks without a network: {len(spoken)} sentences, OF-1",
                    f"{len(spoken)} files of {len(record.announced)} announcements", run.log)


def main():
    stack.options(__doc__)
    results = stack.Results()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="nav-maps-"))
    try:
        test_regions_join_without_a_network__OF_1(results, folder)
        test_maps_are_replaced_in_a_drive__OF_2(results, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    results.end()


if __name__ == "__main__":
    main()
