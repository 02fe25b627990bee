"""`nav drive`: the demo in one process, and the judge of the bus is content with it.

Twice the same, too: in memory nothing depends on the machine's speed. And the same again where each
stage is handed over to a fresh one after every few events: what a swap gives on is all that counts.
"""

import hashlib
import pathlib
import tempfile

import stack
from navstack import recording


def main():
    stack.options(__doc__)
    results = stack.Results()
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / f"{name}.mcap" for name in ("first", "second")]
        for file in files:
            code, _, errors = stack.run("nav", "drive", stack.DEMO, "--record", file, "--quiet", seconds=120)
            if code != 0:
                results.add(False, "nav drive runs the demo", errors.strip() or f"exit code {code}")
                results.end()
        results.add(True, "nav drive runs the demo")
        record = stack.DriveRecord()
        for entry in recording.messages(files[0]):
            record.take(*entry)
        found = stack.faults(record, demo=True)
        results.add(not found, "the judge is content with the drive in one process", found)
        hashes = {hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
        results.add(len(hashes) == 1, "two drives in one process are the same, byte for byte", "they differ")
        for every in (7,):
            swapped = pathlib.Path(folder) / f"every{every}.msgpack"
            code, _, errors = stack.run(
                "nav", "drive", stack.DEMO, "--record", swapped, "--quiet", "--hand-over-every", str(every), seconds=300
            )
            same = code == 0 and hashlib.sha256(swapped.read_bytes()).hexdigest() in hashes
            results.add(
                same, f"nothing changes where each stage is handed over after every {every} events",
                errors.strip() or "the drives differ",
            )
    results.end()


if __name__ == "__main__":
    main()
