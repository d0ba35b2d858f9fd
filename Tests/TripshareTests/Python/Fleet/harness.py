"""A Redis server on a Unix socket, and workers as processes, for the tests of the fleet."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import redis

HERE = pathlib.Path(__file__).resolve().parent
WORKER = HERE.parents[3] / "Assets/Fleet/worker.py"
LIMIT = 120


class Timeout(Exception):
    pass


def wait(what, condition, limit=LIMIT):
    deadline = time.monotonic() + limit
    while not condition():
        if time.monotonic() > deadline:
            raise Timeout(f"waited for {limit} s: {what}")
        time.sleep(0.03)


class Server:
    """A Redis server that stores each write before it answers."""

    def __init__(self, folder, program=None):
        self.folder, self.path = str(folder), f"{folder}/redis.sock"
        self.program = program or os.environ.get("REDIS_SERVER") or shutil.which("redis-server") or "redis-server"
        self.start()

    def start(self):
        if os.path.exists(self.path):
            os.remove(self.path)
        self.process = subprocess.Popen(
            [self.program, "--port", "0", "--unixsocket", self.path, "--save", "", "--appendonly", "yes",
             "--appendfsync", "always", "--dir", self.folder],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.client = redis.Redis(unix_socket_path=self.path, decode_responses=True, socket_timeout=20)
        wait("Redis answers", self.answers)

    def answers(self):
        try:
            return self.client.ping()
        except redis.RedisError:
            return False

    def send(self, number):
        # A program in front of the server has the server in its group.
        os.killpg(self.process.pid, number)

    def kill(self):
        try:
            self.send(signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait(LIMIT)


class Workers:
    """Workers of the project `project`, with options that all share."""

    def __init__(self, server, options, command, errors=subprocess.DEVNULL):
        self.arguments = [sys.executable, str(WORKER), "project", "--redis", f"unix://{server.path}", *map(str, options)]
        self.command, self.errors = [str(word) for word in command], errors
        self.processes = []

    def start(self):
        process = subprocess.Popen([*self.arguments, "--", *self.command], stderr=self.errors)
        self.processes.append(process)
        return process

    def living(self):
        return [process for process in self.processes if process.poll() is None]

    def kill(self):
        for process in self.processes:
            process.kill()
            process.wait(LIMIT)
