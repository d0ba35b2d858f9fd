"""Follows trips with two workers of Assets/Fleet/worker.py, kills one, cuts another off from Redis, and prints what was seen, as JSON.

The arguments are the program and the ready file of an emulator. The calls to the service go through a proxy that counts them.
"""

import http.client
import http.server
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

import redis

INTERVAL, LEASE, TRIPS, LIMIT = 1.0, 4.0, 6, 120
WORKER = pathlib.Path(__file__).resolve().parents[3] / "Assets/Fleet/worker.py"

program, ready = sys.argv[1], json.load(open(sys.argv[2]))
engine = urllib.parse.urlsplit(ready["fleetEngineURL"])
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
polls = {}
lock = threading.Lock()


class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        with lock:
            polls.setdefault(self.path.split("?")[0].rsplit("/", 1)[-1], []).append(time.monotonic())
        connection = http.client.HTTPConnection(engine.hostname, engine.port, timeout=20)
        connection.request("GET", self.path, headers={"Authorization": self.headers["Authorization"]})
        answer = connection.getresponse()
        body = answer.read()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.headers["Content-Type"])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def control(path, body):
    request = urllib.request.Request(
        ready["controlURL"] + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    opener.open(request, timeout=20).read()


def wait(what, condition):
    deadline = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(f"Waited for {LIMIT} s: {what}.")
        time.sleep(0.05)


def polled(trips, since):
    with lock:
        return all(any(at > since for at in polls.get(trip, [])) for trip in trips)


def main(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    path = f"{folder}/redis.sock"
    store = subprocess.Popen(
        ["redis-server", "--port", "0", "--unixsocket", path, "--save", "", "--appendonly", "no", "--dir", folder],
        stdout=subprocess.DEVNULL,
    )
    workers = []
    try:
        wait("Redis", lambda: os.path.exists(path))
        database = redis.Redis(unix_socket_path=path, decode_responses=True)
        wait("Redis answers", lambda: database.ping())
        command = [
            sys.executable, str(WORKER), "project", "--redis", f"unix://{path}", "--workers", "2",
            "--interval", str(INTERVAL), "--lease", str(LEASE),
            # Each part of the quota permits four trips.
            "--quota", str(int(2 * 4 * 60 / INTERVAL)),
            "--", program, "watch", "--provider-id", ready["providerId"], "--token-url", ready["tokenURL"],
            "--fleet-engine-url", f"http://127.0.0.1:{server.server_port}",
        ]
        trips = [f"fleet-{number}" for number in range(TRIPS)]
        for trip in trips:
            control(f"/trips?tripId={trip}", {"pickup": "Station", "dropoff": "Hospital"})
            database.xadd("tripshare:project:trips", {"trip": trip})
        # The third worker waits for a part of the quota.
        workers += [subprocess.Popen(command, stderr=subprocess.DEVNULL) for _ in range(3)]
        wait("all trips are polled", lambda: polled(trips, 0))
        groups = {}

        def assigned():
            groups.clear()
            for entry in database.xpending_range("tripshare:project:trips", "workers", "-", "+", 100):
                groups.setdefault(entry["consumer"], []).append(entry["message_id"])
            return sum(map(len, groups.values())) == TRIPS
        wait("all trips belong to a worker", assigned)
        most = max(map(len, groups.values()))
        parts = sorted(database.get(key) for key in database.keys("tripshare:project:quota:*"))
        victim = next(worker for worker in workers if parts[0].endswith(f"-{worker.pid}"))
        killed = time.monotonic()
        victim.send_signal(signal.SIGKILL)
        wait("all trips are polled again", lambda: polled(trips, killed + LEASE + INTERVAL))
        taken_over = time.monotonic() - killed
        for trip in trips:
            control(f"/trips/{trip}:cancel", {})
        ended = {}

        def read_events():
            for _, fields in database.xrange("tripshare:project:events"):
                event = json.loads(fields["event"])
                if event["type"] == "end":
                    ended[event["trip"]] = event["outcome"]
            return len(ended) == TRIPS

        wait("the end of all trips is stored", read_events)
        wait("no trip is left", lambda: database.xlen("tripshare:project:trips") == 0)
        left = [worker for worker in workers if worker is not victim]
        left[0].terminate()
        left[0].wait(LIMIT)
        parts_left = len(database.keys("tripshare:project:quota:*"))
        # The other one has to end by itself, before its lease is over, if Redis does not answer.
        store.send_signal(signal.SIGSTOP)
        stopped = time.monotonic()
        left[1].wait(LIMIT)
        ended_after = time.monotonic() - stopped
        statuses = [worker.wait(LIMIT) for worker in workers]
        with lock:
            # A poll ends before the next one of the same trip is due, less the jitter; two workers would halve the distance.
            close = {
                trip: sum(1 for before, after in zip(times, times[1:]) if after - before < INTERVAL * 0.5)
                for trip, times in ((trip, sorted(polls[trip])) for trip in trips)
            }
        print(json.dumps({
            "parts": len(parts), "workersWithTrips": len(groups), "most": most, "ended": ended, "statuses": statuses,
            "partsLeft": parts_left, "closePolls": close, "takenOver": taken_over, "endedAfter": ended_after / LEASE,
        }))
    finally:
        for process in [*workers, store]:
            process.kill()
        server.shutdown()


with tempfile.TemporaryDirectory() as folder:
    main(folder)
