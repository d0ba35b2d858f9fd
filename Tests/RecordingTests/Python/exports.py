"""Reads an exported file with programs that are not this project's, and prints what they found as JSON."""

import csv
import json
import sys

import geojson
import gpxpy
import haralyzer


def har(path):
    with open(path, encoding="utf-8") as file:
        parser = haralyzer.HarParser(json.load(file))
    entries = parser.har_data["entries"]
    timings = ["blocked", "dns", "connect", "ssl", "send", "wait", "receive"]
    return {
        "version": parser.version,
        "creator": parser.creator["name"],
        "pages": len(parser.pages),
        "entries": [[entry.request.method, entry.response.status] for page in parser.pages for entry in page.entries],
        "areTimesZoned": all(
            entry.startTime.tzinfo is not None for page in parser.pages for entry in page.entries
        ),
        "areTimingsComplete": all(
            set(timings) <= set(entry["timings"])
            and entry["timings"]["ssl"] <= entry["timings"]["connect"]
            and abs(entry["time"] - sum(max(0, entry["timings"][name]) for name in timings)) < 0.01
            for entry in entries
        ),
        "authorizations": sorted(
            {
                header["value"]
                for entry in entries
                for header in entry["request"]["headers"]
                if header["name"].lower() == "authorization"
            }
        ),
        "bytes": sum(max(0, entry["response"]["bodySize"]) for entry in entries),
    }


def geo(path):
    with open(path, encoding="utf-8") as file:
        collection = geojson.load(file)
    kinds = {}
    for feature in collection.features:
        kind = feature.properties["kind"]
        kinds[kind] = kinds.get(kind, 0) + 1
    track = next(feature for feature in collection.features if feature.properties["kind"] in ("track", "position"))
    return {
        "isValid": collection.is_valid,
        "errors": json.dumps(collection.errors()) if collection.errors() else "",
        "kinds": kinds,
        "points": len(list(geojson.utils.coords(track))),
        "times": len(track.properties.get("times", [])),
    }


def gpx(path):
    with open(path, encoding="utf-8") as file:
        parsed = gpxpy.parse(file)
    points = [point for track in parsed.tracks for segment in track.segments for point in segment.points]
    ordered = all(
        one.time <= other.time
        for track in parsed.tracks
        for segment in track.segments
        for one, other in zip(segment.points, segment.points[1:])
    )
    return {
        "version": parsed.version,
        "tracks": [track.name for track in parsed.tracks],
        "points": len(points),
        "haveTimes": all(point.time is not None and point.time.tzinfo is not None for point in points),
        "areInOrder": ordered,
        "routes": len(parsed.routes),
        "waypoints": [waypoint.name for waypoint in parsed.waypoints],
        "meters": parsed.length_2d(),
    }


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        return {"rows": list(csv.DictReader(file, strict=True))}


READERS = {"har": har, "geojson": geo, "gpx": gpx, "csv": table}
print(json.dumps(READERS[sys.argv[1]](sys.argv[2])))
