"""A real server of Valhalla's for other drives: valhalla_service of PyPI's wheel, on tiles of an OSM file."""

import contextlib
import json
import pathlib
import socket
import subprocess
import time

import osrm_http

PACKAGES = ["pyvalhalla==3.9.1", "osmium==4.3.2", "--only-binary=:all:"]
# Valhalla reads no XML.
CONVERT = """
import osmium, sys
with osmium.SimpleWriter(sys.argv[2]) as writer:
    for thing in osmium.FileProcessor(sys.argv[1]):
        writer.add(thing)
"""


class Server:
    """Tiles of a map, and the service on them, which can be stopped and started again at the same port."""

    def __init__(self, home, config, port):
        self.home, self.config, self.port = home, config, port
        self.process = None

    def start(self):
        """Whether it came to listen within a minute."""
        self.process = subprocess.Popen(
            [self.home / "bin/valhalla_service", self.config, "1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return True
            time.sleep(0.05)
        return False

    def stop(self):
        self.process.kill()
        self.process.wait()


def real_server(folder, source, results):
    """The service on the same map, started; None, and said, where it cannot be had."""
    interpreter = osrm_http.new_python()
    if interpreter is None:
        print("skipped: no answers of valhalla_service, which needs CPython 3.12", flush=True)
        return None
    python = osrm_http.ensured("valhalla", PACKAGES, interpreter)
    if python is None:
        print("skipped: no answers of valhalla_service: pip could not install pyvalhalla", flush=True)
        return None
    home = pathlib.Path(subprocess.run(
        [python, "-c", "import valhalla, pathlib; print(pathlib.Path(valhalla.__file__).parent)"],
        capture_output=True, text=True, check=True).stdout.strip())
    folder = pathlib.Path(folder)
    pbf, config = folder / "valhalla.osm.pbf", folder / "valhalla.json"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    steps = [
        [python, "-c", CONVERT, source, pbf],
        [python, "-m", "valhalla.valhalla_build_config", "--mjolnir-tile-dir", folder / "tiles", "--mjolnir-concurrency", "1"],
        [home / "bin/valhalla_build_tiles", "-c", config, pbf],
    ]
    for words in steps:
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            results.add(False, "valhalla_service takes the map", done.stdout[-300:] + done.stderr[-300:])
            return None
        if "--mjolnir-tile-dir" in words:
            settings = json.loads(done.stdout)
            settings["httpd"]["service"]["listen"] = f"tcp://127.0.0.1:{port}"
            for name in ("loopback", "interrupt"):
                settings["httpd"]["service"][name] = f"ipc://{folder}/{name}"
            for room in ("loki", "thor", "odin", "meili"):
                if "service" in settings.get(room, {}):
                    settings[room]["service"]["proxy"] = f"ipc://{folder}/{room}"
            config.write_text(json.dumps(settings), encoding="utf-8")
    server = Server(home, config, port)
    if server.start():
        return server
    server.stop()
    results.add(False, "valhalla_service starts", "it did not listen within a minute")
    return None
