"""A web server of map regions that can be told to fail."""

import functools
import http.server
import threading


class RegionServer:
    """Serves the files of a folder; answers 503 while `fails` is set."""

    def __init__(self, folder):
        self.fails = False
        server = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def do_GET(self):
                if server.fails:
                    return self.send_error(503)
                super().do_GET()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
