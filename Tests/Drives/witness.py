"""A reader of our own library beside a drive: are the numbers that it misses those it counts?"""

import json
import subprocess
import threading

import stack
import navstack


class Witness:
    """Listens for some seconds by `nav topic echo`."""

    def __init__(self, run, seconds):
        command = [stack.OPTIONS.programs / "nav", "topic", "echo", "--json", "--bus", run.base,
                   "--timeout", str(seconds), "ego/"]
        self.process = subprocess.Popen([str(word) for word in command], env=run.environment,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.output = None
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        self.output = self.process.communicate()

    def end(self):
        """(messages seen, numbers missing among them, what the reader counted as lost)."""
        self.reader.join()
        missing, last, seen = 0, {}, 0
        for line in self.output[0].splitlines():
            message = json.loads(line)
            seen += 1
            place = (message["topic"], message["src"])
            run, number = last.get(place, (None, None))
            leaf = navstack.declaration(message["topic"])
            kind = navstack.TOPICS[leaf]["class"]
            if run == message["run"]:
                if kind != "state" or not message["latched"]:
                    missing += max(0, message["seq"] - number - 1)
            elif run is not None and kind == "event":
                # It began while we listened, so its numbers count from 1.
                missing += message["seq"] - 1
            if run is None or (message["run"], message["seq"]) > (run, number):
                last[place] = (message["run"], message["seq"])
        counted = next((int(line.split()[1].replace("no", "0")) for line in self.output[1].splitlines()
                        if line.startswith("-- ")), None)
        return seen, missing, counted
