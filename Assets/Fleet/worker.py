#!/usr/bin/env python3
"""Follows the trips of a Redis stream with tripshare, beside other workers on other machines.

    worker.py PROJECT [--redis URL] [--workers N] [--quota POLLS] [--interval SECONDS] [--lease SECONDS] -- COMMAND…

COMMAND is `tripshare watch` with the options of the project. Trips come from the stream tripshare:PROJECT:trips (field `trip`);
the lines of --output json go to tripshare:PROJECT:events (fields `worker` and `event`).

At most N workers follow trips at a time. Each has leased one of N equal parts of the project's quota; more workers wait for a
part. A trip belongs to one worker until its end. The trips and the part of a worker that is gone are free for others after the
lease. The lease must be longer than the interval.
"""

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import redis

GROUP = "workers"

# Extends the leases of a worker's part of the quota and of its trips, and returns the entries that are still its own; nothing
# if the part belongs to another worker.
RENEW = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
local mine = {}
for _, entry in ipairs(redis.call('XPENDING', KEYS[2], ARGV[3], '-', '+', 1000000, ARGV[1])) do
    redis.call('XCLAIM', KEYS[2], ARGV[3], ARGV[1], 0, entry[1], 'JUSTID')
    mine[#mine + 1] = entry[1]
end
return mine
"""


class Worker:
    def __init__(self, options):
        self.options = options
        self.name = f"{socket.gethostname()}-{os.getpid()}"
        # A call that takes longer than this is a lost connection, so that the lease is not outlived unnoticed.
        limit = options.lease / 8
        self.redis = redis.Redis.from_url(
            options.redis, decode_responses=True, socket_timeout=limit, socket_connect_timeout=limit
        )
        self.trips = f"tripshare:{options.project}:trips"
        self.events = f"tripshare:{options.project}:events"
        self.renewal = self.redis.register_script(RENEW)
        self.quota = options.quota // options.workers
        # Each trip is polled once per interval.
        self.most = max(1, int(self.quota * options.interval / 60))
        self.part = None
        # The entries of each followed trip: a trip can be in the stream twice.
        self.entries = {}
        self.lock = threading.Lock()
        self.is_ending = threading.Event()

    def run(self):
        signal.signal(signal.SIGTERM, lambda *_: self.is_ending.set())
        signal.signal(signal.SIGINT, lambda *_: self.is_ending.set())
        try:
            self.redis.xgroup_create(self.trips, GROUP, id="0", mkstream=True)
        except redis.ResponseError as error:
            if "BUSYGROUP" not in str(error):
                raise
        while not self.is_ending.is_set() and not self.lease_part():
            self.is_ending.wait(self.options.lease / 5)
        if self.is_ending.is_set():
            return 0
        command = [
            *self.options.command, "--trips-file", "-", "--output", "json",
            "--interval", str(self.options.interval), "--quota", str(self.quota),
        ]
        self.watch = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        publisher = threading.Thread(target=self.publish)
        publisher.start()
        try:
            self.follow()
        except BrokenPipeError:
            pass  # The program has ended; its status says why.
        finally:
            # Without this worker nothing renews the leases: the trips must not be polled by its program any more.
            status = self.watch.poll()
            self.watch.kill()
            publisher.join()
        self.release()
        if self.is_ending.is_set():
            return 0
        return 75 if status is None else status

    def lease_part(self):
        for number in range(1, self.options.workers + 1):
            key = f"tripshare:{self.options.project}:quota:{number}"
            if self.redis.set(key, self.name, nx=True, px=self.milliseconds):
                self.part = key
                return True
        return False

    @property
    def milliseconds(self):
        return int(self.options.lease * 1000)

    def follow(self):
        """Renews, gives up and takes trips until the end, or until a lease may be over."""
        renewed = time.monotonic()
        while self.watch.poll() is None and not self.is_ending.is_set():
            now = time.monotonic()
            try:
                mine = self.renewal(keys=[self.part, self.trips], args=[self.name, self.milliseconds, GROUP])
                if mine is None:
                    print("Another worker has this worker's part of the quota.", file=sys.stderr)
                    return
                renewed = now
                self.give_up(set(mine))
                self.take()
            except (redis.ConnectionError, redis.TimeoutError) as error:
                if time.monotonic() - renewed > self.options.lease / 2:
                    print(f"Redis can't be reached: {error}", file=sys.stderr)
                    return
            self.is_ending.wait(self.options.lease / 10)

    def give_up(self, mine):
        """Stops following the trips whose entries another worker has claimed."""
        with self.lock:
            for trip, entries in list(self.entries.items()):
                entries &= mine
                if not entries:
                    del self.entries[trip]
                    self.write(f"-{trip}")

    def take(self):
        """Takes the trips of workers that are gone, and then new ones, as far as the quota permits."""
        with self.lock:
            room = self.most - len(self.entries)
        if room > 0:
            claimed = self.redis.xautoclaim(
                self.trips, GROUP, self.name, min_idle_time=self.milliseconds, start_id="0-0", count=room
            )[1]
            self.add(claimed)
            room -= len(claimed)
        if room > 0:
            for _, entries in self.redis.xreadgroup(GROUP, self.name, {self.trips: ">"}, count=room):
                self.add(entries)

    def add(self, entries):
        with self.lock:
            for entry, fields in entries:
                trip = fields["trip"]
                if trip not in self.entries:
                    self.write(trip)
                self.entries.setdefault(trip, set()).add(entry)

    def write(self, line):
        self.watch.stdin.write(line + "\n")
        self.watch.stdin.flush()

    def publish(self):
        """Passes the program's lines on; a trip is done when the line of its end is stored."""
        for line in self.watch.stdout:
            event = json.loads(line)
            is_done = event["type"] == "end" and event["outcome"] not in ("left", "interrupted")
            with self.lock:
                entries = self.entries.pop(event["trip"], set()) if is_done else set()
            try:
                with self.redis.pipeline(transaction=True) as pipe:
                    pipe.xadd(self.events, {"worker": self.name, "event": line.strip()}, maxlen=1_000_000, approximate=True)
                    for entry in entries:
                        pipe.xack(self.trips, GROUP, entry)
                        pipe.xdel(self.trips, entry)
                    pipe.execute()
            except (redis.ConnectionError, redis.TimeoutError) as error:
                # The trips whose end was not stored are followed again, by another worker.
                print(f"Redis can't be reached: {error}", file=sys.stderr)
                self.watch.kill()

    def release(self):
        """Frees the trips and the part of the quota at once, if Redis can be reached."""
        try:
            if self.redis.get(self.part) == self.name:
                for entries in self.entries.values():
                    self.redis.xclaim(
                        self.trips, GROUP, self.name, 0, list(entries), idle=self.milliseconds, justid=True
                    )
                self.redis.delete(self.part)
        except (redis.ConnectionError, redis.TimeoutError):
            pass  # They are free when the lease ends.


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", help="the project, as in the names of the streams")
    parser.add_argument("--redis", default="redis://127.0.0.1:6379", help="the URL of the Redis server")
    parser.add_argument("--workers", type=int, default=2, help="the number of parts of the quota")
    parser.add_argument("--quota", type=int, default=6000, help="polls per minute of the whole project")
    parser.add_argument("--interval", type=float, default=5, help="seconds between two polls of a trip")
    parser.add_argument("--lease", type=float, default=30, help="seconds after which a silent worker is gone")
    parser.add_argument("command", nargs="+", help="tripshare watch with its options")
    options = parser.parse_args()
    if options.lease <= options.interval:
        parser.error("the lease must be longer than the interval")
    sys.exit(Worker(options).run())


if __name__ == "__main__":
    main()
