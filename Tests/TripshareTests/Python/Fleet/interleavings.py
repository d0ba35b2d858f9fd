"""Runs generated interleavings of workers, faults and a backend against the model of Redis, and checks each one.

    interleavings.py RUNS [FIRST SEED]

Prints, as JSON, the number of runs, of calls and of each kind of fault. A run that fails prints its seed and the reason.
"""

import collections
import json
import sys

from model import Model
from virtual import LEASE, World

#: Entries that can't be followed, which ask for no trip.
INVALID = (
    {}, {"name": "t"}, {"trip": ""}, {"trip": "-t"}, {"trip": "a\nb"}, {"trip": "x" * 65}, {"trip": "a:b"}, {"trip": ".."},
    {"trip": "providers/other/trips/t"}, {"trip": "t", "remove": "t"}, {"remove": ""}, {"trip": "trips/a/b"}, {"trip": "\udc80"},
)
#: How often each thing happens. Every second run loses no data, so that each entry has one outcome in it.
KINDS = {
    "step": 60, "time": 14, "add": 8, "remove": 1, "add invalid": 1, "kill": 1, "suspend": 1, "resume": 3, "stop": 0.7, "start": 2,
    "refuse": 1, "accept": 3, "suspend long": 0.5,
}
LOSSES = {"flush": 0.4, "fall back": 0.8, "trim": 0.2}


class Failure(Exception):
    pass


class Run:
    def __init__(self, seed):
        self.model = Model("project")
        self.counts = collections.Counter()
        self.world = World(seed, self.model, most=1 + seed % 5, parts=1 + seed // 2 % 2)
        self.random = self.world.random
        self.kinds = KINDS | (LOSSES if seed % 2 else {})
        #: The ends in the events, and the number of events that were read for them.
        self.seen, self.count, self.has_changed = collections.Counter(), 0, False
        self.world.check = self.check
        #: What was added: the entries of each trip, and those that ask for none.
        self.added, self.removed, self.invalid = collections.defaultdict(list), collections.defaultdict(list), []
        #: Trips that Redis has lost, and that no worker knew who could go on.
        self.excused = set()
        self.has_lost_data = False
        #: The ends that were seen in the events.
        self.ended_before = set()

    def run(self):
        for _ in range(self.random.randint(1, 3)):
            self.world.start()
        for _ in range(self.random.randint(60, 220)):
            self.act()
        self.recover()
        self.judge()
        return self.counts

    # What happens.

    def act(self):
        kind = self.random.choices(list(self.kinds), self.kinds.values())[0]
        self.counts[kind] += 1
        getattr(self, kind.replace(" ", "_"))()

    def free(self):
        return [worker for worker in self.world.living() if worker.protected <= self.model.now]

    def chosen(self, workers):
        return self.random.choice(workers) if workers else None

    def step(self, faults=True):
        worker = self.chosen([worker for worker in self.world.living() if not worker.is_suspended])
        if worker is None:
            return
        is_safe = not faults or worker.protected > self.model.now
        fault = None if is_safe else self.random.choices((None, "before", "after"), (90, 5, 5))[0]
        if worker.call is not None:
            self.counts[f"fault {fault}"] += 1
        worker.step(fault)

    def time(self):
        # Now and then everything is slow.
        self.model.now += self.random.choice((0.2, 0.5, 1, 2, LEASE / 4) if not self.is_protected() else (0.2, 0.5))

    def suspend_long(self):
        """All of a worker's leases end while it is suspended, and what the others knew of them is forgotten."""
        if self.is_protected():
            return
        self.suspend()
        suspended = [worker for worker in self.world.living() if worker.is_suspended]
        for _ in range(40):
            self.step()
            self.model.now += LEASE / 12
        for worker in suspended:
            worker.is_suspended = False

    def is_protected(self):
        return any(worker.protected > self.model.now for worker in self.world.living())

    def add(self):
        trip = f"trip-{len(self.added)}"
        if self.added and self.random.random() < 0.15:
            trip = self.random.choice(list(self.added))
        self.world.ends.setdefault(trip, self.model.now + self.random.choice((0, 1, 5, 20, 60)))
        name = self.random.choice((trip, f"trips/{trip}", f"providers/project/trips/{trip}"))
        self.excused.discard(trip)
        self.added[trip].append(self.model.add({"trip": name}))

    def remove(self):
        if self.added:
            trip = self.random.choice(list(self.added))
            self.removed[trip].append(self.model.add({"remove": trip}))

    def add_invalid(self):
        self.invalid.append(self.model.add(self.random.choice(INVALID)))

    def kill(self):
        worker = self.chosen(self.free())
        if worker is not None:
            # The call that it has sent can still be performed.
            if worker.call is not None and not worker.is_suspended and self.random.random() < 0.5:
                worker.step("after")
            worker.die(-9)

    def suspend(self):
        worker = self.chosen(self.free())
        if worker is not None:
            worker.is_suspended = True

    def resume(self):
        worker = self.chosen([worker for worker in self.world.living() if worker.is_suspended])
        if worker is not None:
            worker.is_suspended = False

    def stop(self):
        worker = self.chosen(self.free())
        if worker is not None:
            worker.is_asked = True

    def start(self):
        if len(self.world.living()) < 3:
            self.world.start()

    def refuse(self):
        if not self.is_protected():
            self.model.refusal = self.random.choice(("OOM", "READONLY", "NOREPLICAS", "no connection"))

    def accept(self):
        self.model.refusal = None

    def trim(self):
        """A backend that bounds the stream of trips loses what no worker has read."""
        stream = self.model.stream("trips")
        while len(stream) > 2:
            entry = next(iter(stream))
            del stream[entry]
            self.excused.update(trip for trip, entries in self.added.items() if entry in entries)
            self.has_lost_data = True

    def flush(self):
        self.lose(lambda: self.model.flush() or True)

    def fall_back(self):
        self.lose(lambda: self.model.fall_back(self.random.randint(1, 20)))

    def lose(self, change):
        before = set(self.ends())
        if not change():
            return
        self.has_changed = True
        self.has_lost_data = True
        self.model.refusal = None
        self.ended_before.update(before)
        known = self.known()
        for worker in self.world.living():
            follower = worker.follower
            # It renews in time: nothing may keep it from that.
            can_go_on = not worker.is_suspended and not worker.is_leaving and not worker.is_asked and follower.part > 0
            if can_go_on and self.model.now * 1000 + LEASE * 500 < follower.until and not follower.must_give_up():
                worker.protected = self.model.now + LEASE / 2
                known.update(follower.trips)
        self.excused.update(set(self.added) - known - set(self.ends()))

    def known(self):
        """The trips that Redis has."""
        entries = self.model.stream("trips")
        known = {trip for trip, ids in self.added.items() if any(entry in entries for entry in ids)}
        return known | set(self.model.stream("waiting")) | set(self.model.stream("followed"))

    def recover(self):
        """Ends all faults, and lets one worker go on until nothing is left."""
        self.model.refusal = None
        for worker in self.world.workers:
            worker.is_suspended = False
        for _ in range(4000):
            if not self.world.living():
                self.world.start()
            for worker in self.world.living():
                worker.step(None)
            if self.random.random() < 0.4:
                self.model.now += 0.5
            is_idle = all(not worker.follower.trips for worker in self.world.living())
            if is_idle and not self.known() and not self.model.stream("trips"):
                return
        raise Failure(f"trips are left: {sorted(self.known())}, room {self.world.most}")

    # What has to hold.

    def ends(self):
        events = list(self.model.stream("events").values())
        if len(events) < self.count or self.has_changed:
            self.seen, self.count, self.has_changed = collections.Counter(), 0, False
        for fields in events[self.count:]:
            event = json.loads(fields["event"])
            if event["type"] == "end":
                self.seen[event["trip"]] += 1
        self.count = len(events)
        return self.seen

    def check(self):
        self.counts["calls"] += 1
        counts = self.ends()
        for trip, count in counts.items():
            if count > len(self.added[trip]):
                raise Failure(f"{trip} was added {len(self.added[trip])} times and has ended {count} times")

    def judge(self):
        self.check()
        ends, rows = self.ends(), list(self.model.stream("rejected").values())
        rejected = collections.Counter(row["entry"] for row in rows)
        if any(count > 1 for count in rejected.values()):
            raise Failure("an entry was rejected twice")
        if any(not row["reason"] for row in rows):
            raise Failure("an entry was rejected without a reason")
        numbers = collections.Counter((row["worker"], row["number"]) for row in self.model.stream("events").values())
        if any(count > 1 for count in numbers.values()):
            raise Failure("a line was stored twice")
        for trip, entries in self.added.items():
            early = sum(rejected[entry] for entry in self.removed[trip] if self.reason(rows, entry).startswith("The trip was removed"))
            double = sum(rejected[entry] for entry in entries)
            if self.has_lost_data:
                if not (ends[trip] or early or trip in self.excused or trip in self.ended_before):
                    raise Failure(f"{trip} is lost")
            elif ends[trip] + early + double != len(entries):
                raise Failure(f"{trip}: {len(entries)} entries, {ends[trip]} ends, {early + double} rejected")
        if not self.has_lost_data and any(rejected[entry] != 1 for entry in self.invalid):
            raise Failure("an entry that can't be followed was not rejected")
        self.counts["runs"] += 1
        self.counts["ends"] += sum(ends.values())
        self.counts["rejected"] += len(rows)
        self.counts["excused"] += len(self.excused)

    def reason(self, rows, entry):
        return next((row["reason"] for row in rows if row["entry"] == entry), "")


def main():
    runs, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    total = collections.Counter()
    for seed in range(first, first + runs):
        run = Run(seed)
        try:
            total.update(run.run())
        except Failure as failure:
            sys.exit(f"seed {seed}: {failure}")
    print(json.dumps(total))


if __name__ == "__main__":
    main()
