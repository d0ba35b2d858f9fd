"""Workers in virtual time: each call to the model of Redis is one step, which can be stopped, repeated or lost."""

import json
import random

from follower import Ending, Follower
from store import StoreError

LEASE = 20.0


class VirtualProgram:
    """What tripshare does: it writes the end of a trip that is over, and of one that is removed."""

    def __init__(self, world):
        self.world, self.followed, self.lines = world, set(), []

    def add(self, trip):
        self.followed.add(trip)

    def remove(self, trip):
        if trip in self.followed:
            self.followed.discard(trip)
            self.write("end", trip, "left")

    def poll(self):
        for trip in sorted(self.followed):
            if self.world.model.now >= self.world.ends.get(trip, 0):
                self.followed.discard(trip)
                self.write("end", trip, "reached" if trip in self.world.ends else "failed")
            elif self.world.random.random() < 0.1:
                self.write("poll", trip, "ok")

    def write(self, kind, trip, outcome):
        self.lines.append(json.dumps({"type": kind, "trip": trip, "outcome": outcome}))


class VirtualWorker:
    def __init__(self, world, number):
        self.world = world
        self.program = VirtualProgram(world)
        self.follower = Follower(
            f"worker-{number}", "project", world.most, world.parts, LEASE, self.program, lambda: world.model.now)
        self.steps = self.call = None
        self.due = 0.0
        self.is_dead = self.is_suspended = self.is_asked = self.is_leaving = False
        #: Until when no fault may hit it, because only it knows trips that Redis has lost.
        self.protected = 0.0
        self.code = None

    def step(self, fault):
        """Performs one call, or begins with the next ones; `fault` is `before` or `after` the call, or `None`."""
        if self.call is None:
            return self.begin()
        call, self.call = self.call, None
        try:
            if fault == "before":
                raise StoreError("no connection")
            answer = self.world.model.perform(call)
            self.world.check()
            if fault == "after":
                raise StoreError("no answer")
            self.advance(answer)
        except StoreError:
            self.fail()
        except Ending as ending:
            self.leave(ending.code)

    def begin(self):
        follower, now = self.follower, self.world.model.now
        if self.is_leaving:
            self.steps = follower.leave()
        elif not follower.part:
            if self.is_asked:
                self.die(0)
                return
            self.steps = follower.start()
        else:
            self.program.poll()
            lines, self.program.lines = self.program.lines, []
            for line in lines:
                follower.read(line)
            if self.is_asked and not follower.lines:
                return self.leave(0)
            renews = now >= self.due
            if renews:
                self.due = now + LEASE / 10
            self.steps = follower.round(renews)
        try:
            self.advance(None)
        except Ending as ending:
            self.leave(ending.code)

    def advance(self, answer):
        try:
            self.call = self.steps.send(answer)
        except StopIteration:
            self.steps = None
            if self.is_leaving:
                self.die(self.code)

    def fail(self):
        self.steps = None
        if self.is_leaving:
            if self.world.model.now - self.follower.renewed > LEASE * 0.8:
                self.die(self.code)
        elif self.follower.part and self.follower.must_give_up():
            self.leave(69)

    def leave(self, code):
        """The program is killed; what it wrote since is lost."""
        self.code, self.is_leaving, self.steps, self.call = code, True, None, None
        self.program.followed, self.program.lines = set(), []

    def die(self, code):
        self.code, self.is_dead = code, True


class World:
    """Redis, workers, and what a backend has added."""

    def __init__(self, seed, model, most, parts):
        self.random = random.Random(seed)
        self.model, self.most, self.parts = model, most, parts
        #: When each trip is over at the service.
        self.ends = {}
        self.workers, self.started = [], 0

    def check(self):
        """Called after each call that Redis has performed."""

    def start(self):
        self.started += 1
        self.workers.append(VirtualWorker(self, self.started))

    def living(self):
        return [worker for worker in self.workers if not worker.is_dead]
