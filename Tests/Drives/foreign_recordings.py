"""Recordings in other hands: PyPI's `mcap` reads ours, and ours reads what it writes.

Its record reader checks every checksum; what it does not check (indexes, statistics, summary
offsets) is compared here with what is in the file.
"""

import json
import pathlib
import subprocess
import tempfile
import zlib

import stack
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


def main():
    stack.options(__doc__)
    results = stack.Results()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if ours(folder, results):
            theirs(folder, results)
    results.end()


if __name__ == "__main__":
    main()
