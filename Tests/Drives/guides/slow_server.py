"""A routing server that takes its time, and then fails."""

import http.server
import threading


class SlowServer:
    """Answers each question with an error after `seconds`."""

    def __init__(self, seconds):
        ends = self.ends = threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                ends.wait(seconds)
                self.send_error(500)

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
