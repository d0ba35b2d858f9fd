"""The program that polls the trips of a worker."""

import json
import os
import queue
import subprocess
import threading


class Program:
    """tripshare, which reads trips to add and to remove from standard input and writes JSON lines."""

    def __init__(self):
        #: Its lines; `None` wakes the worker. A handler of a signal may add to this kind of queue.
        self.lines = queue.SimpleQueue()
        #: What it is asked to do. It can read slowly, or not at all: the worker renews its lease meanwhile.
        self.orders = queue.SimpleQueue()
        self.has_ended = threading.Event()
        self.process = None

    def start(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for work in (self.read, self.write):
            threading.Thread(target=work, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode("utf-8", "replace").rstrip("\n"))
        self.has_ended.set()
        self.lines.put(None)

    def write(self):
        while True:
            order = self.orders.get()
            try:
                while order:
                    order = order[os.write(self.process.stdin.fileno(), order):]
            except OSError:
                return  # The program has ended; its status says why.

    def add(self, trip):
        self.order("add", trip)

    def remove(self, trip):
        self.order("remove", trip)

    def order(self, action, trip):
        self.orders.put(json.dumps({action: trip}).encode() + b"\n")

    def stop(self):
        """Asks it to end, and waits until it has."""
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.has_ended.wait(5)

    def is_over(self):
        """Whether it has ended, and its lines were taken."""
        if self.process.poll() is not None:
            # A program that it has started can still have its output.
            self.has_ended.wait(1)
            return self.lines.empty()
        return self.has_ended.is_set() and self.lines.empty()

    def kill(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def status(self):
        """Returns its exit code, as a shell would."""
        status = self.process.wait()
        return 128 - status if status < 0 else status
