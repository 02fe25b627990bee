"""One vocabulary for three engines' maneuvers, and the comparison by it.

A word is one of: left, right, slight left, slight right, sharp left, sharp right (turns, whatever the engine calls the
place: turn, continue, end of road), uturn, fork left|right|middle, ramp left|right (onto a ramp, off a motorway),
`roundabout N` with the exit's number, ferry. Straight on, another name and the way out of a roundabout are no words: nothing is to be done.
Merges are counted apart: they are no choice, and Valhalla says of none along these paths.

Words of one place are compared: what is told within NEAR_M of each other along the way is one place, and a
roundabout reaches as far as we are in it. Every junction at which none of the three has a word is a place, too; where another way
leads on.
"""

import collections
import json
import sys

NEAR_M = 30

OSRM_SILENT = {"depart", "arrive", "new name", "notification", "exit roundabout", "exit rotary", "use lane"}
VALHALLA = {
    9: "slight right", 10: "right", 11: "sharp right", 12: "uturn", 13: "uturn", 14: "sharp left", 15: "left",
    16: "slight left", 17: "ramp middle", 18: "ramp right", 19: "ramp left", 20: "ramp right", 21: "ramp left",
    22: "fork middle", 23: "fork right", 24: "fork left", 28: "ferry",
}


def side(modifier):
    return "left" if "left" in modifier else "right" if "right" in modifier else "middle"


def osrm_word(step):
    """OSRM's step as a word; None where nothing is to be done. Also for our own, which speak its language."""
    kind, modifier = step["type"], step.get("modifier") or "straight"
    if kind in OSRM_SILENT:
        return None
    if kind in ("roundabout", "rotary"):
        return f"roundabout {step.get('exit', 0)}"
    if modifier == "uturn":
        return "uturn"
    if kind == "fork":
        return f"fork {side(modifier)}"
    if kind in ("on ramp", "off ramp"):
        return f"ramp {side(modifier)}"
    if kind == "merge":
        return None
    # Turns, whatever the place is called; "roundabout turn" is a ring that is driven as a crossing.
    return None if modifier == "straight" else modifier


def valhalla_word(maneuver):
    if maneuver["type"] == 26:
        return f"roundabout {maneuver.get('roundabout_exit_count', 0)}"
    return VALHALLA.get(maneuver["type"])


def our_word(maneuver):
    return "ferry" if maneuver["action"] == "ferry" else osrm_word(maneuver)


def offsets(line):
    from peers_maneuvers import metres

    total, all_of_them = 0.0, [0.0]
    for a, b in zip(line, line[1:]):
        total += metres(a, b)
        all_of_them.append(total)
    return all_of_them


def places(asked, answer):
    """The places of one path: (OSRM's words, Valhalla's, ours, indices of the nodes) in the path's order."""
    far = offsets(asked["line"])
    told = []
    for engine, words in enumerate((
            [(osrm_word(step), step["at"], step["at"]) for step in asked["osrm"]],
            [(valhalla_word(one), one["at"], one["at"]) for one in asked["valhalla"]],
            [(our_word(one), one["at"], one["until"] if "oundabout" in one["action"] else one["at"])
             for one in answer["maneuvers"]])):
        told += [(far[at], far[until], engine, word, at) for word, at, until in words if word]
    told.sort(key=lambda one: one[0])
    groups = []
    for begin, end, engine, word, at in told:
        if groups and begin - groups[-1]["end"] <= NEAR_M:
            group = groups[-1]
        else:
            group = {"end": end, "words": ([], [], []), "nodes": []}
            groups.append(group)
        group["end"] = max(group["end"], end)
        group["words"][engine].append(word)
        group["nodes"].append(at)
        group["from"] = min(group.get("from", begin), begin)
    silent = 0
    for choice in answer["choices"]:
        here = far[choice["at"]]
        if choice["others"] and not any(group["from"] - NEAR_M <= here <= group["end"] + NEAR_M for group in groups):
            silent += 1
    # The first and last metres: OSRM's path and ours may begin on other pieces of the road.
    whole = [group for group in groups if group["from"] > 1 and group["end"] < far[-1] - 1]
    return whole, silent


def merges(asked, answer):
    """How often ours tells a merge along one path, OSRM, and both within NEAR_M."""
    far = offsets(asked["line"])
    ours, theirs = ([far[one["at"]] for one in steps if one["type"] == "merge"] for steps in (answer["maneuvers"], asked["osrm"]))
    both, left = 0, list(ours)
    for at in theirs:
        near = min(left, key=lambda place: abs(place - at), default=None)
        if near is not None and abs(near - at) <= NEAR_M:
            left.remove(near)
            both += 1
    return len(ours), len(theirs), both


def text(words):
    return " + ".join(words) or "nothing"


def tally(folder):
    asked = {one["id"]: one for one in map(json.loads, open(folder / "asked.jsonl"))}
    counts = collections.Counter()
    kinds, examples = collections.Counter(), collections.defaultdict(list)
    by_word = collections.defaultdict(collections.Counter)
    seen = {}
    for answer in map(json.loads, open(folder / "ours.jsonl")):
        one = asked[answer["id"]]
        if not answer["found"]:
            counts["not on our map"] += 1
            continue
        counts["routes"] += 1
        for name, count in zip(("merges of ours", "merges of OSRM", "merges of both"), merges(one, answer)):
            counts[name] += count
        groups, silent = places(one, answer)
        counts["silent"] += silent
        for group in groups:
            theirs, valhallas, own = group["words"]
            counts["places"] += 1
            # Does each two agree?
            counts["osrm=valhalla"] += theirs == valhallas
            counts["ours=osrm"] += own == theirs
            counts["ours=valhalla"] += own == valhallas
            if theirs != valhallas:
                continue
            word = text(theirs)
            by_word[word]["agreed"] += 1
            by_word[word]["ours"] += own == theirs
            nodes = tuple(one["nodes"][at] for at in group["nodes"])
            key = (nodes, word, text(own))
            seen[key] = seen.get(key, 0) + 1
            if own != theirs:
                kind = f"{word} → {text(own)}"
                kinds[kind] += 1
                examples[kind].append((one, answer, group))
    return counts, kinds, examples, by_word, seen


def compare(folder, options):
    counts, kinds, examples, by_word, seen = tally(folder)
    agreed = sum(row["agreed"] for row in by_word.values())
    same = sum(row["ours"] for row in by_word.values())
    spoken = sum(row["agreed"] for word, row in by_word.items() if word != "nothing")
    spoken_same = sum(row["ours"] for word, row in by_word.items() if word != "nothing")
    silent = counts["silent"]
    if options.json:
        print(json.dumps({"counts": counts, "agreed": agreed, "same": same, "spoken": spoken,
                          "spoken_same": spoken_same, "kinds": kinds}))
        return
    if options.show:
        show(examples, options.show, options.limit or 12)
        return
    distinct = len(seen)
    distinct_same = sum(1 for _, theirs, own in seen if theirs == own)
    print(f"{options.city}: {counts['routes']} routes ({counts['not on our map']} not on our map), {counts['places']} places with a word, "
          f"{silent} junctions without")
    print(f"  agree: OSRM and Valhalla {counts['osrm=valhalla'] / counts['places']:.1%}, ours and OSRM "
          f"{counts['ours=osrm'] / counts['places']:.1%}, ours and Valhalla {counts['ours=valhalla'] / counts['places']:.1%} of the places")
    print(f"  where both peers agree, ours does, too: all junctions {(same + silent) / (agreed + silent):.2%}; "
          f"where anybody has a word {same / agreed:.2%} of {agreed}; where both have the same word {spoken_same / spoken:.2%} of {spoken}; "
          f"each place once {distinct_same / distinct:.2%} of {distinct}")
    print(f"  merges, counted apart: ours tells {counts['merges of ours']}, OSRM {counts['merges of OSRM']}, "
          f"{counts['merges of both']} of them at one place")
    for kind, count in kinds.most_common(options.limit or 40):
        places_of = len({tuple(one["nodes"][at] for at in group["nodes"]) for one, _, group in examples[kind]})
        print(f"  {count:6} {places_of:5}  {kind}")


def show(examples, kind, limit):
    done = set()
    found = [one for name, all_of_them in examples.items() if kind == name for one in all_of_them]
    count = collections.Counter(tuple(one["nodes"][at] for at in group["nodes"]) for one, _, group in found)
    found.sort(key=lambda example: -count[tuple(example[0]["nodes"][at] for at in example[2]["nodes"])])
    for one, answer, group in found:
        nodes = tuple(one["nodes"][at] for at in group["nodes"])
        if nodes in done or len(done) >= limit:
            continue
        done.add(nodes)
        at = group["nodes"][0]
        place = one["line"][at]
        print(f"{count[nodes]} × route {one['id']}, {place[0] / 1e6:.6f},{place[1] / 1e6:.6f}: OSRM {text(group['words'][0])} · Valhalla "
              f"{text(group['words'][1])} · ours {text(group['words'][2])}")
        for step in one["osrm"]:
            if min(group["nodes"]) <= step["at"] <= max(group["nodes"]):
                print(f"    OSRM {step}")
        for maneuver in answer["maneuvers"]:
            if min(group["nodes"]) <= maneuver["at"] <= max(group["nodes"]):
                print(f"    ours {maneuver['action']} {maneuver.get('angle')}°: {maneuver['text']}")
        low, high = min(group["nodes"]) - 1, max(group["nodes"]) + 4
        for choice in answer["choices"]:
            if low <= choice["at"] <= high:
                print(f"    node {choice['node']}: {choice['from']} → {choice['angle']}° {choice['onto']}; " + " | ".join(choice["others"])
                      + "".join(f" | no entry {road}" for road in choice["barred"]))
    sys.stdout.flush()
