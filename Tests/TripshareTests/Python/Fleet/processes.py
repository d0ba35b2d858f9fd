"""Follows trips with worker processes, a program in place of tripshare and a real Redis, stops them at random, and checks that
each trip has ended once.

    processes.py RUNS [FIRST SEED]

Prints, as JSON, the number of runs, of each kind of fault and of each exit code. A run that fails prints its seed and the reason.
"""

import collections
import concurrent.futures
import json
import pathlib
import random
import signal
import sys
import tempfile
import time

import redis

from harness import HERE, Server, Timeout, Workers, wait

LEASE, INTERVAL, TRIPS = 1.6, 0.5, 10
KEY = "tripshare:project:"
#: The number of runs at a time.
AT_A_TIME = 4


class Failure(Exception):
    pass


class Run:
    def __init__(self, seed, folder):
        self.random, self.folder = random.Random(seed), pathlib.Path(folder)
        self.counts = collections.Counter()
        (self.folder / "over").mkdir()
        self.server = Server(folder)
        self.workers = Workers(
            self.server, ["--workers", 2, "--interval", INTERVAL, "--lease", LEASE, "--quota", int(2 * 8 * 60 / INTERVAL)],
            [sys.executable, HERE / "stub.py", self.folder / "over"])
        self.entries, self.trips = {}, []
        self.ended_before, self.must_end = collections.Counter(), set()

    def run(self):
        try:
            self.workers.start()
            self.workers.start()
            faults = self.random.sample(range(TRIPS), 4)
            for number in range(TRIPS):
                self.add(f"trip-{number}")
                time.sleep(self.random.uniform(0, 0.25))
                if number in faults:
                    self.fault()
                if self.trips and self.random.random() < 0.6:
                    self.end(self.random.choice(self.trips))
                if len(self.workers.living()) < 2:
                    self.workers.start()
            for trip in self.trips:
                self.end(trip)
            if len(self.workers.living()) < 2:
                self.workers.start()
            self.recover()
            self.judge()
            for worker in self.workers.living():
                worker.send_signal(signal.SIGTERM)
            codes = [worker.wait(30) for worker in self.workers.processes]
            if set(codes) - {0, -9, -15, 69, 75}:
                raise Failure(f"exit codes {codes}")
            self.counts.update(f"exit {code}" for code in codes)
            self.counts["runs"] += 1
            return self.counts
        finally:
            self.workers.kill()
            self.server.kill()

    def add(self, trip):
        self.entries[self.stubborn(lambda: self.server.client.xadd(KEY + "trips", {"trip": trip}))] = trip
        if trip not in self.trips:
            self.trips.append(trip)

    def end(self, trip):
        (self.folder / "over" / trip).touch()

    def stubborn(self, call):
        """A backend that goes on until Redis has answered."""
        deadline = time.monotonic() + 30
        while True:
            try:
                return call()
            except redis.RedisError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    # Faults.

    def fault(self):
        kind = self.random.choice(
            ("kill", "kill", "suspend", "stop", "restart", "pause", "memory", "replicas", "readonly", "flush"))
        self.counts[kind] += 1
        getattr(self, f"fault_{kind}")()

    def worker(self):
        return self.random.choice(self.workers.living() or [self.workers.start()])

    def fault_kill(self):
        self.worker().kill()

    def fault_stop(self):
        self.worker().send_signal(signal.SIGTERM)
        self.workers.start()

    def fault_suspend(self):
        worker = self.worker()
        worker.send_signal(signal.SIGSTOP)
        time.sleep(self.random.choice((0.4, LEASE * 1.5)))
        worker.send_signal(signal.SIGCONT)

    def fault_restart(self):
        self.server.kill()
        time.sleep(self.random.choice((0, 0.4, LEASE)))
        self.server.start()

    def fault_pause(self):
        self.server.send(signal.SIGSTOP)
        time.sleep(self.random.choice((0.2, LEASE * 0.7)))
        self.server.send(signal.SIGCONT)

    def fault_memory(self):
        self.configure("maxmemory", "1", "0")

    def fault_replicas(self):
        self.configure("min-replicas-to-write", "1", "0")

    def configure(self, name, value, usual):
        self.server.client.config_set(name, value)
        time.sleep(self.random.choice((0.3, LEASE)))
        self.server.client.config_set(name, usual)

    def fault_readonly(self):
        self.server.client.replicaof("127.0.0.1", "1")
        time.sleep(self.random.choice((0.3, LEASE)))
        self.server.client.replicaof("NO", "ONE")

    def fault_flush(self):
        with self.server.client.pipeline(transaction=True) as pipe:
            pipe.xrange(KEY + "events")
            pipe.hgetall(KEY + "followed")
            pipe.flushall()
            events, followed, _ = pipe.execute()
        self.ended_before.update(ends(events))
        time.sleep(LEASE)
        # A worker that was alive then and still is has written its trips again. A backend can't know that, and adds the others.
        living = {str(worker.pid) for worker in self.workers.living()}
        self.must_end = {
            trip for trip, worker in followed.items() if worker.split("-")[-2] in living and not self.ended_before[trip]}
        for trip in self.trips:
            self.add_if_lost(trip)

    def add_if_lost(self, trip):
        """What a backend does for a trip without an end."""
        client = self.server.client
        names = [fields["trip"] for _, fields in client.xrange(KEY + "trips")]
        is_known = trip in names or client.zscore(KEY + "waiting", trip) is not None or client.hexists(KEY + "followed", trip)
        if not is_known and not self.ended_before[trip] and trip not in self.must_end and not self.ends()[trip]:
            self.counts["added again"] += 1
            self.add(trip)

    # What has to hold.

    def ends(self):
        return ends(self.server.client.xrange(KEY + "events"))

    def recover(self):
        def is_over():
            if not self.workers.living():
                self.workers.start()
            client = self.server.client
            left = client.xlen(KEY + "trips") + client.zcard(KEY + "waiting") + client.hlen(KEY + "followed")
            return left == 0 and client.exists(KEY + "origin")
        wait("all trips have ended", is_over, 60)

    def judge(self):
        counts = self.ends()
        rows = self.server.client.xrange(KEY + "rejected")
        if any(fields["reason"] == "" for _, fields in rows):
            raise Failure("a reason is missing")
        for trip in self.trips:
            if counts[trip] > 1 or counts[trip] + self.ended_before[trip] == 0:
                raise Failure(f"{trip} has ended {counts[trip]} times, before {self.ended_before[trip]}: {rows}")
        lines = collections.Counter(
            (fields["worker"], fields["number"]) for _, fields in self.server.client.xrange(KEY + "events"))
        if any(count > 1 for count in lines.values()):
            raise Failure("a line was stored twice")
        self.counts["ends"] += sum(counts.values())


def ends(events):
    parsed = (json.loads(fields["event"]) for _, fields in events)
    return collections.Counter(event["trip"] for event in parsed if event["type"] == "end")


def perform(seed):
    with tempfile.TemporaryDirectory() as folder:
        try:
            return Run(seed, folder).run()
        except (Failure, Timeout, redis.RedisError) as failure:
            raise Failure(f"seed {seed}: {failure}") from failure


def main():
    runs, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    total = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        for counts in pool.map(perform, range(first, first + runs)):
            total.update(counts)
    print(json.dumps(total))


if __name__ == "__main__":
    main()
