"""Traffic that a test publishes for one vehicle."""

import navstack


def pieces(route, from_m=0.0, to_m=None):
    """The pieces of road (way, from, to) of a route that begin between two distances."""
    columns = route["segments"]
    end = route["length_m"] if to_m is None else to_m
    return [(way, begin, stop) for way, begin, stop, start in zip(columns["way"], columns["from"], columns["to"], columns["start_m"])
            if from_m <= start < end]


def on_road(route, name, number=None):
    """The pieces of road of a route that bear a name or a number."""
    spans, columns, found = route["spans"], route["segments"], []
    for road, first, count in zip(spans["road"], spans["first_segment"], spans["segment_count"]):
        if route["roads"][road]["name"] == name or (number and route["roads"][road]["number"] == number):
            found += [(columns["way"][n], columns["from"][n], columns["to"][n]) for n in range(first, first + count)]
    return list(dict.fromkeys(found))


def flow(vehicle, places, speed_mps=2.0, jam_factor=8.5, feed="test", kind="live", observed_ns=None, until_ns=None):
    """Publishes one speed on pieces of road; no pieces end it."""
    places = sorted(places)
    payload = {
        "feed": feed, "observed_ns": observed_ns or vehicle.running.now_ns, "speed_kind": kind,
        "flow": {"way": [place[0] for place in places], "from": [place[1] for place in places], "to": [place[2] for place in places],
                 "speed_mmps": [round(speed_mps * 1000)] * len(places), "jam_factor": [round(jam_factor * 10)] * len(places),
                 "until_s": [0] * len(places)}}
    if until_ns:
        payload["until_ns"] = until_ns
    vehicle.running.publish(f"{vehicle.name}/traffic/flow", payload, key=feed)
    vehicle.running.settle(3)


def incidents(vehicle, *entries, feed="test"):
    """Publishes incidents: (id, kind, pieces of road, more)."""
    listed = [{"id": name, "kind": kind, "segments": [{"way": way, "from": begin, "to": end} for way, begin, end in places], **more}
              for name, kind, places, more in entries]
    payload = {"feed": feed, "observed_ns": vehicle.running.now_ns, "incidents": listed}
    vehicle.running.publish(f"{vehicle.name}/traffic/incidents", payload, key=feed)
    vehicle.running.settle(3)


def shape(route):
    return navstack.polyline6(route["shape"])
