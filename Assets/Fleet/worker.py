#!/usr/bin/env python3
"""Follows the trips of a Redis stream with tripshare, beside other workers on other machines.

    tripshare-worker PROJECT [options] -- COMMAND…
    tripshare-worker PROJECT --status [--json | --metrics FILE]

COMMAND is `tripshare watch` with the options of the project PROJECT. The page Fleets of the manual describes the keys in Redis.
Exit codes: 0 after SIGTERM or SIGINT; 64 wrong options; 69 Redis can't be reached or does not store, or its Python module is
missing; 74 the file of --metrics can't be written; 75 the lease is over, as after the worker was suspended; 76 the program has
written a line that is no JSON object; otherwise that of the program.
"""

import argparse
import importlib.util
import os
import queue
import secrets
import signal
import socket
import sys
import threading
import time

# The folder of the package stays as it was installed.
sys.dont_write_bytecode = True

if importlib.util.find_spec("redis") is None:
    # The package only recommends it.
    print("tripshare-worker needs the Python module redis: python3-redis of Debian, or redis of pip.", file=sys.stderr)
    sys.exit(69)

import status
from follower import Code, Ending, Follower
from program import Program
from store import RedisStore, StoreError

#: The number of trips that the program follows at most.
LIMIT = 10_000


class Worker:
    """Performs what a follower decides, with Redis and a program."""

    def __init__(self, options):
        self.options = options
        quota = options.quota // options.workers
        self.quota = quota
        # A call that takes longer than this is a lost connection, so that the lease is not outlived unnoticed.
        self.store = RedisStore(options.redis, options.project, options.lease / 8)
        self.program = Program()
        self.follower = Follower(
            f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}", options.project,
            # Each trip is polled once per interval.
            max(1, min(LIMIT, int(quota * options.interval / 60))),
            options.workers, options.lease, self.program, time.monotonic)
        self.is_ending = threading.Event()

    def perform(self, steps):
        """Performs the calls of a follower's method; returns what the method returns."""
        try:
            call = next(steps)
            while True:
                call = steps.send(self.store.perform(call))
        except StopIteration as end:
            return end.value

    def run(self):
        """Follows trips to the end of the worker; returns the exit code."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self.end())
        if not self.wait_for_part():
            return Code.DONE
        try:
            self.program.start([
                *self.options.command, "--trips-file", "-", "--output", "json",
                "--interval", str(self.options.interval), "--quota", str(self.quota)])
            return self.follow()
        except Ending as ending:
            print(f"{self.follower.name}: {ending}", file=sys.stderr)
            return ending.code
        except OSError as error:
            print(f"{self.follower.name}: {error.filename}: {error.strerror}", file=sys.stderr)
            return Code.USAGE
        finally:
            # Without this worker nothing renews the lease: the program must not poll the trips any more.
            self.program.kill()
            self.leave()

    def end(self):
        self.is_ending.set()
        self.program.lines.put(None)

    def wait_for_part(self):
        """Waits for a part of the quota; returns whether there is one, because the worker can be asked to end before."""
        said = None
        while not self.is_ending.is_set():
            try:
                if self.perform(self.follower.start()):
                    return True
            except StoreError as error:
                if str(error) != said:
                    print(f"{self.follower.name} waits for Redis: {error}", file=sys.stderr)
                said = str(error)
            self.is_ending.wait(self.options.lease / 5)
        return False

    def follow(self):
        """Works until the program ends or the worker is asked to end; raises an Ending."""
        follower, due = self.follower, 0.0
        while True:
            is_over = self.read(0.05 if follower.lines else max(0.0, due - time.monotonic()))
            if self.is_ending.is_set():
                # What the program saw until now is stored; its own end is no end of a trip.
                self.program.stop()
                is_over = True
            while is_over and not self.program.lines.empty():
                self.read(0)
            now = time.monotonic()
            renews = now >= due and not is_over
            if renews:
                due = now + self.options.lease / 10
            try:
                self.perform(follower.round(renews))
            except StoreError as error:
                if is_over or follower.must_give_up():
                    raise Ending(Code.UNAVAILABLE, f"Redis can't be used: {error}") from error
            if is_over:
                return Code.DONE if self.is_ending.is_set() else self.program.status()

    def read(self, seconds):
        """Takes lines of the program, waiting so long for the first one; returns whether the program has ended."""
        try:
            # The number is bounded, so that the lease is renewed in time.
            for _ in range(1000):
                line = self.program.lines.get(timeout=seconds)
                seconds = 0
                if line is not None:
                    self.follower.read(line)
        except queue.Empty:
            pass
        return self.program.is_over()

    def leave(self):
        """Leaves the trips to others, as long as the lease lasts."""
        if not self.follower.part:
            return
        while True:
            try:
                return self.perform(self.follower.leave())
            except StoreError:
                if time.monotonic() - self.follower.renewed > self.options.lease * 0.65:
                    return  # They are free when the lease ends.
                time.sleep(self.options.lease / 50)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(Code.USAGE, f"{self.prog}: {message}\n")


def options():
    parser = Parser(prog="tripshare-worker", usage="%(prog)s PROJECT [options] -- COMMAND…", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", help="the ID of the Google Cloud project that owns the trips")
    parser.add_argument("--redis", default="redis://127.0.0.1:6379", help="the URL of the Redis server")
    parser.add_argument("--workers", type=int, default=2, help="the number of parts of the quota")
    parser.add_argument("--quota", type=int, default=6000, help="polls per minute of the whole project")
    parser.add_argument("--interval", type=float, default=5, help="seconds between two polls of a trip")
    parser.add_argument("--lease", type=float, default=30, help="seconds after which a silent worker is gone")
    parser.add_argument("--status", action="store_true", help="show the state of the fleet, and end")
    parser.add_argument("--json", action="store_true", help="with --status: as JSON")
    parser.add_argument("--metrics", metavar="FILE", help="with --status: into a file for Prometheus' node exporter")
    words = sys.argv[1:]
    own = words.index("--") if "--" in words else len(words)
    result = parser.parse_args(words[:own])
    result.command = words[own + 1:]
    if not result.status and not result.command:
        parser.error("the command is missing")
    if (result.json or result.metrics) and not result.status:
        parser.error("--json and --metrics belong to --status")
    if result.workers < 1 or result.quota < result.workers:
        parser.error("each worker needs a part of the quota")
    if not 0 < result.interval < result.lease <= 86_400:
        parser.error("the lease must be longer than the interval, and at most a day")
    return result


def main():
    chosen = options()
    try:
        if chosen.status:
            return status.show(chosen)
        return Worker(chosen).run()
    except ValueError as error:
        # A URL of Redis that is none.
        print(f"tripshare-worker: {error}", file=sys.stderr)
        return Code.USAGE


if __name__ == "__main__":
    sys.exit(main())
