"""A bus, a renderer, and a publisher that plays all the other stages."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import msgpack
import zmq

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "clients/python"))

import navstack  # noqa: E402, found by the path above


def schema(topic):
    return topic.replace("/", "_") + "/1.0"


class Stack:
    """Starts `nav-bus` and `nav-renderer` of a build folder; `url` is the page's address."""

    def __init__(self, programs, map_path, vehicle="ego", **parameters):
        self.vehicle = vehicle
        self.programs = pathlib.Path(programs)
        self.folder = tempfile.TemporaryDirectory(prefix="navstack-")
        self.base = f"ipc://{self.folder.name}/bus"
        self.parameters = {"map": str(map_path), "port": 0, "page_access": "open", "page_parts": str(ROOT / ".cache/page"), **parameters}
        self.sequence = {}
        self.run = time.time_ns()
        self.bus = self.start("nav-bus")
        self.renderer, self.url = None, None
        self.start_renderer()
        self.out = zmq.Context.instance().socket(zmq.PUSH)
        self.out.connect(f"{self.base}/in")

    def start(self, program, *arguments):
        with open(self.log(program), "w", encoding="utf-8") as log:
            return subprocess.Popen(
                [self.programs / program, *arguments], env={**os.environ, "NAV_BUS": self.base, "NAV_VEHICLE": self.vehicle}, stdout=log,
                stderr=subprocess.STDOUT)

    def log(self, program):
        return pathlib.Path(self.folder.name) / f"{program}.log"

    def start_renderer(self):
        path = pathlib.Path(self.folder.name) / "params.json"
        path.write_text(json.dumps(self.parameters))
        self.renderer = self.start("nav-renderer", "--params", str(path), "--name", "renderer")
        while self.renderer.poll() is None:
            if found := re.search(r"page: (http://\S+)", self.log("nav-renderer").read_text(encoding="utf-8")):
                self.url = found[1]
                # The same place again after a restart, as in a stack file.
                self.parameters["port"] = int(self.url.rsplit(":", 1)[1].strip("/"))
                return
            time.sleep(0.05)
        raise RuntimeError("nav-renderer ended before it served its page:\n" + self.log("nav-renderer").read_text())

    def publish(self, topic, stamp, payload, vehicle="ego"):
        name = f"{vehicle}/{topic}"
        number = self.sequence[name] = self.sequence.get(name, 0) + 1
        header = {"seq": number, "stamp": stamp, "src": "fake", "run": self.run, "schema": schema(topic)}
        self.out.send_multipart([name.encode(), msgpack.packb(header), msgpack.packb(payload)])

    def publish_all(self, messages, vehicle="ego"):
        for topic, stamp, payload in messages:
            self.publish(topic, stamp, payload, vehicle)

    def call(self, name, vehicle="ego", **request):
        """Makes a call; gives the reply's payload, or raises navstack.CallError."""
        return navstack.call(self.base, name, request, vehicle=vehicle)

    def frames(self):
        """A subscriber to scene/frame."""
        socket = zmq.Context.instance().socket(zmq.SUB)
        socket.connect(f"{self.base}/out")
        socket.subscribe(b"ego/scene/frame")
        return socket

    def stop_renderer(self):
        self.renderer.kill()
        self.renderer.wait()

    def close(self):
        self.out.close(linger=0)
        for process in (self.renderer, self.bus):
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
        self.folder.cleanup()
