#!/usr/bin/env python3
"""Replaces tripshare: reads lines of JSON that add and remove trips, and writes polls of each trip and then its end.

The argument is a folder. A trip ends when a file with its name is there; a file `garbage` makes it write a line that is no JSON.
"""

import json
import os
import select
import sys

folder = sys.argv[1]
trips, buffer = set(), b""


def write(kind, trip, outcome):
    sys.stdout.write(json.dumps({"type": kind, "trip": trip, "outcome": outcome}) + "\n")
    sys.stdout.flush()


try:
    while True:
        if select.select([0], [], [], 0.05)[0]:
            read = os.read(0, 65536)
            if not read:
                break
            *lines, buffer = (buffer + read).split(b"\n")
            for line in map(json.loads, lines):
                if "add" in line:
                    trips.add(line["add"])
                elif line["remove"] in trips:
                    trips.discard(line["remove"])
                    write("end", line["remove"], "left")
        if os.path.exists(os.path.join(folder, "garbage")):
            os.remove(os.path.join(folder, "garbage"))
            print("Traceback", flush=True)
        # Without a trip, too, it notices that its reader is gone.
        sys.stdout.write('{"type": "note"}\n')
        sys.stdout.flush()
        for trip in sorted(trips):
            if os.path.exists(os.path.join(folder, trip)):
                trips.discard(trip)
                write("end", trip, "reached")
            else:
                write("poll", trip, "ok")
except BrokenPipeError:
    os._exit(74)
