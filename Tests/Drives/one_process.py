"""`nav drive`: the demo in one process, and the judge of the bus is content with it.

Twice the same, too: in memory nothing depends on the machine's speed.
"""

import hashlib
import pathlib
import tempfile

import stack
import recording


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
    results.end()


if __name__ == "__main__":
    main()
