"""What a worker promises beside its trips: rejected entries, exit codes, its name, and the state that it shows. Prints it as JSON."""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile

from harness import HERE, WORKER, Server, Workers, wait

sys.dont_write_bytecode = True
sys.path.insert(0, str(WORKER.parent))

import store  # noqa: E402

KEY = "tripshare:project:"
#: Entries that can't be followed, each with a word of its reason.
INVALID = (
    ({"name": "t"}, "neither"), ({"trip": "t", "remove": "t"}, "both"), ({"trip": ""}, "empty"), ({"trip": "-t"}, "hyphen"),
    ({"trip": "a\nb"}, "line break"), ({"trip": "a:b"}, "contains :"), ({"trip": "x" * 65}, "64"), ({"trip": ".."}, "path"),
    ({"trip": "providers/other/trips/t"}, "another project"), ({"trip": b"\xff"}, "UTF-8"), ({"remove": "never"}, "not followed"),
    ({"trip": "a\u202eb"}, "do not write"), ({"trip": "a\ufdd0"}, "do not write"), ({"trip": "eyJhbGciOiJIUzI1NiJ9"}, "token"),
    ({"trip": "trips/*"}, "all trips"), ({"trip": "first"}, "followed already"), ({"trip": "second"}, "waits already"),
)


def status(server, *options):
    return subprocess.run(
        [sys.executable, str(WORKER), "project", "--redis", f"unix://{server.path}", "--workers", "1", "--status", *options],
        capture_output=True, text=True, timeout=60)


def code(*words, python=()):
    return subprocess.run(
        [sys.executable, *python, str(WORKER), *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=60).returncode


def add_all(client, *entries):
    with client.pipeline(transaction=True) as pipe:
        for fields in entries:
            pipe.xadd(KEY + "trips", fields)
        pipe.execute()


def hold_without_reader(server):
    """Gives more trips to a program than a pipe holds, which it does not read."""
    workers = Workers(
        server, ["--workers", 1, "--interval", 1, "--lease", 2, "--quota", 600_000], ["sh", "-c", "exec sleep 600", "sleep"])
    try:
        worker = workers.start()
        add_all(server.client, *({"trip": f"{number:060}"} for number in range(3000)))
        wait("all trips are followed", lambda: server.client.hlen(KEY + "followed") == 3000)
        renewed = []

        def is_renewed():
            # Only a renewal makes the rest of a lease longer.
            renewed.append(server.client.pttl(KEY + "quota:1"))
            return sum(after > before for before, after in zip(renewed, renewed[1:])) > 3 or worker.poll() is not None
        wait("the lease is renewed", is_renewed)
        worker.send_signal(signal.SIGTERM)
        return {"deafCode": worker.wait(60)}
    finally:
        workers.kill()


def main(folder):
    over = pathlib.Path(folder) / "over"
    over.mkdir()
    server = Server(folder)
    # The quota permits one trip.
    workers = Workers(
        server, ["--workers", 1, "--interval", 1, "--lease", 4, "--quota", 60], [sys.executable, HERE / "stub.py", over])
    client, report = server.client, {}
    try:
        first = workers.start()
        for trip in ("first", "trips/second", "trips/-third"):
            client.xadd(KEY + "trips", {"trip": trip})
        wait("the first trip is followed", lambda: client.hexists(KEY + "followed", "first"))
        entries = [client.xadd(KEY + "trips", fields) for fields, _ in INVALID]
        wait("all entries are read", lambda: client.xlen(KEY + "trips") == 0)
        rows = [fields for _, fields in client.xrange(KEY + "rejected")]
        report["rejected"] = sum(
            len(found) == 1 and word in found[0]["reason"] and len(json.loads(found[0]["fields"])) == len(fields)
            for entry, (fields, word) in zip(entries, INVALID)
            for found in [[row for row in rows if row["entry"] == entry]])
        report["expected"], report["rows"] = len(INVALID), len(rows)
        state = json.loads(status(server, "--json").stdout)
        report["state"] = {name: state[name] for name in ("lag", "waiting", "followed", "orphans", "parts", "leased", "rejected")}
        report["tripsOfWorker"] = state["workers"][0]["trips"]
        report["table"] = status(server).stdout
        file = pathlib.Path(folder) / "fleet.prom"
        report["metricsCode"] = status(server, "--metrics", str(file)).returncode
        report["metrics"] = file.read_text()
        # A folder is no file.
        report["metricsRefusal"] = status(server, "--metrics", folder).returncode
        report["metricsLeft"] = len(list(pathlib.Path(folder).parent.glob(f"{pathlib.Path(folder).name}.*")))
        # Removing needs no room. The trip is added again by an entry that the worker reads in the same call.
        add_all(client, {"remove": "second"}, {"trip": "second"})
        wait("the second trip is removed", lambda: client.xlen(KEY + "rejected") == len(INVALID) + 1)
        report["addedAgain"] = client.zscore(KEY + "waiting", "second") is not None
        client.xadd(KEY + "trips", {"remove": "second"})
        wait("the second trip is removed again", lambda: client.xlen(KEY + "rejected") == len(INVALID) + 2)
        add_all(client, {"remove": "first"}, {"trip": "first"})
        ended = {}

        def read():
            for _, fields in client.xrange(KEY + "events"):
                event = json.loads(fields["event"])
                if event["type"] == "end":
                    ended.setdefault(event["trip"], []).append(event["outcome"])
            return ended

        wait("the first trip has ended", lambda: ended.clear() or "first" in read())
        report["addedEarly"] = client.xrevrange(KEY + "rejected", count=1)[0][1]["reason"]
        wait("the third trip is followed", lambda: client.hget(KEY + "followed", "-third"))
        (over / "garbage").touch()
        report["garbageCode"] = first.wait(60)
        report["leftParts"] = len(client.keys(KEY + "quota:*"))
        second = workers.start()
        wait("the third trip belongs to the other worker",
             lambda: f"-{second.pid}-" in (client.hget(KEY + "followed", "-third") or ""))
        (over / "-third").touch()
        wait("the third trip has ended", lambda: ended.clear() or "-third" in read())
        second.send_signal(signal.SIGTERM)
        report["stopCode"] = second.wait(60)
        report["ended"] = ended
        report["names"] = len({fields["worker"].rsplit("-", 1)[-1] for _, fields in client.xrange(KEY + "events")})
        report.update(hold_without_reader(server))
        url = f"unix://{server.path}"
        report["waitsToConnect"] = [
            "socket_connect_timeout" in store.connect(each, 1).connection_pool.connection_kwargs
            for each in (url, "redis://127.0.0.1")]
        report["codes"] = {
            "option": code("project", "--nonsense"), "no command": code("project"), "lease": code("project", "--lease", "1", "--", "x"),
            "endless": code("project", "--lease", "inf", "--", "x"),
            "url": code("project", "--redis", "nonsense", "--", "x"), "program": code("project", "--redis", url, "--", "/no/program"),
            "ends": code("project", "--redis", url, "--", "sh", "-c", "exit 77"),
            "no Redis": code("project", "--redis", f"unix://{folder}/none", "--status"),
            # Without the folders of installed modules.
            "no module": code("project", "--status", python=("-I", "-S")),
        }
        print(json.dumps(report))
    finally:
        workers.kill()
        server.kill()


with tempfile.TemporaryDirectory() as folder:
    main(folder)
