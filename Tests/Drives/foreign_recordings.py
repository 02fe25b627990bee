"""Recordings in other hands: PyPI's `mcap` and `foxglove-sdk` read ours, and ours reads what they write.

Its record reader checks every checksum; what it does not check (indexes, statistics, summary
offsets) is compared here with what is in the file.
"""

import base64
import csv
import io
import json
import os
import pathlib
import re
import socket
import struct
import subprocess
import tempfile
import time
import zlib

import stack
import foxglove
import msgpack
import navstack
from foxglove import messages as schemas
from navstack import recording
from mcap import records
from mcap.reader import make_reader
from mcap.stream_reader import StreamReader, breakup_chunk
from mcap.writer import CompressionType, IndexType, Writer


def doctor(path):
    """What is wrong with a file, as a list of sentences; reads all of it."""
    found, chunks, indexes, counts = [], {}, {}, {}
    schemas, channels, attachments, metadata, groups = {}, {}, 0, 0, []
    times, last, footer, statistics, data_over = [], None, None, None, False
    summary = {"schemas": {}, "channels": {}, "chunks": []}
    # Both ways: once whole with all checksums, once chunk by chunk for the places.
    for _ in StreamReader(open(path, "rb"), validate_crcs=True).records:
        pass
    data = path.read_bytes()
    for record in StreamReader(open(path, "rb"), emit_chunks=True).records:
        if isinstance(record, records.Chunk):
            last = {"record": record, "entries": {}, "indexed": {}}
            chunks[len(chunks)] = last
            for inner in breakup_chunk(record, validate_crc=True):
                if isinstance(inner, records.Message):
                    counts[inner.channel_id] = counts.get(inner.channel_id, 0) + 1
                    times.append(inner.log_time)
                    last["entries"].setdefault(inner.channel_id, []).append(inner.log_time)
                    if not record.message_start_time <= inner.log_time <= record.message_end_time:
                        found.append("a message's time is not in its chunk's")
                elif isinstance(inner, records.Schema):
                    schemas[inner.id] = inner
                elif isinstance(inner, records.Channel):
                    channels[inner.id] = inner
        elif isinstance(record, records.MessageIndex):
            last["indexed"][record.channel_id] = [time for time, _ in record.records]
        elif isinstance(record, records.Attachment):
            attachments += 1
        elif isinstance(record, records.Metadata):
            metadata += 1
        elif isinstance(record, records.DataEnd):
            data_over = True
            if record.data_section_crc == 0:
                found.append("the data section has no checksum")
        elif isinstance(record, records.Schema):
            (summary["schemas"] if data_over else schemas)[record.id] = record
        elif isinstance(record, records.Channel):
            (summary["channels"] if data_over else channels)[record.id] = record
        elif isinstance(record, records.ChunkIndex):
            summary["chunks"].append(record)
        elif isinstance(record, records.Statistics):
            statistics = record
        elif isinstance(record, records.SummaryOffset):
            groups.append(record)
        elif isinstance(record, records.Footer):
            footer = record
    for number, chunk in chunks.items():
        if chunk["entries"] != chunk["indexed"]:
            found.append(f"chunk {number}: its message indexes differ from its messages")
    for number, index in enumerate(summary["chunks"]):
        chunk = chunks[number]["record"]
        if (index.message_start_time, index.message_end_time, index.uncompressed_size, index.compressed_size) != (
                chunk.message_start_time, chunk.message_end_time, chunk.uncompressed_size, len(chunk.data)):
            found.append(f"chunk index {number} differs from its chunk")
        if data[index.chunk_start_offset] != 6 or any(data[place] != 7 for place in index.message_index_offsets.values()):
            found.append(f"chunk index {number} names places where something else is")
        if set(index.message_index_offsets) != set(chunks[number]["entries"]):
            found.append(f"chunk index {number} has other channels than its chunk")
    if len(summary["chunks"]) != len(chunks):
        found.append(f"{len(summary['chunks'])} chunk indexes for {len(chunks)} chunks")
    if summary["schemas"] != schemas or summary["channels"] != channels:
        found.append("the summary's schemas or channels are not those of the data")
    told = (statistics.message_count, statistics.schema_count, statistics.channel_count, statistics.attachment_count,
            statistics.metadata_count, statistics.chunk_count, dict(statistics.channel_message_counts))
    counted = (sum(counts.values()), len(schemas), len(channels), attachments, metadata, len(chunks), counts)
    if told != counted:
        found.append(f"statistics say {told}, there are {counted}")
    if times and (statistics.message_start_time, statistics.message_end_time) != (min(times), max(times)):
        found.append("the statistics' times are not those of the messages")
    for group in groups:
        if data[group.group_start] != group.group_opcode:
            found.append("a summary offset names a place where something else is")
    if footer.summary_crc != zlib.crc32(data[footer.summary_start:-8 - 4]):
        found.append("the summary's checksum is wrong")
    return found


def ours(folder, results):
    path = folder / "drive.mcap"
    code, _, errors = stack.run("nav", "drive", stack.DEMO, "--record", path, "--quiet", seconds=120)
    if code != 0:
        results.add(False, "nav drive records the demo", errors)
        return None
    found = doctor(path)
    results.add(not found, "PyPI's mcap reads a drive: checksums, indexes, statistics agree", "; ".join(found[:5]))
    own = [(topic, header["seq"], payload) for topic, header, payload in recording.messages(path)]
    with open(path, "rb") as file:
        theirs = [(channel.topic, message.sequence, message.data)
                  for _, channel, message in make_reader(file).iter_messages(log_time_order=False)
                  if channel.topic != "_trace"]
    results.add(own == theirs and len(own) > 1000, "both give the same messages in the same order",
                f"{len(own)} and {len(theirs)}")
    with open(path, "rb") as file:
        summary = make_reader(file).get_summary()
    schemas = {schema.name: schema for schema in summary.schemas.values()}
    raw = schemas.get("location_raw/1.0")
    text = raw and json.loads(raw.data)
    results.add(raw is not None and raw.encoding == "jsonschema" and "lat_deg" in text["properties"],
                "the JSON Schema of a payload is in the file", str(sorted(schemas)))
    code, output, errors = stack.run("nav", "rec", "verify", path)
    results.add(code == 0 and f"sound, {len(own)} messages" in output,
                "nav rec verify finds it sound, and counts its messages", output + errors)
    parts(folder, path, own, results)
    return path


def parts(folder, path, whole, results):
    """Cut in two, put together again, and saved, a recording is what it was."""
    begin, end, both, saved = (folder / f"{name}.mcap" for name in ("begin", "end", "both", "saved"))
    for command in (["cut", path, begin, "--to", "99.5"], ["cut", path, end, "--from", "100"],
                    ["merge", both, end, begin], ["recover", path, saved], ["verify", begin, end, both, saved]):
        code, output, errors = stack.run("nav", "rec", *command)
        if code != 0:
            results.add(False, f"nav rec {command[0]}", output + errors)
            return
    first = [header.get("latched", False) for _, header, _ in recording.messages(end)]
    results.add(first[0] and first == sorted(first, reverse=True), "nav rec cut begins with what was latched by then")
    again = [(topic, header["seq"], payload) for topic, header, payload in recording.messages(both)
             if not header.get("latched")]
    results.add(again == whole, "nav rec cut and merge lose nothing", f"{len(again)} of {len(whole)}")
    kept = [(topic, header["seq"], payload) for topic, header, payload in recording.messages(saved)]
    results.add(kept == whole, "nav rec recover of a sound file changes nothing", f"{len(kept)} of {len(whole)}")


def theirs(folder, results):
    for name, compression, options in [
            ("none", CompressionType.NONE, {}), ("zstd", CompressionType.ZSTD, {}),
            ("without chunks", CompressionType.NONE, {"use_chunking": False}),
            ("without indexes", CompressionType.ZSTD, {"index_types": IndexType.NONE}),
            ("without summary's channels", CompressionType.ZSTD, {"repeat_channels": False})]:
        path = folder / f"{name}.mcap"
        written = []
        with open(path, "wb") as file:
            writer = Writer(file, chunk_size=4096, compression=compression, enable_data_crcs=True, **options)
            writer.start(profile="", library="test")
            schema = writer.register_schema("thing", "jsonschema", b"{}")
            channels = [writer.register_channel(f"car/topic{k}", "msgpack", schema if k else 0) for k in range(3)]
            for k in range(500):
                writer.add_message(channels[k % 3], log_time=1000 + k, publish_time=k, sequence=k + 1,
                                   data=b"\x81\xa1k\xcd" + k.to_bytes(2, "big"))
                written.append((f"car/topic{k % 3}", k + 1, k))
            writer.add_attachment(1, 2, "note.txt", "text/plain", b"hello")
            writer.add_metadata("session", {"vehicles": "car"})
            writer.finish()
        code, output, errors = stack.run("nav", "rec", "export", path)
        lines = [json.loads(line) for line in output.splitlines()]
        read = [(line["topic"], line["seq"], line["payload"]["k"]) for line in lines]
        results.add(code == 0 and read == written, f"ours reads the file of PyPI's mcap: {name}",
                    errors or f"{len(read)} of {len(written)}")
        code, output, errors = stack.run("nav", "rec", "verify", path)
        results.add(code == 0, f"nav rec verify finds it sound: {name}", output + errors)


NAV_SAT_FIX = "sensor_msgs/msg/NavSatFix"


def nav_sat_fix(stamp_ns, latitude, longitude, status=0, variance=4.0):
    """A NavSatFix as rosbag2 stores it: CDR, little-endian, each value aligned to its size."""
    frame = b"gps\0"
    head = struct.pack("<iII", stamp_ns // 10**9, stamp_ns % 10**9, len(frame)) + frame
    head += struct.pack("<bxH", status, 1)
    head += b"\0" * (-len(head) % 8)
    covariance = [variance, 0, 0, 0, variance, 0, 0, 0, 9.0]
    return b"\0\1\0\0" + head + struct.pack("<12dB", latitude, longitude, 430.0, *covariance, 2)


def write_bag(path, fixes):
    """A bag of ROS 2 with a camera next to the receiver, which begins without a fix."""
    with open(path, "wb") as file:
        writer = Writer(file, compression=CompressionType.ZSTD)
        writer.start(profile="ros2", library="test")
        channel = writer.register_channel("/gps/fix", "cdr", writer.register_schema(NAV_SAT_FIX, "ros2msg", b""))
        camera = writer.register_channel("/camera", "cdr", writer.register_schema("sensor_msgs/msg/Image", "ros2msg", b""))
        log_time = 1_000_000_000
        writer.add_message(channel, log_time, nav_sat_fix(fixes[0][0], 0.0, 0.0, status=-1), log_time)
        for number, (time_ns, latitude, longitude) in enumerate(fixes):
            log_time += 10_000_000
            writer.add_message(channel, log_time, nav_sat_fix(time_ns, latitude, longitude), log_time, number)
            writer.add_message(camera, log_time, b"\0\1\0\0picture", log_time, number)
        writer.finish()


def write_foxglove(path, fixes):
    """The same fixes as Foxglove's own library writes them, in Protocol Buffers."""
    context = foxglove.Context()
    channel = foxglove.channels.LocationFixChannel("/gps", context=context)
    with foxglove.open_mcap(str(path), context=context):
        for time_ns, latitude, longitude in fixes:
            channel.log(schemas.LocationFix(
                timestamp=schemas.Timestamp(sec=time_ns // 10**9, nsec=time_ns % 10**9), latitude=latitude,
                longitude=longitude, position_covariance=[4.0, 0, 0, 0, 4.0, 0, 0, 0, 9.0],
                position_covariance_type=schemas.LocationFixPositionCovarianceType.DiagonalKnown))


def matched(path, results, what):
    """What `nav match` gives of a recording: place on the road and time of each fix, and its remarks."""
    map_file = stack.ROOT / ".cache/town.osm"
    code, output, errors = stack.run("nav", "match", path, "--map", map_file, "--format", "json", seconds=120)
    if code != 0:
        results.add(False, f"nav match reads {what}", errors)
        return [], errors
    fixes = json.loads(output)["fixes"]
    return [(fix["matched_lat"], fix["matched_lon"], fix["time"]) for fix in fixes], errors


def fixes_of_others(folder, drive, results):
    """Fixes in the hands of ROS 2 and of Foxglove match as our own recording of them does."""
    raw = [msgpack.unpackb(payload) for topic, _, payload in recording.messages(drive) if topic.endswith("/location/raw")]
    fixes = [(fix["time_ns"], fix["lat_deg"], fix["lon_deg"]) for fix in raw[:120]]
    bag, library = folder / "bag.mcap", folder / "library.mcap"
    write_bag(bag, fixes)
    write_foxglove(library, fixes)
    by_ros, remarks = matched(bag, results, "a bag of ROS 2 (NavSatFix in CDR)")
    by_foxglove, _ = matched(library, results, "a file of Foxglove (LocationFix in Protocol Buffers)")
    results.add(len(by_ros) == len(fixes) and by_ros == by_foxglove and sum(place[0] is not None for place in by_ros) > 100,
                "nav match gives the same of NavSatFix and of LocationFix", f"{len(by_ros)}, {len(by_foxglove)} of {len(fixes)}")
    results.add("without a position fix are left out: 1" in remarks, "a receiver without a fix is counted and left out", remarks)
    own, _ = matched(drive, results, "a recording of this bus")
    results.add(len(own) == len(raw), "nav match reads location/raw of a recording of this bus", f"{len(own)} of {len(raw)}")
    code, output, errors = stack.run("nav", "play", bag)
    results.add(code != 0 and "/camera (sensor_msgs/msg/Image, cdr)" in errors and "/gps/fix" in errors and "nav match" in errors,
                "nav play of a bag of ROS warns by topic, and says what reads it", f"{code}: {output}{errors}")


def exported(folder, drive, results):
    """The three forms of nav rec export, read by what they are for."""
    target = folder / "foxglove.mcap"
    code, output, errors = stack.run("nav", "rec", "export", drive, "--format", "foxglove", "--output", target)
    if code != 0:
        results.add(False, "nav rec export --format foxglove", output + errors)
        return
    found = doctor(target)
    results.add(not found, "PyPI's mcap finds the file for Foxglove sound", "; ".join(found[:5]))
    kinds, problems = {}, []
    with open(target, "rb") as file:
        for schema, channel, message in make_reader(file).iter_messages():
            kinds[schema.name] = kinds.get(schema.name, 0) + 1
            payload = json.loads(message.data)
            missing = set(payload) - set(json.loads(schema.data).get("properties", payload))
            if channel.message_encoding != "json" or schema.encoding != "jsonschema" or missing:
                problems.append(f"{channel.topic}: {schema.encoding}, {channel.message_encoding}, {missing}")
            check_with_library(schema.name, payload, problems)
    results.add(not problems and all(kinds.get(f"foxglove.{name}", 0) > 0 for name in ("LocationFix", "GeoJSON", "Log")),
                "Foxglove's library takes each LocationFix, GeoJSON and Log", f"{problems[:3]} {kinds}")
    code, output, errors = stack.run("nav", "rec", "export", drive, "--format", "csv", "--topics", "guidance/progress")
    rows = list(csv.DictReader(io.StringIO(output)))
    own = [payload for topic, _, payload in recording.messages(drive) if topic.endswith("/guidance/progress")]
    results.add(code == 0 and len(rows) == len(own) and float(rows[0]["remaining_m"]) > 0 and rows[0]["topic"] == "ego/guidance/progress",
                "nav rec export --format csv has a row for each message", errors or f"{len(rows)} of {len(own)}")
    code, _, errors = stack.run("nav", "rec", "export", drive, "--format", "csv")
    results.add(code != 0 and "one topic" in errors, "it asks for one topic", errors)


def check_with_library(name, payload, problems):
    """Makes a message of Foxglove's library from the fields of one of ours."""
    fields = dict(payload)
    try:
        if name == "foxglove.LocationFix":
            fields["timestamp"] = schemas.Timestamp(**fields["timestamp"])
            fields["velocity"] = schemas.Vector3(**fields["velocity"]) if "velocity" in fields else None
            kinds = schemas.LocationFixPositionCovarianceType
            fields["position_covariance_type"] = [kinds.Unknown, kinds.Approximated][fields["position_covariance_type"]]
            schemas.LocationFix(**fields).encode()
        elif name == "foxglove.GeoJSON":
            json.loads(fields["geojson"])["features"]
            schemas.GeoJson(**fields).encode()
        elif name == "foxglove.Log":
            fields["timestamp"] = schemas.Timestamp(**fields["timestamp"])
            levels = [schemas.LogLevel.Unknown, schemas.LogLevel.Debug, schemas.LogLevel.Info, schemas.LogLevel.Warning, schemas.LogLevel.Error]
            fields["level"] = levels[fields["level"]]
            schemas.Log(**fields).encode()
    except (TypeError, KeyError, ValueError, IndexError) as error:
        problems.append(f"{name}: {error}")


class FoxgloveClient:
    """A WebSocket client of the plainest kind that speaks Foxglove's protocol."""

    def __init__(self, port, protocol="foxglove.websocket.v1"):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        key = base64.b64encode(os.urandom(16)).decode()
        offer = f"Sec-WebSocket-Protocol: {protocol}\r\n" if protocol else ""
        self.socket.sendall((f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n{offer}\r\n").encode())
        self.file = self.socket.makefile("rb")
        self.status = self.file.readline().decode().strip()
        self.headers = {}
        while line := self.file.readline().decode().strip():
            name, _, value = line.partition(": ")
            self.headers[name.lower()] = value

    def send(self, message):
        data = json.dumps(message).encode()
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        self.socket.sendall(b"\x81" + size + b"\0\0\0\0" + data)

    def receive(self):
        """The next message: a decoded text, or bytes."""
        while True:
            first, size = self.file.read(2)
            if size == 126:
                size, = struct.unpack(">H", self.file.read(2))
            elif size == 127:
                size, = struct.unpack(">Q", self.file.read(8))
            data = self.file.read(size)
            if first & 15 in (1, 2):
                return json.loads(data) if first & 15 == 1 else data

    def close(self):
        self.file.close()
        self.socket.close()


def live(folder, results):
    """A stack in Foxglove while it runs."""
    base = f"ipc://{folder}/bus"
    environment = {**os.environ, "NAV_BUS": base}
    bus = subprocess.Popen([stack.OPTIONS.programs / "nav-bus"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    bridge = None
    try:
        stack.eventually(lambda: (folder / "bus/in").exists(), 10)
        bridge = subprocess.Popen([stack.OPTIONS.programs / "nav", "foxglove", "--bus", base, "--port", "0"],
                                  env=environment, stdout=subprocess.PIPE, text=True)
        port = int(re.search(r"ws://127.0.0.1:(\d+)", bridge.stdout.readline())[1])
        bridged(base, port, results)
    finally:
        for process in (bridge, bus):
            if process:
                process.terminate()
                process.wait(10)


def bridged(base, port, results):
    client = FoxgloveClient(port)
    info, offer = client.receive(), client.receive()
    channels = {channel["topic"]: channel for channel in offer["channels"]}
    results.add(client.headers.get("sec-websocket-protocol") == "foxglove.websocket.v1" and info["op"] == "serverInfo"
                and channels["/ego/location/raw"]["schemaName"] == "foxglove.LocationFix"
                and json.loads(channels["/ego/location/raw"]["schema"])["title"] == "foxglove.LocationFix",
                "nav foxglove greets a client and advertises the topics", str(info))
    client.send({"op": "subscribe", "subscriptions": [{"id": 7, "channelId": channels["/ego/location/raw"]["id"]}]})
    begin_ns, message = time.time_ns(), None
    ends = time.monotonic() + 15
    client.socket.settimeout(0.2)
    while message is None and time.monotonic() < ends:
        navstack.publish(base, "ego/location/raw", {"lat_deg": 47.1, "lon_deg": 9.5, "accuracy_m": 3.0})
        try:
            client.file = client.file if not client.file.closed else client.socket.makefile("rb")
            message = client.receive()
        except TimeoutError:
            client.file = client.socket.makefile("rb")
    opcode, subscription, received_ns = struct.unpack_from("<BIQ", message or b"\0" * 13)
    fix = json.loads(message[13:]) if message else {}
    results.add((opcode, subscription) == (1, 7) and fix.get("latitude") == 47.1 and abs(received_ns - begin_ns) < 60e9,
                "it sends the messages of a topic that was subscribed to", str(fix))
    client.close()
    newer = FoxgloveClient(port, "foxglove.sdk.v1")
    results.add(newer.headers.get("sec-websocket-protocol") == "foxglove.sdk.v1", "it speaks the name of the newer protocol, too")
    newer.close()
    other = FoxgloveClient(port, "")
    results.add(other.status.split()[1] == "400", "a WebSocket of another protocol is refused", other.status)
    other.close()


def main():
    stack.options(__doc__)
    results = stack.Results()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if drive := ours(folder, results):
            theirs(folder, results)
            fixes_of_others(folder, drive, results)
            exported(folder, drive, results)
        live(folder, results)
    results.end()


if __name__ == "__main__":
    main()
