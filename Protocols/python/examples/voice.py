"""Takes the place of the voice stage: says what the next maneuver is: python voice.py BASE."""
import os, sys, threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import navstack

bus, maneuvers, said = sys.argv[1], [], []


def repeat(request, vehicle):
    if not said:
        raise navstack.CallError("nothing_to_repeat", "Nothing was said yet.")
    return {"text": said[-1]}


server = navstack.Server(bus, "voice", {"voice/repeat": repeat})
threading.Thread(target=server.run, daemon=True).start()
with navstack.Publisher(bus, source="voice") as publisher:
    for topic, header, payload in navstack.subscribe(bus, "ego/route/active", "ego/guidance/maneuver"):
        if topic == "ego/route/active":
            maneuvers = payload["route"]["maneuvers"] if payload and payload.get("route") else []
        elif payload["event"] == "next" and payload["index"] < len(maneuvers):
            key = f"{payload['route_id']}/{payload['index']}/action"
            text = maneuvers[payload["index"]]["text"]
            said.append(text)
            announcement = {"key": key, "kind": "action", "text": text, "language": "en-US"}
            announcement |= {"expected_duration_s": 0.4 * len(text.split())}
            cause = [topic.split("/", 1)[1], header["src"], header["run"], header["seq"]]
            publisher.publish("ego/voice/announcement", announcement, header["stamp"], cause=cause)
