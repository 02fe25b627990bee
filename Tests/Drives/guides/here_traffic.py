"""HERE SDK, "Update traffic information": one test for each row."""

import json

import stack
from lab import Line, at
from places import HOME, MARKET, OFFICE, STADIUM
from rows import check, equal, near, row
from traffic import flow, incidents, on_road, pieces, shape


def three_sections(lab):
    """A route with two stops, and a jam and an accident in its second and third section."""
    vehicle = lab.jam.vehicle()
    vehicle.stand(HOME)
    vehicle.route = lab.jam.route(HOME, at(MARKET, name="Market"), at(STADIUM, name="Stadium"), OFFICE, car=vehicle.name)
    second, third = vehicle.route["sections"][1:]
    vehicle.jammed = pieces(vehicle.route, second["start_m"] + 300, second["start_m"] + 800)
    vehicle.accident = pieces(vehicle.route, third["start_m"] + 300, third["start_m"] + 500)
    flow(vehicle, vehicle.jammed)
    incidents(vehicle, ("i-1", "accident", vehicle.accident, {"text": "Accident", "delay_s": 60.0}),
              ("i-2", "construction", vehicle.jammed, {"text": "Road works"}))
    vehicle.answer = vehicle.call("route/traffic", {"handle": vehicle.route["handle"]})
    return vehicle


@row("refresh a route: a new start, new metadata", "`route/refresh`")
def test_a_refresh_begins_where_the_vehicle_is__RT_14(lab):
    vehicle = lab.once(three_sections)
    reply = vehicle.call("route/refresh", {"handle": vehicle.route["handle"], "section": 1, "travelled_on_section_m": 200})
    left = vehicle.route["length_m"] - vehicle.route["sections"][1]["start_m"] - 200
    near(reply["route"]["length_m"], left, 1, "metres left")
    new, old = shape(reply["route"]), shape(vehicle.route)
    equal(new[1:], old[-len(new) + 1:], "the shape after its start")
    check(reply["route"]["duration_latest_s"] > vehicle.answer["sections"][1]["duration_free_flow_s"] + 100, "its times know nothing of the jam")
    check(len(reply["route"]["sections"]) == 2, "sections left")


@row("traffic on a route from a section and the metres travelled on it", "`route/traffic` section, travelled_on_section_m")
def test_traffic_counts_metres_on_the_section__TR_2(lab):
    vehicle = lab.once(three_sections)
    second = vehicle.route["sections"][1]
    reply = vehicle.call("route/traffic", {"handle": vehicle.route["handle"], "section": 1, "travelled_on_section_m": 100})
    equal([section["section"] for section in reply["sections"]], [1, 2], "sections left")
    near(reply["sections"][0]["length_m"], second["length_m"] - 100, 0.5, "metres left of the second section")
    near(reply["length_m"], vehicle.route["length_m"] - second["start_m"] - 100, 0.5, "metres left in all")


@row("section 0 and 0 m mean the whole route", "`route/traffic` 0, 0")
def test_0_and_0_mean_the_whole_route__TR_2(lab):
    vehicle = lab.once(three_sections)
    near(vehicle.answer["length_m"], vehicle.route["length_m"], 0.1, "metres")
    equal(len(vehicle.answer["sections"]), 3, "sections")
    equal(vehicle.answer["spans"]["span"], list(range(len(vehicle.route["spans"]["road"]))), "spans")


@row("durations and delays by section and by span", "sections, spans: duration_latest_s, delay_s")
def test_sections_and_spans_have_durations_and_delays__TR_2(lab):
    answer = lab.once(three_sections).answer
    for name in ("duration_latest_s", "delay_s"):
        near(sum(section[name] for section in answer["sections"]), answer[name], 0.5, f"{name} of sections in all")
        near(sum(answer["spans"][name]), answer[name], 1, f"{name} of spans in all")
    delays = [section["delay_s"] for section in answer["sections"]]
    check(abs(delays[0]) < 0.01 and delays[1] > 100, f"delays of sections {delays}")
    check(max(answer["spans"]["jam_factor"]) >= 8.4 and "live" in answer["spans"]["speed_kind"], "no span is jammed, live")


@row("incidents by section and by span", "incidents, span_incidents")
def test_incidents_lie_on_sections_and_spans__TR_5__TR_2(lab):
    vehicle = lab.once(three_sections)
    answer = vehicle.answer
    equal([one["id"] for one in answer["incidents"]], ["i-2", "i-1"], "incidents, the nearest first")
    equal([section["incidents"] for section in answer["sections"]], [[], [0], [1]], "incidents of sections")
    for entry in answer["span_incidents"]:
        begin = vehicle.route["spans"]["first_segment"][entry["span"]]
        count = vehicle.route["spans"]["segment_count"][entry["span"]]
        columns = vehicle.route["segments"]
        there = {(columns["way"][n], columns["from"][n], columns["to"][n]) for n in range(begin, begin + count)}
        wanted = vehicle.jammed if entry["incident"] == 0 else vehicle.accident
        check(there & set(wanted), f"incident {entry['incident']} is not on span {entry['span']}")
    equal({entry["incident"] for entry in answer["span_incidents"]}, {0, 1}, "incidents on spans")


@row("length and geometry stay as they are", "`route/traffic`, `route/refresh`")
def test_traffic_changes_no_length__TR_2__TR_3(lab):
    vehicle = lab.once(three_sections)
    lengths = [section["length_m"] for section in vehicle.answer["sections"]]
    for found, section in zip(lengths, vehicle.route["sections"]):
        near(found, section["length_m"], 0.1, "metres of a section")
    reply = vehicle.call("route/refresh", {"handle": vehicle.route["handle"]})
    equal(reply["route"]["shape"], vehicle.route["shape"], "the shape")


@row("it needs a route handle", "route_handle_missing, route_handle_outdated")
def test_traffic_needs_a_handle__RT_16(lab):
    equal(lab.jam.refused("route/traffic", {"handle": ""}).code, "route_handle_missing", "no handle")
    code = lab.jam.refused("route/traffic", {"handle": "no-such-handle"}).code
    check(code in ("route_handle_missing", "route_handle_outdated"), f"a handle that nobody gave: {code}")


@row("repeat it while driving", "`navigator.traffic_interval_s`")
def test_the_navigator_asks_again_and_again__TR_4(lab):
    running, vehicle = lab.jam, lab.jam.vehicle()
    running.subscribe("_svc/route/traffic")
    vehicle.start(HOME, OFFICE)
    vehicle.follow(to_m=1700)
    asked = [header["stamp"] for topic, header, body in running.others if topic == "_svc/route/traffic" and body["phase"] == "request"
             and body["vehicle"] == vehicle.name and body.get("source") == "navigator"]
    steps = [(after - before) / 1e9 for before, after in zip(asked, asked[1:])]
    # The clock runs on while a busy machine lets a process wait, which moves one question and not their mean distance.
    check(len(asked) >= 4 and min(steps) >= 20, f"seconds between questions with an interval of 30 s: {steps}")
    near(sum(steps) / len(steps), 30, 6, "seconds between questions in the mean")


@row("the next progress shows it; distances stay", "`guidance/progress` sections, delay_s, traffic_ns")
def test_the_next_progress_shows_new_traffic__TR_3__TR_9(lab):
    vehicle = lab.jam.vehicle()
    vehicle.start(HOME, OFFICE)
    vehicle.follow(to_m=500)
    # Without traffic there is no delay, and the time left goes down as the vehicle drives, answers or not.
    free = vehicle.all("guidance/progress")
    equal({section["delay_s"] for one in free for section in one["sections"]}, {0.0}, "delays without traffic")
    jumps = [after["remaining_s"] - before["remaining_s"] for before, after in zip(free, free[1:])]
    # The pace of the driver is learned, by which the time left changes a little with each fix.
    check(max(jumps) <= 1 and min(jumps) > -4, f"the time left changes by {min(jumps):.1f} to {max(jumps):.1f} s from one fix to the next")
    flow(vehicle, on_road(vehicle.active, "Atlantic Motorway")[:1], speed_mps=5)
    before = vehicle.last("guidance/progress")
    vehicle.follow(to_m=1000, until=lambda: vehicle.last("guidance/progress")["sections"][0]["delay_s"] > 0)
    after = vehicle.last("guidance/progress")
    check(after["sections"][0]["delay_s"] > 60, f"a delay of {after['sections'][0]['delay_s']} s")
    driven = after["travelled_m"] - before["travelled_m"]
    near(before["remaining_m"] - after["remaining_m"], driven, 0.01, "metres left")
    near(after["remaining_s"] - before["remaining_s"], after["sections"][0]["delay_s"] - driven / 19.4, 6, "seconds left")
    check(after["traffic_ns"] > before.get("traffic_ns", 0), "traffic_ns is not that of the newer traffic")


@row("the application gives the navigator a traffic answer", "`navigate/set_traffic`")
def test_the_application_hands_over_traffic__TR_9__TR_3(lab):
    running, vehicle = lab.town, lab.town.vehicle()
    vehicle.start(HOME, OFFICE)
    vehicle.follow(to_m=200)
    flow(vehicle, on_road(vehicle.active, "Atlantic Motorway"))
    progress = vehicle.last("guidance/progress")
    answer = vehicle.call("route/traffic", {
        "handle": vehicle.active["handle"], "section": 0, "travelled_on_section_m": progress["travelled_on_section_m"]})
    equal(vehicle.call("navigate/set_traffic", answer), {}, "the reply")
    line = Line(shape(vehicle.active))
    vehicle.fix(line.at(line.nearest(vehicle.place)[0] + 13)[0], speed=13)
    after = vehicle.last("guidance/progress")
    near(after["sections"][0]["delay_s"], answer["delay_s"], 1, "the delay in the next progress")
    near(after["remaining_m"], progress["remaining_m"] - 13, 1, "metres left")
    error = vehicle.refused("navigate/set_traffic", {**answer, "route_id": "another"})
    equal(error.code, "other_route", "an answer for another route")
    other = running.vehicle()
    other.stand(HOME)
    equal(other.refused("navigate/set_traffic", answer).code, "no_route", "an answer without a route")


@row("traffic as predicted, live or typical", "`spans.traffic_kind`; typical speeds by departure")
def test_speeds_name_their_source__TR_7__TR_10(lab):
    vehicle = lab.jam.vehicle()
    vehicle.stand(HOME)
    route = lab.jam.route(HOME, OFFICE, car=vehicle.name)
    equal(set(route["spans"]["traffic_kind"]), {"free_flow"}, "kinds without traffic")
    street = on_road(route, "East Avenue")
    for kind in ("live", "predicted"):
        flow(vehicle, street, speed_mps=16, jam_factor=1, kind=kind)
        found = set(lab.jam.route(HOME, OFFICE, car=vehicle.name)["spans"]["traffic_kind"])
        equal(found, {"free_flow", kind}, f"kinds with {kind} speeds")
    # Typical speeds of the file hold on Mondays at eight, not at noon; the town is two hours behind UTC.
    typical = lab.path / "typical.csv"
    typical.write_text("profile,morning,40,Mo-Fr 07:00-09:00\n" + "".join(f"{way},{begin},{end},morning\n" for way, begin, end in street))
    words = ["route", "--map", str(stack.ROOT / ".cache/town.osm"), "--from", "%.5f,%.5f" % HOME, "--to", "%.5f,%.5f" % OFFICE,
             "--typical", str(typical), "--format", "osrm", "--depart"]
    times = []
    for hour in ("10:00", "14:00"):
        code, out, errors = stack.run("nav", *words, f"2026-06-01T{hour}:00Z")
        check(code == 0, errors)
        times.append(json.loads(out)["routes"][0]["duration"])
    check(times[0] > times[1] + 8, f"seconds on Monday at 8 and at 12 of the town: {times}")
