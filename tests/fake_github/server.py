"""The fake over HTTP, on the loopback interface: one thread a request, one state behind a lock."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.fake_github.faults import Fault
from tests.fake_github.graph import execute
from tests.fake_github.rest import REFUSED, Ask, match
from tests.fake_github.state import Call, GitHub
from tests.official.described import completed, there

_ANSWERS: dict[Fault, tuple[int, Any]] = {
    Fault.PERMISSION: (403, {"message": REFUSED}),
    Fault.SECONDARY: (403, {"message": "You have exceeded a secondary rate limit. Please wait a few minutes."}),
    Fault.TOO_MANY: (429, {"message": "Too many requests"}),
    Fault.SERVER: (500, {"message": "Server Error"}),
}


def answer(hub: GitHub, method: str, target: str, data: bytes) -> tuple[int, Any, Fault | None]:
    """What a request is answered, and what goes wrong with the answer."""
    parts = urlsplit(target)
    path = parts.path
    with hub.lock:
        fault = hub.faults.next()
        found = None if path == "/graphql" else match(method, path)
        route = "/graphql" if path == "/graphql" else found[0] if found else path
        if fault in _ANSWERS:
            status, body = _ANSWERS[fault]
            hub.log.append(Call(method, route, status))
            return status, body, fault
        body_in = json.loads(data) if data else None
        query = dict(parse_qsl(parts.query))
        writes = method != "GET" and path != "/graphql"
        if path == "/graphql":
            mutation = body_in["query"].lstrip().startswith("mutation")
            status, body = 200, execute(hub, body_in["query"], body_in["variables"])
            writes = mutation
        elif found is None:
            status, body = 404, {"message": "Not Found"}
        elif writes and hub.read_only:
            status, body = 403, {"message": REFUSED}
        else:
            status, body = found[1](Ask(hub, query, body_in), *found[2])
            body = completed(method, route, status, body) if there() and status < 300 else body
        hub.log.append(Call(method, route, status, writes and status < 300, query, body_in, body))
        return status, body, fault


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # one packet an answer: two would wait for each other
    hub: GitHub

    def _serve(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        status, body, fault = answer(self.hub, self.command, self.path, self.rfile.read(length))
        data = b"" if body is None else json.dumps(body).encode()
        if fault is Fault.RESET:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            self.close_connection = True
            self.connection.close()
            return
        if fault is Fault.TIMEOUT:
            time.sleep(self.hub.faults.hold)
            self.close_connection = True
            self.connection.close()
            return
        if fault is Fault.STORED_502:
            status, data = 502, b'{"message": "Bad Gateway"}'
        if fault is Fault.TRUNCATED:
            status, data = 200, data[: len(data) // 2] or b'{"id": '
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        if fault in (Fault.SECONDARY, Fault.TOO_MANY) and self.hub.faults.retry_after:
            self.send_header("Retry-After", self.hub.faults.retry_after)
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()

    do_GET = do_POST = do_PATCH = do_DELETE = _serve

    def log_message(self, *args: object) -> None:
        """The state keeps its own log."""


@contextmanager
def served(hub: GitHub) -> Iterator[str]:
    """The address of a running server."""
    handler = type("Handler", (_Handler,), {"hub": hub})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
