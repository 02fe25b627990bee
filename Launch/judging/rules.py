"""The rules of a good drive, judged from what was seen on the topics alone."""

import collections
import math
import statistics

Rule = collections.namedtuple("Rule", "name ok text figures")

NEAR_M = 25
MATCHED_SHARE = 0.95
LEAST_PAUSE_S, LONGEST_PAUSE_S, LEAST_PAUSE_M = 5, 64, 50
SPOKEN = ("range", "reminder", "distance", "action")
# Who publishes what: a topic on which nothing was seen names the stage that is missing.
WRITERS = {
    "location/raw": "location provider", "location/matched": "map matcher",
    "route/active": "navigator (or the router that it asks)",
    "guidance/progress": "navigator", "voice/announcement": "voice guidance",
}
DEMO_WRITERS = {"traffic/flow": "traffic", "route/better": "dynamic-routing poller"}


def judge(record, demo=False, restarts=False, roads=None):
    """All rules; `ok` is None where there was nothing to judge."""
    rules = [stages(record, demo), route(record), announced(record), keys(record), progress(record),
             matched(record, roads), reroutes(record), gaps(record), contract(record),
             nodes(record, restarts)]
    if demo:
        rules += [jam(record), better(record), deviation(record), rerouted(record)]
    return rules + [arrival(record)]


def stages(record, demo):
    wanted = WRITERS | (DEMO_WRITERS if demo else {})
    seen = {topic.split("/", 1)[1] for topic in record.counts if topic.startswith(record.vehicle + "/")}
    absent = [f"nothing on {topic}: is the {who} there?" for topic, who in wanted.items()
              if topic not in seen]
    total = sum(record.counts.values())
    return Rule("stages", not absent, "; ".join(absent) or f"each stage was heard; {total} messages",
                {"messages": total, "absent": [topic for topic in wanted if topic not in seen]})


def route(record):
    followed = [entry for entry in record.active if entry.route]
    if not followed:
        return Rule("route", False, "no active route was seen", {})
    ways = [f"{entry.reason} {record.routes[entry.route]['length_m'] / 1000:.2f} km" for entry in followed]
    return Rule("route", True, ", ".join(ways),
                {"routes": [entry.route for entry in followed],
                 "length_m": record.routes[followed[0].route]["length_m"]})


def places(route):
    """What tells each maneuver of a route from the others, on every route that leads over it."""
    names = [(round(m["lat_deg"], 5), round(m["lon_deg"], 5), m["action"],
              m.get("grade") or m.get("side")) for m in route["maneuvers"]]
    passes, result = collections.Counter(), []
    for name in reversed(names):  # passes of one place are told apart from the end
        result.append((*name, passes[name]))
        passes[name] += 1
    return result[::-1]


class Announcements:
    """Announcements by maneuver: what counts as the same one, and when it may be said anew."""

    def __init__(self, record):
        self.places = {identity: places(route) for identity, route in record.routes.items()}
        # Off the route or on a wholly new one, all may be said again.
        self.resets = sorted([stamp for stamp, _ in record.deviations] +
                             [entry.stamp for entry in record.active if entry.reason == "new"])
        self.by_place = collections.defaultdict(list)
        for said in record.announced:
            if said.kind in SPOKEN and (place := self.place(said.route, said.index)):
                self.by_place[place].append(said)

    def place(self, route, index):
        known = self.places.get(route, ())
        return known[index] if index is not None and index < len(known) else None

    def epoch(self, stamp):
        return sum(reset <= stamp for reset in self.resets)

    def of(self, route, index, until):
        """What was said of a maneuver since the last reset, up to a moment."""
        epoch = self.epoch(until)
        return [said for said in self.by_place[self.place(route, index)]
                if said.stamp <= until and self.epoch(said.stamp) == epoch]

    def repeated(self):
        counts = collections.Counter(
            (place, said.kind, self.epoch(said.stamp))
            for place, all_said in self.by_place.items() for said in all_said)
        return [key for key, count in counts.items() if count > 1]


def announced(record):
    """Each maneuver that was done had its action announced before, once, in time."""
    announcements = Announcements(record)
    known_since, faults, margins, judged = {}, [], [], 0
    for event in record.maneuvers:
        if event.event == "next":
            known_since.setdefault((event.route, event.index), event.stamp)
            continue
        if event.action in ("depart", "arrive") or event.route not in record.routes:
            continue
        name = f"{event.action} {event.index} of {event.route}"
        said = announcements.of(event.route, event.index, event.stamp)
        actions = [one for one in said if one.kind == "action"]
        known = known_since.get((event.route, event.index))
        had_s = (event.stamp - known) / 1e9 if known is not None else 0
        judged += 1
        if actions:
            margin = (event.stamp - actions[0].stamp) / 1e9 - actions[0].duration
            margins.append(margin)
            if margin < 0 and had_s > actions[0].duration + 3:
                faults.append(f"{name}: announced {-margin:.1f} s too late")
        elif had_s > 6 or not _was_joined(record, announcements, event):
            kinds = ", ".join(one.kind for one in said) or "nothing"
            faults.append(f"{name}: no action announcement ({kinds} said, next for {had_s:.0f} s)")
    for (place, kind, _) in announcements.repeated():
        faults.append(f"{kind} of {place[2]} at {place[0]},{place[1]} was announced twice")
    figures = {"maneuvers": judged, "faults": len(faults),
               "least_margin_s": round(min(margins), 2) if margins else None}
    if faults:
        return Rule("announced", False, _some(faults), figures)
    if not judged:
        return Rule("announced", None, "no maneuver was done", figures)
    least = f"; the shortest time left was {min(margins):.1f} s" if margins else ""
    return Rule("announced", True, f"{judged} maneuvers, each once and in time{least}", figures)


def _was_joined(record, announcements, event):
    """Whether a maneuver came so close behind another that one sentence told both."""
    maneuvers = record.routes[event.route]["maneuvers"]
    if event.index < 1 or event.index >= len(maneuvers):
        return False
    before = maneuvers[event.index - 1]
    is_close = maneuvers[event.index]["offset_m"] - before["offset_m"] <= 750
    return is_close and bool(announcements.of(event.route, event.index - 1, event.stamp))


def keys(record):
    counts = collections.Counter(said.key for said in record.announced)
    twice = [key for key, count in counts.items() if count > 1]
    text = f"{len(counts)} announcements, each key once"
    return Rule("keys", not twice, f"said twice: {_some(twice)}" if twice else text,
                {"announcements": len(record.announced), "twice": twice})


def progress(record):
    grown = [f"{route}: {metres:.1f} m at once" for route, _, metres in record.growths if metres > 0.5]
    figures = {"progress": record.progress, "growths": len(grown)}
    if grown:
        return Rule("progress", False, f"the remaining distance grew: {_some(grown)}", figures)
    text = f"{record.progress} times, and the remaining distance never grew"
    return Rule("progress", record.progress > 0, text, figures)


def matched(record, roads):
    """Of the fixes near a car road, the share that was matched."""
    by_time = {match.time: match for match in record.matches}
    fixes = max(record.fixes.values(), key=len, default={})
    if not fixes:
        return Rule("matched", False, "no fixes were seen", {})
    # The last fix may still be on its way through the matcher.
    judged = [fix for fix in sorted(fixes.values())[:-1] or fixes.values()]
    near = hits = lost = 0
    for fix in judged:
        match = by_time.get(fix.time)
        lost += match is None
        if not _is_near(fix, match, roads):
            continue
        near += 1
        hits += match is not None and match.state == "matched"
    share = hits / near if near else 0
    distances = [match.distance for match in record.matches if match.distance is not None]
    reasons = collections.Counter(match.reason for match in record.matches if match.reason)
    figures = {"fixes": len(judged), "near": near, "matched": hits, "share": round(share, 4),
               "unanswered": lost, "no_match": dict(reasons),
               "median_m": round(statistics.median(distances), 2) if distances else None}
    return Rule("matched", share >= MATCHED_SHARE,
                f"{hits} of {near} fixes near a road ({share:.1%}); {lost} of {len(judged)} unanswered",
                figures)


def _is_near(fix, match, roads):
    if roads is not None:
        return roads.distance_m(fix.lat, fix.lon) <= NEAR_M
    # Without the roads the matcher's own word has to do.
    if match is None or match.state != "matched":
        return match is None or match.reason != "off_road"
    return match.distance is None or match.distance <= NEAR_M


def reroutes(record):
    """Requests keep their distance in time and place, and failures double the pause."""
    faults, last, failures, on_route, pauses = [], None, 0, None, []
    for event in record.reroutes:
        if on_route is not None and event.on_route_since > on_route:
            failures = 0
        on_route = event.on_route_since
        if event.state == "failed":
            failures += 1
        elif event.state == "completed":
            failures = 0
        elif event.state == "started":
            if last is not None:
                faults += _pause_faults(last, event, failures, pauses)
            last = event
    counts = collections.Counter(event.state for event in record.reroutes)
    figures = {"reroutes": dict(counts), "shortest_pause_s": round(min(pauses), 1) if pauses else None}
    told = ", ".join(f"{count} {state}" for state, count in counts.items()) or "none was needed"
    return Rule("reroutes", not faults, _some(faults) or told, figures)


def _pause_faults(last, event, failures, pauses):
    pause = (event.stamp - last.stamp) / 1e9
    pauses.append(pause)
    wanted = min(LEAST_PAUSE_S * 2 ** failures, LONGEST_PAUSE_S)
    faults = []
    if pause < wanted - 0.01:
        faults.append(f"{pause:.1f} s between two requests, {wanted} s wanted")
    # Raw fixes stand in for the places that the navigator counts from: they may differ a little.
    if last.place and event.place and distance_m(last.place, event.place) < 0.7 * LEAST_PAUSE_M:
        faults.append(f"{distance_m(last.place, event.place):.0f} m between two requests")
    return faults


def gaps(record):
    """Messages that are missing here and that no node has counted as lost."""
    missing = collections.Counter()
    for (topic, _, _), numbers in record.numbers.items():
        if numbers.missing:
            missing[topic] += len(numbers.missing)
    uncounted = {topic: count for topic, count in missing.items() if count > _counted(record, topic)}
    figures = {"missing": sum(missing.values()), "uncounted": uncounted}
    if uncounted:
        told = [f"{count} of {topic}" for topic, count in uncounted.items()]
        return Rule("gaps", False, f"missing and not counted: {_some(told)}", figures)
    text = f"{sum(missing.values())} messages missing, all counted" if missing else "none"
    return Rule("gaps", True, text, figures)


def _counted(record, topic):
    leaf = topic if topic.startswith("_") else topic.split("/", 1)[1]
    counted = 0
    for status in record.statuses.values():
        read = (status.get("subscriptions") or {}).get(leaf, {})
        written = (status.get("publications") or {}).get(leaf, {})
        counted = max(counted, read.get("lost", 0) + read.get("queue_drops", 0), written.get("refused", 0))
    return counted


def contract(record):
    """Every message of a node keeps the contract; what strangers send is theirs."""
    # In one process nobody tells how he is, and there are no strangers.
    broken = [f"{topic} from {source}: {text}" for source, topic, text in record.faults
              if source in record.statuses or not record.statuses]
    strange = len(record.faults) - len(broken)
    more = f"; {strange} messages of strangers did not" if strange else ""
    return Rule("contract", not broken, _some(broken) or f"every message of a node kept it{more}",
                {"broken": len(broken), "strange": strange})


def nodes(record, restarts):
    again = {node: len(runs) - 1 for node, runs in record.runs.items() if len(runs) > 1}
    failed = [node for node, status in record.statuses.items() if status["state"] == "failed"]
    told = [f"{node} {count} times" for node, count in again.items()]
    text = f"{len(record.statuses) or 'no'} nodes told how they are" + (f"; started again: {', '.join(told)}" if told else "")
    if failed:
        text += f"; failed: {', '.join(failed)}"
    if record.errors:
        text += "; errors: " + _some([f"{node}: {line}" for node, line in record.errors])
    return Rule("nodes", not failed and (restarts or not again), text,
                {"nodes": sorted(record.statuses), "restarts": again, "errors": len(record.errors)})


def jam(record):
    """Slow traffic on a road of a route that was being followed."""
    for stamp, flow in record.flows:
        slow = {key for key, speed, factor in zip(
            zip(flow["way"], flow["from"], flow["to"]), flow["speed_mmps"], flow["jam_factor"])
            if factor >= 40 or speed < 3000}
        for entry in record.active:
            segments = record.routes[entry.route]["segments"] if entry.route else None
            if not segments or entry.stamp > stamp or not slow:
                continue
            hit = slow & set(zip(segments["way"], segments["from"], segments["to"]))
            if hit:
                return Rule("jam", True, f"{len(hit)} pieces of the route {entry.route} are jammed",
                            {"pieces": len(hit)})
    text = "traffic was seen, but no jam on the route" if record.flows else "no traffic was seen"
    return Rule("jam", False, text, {"flows": len(record.flows)})


def better(record):
    found = [gain for _, state, gain in record.better if state in ("found", "proposed")]
    adopted = [entry for entry in record.active if entry.reason == "better" and entry.route]
    figures = {"found": len(found), "adopted": len(adopted), "gain_s": max(found, default=None)}
    if not found:
        return Rule("better", False, "no better route was found", figures)
    if not adopted:
        return Rule("better", False, f"found ({max(found):.0f} s less), but not adopted", figures)
    return Rule("better", True, f"found ({max(found):.0f} s less) and adopted", figures)


def deviation(record):
    count = len(record.deviations)
    return Rule("deviation", count > 0, f"the route was left {count} times" if count else
                "the route was never left", {"deviations": count})


def rerouted(record):
    states = [event.state for event in record.reroutes]
    is_new = any(entry.reason == "reroute" and entry.route for entry in record.active)
    absent = [state for state in ("started", "completed") if state not in states]
    absent += [] if is_new else ["followed"]
    return Rule("reroute", not absent, f"none was {' nor '.join(absent)}" if absent else
                "started, completed and followed", {"states": states})


def arrival(record):
    reached = [entry for entry in record.arrivals if entry[1] == "destination_reached"]
    if not reached:
        left = min(record.remaining.values(), default=None)
        text = "the destination was not reached" + (f"; {left:.0f} m were left" if left is not None else "")
        return Rule("arrival", False, text, {})
    routes = len({entry[2] for entry in reached})
    starts = [entry.stamp for entry in record.active if entry.route]
    took_s = (reached[0][0] - min(starts)) / 1e9 if starts else None
    text = "reached" + (f" after {took_s:.0f} s" if took_s is not None else "")
    is_once = len(reached) == routes
    return Rule("arrival", is_once, text if is_once else f"{text}, but told {len(reached)} times",
                {"after_s": took_s})


def distance_m(a, b):
    """Metres between two places (lat, lon) in degrees, by haversine."""
    (lat1, lon1), (lat2, lon2) = (tuple(map(math.radians, place)) for place in (a, b))
    h = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * 6_371_008.8 * math.asin(math.sqrt(min(1, h)))


def _some(items, most=3):
    listed = "; ".join(str(item) for item in items[:most])
    return listed + (f"; and {len(items) - most} more" if len(items) > most else "")
