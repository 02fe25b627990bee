"""Records what a page receives over its live link, as JSON lines that Tests/Page replays into the view model.

    .build/release/navlaunch Launch/demo.yaml --set location.rate=4 --set voice.sink=none --set renderer.page_access=open &
    python3 Tests/Page/record.py http://127.0.0.1:8123/ Tests/Page/recordings/demo.jsonl --until guidance/arrival

The first line is the page's config.json. Each further line is `{"at": milliseconds since the start, "message": …}`, a text
of the link as it came; `_link` is a message of the page itself. Unless `--whole` is given, the recording is reduced: of
frames in which only the vehicle moves one in `--every` event seconds stays, and columns that the page does not read go.
"""

import argparse
import base64
import json
import os
import socket
import sys
import time
import urllib.parse
import urllib.request

# What pages do not read of a route, and of its maneuvers and spans.
UNREAD = {"segments", "sections", "roads", "timeline", "regions"}
UNREAD_OF_SPANS = {"first_segment", "segment_count", "road", "base_speed_mps", "traffic_speed_mps", "traffic_kind", "duration_traffic_s",
                   "first_shape_index"}
UNREAD_OF_MANEUVERS = {"from_road", "segment", "shape_index", "bearing_before_deg", "bearing_after_deg"}


class LiveLink:
    """The texts of a WebSocket, without extensions and without fragments, as the renderer sends them."""

    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout=30)
        key = base64.b64encode(os.urandom(16)).decode()
        path = urllib.parse.urlunsplit(("", "", parts.path.rstrip("/") + "/live", parts.query, ""))
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.buffer = b""
        head = self.until(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            sys.exit(f"{url}: no live link: {head.splitlines()[0].decode()}")

    def fill(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise ConnectionError("the renderer has closed the link")
        self.buffer += data

    def until(self, mark):
        while mark not in self.buffer:
            self.fill()
        head, self.buffer = self.buffer.split(mark, 1)
        return head

    def take(self, count):
        while len(self.buffer) < count:
            self.fill()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def texts(self):
        while True:
            kind, length = self.take(2)
            length &= 0x7F
            if length > 125:
                length = int.from_bytes(self.take(2 if length == 126 else 8), "big")
            data = self.take(length)
            if kind & 0x0F == 8:
                return
            if kind & 0x0F == 9:
                mask = os.urandom(4)
                self.socket.sendall(bytes([0x8A, 0x80 | length]) + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))
            elif kind & 0x0F == 1:
                yield data.decode()


def without(value, names):
    return {key: entry for key, entry in value.items() if key not in names}


def reduced_route(route):
    route = without(route, UNREAD)
    route["spans"] = without(route.get("spans", {}), UNREAD_OF_SPANS)
    route["maneuvers"] = [without(maneuver, UNREAD_OF_MANEUVERS) for maneuver in route.get("maneuvers", [])]
    return route


def look_of(frame):
    """What is the same in frames in which only the vehicle moves."""
    panel = frame.get("panel", {})
    return [frame.get("route_id"), frame.get("indicator_style"), frame.get("camera_mode"), frame.get("night"),
            panel.get("maneuver_index"), panel.get("lanes"), panel.get("speed_limit_mps"), "speed_mps" in panel]


def reduced(lines, every_s):
    """The lines without frames and heartbeats that show nothing new, and without what no page reads."""
    kept, look, stamp_ns, beat_ms = [], None, 0, -1e9
    for line in lines:
        message = line["message"]
        payload = message.get("payload") or {}
        if message["topic"] == "scene/frame":
            after_event = kept[-1]["message"]["topic"] not in ("scene/frame", "_alive", "guidance/road")
            if not after_event and look_of(payload) == look and message["stamp"] - stamp_ns < every_s * 1e9:
                continue
            look, stamp_ns = look_of(payload), message["stamp"]
        elif message["topic"] == "_alive":
            if line["at"] - beat_ms < 2500:
                continue
            beat_ms = line["at"]
        elif payload.get("route"):
            message = message | {"payload": payload | {"route": reduced_route(payload["route"])}}
        kept.append({"at": line["at"], "message": message})
    return kept


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", help="address of the page, as the renderer prints it")
    parser.add_argument("file")
    parser.add_argument("--vehicle")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--until", help="a topic that ends the recording, three seconds later")
    parser.add_argument("--every", type=float, default=10, help="event seconds between frames that show nothing new")
    parser.add_argument("--whole", action="store_true", help="reduce nothing")
    options = parser.parse_args()
    url = options.url
    if options.vehicle:
        url += f"{'&' if '?' in url else '?'}vehicle={options.vehicle}"
    parts = urllib.parse.urlsplit(url)
    config_url = urllib.parse.urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/") + "/config.json", parts.query, ""))
    with urllib.request.urlopen(config_url, timeout=30) as answer:
        config = json.load(answer)
    link = LiveLink(url)
    begins, ends = time.monotonic(), time.monotonic() + options.seconds
    lines = [{"at": 0, "message": {"topic": "_link", "payload": {"isOpen": True}}}]
    for text in link.texts():
        now = time.monotonic()
        message = json.loads(text)
        if "topic" not in message:
            continue
        lines.append({"at": round((now - begins) * 1000, 1), "message": message})
        if message["topic"] == options.until:
            ends = min(ends, now + 3)
        if now > ends:
            break
    if not options.whole:
        lines = reduced(lines, options.every)
    with open(options.file, "w", encoding="utf-8") as file:
        for line in [{"config": config}, *lines]:
            file.write(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n")
    print(f"{len(lines)} messages, {os.path.getsize(options.file)} bytes: {options.file}")


if __name__ == "__main__":
    main()
