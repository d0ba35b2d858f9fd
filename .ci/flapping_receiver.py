"""A receiver of notices that works for some seconds, fails in one of six ways for some more, and records what it got."""

import collections
import hashlib
import http.server
import json
import socket
import threading
import time

# What it does with a post, and how often it is chosen.
MODES = {"answers": 6, "fails": 2, "limits": 1, "loses": 1, "hangs": 1, "refuses": 2}


class FlappingReceiver:
    """Listens on a loopback port until `rest()`; from then on it answers every post."""

    def __init__(self, random, seconds):
        """`seconds`: the shortest and the longest time for which it stays as it is."""
        self.random = random
        self.seconds = seconds
        self.lock = threading.Lock()
        self.mode = "answers"
        self.is_resting = threading.Event()
        # By ID: how often it came, how often it was answered with 204, and the check sums of its bodies.
        self.came = collections.Counter()
        self.accepted = collections.Counter()
        self.bodies = collections.defaultdict(set)
        self.notices = {}
        # Each notice in the order in which it came first.
        self.order = []
        self.modes = collections.Counter()
        self.port = 0
        self.server = None
        self.listen()
        threading.Thread(target=self.flap, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/notices"

    def listen(self):
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            timeout = 60

            def do_POST(self):
                receiver.answer(self)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        server.daemon_threads = True
        self.port = server.server_address[1]
        self.server = server
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()

    def flap(self):
        while not self.is_resting.wait(self.random.uniform(*self.seconds)):
            self.change(self.random.choices(list(MODES), MODES.values())[0])

    def change(self, mode):
        self.modes[mode] += 1
        if self.server and mode == "refuses":
            self.server.shutdown()
            self.server.server_close()
            self.server = None
        elif not self.server and mode != "refuses":
            self.listen()
        self.mode = mode

    def rest(self):
        """Answers from now on."""
        self.is_resting.set()
        time.sleep(0.5)
        self.change("answers")

    def answer(self, request):
        mode = self.mode
        body = request.rfile.read(int(request.headers["Content-Length"]))
        if mode in ("fails", "limits"):
            request.send_response(503 if mode == "fails" else 429)
            if mode == "limits":
                request.send_header("Retry-After", "3")
            request.send_header("Content-Length", "0")
            return request.end_headers()
        if mode == "hangs":
            self.is_resting.wait(20)
            return request.connection.shutdown(socket.SHUT_RDWR)
        name = request.headers["Tripshare-Event-ID"]
        with self.lock:
            if not self.came[name]:
                self.notices[name] = json.loads(body)
                self.order.append(name)
            self.came[name] += 1
            self.bodies[name].add(hashlib.sha256(body).digest())
        if mode == "loses":
            return request.connection.shutdown(socket.SHUT_RDWR)
        with self.lock:
            self.accepted[name] += 1
        request.send_response(204)
        request.end_headers()

    def problems(self, trips, statuses, summary):
        """What was lost, came in the wrong order or with two bodies.

        Args:
            trips: The trips whose ends must have come.
            statuses: For each trip the statuses that the session showed, one after the other.
            summary: The line `notices` of the session, or `None`.
        """
        found = []
        numbers = sorted(notice["sequence"] for notice in self.notices.values())
        if numbers != list(range(1, len(numbers) + 1)):
            missing = set(range(1, (numbers or [0])[-1] + 1)) - set(numbers)
            found.append(f"{len(missing)} notices are lost or {len(numbers) - len(set(numbers))} have the same number: {sorted(missing)[:10]}")
        if not summary or summary["waiting"] or summary["refused"] or summary["delivered"] != len(numbers):
            found.append(f"the session says {summary}, {len(numbers)} notices came")
        by_trip = collections.defaultdict(list)
        for name in self.order:
            by_trip[self.notices[name]["trip"]].append(self.notices[name])
        for trip, notices in by_trip.items():
            if [one["sequence"] for one in notices] != sorted(one["sequence"] for one in notices):
                found.append(f"the notices of {trip} came in another order")
        for trip in trips:
            ends = [one for one in by_trip[trip] if one["event"] == "end"]
            if len(ends) != 1:
                found.append(f"{trip} ended {len(ends)} times in its notices")
            said = [one["status"] for one in by_trip[trip] if one["event"] == "status"]
            if said != statuses.get(trip, [])[1:]:
                found.append(f"{trip}: the notices say {said}, the session said {statuses.get(trip)}")
        twice = [name for name, bodies in self.bodies.items() if len(bodies) > 1]
        if twice:
            found.append(f"{len(twice)} IDs came with two bodies: {twice[:5]}")
        return found

    def summary(self):
        repeated = sum(self.came.values()) - len(self.came)
        kinds = ", ".join(f"{mode} {count} times" for mode, count in sorted(self.modes.items()))
        return f"{len(self.came)} notices came, {repeated} of them again ({kinds})"
