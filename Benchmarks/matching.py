#!/usr/bin/env python3
"""Map matching on traces whose true way is known (P5 and P6 of docs/benchmarks.md): ours and the peers over the same sets.

    matching.py prepare --work DIR --peers PEERS  convert the Kubicka tracks, drive synthetic traces; write DIR/list.tsv
    matching.py ours --work DIR                   run bench-matching; write DIR/ours.json and DIR/errors.json
    matching.py check --work DIR                  score our lines with the peers' own script; must give the same figures
    matching.py peers --work DIR --peers PEERS    run Valhalla and OSRM MLD over the same traces; write DIR/peers.json
    matching.py table --work DIR                  print ours.json and peers.json as tables, with our errors by kind
    matching.py noises --work DIR                 places told at once of receivers that err otherwise than the sets do
    matching.py cost --work DIR --peers PEERS     CPU of whole traces beside OSRM, in rounds that take turns
    matching.py drives --work DIR                 Kubicka's tracks, and noisy drives of our own router; write DIR/confidence.tsv
    matching.py confidence --work DIR             how well the confidence of a trace separates good from bad ones of `drives`

`peers`, `table` and `cost` take --sets (of kubicka, ar-5, ar-10, white-5, white-10) and, as `ours` does, --every
(seconds between fixes, with commas between). `peers` keeps what DIR/peers.json holds of other sets and samplings.
Needs --data (the folder with kubicka/tracks.tar.xz and maps/porto.osm.pbf; default $NAV_DATA) and --scripts (the peers'
scripts: mktraces.py, engines.py, geo.py). PEERS is the folder that setup.sh and build.sh filled (venv/, porto/,
pairs.csv); steps that need its Python start themselves again with it.
Kubicka: the data set's own graph as an OSM file, each pair of arcs a two-way tertiary road, a lone arc a one-way; its
data for the peers is built once, in DIR/kubicka-peers. Synthetic: mktraces.py, 40 drives over Porto at 1 Hz, white
noise and AR(1) of 0.9, sigma 5 and 10 m. Long parts show progress.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

from matching_drives import confidence, prepare_confidence
from matching_noises import noises
from matching_peers import Peer, need_peers, peers, settings
from matching_sets import ROOT, SAMPLINGS, SETS, Case, bench, cases, everies, mismatch, prepare, progress, rank
from matching_tables import table


def ours(options):
    every = options.every or SAMPLINGS
    bench(options, "--every", every, "--json", options.work / "ours.json")
    # Each fix for itself, so that it can be compared where a peer answers.
    bench(options, "--every", every, "--modes", "filtered", "--json", os.devnull,
          "--errors", options.work / "errors.json", output=subprocess.DEVNULL)


def check(options):
    """Scores our lines of whole traces at 1 Hz with geo.mismatch()."""
    import geo
    bench(options, "--modes", "whole", "--lines", options.work / "lines.json", "--json", options.work / "check.json")
    truths = {(case.set, case.id): case.truth for case in cases(options, SETS)}
    sums = {}
    for drawn in json.load(open(options.work / "lines.json")):
        added, missed, length = geo.mismatch(truths[drawn["set"], drawn["id"]], drawn["lines"])
        old = sums.get(drawn["set"], (0, 0))
        sums[drawn["set"]] = (old[0] + added + missed, old[1] + length)
    failed = False
    for row in json.load(open(options.work / "check.json")):
        if row["half"] == "all":
            wrong, length = sums[row["set"]]
            mine = mismatch(row)
            same = abs(wrong / length - mine) < 2e-4
            failed |= not same
            print(f"{'pass' if same else 'FAIL'}: {row['set']}: {100 * wrong / length:.3f} % by geo.mismatch, "
                  f"{100 * mine:.3f} % here")
    sys.exit(1 if failed else 0)


def cost(options):
    """CPU of whole traces, the least of rounds in which OSRM and a fresh process of ours take turns."""
    need_peers(options)
    runs = []
    for every in everies(options):
        for name in options.sets.split(","):
            peer = Peer(options, "osrm-mld", best_told(options, name, every))
            runs.append((name, every, peer, cases(options, [name], every), {}))
    for count in range(options.rounds):
        for name, every, peer, traces, least in runs:
            progress(f"round {count + 1} of {options.rounds}: {SETS[name]}, every {every} s")
            if count == 0:
                # Its data is read before it is timed, as it is in a server.
                osrm_cost(peer, traces)
            for key, value in (osrm_cost(peer, traces) | our_cost(options, name, every)).items():
                least[key] = min(value, least.get(key, value))
    progress("")
    print("| microseconds a fix (times OSRM's rate) | OSRM MLD | ours, unknown streets | ours, known streets |")
    print("|---|---|---|---|")
    for name, every, peer, _, least in runs:
        cells = [f"{least[key]:.2f} ({least['call'] / least[key]:.1f})" if key in least else "–" for key in (1, 2)]
        told = f"told {peer.told:g} m" if peer.told else "default"
        print(f"| {SETS[name]}, every {every} s | {least['call']:.2f}, {told} | {' | '.join(cells)} |")
    added = ", ".join(f"{SETS[name]} {least['request']:.2f}" for name, _, _, _, least in runs)
    print(f"\nOSRM: the call alone. Building its request in Python adds (microseconds a fix): {added}.")
    for name, _, peer, _, _ in runs:
        for case, why in peer.failed.items():
            print(f"OSRM failed on {SETS[name]} {case}: {why}")


def best_told(options, name, every):
    """OSRM's best setting by peers.json; without one the true sigma, but the default for 5 m, which that is."""
    path = options.work / "peers.json"
    tried = [row for row in (json.loads(path.read_text()) if path.exists() else [])
             if (row["set"], row["everyS"], row["engine"]) == (name, every, "osrm-mld")]
    if tried:
        return min(tried, key=rank)["toldM"]
    return None if name.endswith("-5") else settings(name)[1]


def osrm_cost(peer: Peer, traces: list[Case]):
    """Microseconds of CPU a fix: of the call, and of building its request."""
    fixes = whole_s = call_s = 0
    for case in traces:
        try:
            _, whole, call = peer.match(peer.engine(case), case.fixes)
        except Exception as error:
            peer.failed[case.id] = str(error)
            continue
        fixes, whole_s, call_s = fixes + len(case.fixes), whole_s + whole, call_s + call
    if not fixes:
        sys.exit(f"OSRM failed on every trace: {peer.failed}")
    return {"call": 1e6 * call_s / fixes, "request": 1e6 * (whole_s - call_s) / fixes}


def our_cost(options, name, every):
    """Microseconds of CPU a fix by the pass over the traces: 1 knows no street yet, 2 all.

    Each in a process of its own: one that goes over the Kubicka tracks once drops the map of each behind it.
    """
    path = options.work / "cost.json"
    least = {}
    for passes in (1, 2):
        bench(options, "--modes", "whole", "--sets", name, "--every", every, "--passes", passes, "--json", path,
              output=subprocess.DEVNULL)
        least[passes] = next(1e6 * row["cpuS"] / row["fixes"] for row in json.loads(path.read_text())
                             if row["half"] == "all" and row["pass"] == passes)
    return least


def main():
    steps = {"prepare": prepare, "ours": ours, "check": check, "peers": peers, "table": table, "noises": noises,
             "cost": cost, "drives": prepare_confidence, "confidence": confidence}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=steps)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path, default=os.environ.get("NAV_DATA", ROOT.parent / "shared/data"))
    parser.add_argument("--scripts", type=pathlib.Path, default=ROOT.parent / "shared/peers")
    parser.add_argument("--peers", type=pathlib.Path)
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/release")
    parser.add_argument("--sets", default=",".join(SETS), help="peers, table, cost: sets, with commas between")
    parser.add_argument("--every", help=f"seconds between fixes, with commas between; ours {SAMPLINGS}, others 1")
    parser.add_argument("--stride", type=int, default=25, help="peers: fixes between two windows")
    parser.add_argument("--rounds", type=int, default=5, help="cost: the least of so many counts")
    options = parser.parse_args()
    if options.what in ("prepare", "peers", "cost") and not options.peers:
        parser.error(f"{options.what} needs --peers")
    sys.path.insert(0, str(options.scripts))
    steps[options.what](options)


if __name__ == "__main__":
    main()
