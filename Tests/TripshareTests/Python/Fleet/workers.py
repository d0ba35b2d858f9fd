"""Follows trips of an emulator with two workers and tripshare, kills one of them, flushes Redis, cuts the other one off from
Redis, and prints what was seen, as JSON.

The arguments are the program and the ready file of an emulator. The calls to the service go through a proxy that counts them.
"""

import http.client
import http.server
import json
import signal
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

from harness import LIMIT, Server, Workers, wait

INTERVAL, LEASE, TRIPS = 1.0, 4.0, 6
KEY = "tripshare:project:"

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


def polled(trips, since):
    with lock:
        return all(any(at > since for at in polls.get(trip, [])) for trip in trips)


def main(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    store = Server(folder)
    workers = Workers(
        store,
        # Each part of the quota permits four trips.
        ["--workers", 2, "--interval", INTERVAL, "--lease", LEASE, "--quota", int(2 * 4 * 60 / INTERVAL)],
        [program, "watch", "--provider-id", ready["providerId"], "--token-url", ready["tokenURL"],
         "--fleet-engine-url", f"http://127.0.0.1:{server.server_port}"])
    try:
        database = store.client
        trips = [f"fleet-{number}" for number in range(TRIPS)]
        for trip in trips:
            control(f"/trips?tripId={trip}", {"pickup": "Station", "dropoff": "Hospital"})
            database.xadd(KEY + "trips", {"trip": trip})
        # The third worker waits for a part of the quota.
        for _ in range(3):
            workers.start()
        wait("all trips are polled", lambda: polled(trips, 0))
        groups = {}

        def assigned():
            groups.clear()
            for trip, worker in database.hgetall(KEY + "followed").items():
                groups.setdefault(worker, []).append(trip)
            return sum(map(len, groups.values())) == TRIPS
        wait("all trips belong to a worker", assigned)
        most = max(map(len, groups.values()))

        def leased():
            return sorted(filter(None, (database.get(f"{KEY}quota:{number}") for number in (1, 2))))
        parts = leased()
        victim = next(worker for worker in workers.processes if f"-{worker.pid}-" in parts[0])
        killed = time.monotonic()
        victim.send_signal(signal.SIGKILL)
        wait("all trips are polled again", lambda: polled(trips, killed + LEASE + INTERVAL))
        taken_over = time.monotonic() - killed
        # Redis loses everything; the workers write again what they follow. What is removed ends as that.
        wait("both workers have all trips", lambda: len(leased()) == 2 and assigned() and set(groups) <= set(leased()))
        database.flushall()
        wait("all trips belong to a worker again", assigned)
        database.xadd(KEY + "trips", {"remove": trips[0]})
        ended = {}
        wait("the removed trip has ended", lambda: not database.hexists(KEY + "followed", trips[0]))
        for trip in trips[1:]:
            control(f"/trips/{trip}:cancel", {})

        def read_events():
            for _, fields in database.xrange(KEY + "events"):
                event = json.loads(fields["event"])
                if event["type"] == "end":
                    ended[event["trip"]] = event["outcome"]
            return len(ended) == TRIPS

        wait("the end of all trips is stored", read_events)
        wait("no trip is left", lambda: database.hlen(KEY + "followed") == 0)
        left = [worker for worker in workers.processes if worker is not victim]
        left[0].terminate()
        left[0].wait(LIMIT)
        parts_left = len(database.keys(KEY + "quota:*"))
        # The other one has to end by itself, before its lease is over, if Redis does not answer.
        store.send(signal.SIGSTOP)
        stopped = time.monotonic()
        left[1].wait(LIMIT)
        ended_after = time.monotonic() - stopped
        statuses = [worker.wait(LIMIT) for worker in workers.processes]
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
        workers.kill()
        store.kill()
        server.shutdown()


with tempfile.TemporaryDirectory() as folder:
    main(folder)
