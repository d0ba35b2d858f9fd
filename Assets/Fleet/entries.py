"""What an entry of the stream of trips asks for.

An entry adds the trip in its field `trip`, or removes the one in its field `remove`. A trip is an ID, or a name with its
collection: `trips/ID`, `taskTrackingInfo/ID` (a shipment), both also after `providers/PROJECT/`.
"""

import json
import re
import unicodedata
from typing import NamedTuple

#: The collections of names, and what JSON lines write before an ID of each.
PREFIXES = {"trips": "", "taskTrackingInfo": "taskTrackingInfo/"}
#: Characters that end lines or that terminals obey, and bytes that are no UTF-8.
CONTROL = ("Cc", "Cs", "Zl", "Zp")
#: Characters that reorder or hide a part of a line. JSON lines write them, and those that Unicode does not know ("Cn"),
#: otherwise, so that no line would name the trip.
HIDING = re.compile(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufff9-\ufffb\U000e0000-\U000e00ff]")
#: What JSON lines take for a token, and do not write.
TOKEN = re.compile(r"(?=[\w.~+=-]{16})[\w.~+=-]*eyJ|(?i:bearer)[^\w.~+=-]+[\w.~+=-]{8}", re.ASCII)


class Entry(NamedTuple):
    """An entry that was read: `action` is `add`, `remove` or `reject`, `value` the trip as JSON lines name it or the reason."""

    id: str
    action: str
    value: str
    fields: str


class Rejection(Exception):
    """Why an entry can't be followed."""


def read(entry, fields, project):
    """Returns what an entry asks for."""
    # An entry whose text is long is still shown as a whole; Redis bounds it.
    text = json.dumps(fields)
    try:
        actions = [(action, fields[field]) for field, action in (("trip", "add"), ("remove", "remove")) if field in fields]
        if not actions:
            raise Rejection("The entry has neither a field trip nor a field remove.")
        if len(actions) > 1:
            raise Rejection("The entry has both a field trip and a field remove.")
        action, name = actions[0]
        return Entry(entry, action, trip(name, project), text)
    except Rejection as reason:
        return Entry(entry, "reject", str(reason), text)


def trip(name, project):
    """Returns the trip that a name names, as JSON lines write it; raises a Rejection for a name that names none."""
    parts = name.split("/")
    prefix, identifier = "", name
    if len(parts) in (2, 4) and parts[-2] in PREFIXES and (len(parts) == 2 or parts[0] == "providers"):
        if len(parts) == 4 and parts[1] != project:
            raise Rejection("The trip belongs to another project.")
        prefix, identifier = PREFIXES[parts[-2]], parts[-1]
    elif name.startswith("-"):
        raise Rejection("The trip begins with a hyphen. The field remove removes a trip; trips/-… is a trip with such an ID.")
    if not identifier:
        raise Rejection("The ID is empty.")
    if len(identifier) > 64:
        raise Rejection("The ID has more than 64 characters.")
    if identifier in (".", ".."):
        raise Rejection("The ID is a part of a path.")
    if unicodedata.normalize("NFKC", identifier).strip() == "*":
        raise Rejection("The ID stands for all trips in a token.")
    if TOKEN.search(identifier):
        raise Rejection("The ID looks like a token, which JSON lines do not write.")
    for character in identifier:
        if character in "/:?,#":
            raise Rejection(f"The ID contains {character}")
        if unicodedata.category(character) in CONTROL:
            raise Rejection("The ID contains a control character or a line break, or is not UTF-8.")
        if unicodedata.category(character) == "Cn" or HIDING.match(character):
            raise Rejection("The ID contains a character that JSON lines do not write.")
    return prefix + identifier
