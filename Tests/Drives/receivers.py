"""Receivers at a real stack: NMEA over TCP, UDP and a serial line, a real gpsd, and the hand-over between them (LOC-2).

Without gpsd (Debian: gpsd) its part says so and is left out.
"""

import datetime
import os
import pathlib
import pty
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import tty

import msgpack

import stack

STACK = """\
stack: receivers
map: {map}
nodes:
  location:
    run: nav-location-provider
    params: {{source: receivers, receivers: [{receivers}]}}
  matcher: {{run: nav-map-matcher}}
external: [route/active]
"""


def sentence(body):
    check = 0
    for character in body.encode():
        check ^= character
    return f"${body}*{check:02X}\r\n".encode()


def angle(value, width, sides):
    degrees = int(abs(value))
    return f"{degrees:0{width}d}{(abs(value) - degrees) * 60:08.5f},{sides[value < 0]}"


def fix(metres):
    """A fix of now on Station Road, so many metres north of its south end."""
    now = datetime.datetime.now(datetime.timezone.utc)
    clock = now.strftime("%H%M%S.") + f"{now.microsecond // 10000:02d}"
    place = f"{angle(46.9900 + metres / 111_200, 2, 'NS')},{angle(-30.0, 3, 'EW')}"
    return sentence(f"GPRMC,{clock},A,{place},19.44,0.0,{now:%d%m%y},,,A") + sentence(
        f"GPGGA,{clock},{place},1,09,0.9,400.0,M,48.0,M,,")


class Driver(threading.Thread):
    """Drives north at 10 m/s, and tells each of its outlets that is open five times a second."""

    def __init__(self):
        super().__init__(daemon=True)
        self.outlets, self.goes_on, self.began = {}, True, time.monotonic()
        self.start()

    def run(self):
        while self.goes_on:
            told = fix(10 * (time.monotonic() - self.began) % 900)
            for outlet in list(self.outlets.values()):
                try:
                    outlet(told)
                except OSError:
                    pass
            time.sleep(0.2)


class Ear(stack.Ear):
    """Keeps who gave the fixes that were matched."""

    class Providers:
        def __init__(self):
            self.matched = []

        def take(self, topic, _, payload):
            if topic.endswith(b"location/matched"):
                one = msgpack.unpackb(payload)
                if one["state"] == "matched" and one.get("raw"):
                    self.matched.append(one["raw"].get("provider", ""))

    def __init__(self, one):
        threading.Thread.__init__(self, daemon=True)
        self.record, self.base, self.goes_on = self.Providers(), one.base, True
        self.start()

    def hears(self, kind, one, count=10):
        """Whether the last `count` fixes that were matched came from a receiver of a kind, within a minute."""
        return self.wait(
            lambda record: len(record.matched) >= count
            and all(name.startswith(kind) for name in record.matched[-count:]), 60, one)


def listen():
    server = socket.create_server(("127.0.0.1", 0))
    return server, server.getsockname()[1]


def serve(server, driver, name):
    """Lets the driver tell whoever connects."""
    def accept():
        while True:
            try:
                line, _ = server.accept()
            except OSError:
                return
            driver.outlets[name] = line.sendall
            driver.lines.append(line)
    threading.Thread(target=accept, daemon=True).start()


def test_receivers_hand_over_and_come_back__LOC_2():
    stack.options(__doc__)
    results = stack.Results()
    driver = Driver()
    driver.lines = []
    server, port = listen()
    serve(server, driver, "tcp")
    main_end, serial = pty.openpty()
    tty.setraw(serial)
    gpsd_end, gpsd_line = pty.openpty()
    tty.setraw(gpsd_line)
    for end in (main_end, gpsd_end):
        os.set_blocking(end, False)
    datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    spare, udp_port = listen()
    spare.close()
    spare, gpsd_port = listen()
    spare.close()
    gpsd = None
    program = shutil.which("gpsd") or shutil.which("gpsd", path="/usr/sbin")
    wanted = [f"tcp:127.0.0.1:{port}", f"serial:{os.ttyname(serial)}@9600", f"udp:{udp_port}"]
    if program:
        gpsd = subprocess.Popen([program, "-N", "-n", "-S", str(gpsd_port), os.ttyname(gpsd_line)],
                                stderr=subprocess.DEVNULL)
        wanted.append(f"gpsd:127.0.0.1:{gpsd_port}")
        driver.outlets["gpsd"] = lambda told: os.write(gpsd_end, told)
    driver.outlets["serial"] = lambda told: os.write(main_end, told)
    driver.outlets["udp"] = lambda told: datagrams.sendto(told, ("127.0.0.1", udp_port))
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "receivers.yaml"
        file.write_text(STACK.format(map=stack.ROOT / ".cache/town.osm",
                                     receivers=", ".join(f'"{one}"' for one in wanted)), encoding="utf-8")
        with stack.Stack("receivers", file=file, name="receivers", rate=None, port=None) as one:
            ear = Ear(one)
            results.add(ear.hears("tcp:", one), "of four receivers the first is matched", "it is not")
            # Closing alone would leave it listening as long as a thread waits for who comes.
            server.shutdown(socket.SHUT_RDWR)
            server.close()
            del driver.outlets["tcp"]
            for line in driver.lines:
                line.close()
            results.add(ear.hears("serial:", one), "NMEA over TCP ends: the serial line takes over", "it does not")
            del driver.outlets["serial"]
            results.add(ear.hears("udp:", one), "the serial line falls silent: datagrams take over", "they do not")
            del driver.outlets["udp"]
            if gpsd is None:
                print("   gpsd is not installed: its part is left out")
            else:
                results.add(ear.hears("gpsd:", one), "datagrams end: a real gpsd takes over", "it does not")
                gpsd.terminate()
                gpsd.wait()
                gpsd = subprocess.Popen([program, "-N", "-n", "-S", str(gpsd_port), os.ttyname(gpsd_line)],
                                        stderr=subprocess.DEVNULL)
                count = len(ear.record.matched)
                results.add(
                    ear.wait(lambda record: len(record.matched) > count + 10, 60, one),
                    "the gpsd is killed and comes back: its fixes come again", "they do not")
            again = socket.create_server(("127.0.0.1", port))
            serve(again, driver, "tcp")
            results.add(ear.hears("tcp:", one), "the first receiver is back, and has the word again", "it has not",
                        one.log)
            # The connection stays open and says nothing, as when the other side has lost its power.
            del driver.outlets["tcp"]
            lines = len(driver.lines)
            results.add(ear.wait(lambda _: len(driver.lines) > lines, 90, one),
                        "a connection that falls silent is made again", "it is not", one.log)
            results.add(ear.hears("tcp:", one), "and its fixes come again", "they do not", one.log)
            ear.end()
    driver.goes_on = False
    if gpsd:
        gpsd.terminate()
    results.end()


if __name__ == "__main__":
    test_receivers_hand_over_and_come_back__LOC_2()
