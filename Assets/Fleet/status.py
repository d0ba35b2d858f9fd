"""The state of a fleet: what Redis has of it, as a table, as JSON, and as metrics."""

import contextlib
import json
import os
import sys
import time

import redis

from keys import key
from store import connect

#: Each number: its name in JSON and in metrics, and what it says.
NUMBERS = (
    ("lag", "entries of the stream of trips that no worker has read"),
    ("lagSeconds", "the age of the oldest of them"),
    ("waiting", "trips that wait for room"),
    ("followed", "trips that a worker follows"),
    ("orphans", "of these, trips of workers that are gone"),
    ("removing", "trips that are being removed"),
    ("parts", "parts of the quota"),
    ("leased", "of these, parts that a worker has"),
    ("events", "stored events"),
    ("rejected", "rejected entries"),
)


def show(options):
    """Prints the state; returns the exit code."""
    try:
        state = read(connect(options.redis, 10), options.project, options.workers, time.time())
    except redis.RedisError as error:
        print(f"Redis can't be used: {error}", file=sys.stderr)
        return 69
    if options.metrics:
        try:
            write(options.metrics, metrics(state))
        except OSError as error:
            print(f"{options.metrics}: {error.strerror}", file=sys.stderr)
            return 74
    if options.json:
        print(json.dumps(state))
    elif not options.metrics:
        print(table(state), end="")
    return 0


def read(client, project, parts, now):
    """Returns the state as one object."""
    def named(name):
        return key(project, name)

    followed = client.hgetall(named("followed"))
    workers = {}
    for number in range(1, parts + 1):
        part = named("quota:") + str(number)
        worker = client.get(part)
        if worker is not None:
            left = max(0, client.pttl(part)) / 1000
            workers[worker] = {"worker": worker, "part": number, "leaseSeconds": left, "trips": 0}
    orphans = 0
    for owner in followed.values():
        if owner in workers:
            workers[owner]["trips"] += 1
        else:
            orphans += 1
    oldest = client.xrange(named("trips"), count=1)
    last = client.xrevrange(named("rejected"), count=10)
    return {
        "project": project,
        "lag": client.xlen(named("trips")),
        "lagSeconds": max(0.0, now - int(oldest[0][0].split("-")[0]) / 1000) if oldest else 0.0,
        "waiting": client.zcard(named("waiting")),
        "followed": len(followed), "orphans": orphans,
        "removing": client.scard(named("removing")),
        "parts": parts, "leased": len(workers),
        "events": client.xlen(named("events")),
        "rejected": client.xlen(named("rejected")),
        "workers": sorted(workers.values(), key=lambda worker: worker["part"]),
        "lastRejected": [{"id": entry, **fields} for entry, fields in last],
    }


def table(state):
    """Returns the state as lines for people."""
    lines = [f"project {clean(state['project'])}"]
    for name, about in NUMBERS:
        value = state[name]
        lines.append(f"{value:>10.1f}  {about} (s)" if isinstance(value, float) else f"{value:>10}  {about}")
    lines += ["", "part  trips  lease  worker"]
    for worker in state["workers"]:
        lines.append(f"{worker['part']:>4}  {worker['trips']:>5}  {worker['leaseSeconds']:>3.0f} s  {clean(worker['worker'])}")
    if state["lastRejected"]:
        lines += ["", "last rejected entries"]
    for row in state["lastRejected"]:
        lines.append(clean(f"{row.get('entry', '')}  {row.get('reason', '')}  {row.get('fields', '')[:200]}"))
    return "\n".join(lines) + "\n"


def metrics(state):
    """Returns the state in the text format of Prometheus."""
    project = label(state["project"])
    lines = []
    for name, about in NUMBERS:
        metric = "tripshare_fleet_" + "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
        lines += [f"# HELP {metric} {about}.", f"# TYPE {metric} gauge", f"{metric}{{project=\"{project}\"}} {state[name]}"]
    for metric, field, about in (
        ("tripshare_fleet_worker_trips", "trips", "trips of the worker that has a part"),
        ("tripshare_fleet_worker_lease_seconds", "leaseSeconds", "the rest of its lease"),
    ):
        lines += [f"# HELP {metric} {about}.", f"# TYPE {metric} gauge"]
        lines += [f"{metric}{{project=\"{project}\",part=\"{worker['part']}\"}} {worker[field]}" for worker in state["workers"]]
    return "\n".join(lines) + "\n"


def label(text):
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def clean(text):
    """Makes characters visible that terminals obey."""
    return "".join(character if character.isprintable() else f"\\u{{{ord(character):X}}}" for character in text)


def write(path, text):
    """Writes a file as a whole."""
    part = f"{path}.{os.getpid()}"
    try:
        with open(part, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(part, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.remove(part)
        raise
