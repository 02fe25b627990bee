"""A voice stage in lock-step: says what the next maneuver is; navlaunch --lockstep starts it as a node."""
import json, os, socket, sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import msgpack
import navstack

MANIFEST = {"name": "lockstep.py", "about": "Says maneuvers, in lock-step.", "parameters": [], "serves": [], "calls": [],
            "inputs": ["route/active", "guidance/maneuver"], "outputs": ["voice/announcement"]}
if "--describe" in sys.argv:
    sys.exit(print(json.dumps(MANIFEST)))
maneuvers = {}


def handle(event):
    if event["kind"] != "message" or not event["payload"]:
        return
    payload, vehicle = msgpack.unpackb(event["payload"]), event["vehicle"]
    if event["topic"] == "route/active":
        maneuvers[vehicle] = payload["route"]["maneuvers"] if payload.get("route") else []
    elif payload["event"] == "next" and payload["index"] < len(maneuvers.get(vehicle, [])):
        text = maneuvers[vehicle][payload["index"]]["text"]
        said = {"key": f"{payload['route_id']}/{payload['index']}/action", "kind": "action", "text": text, "language": "en-US",
                "expected_duration_s": 0.4 * len(text.split())}
        yield {"kind": "publish", "topic": "voice/announcement", "stamp_ns": event["stamp_ns"], "payload": msgpack.packb(said)}


name = os.environ["NAV_NODE"]
server = navstack.Server(os.environ["NAV_BUS"], name, {f"_lockstep/{name}": navstack.lockstep(handle)})
if os.environ.get("NOTIFY_SOCKET"):
    socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])
parent = os.getppid()
server.run(until=lambda: os.getppid() != parent)
