"""What a worker decides. It performs no call itself: its methods are generators that yield calls and receive the answers, so
that a test can stop, repeat or lose each of them."""

import collections
import itertools
import json
import secrets
from typing import NamedTuple

import entries
from store import ENTRIES, Call, StoreError

#: How the program names the end of a trip. Others (`interrupted`, `timed_out`, `left` if nobody removed the trip) are ends of
#: the program: another worker goes on with the trip.
ENDS = ("reached", "missed", "failed")
#: The number of lines that are stored at a time.
LINES = 200


class Code:
    """The exit codes of a worker that ends by itself; otherwise it is that of the program."""

    #: The worker was asked to end.
    DONE = 0
    #: The options are wrong.
    USAGE = 64
    #: Redis can't be reached or does not store.
    UNAVAILABLE = 69
    #: The lease is over, as after the worker was suspended.
    LEASE_OVER = 75
    #: The program has written a line that is no JSON object.
    NOT_JSON = 76


class Ending(Exception):
    """The worker has to end with a code."""

    def __init__(self, code, reason):
        super().__init__(reason)
        self.code = code


class Line(NamedTuple):
    number: int
    trip: str
    is_end: bool
    text: str
    #: When it was read.
    at: float


class Followed:
    """A trip that the program follows."""

    def __init__(self):
        self.is_removed = False
        #: Whether the line of its end was read; it is not stored yet.
        self.has_ended = False


class Follower:
    """A worker's trips and lines.

    `program` has `add(trip)` and `remove(trip)`; `clock` returns steady seconds; `lease` is in seconds.
    """

    def __init__(self, name, project, most, parts, lease, program, clock, most_events=1_000_000):
        self.name, self.project, self.most, self.parts = name, project, most, parts
        self.lease, self.program, self.clock, self.most_events = lease, program, clock, most_events
        self.trips = {}
        self.lines = collections.deque()
        self.number = 0
        self.part = 0
        #: The name of the data set: another one has lost what this worker wrote.
        self.origin = ""
        #: The time of the server, in milliseconds, when the lease ends.
        self.until = 0
        #: When the last renewal was sent that succeeded.
        self.renewed = clock()

    @property
    def milliseconds(self):
        return int(self.lease * 1000)

    def start(self):
        """Leases a part of the quota; returns whether it has one."""
        sent = self.clock()
        self.origin, self.part, time = yield Call("lease", (self.name, 0, new_origin(), self.milliseconds, self.parts))
        self.until, self.renewed = int(time) + self.milliseconds, sent
        return self.part > 0

    def round(self, renews):
        """Stores the lines, and then, if `renews`, renews the lease and takes trips."""
        yield from self.publish()
        if renews:
            # Few calls, so that the program's lines do not wait for a long stream.
            for _ in range(10):
                count = yield from self.sync()
                if count < ENTRIES:
                    break

    def read(self, text):
        """Takes a line of the program."""
        try:
            event = json.loads(text)
            trip = event.get("trip", "")
            outcome = event.get("outcome") if event.get("type") == "end" else None
        except (ValueError, AttributeError, RecursionError):
            raise Ending(Code.NOT_JSON, "The program has written a line that is no JSON object.") from None
        followed = self.trips.get(trip)
        if trip and (followed is None or followed.has_ended):
            return
        is_end = outcome in ENDS or outcome == "left" and followed is not None and followed.is_removed
        if outcome is not None and not is_end:
            return
        self.number += 1
        if is_end and followed is not None:
            followed.has_ended = True
        self.lines.append(Line(self.number, trip, is_end, text, self.clock()))

    def must_give_up(self):
        """Whether the lease or what was read has been without Redis for half of the lease."""
        oldest = min(self.renewed, self.lines[0].at if self.lines else self.renewed)
        return self.clock() - oldest > self.lease / 2

    def publish(self):
        attempts = 0
        while self.lines:
            batch = list(itertools.islice(self.lines, LINES))
            values = [(line.number, line.trip, "end" if line.is_end else "", line.text) for line in batch]
            kind, *answer = yield Call("publish", (
                self.name, self.part, self.origin, self.most_events, *itertools.chain.from_iterable(values)))
            if kind == "stored":
                self.settle(int(answer[0]))
                continue
            attempts += 1
            if attempts > 10:
                raise StoreError("Redis changes its data again and again")
            if kind == "lost":
                yield from self.sync()
            else:
                yield from self.restore()

    def sync(self, attempts=5):
        """Renews, handles entries and takes trips; returns the number of entries."""
        found = yield Call("read")
        read = [entries.read(entry, fields, self.project) for entry, fields in found]
        sent = self.clock()
        kind, *answer = yield Call("sync", (
            self.name, self.part, self.origin, self.milliseconds, self.most, *itertools.chain.from_iterable(read)))
        if kind != "held":
            return (yield from self.sync_restored(attempts))
        time, number, mine, leaving = answer
        self.until, self.renewed = int(time) + self.milliseconds, sent
        # Lines whose answer was lost are stored: their trips are done, not missing.
        self.settle(int(number))
        if set(self.trips).difference(mine):
            return (yield from self.sync_restored(attempts))
        for trip in mine:
            if trip not in self.trips:
                self.trips[trip] = Followed()
                self.program.add(trip)
        for trip in leaving:
            followed = self.trips[trip]
            if not followed.is_removed and not followed.has_ended:
                followed.is_removed = True
                self.program.remove(trip)
        return len(found)

    def sync_restored(self, attempts):
        if not attempts:
            raise StoreError("Redis loses its data again and again")
        yield from self.restore()
        return (yield from self.sync(attempts - 1))

    def restore(self):
        """Writes trips again that Redis has lost, if no other worker can have followed them meanwhile.

        It names all trips: Redis can have lost more of them since they were compared.
        """
        sent = self.clock()
        kind, *answer = yield self.restoration("keep")
        if kind != "held":
            raise Ending(Code.LEASE_OVER, "The lease of this worker's part of the quota is over.")
        self.origin = answer[0]
        self.until, self.renewed = int(answer[1]) + self.milliseconds, sent
        for trip in answer[2]:
            self.drop(trip)

    def leave(self):
        """Leaves the trips and the part of the quota to others."""
        yield self.restoration("leave")

    def restoration(self, mode):
        return Call("restore", (self.name, self.part, new_origin(), self.milliseconds, self.until, mode, *self.trips))

    def settle(self, number):
        """Forgets the lines that are stored, and the trips that ended with them."""
        while self.lines and self.lines[0].number <= number:
            line = self.lines.popleft()
            if line.is_end and line.trip:
                del self.trips[line.trip]

    def drop(self, trip):
        """Stops following a trip that another worker follows, or whose end is stored."""
        if not self.trips.pop(trip).has_ended:
            self.program.remove(trip)
        self.lines = collections.deque(line for line in self.lines if line.trip != trip)


def new_origin():
    return secrets.token_hex(8)
