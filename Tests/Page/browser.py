"""Drives headless Chromium over the DevTools protocol, by a pipe, with the standard library alone."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--hide-scrollbars", "--no-first-run", "--disable-extensions", "--disable-background-networking",
         "--disable-component-update", "--mute-audio", "--remote-debugging-pipe"]


def find_chromium():
    """The path of a Chromium, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    return None


class Browser:
    """One page of one browser; `errors` are what its console complained of, `requests` what it asked for.

    `pixel_ratio` is the number of its pixels for one of the page's: layout and map are the same with fewer, and software draws sooner.
    """

    pixel_ratio = 1

    def __init__(self, width=1280, height=720):
        self.profile = tempfile.mkdtemp(prefix="navstack-page-")
        to_read, self.to_browser = os.pipe()
        self.from_browser, to_write = os.pipe()

        def wire():
            # Chromium reads commands on descriptor 3 and answers on 4.
            reads, writes = os.dup(to_read), os.dup(to_write)
            os.dup2(reads, 3)
            os.dup2(writes, 4)

        self.process = subprocess.Popen(
            [find_chromium(), *FLAGS, f"--window-size={width},{height}", f"--user-data-dir={self.profile}", "about:blank"],
            preexec_fn=wire, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.session = b"", 0, None
        self.errors, self.requests = [], []
        target = self.command("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.command("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.command(f"{domain}.enable")
        self.resize(width, height)

    def resize(self, width, height, mobile=False):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=self.pixel_ratio, mobile=mobile)

    def command(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive(60)
            if answer is None:
                raise TimeoutError(f"{method}: no answer from the browser")
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def receive(self, seconds):
        deadline = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.from_browser], [], [], left)[0]:
                return None
            data = os.read(self.from_browser, 1 << 20)
            if not data:
                raise ConnectionError("the browser has gone")
            self.buffer += data
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        self.note(message)
        return message

    def note(self, message):
        params = message.get("params", {})
        match message.get("method"):
            case "Runtime.exceptionThrown":
                details = params["exceptionDetails"]
                self.errors.append(details.get("exception", {}).get("description") or details["text"])
            case "Runtime.consoleAPICalled" if params["type"] in ("error", "assert"):
                self.errors.append(" ".join(str(a.get("value", a.get("description"))) for a in params["args"]))
            case "Log.entryAdded" if params["entry"]["level"] == "error":
                self.errors.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])

    def open(self, url):
        self.command("Page.navigate", url=url)

    def value(self, expression):
        """The value of a JavaScript expression; promises are awaited."""
        result = self.command("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", "exception"))
        return result["result"].get("value")

    def wait(self, expression, seconds=20):
        """Waits until an expression is true, and gives its value."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if value := self.value(expression):
                return value
            self.receive(0.1)
        state = self.value("JSON.stringify(window.navstack?.state ?? document.getElementById('link')?.innerText ?? null)")
        raise TimeoutError(f"not within {seconds} s: {expression}\n  the page: {state}\n  errors: {self.errors}")

    def cpu_s(self):
        """Seconds that the page's main thread has worked, in the time domain of `Performance.enable`."""
        metrics = self.command("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

    def mouse(self, kind, x, y, **more):
        self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, start, end, steps=8):
        self.mouse("mousePressed", *start, button="left", buttons=1, clickCount=1)
        for i in range(1, steps + 1):
            share = i / steps
            self.mouse("mouseMoved", start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share,
                       button="left", buttons=1)
        self.mouse("mouseReleased", *end, button="left", buttons=0, clickCount=1)

    def screenshot(self, path):
        data = self.command("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        try:
            self.session = None
            self.command("Browser.close")
        except (ConnectionError, OSError, TimeoutError, RuntimeError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.profile, ignore_errors=True)
