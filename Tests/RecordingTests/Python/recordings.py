"""Checks lines of recordings with the JSON Schema of the format and prints one JSON object.

The arguments are the schema and files with lines, packed ones, too. The result has:

- lines: the number of lines of each type
- invalid: what the schema refuses
- accepted: changes of valid lines that the schema should refuse: an unknown member, or a value of another type
- unseen: the members in the schema that no line has
"""

import collections
import copy
import gzip
import json
import sys

import jsonschema

UNKNOWN = {"unknown": {"unknown": 0}}

with open(sys.argv[1]) as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
lines, invalid, accepted = collections.Counter(), [], []
tried, seen = set(), set()


def nodes(value, path=()):
    yield path, value
    if isinstance(value, dict):
        for key, member in value.items():
            yield from nodes(member, path + (key,))
    if isinstance(value, list):
        for index, element in enumerate(value):
            yield from nodes(element, path + (index,))


def changed(line, path, value):
    if not path:
        return line | value
    line = copy.deepcopy(line)
    parent = line
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    return line


def changes(path, value):
    """Yields a name and a value that the schema should refuse instead of the one at the path."""
    if isinstance(value, dict):
        yield "unknown member", value | UNKNOWN
    if path:
        yield "object", UNKNOWN
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        yield "other type", "text" if is_number else 7


def members(part, value):
    """Adds the members of the schema's objects that a value has."""
    if "$ref" in part:
        name = part["$ref"].rsplit("/", 1)[1]
        members(schema["$defs"][name], value)
    if isinstance(value, dict):
        known = part.get("properties", {})
        for key, member in value.items():
            if key in known and isinstance(known[key], dict):
                seen.add(id(known[key]))
                members(known[key], member)
            elif isinstance(part.get("additionalProperties"), dict):
                members(part["additionalProperties"], member)
    if isinstance(value, list) and isinstance(part.get("items"), dict):
        for element in value:
            members(part["items"], element)
    for other in part.get("oneOf", []):
        if validator.evolve(schema=other).is_valid(value):
            members(other, value)


def all_members(part, path):
    if not isinstance(part, dict):
        return
    for key, member in part.get("properties", {}).items():
        if id(member) not in seen:
            yield f"{path}.{key}"
        yield from all_members(member, f"{path}.{key}")
    for key in ("items", "additionalProperties"):
        yield from all_members(part.get(key), path)
    for other in part.get("oneOf", []):
        # The others only restrict the members.
        if other.get("type") == "object":
            yield from all_members(other, path)


for name in sys.argv[2:]:
    opened = gzip.open(name, "rt") if name.endswith(".gz") else open(name)
    with opened as file:
        for number, text in enumerate(file, 1):
            line = json.loads(text)
            lines[line["type"]] += 1
            errors = [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(line)]
            if errors:
                invalid.append(f"{name}:{number}: {line['type']}: {errors[:3]}")
                continue
            for branch in schema["allOf"]:
                if branch["if"]["properties"]["type"]["const"] == line["type"]:
                    members(branch["then"], line)
            for path, value in nodes(line):
                shape = (line["type"],) + tuple("#" if isinstance(key, int) else key for key in path)
                if (shape, type(value)) in tried:
                    continue
                tried.add((shape, type(value)))
                for change, other in changes(path, value):
                    if validator.is_valid(changed(line, path, other)):
                        accepted.append(f"{'.'.join(shape)}: {change}")

unseen = sorted(text for name, part in schema["$defs"].items() for text in all_members(part, name))
print(json.dumps({"lines": lines, "invalid": invalid[:20], "accepted": accepted[:20], "unseen": unseen}))
