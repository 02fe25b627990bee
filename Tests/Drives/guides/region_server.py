"""A web server of map regions that can be told to fail or to break off."""

import functools
import http.server
import pathlib
import re
import threading


class RegionServer:
    """Serves the files of a folder, and parts of them.

    Answers 503 while `fails` is set. While `breaks` is greater than 0, an answer with a map ends after half of its
    bytes, and `breaks` is decremented. `ranges` lists the first bytes of the parts that were requested.
    """

    def __init__(self, folder):
        self.fails, self.breaks, self.ranges = False, 0, []
        server = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def do_GET(self):
                if server.fails:
                    return self.send_error(503)
                if not self.path.endswith(".navmap"):
                    return super().do_GET()
                content = (pathlib.Path(folder) / self.path.lstrip("/")).read_bytes()
                wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
                begin = int(wanted[1]) if wanted else 0
                if wanted:
                    server.ranges.append(begin)
                self.send_response(206 if wanted else 200)
                self.send_header("Content-Length", str(len(content) - begin))
                if wanted:
                    self.send_header("Content-Range", f"bytes {begin}-{len(content) - 1}/{len(content)}")
                self.end_headers()
                rest = content[begin:]
                if server.breaks:
                    server.breaks -= 1
                    rest = rest[:len(rest) // 2]
                    self.close_connection = True
                self.wfile.write(rest)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
