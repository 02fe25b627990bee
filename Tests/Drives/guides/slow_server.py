"""A routing server that takes its time."""

import contextlib
import http.server
import threading
import urllib.error
import urllib.request


class SlowServer:
    """Hands each question on to a server at the port `forward` after `seconds`; with none it then answers with an error.

    Both may be changed while it runs.
    """

    def __init__(self, seconds, forward=None):
        self.seconds, self.forward, self.ends = seconds, forward, threading.Event()
        slow = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                forward = slow.forward
                slow.ends.wait(slow.seconds)
                if not forward:
                    return self.send_error(500)
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{forward}{self.path}", timeout=10) as answer:
                        code, body = answer.status, answer.read()
                except urllib.error.HTTPError as error:
                    code, body = error.code, error.read()
                self.send_response(code)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                with contextlib.suppress(BrokenPipeError):  # the router gave up
                    self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __exit__(self, *_):
        self.ends.set()
        self.server.shutdown()
        self.server.server_close()
