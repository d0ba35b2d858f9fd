"""Prints messages of Google's published package in which every field is set, one JSON object a line.

Each has the full name of the message, its binary form in base64, and its JSON form. Variants of a message differ in enum
values, members of oneofs and precision of times, so that together they contain every enum value and every field.
"""

import base64
import importlib
import json

from google.protobuf import descriptor_pool, json_format, message_factory

MODULES = ["google.maps.fleetengine_v1.types", "google.maps.fleetengine_delivery_v1.types"]
VARIANTS = 9
FRACTIONS = [0, 250_000_000, 123_456_000, 123_456_789]


def scalar(field, variant):
    """Returns a value that no other field of the message has."""
    if field.type == field.TYPE_BYTES:
        return f"{field.name} {variant}".encode()
    if field.cpp_type == field.CPPTYPE_STRING:
        return f"{field.name} {variant}"
    if field.cpp_type == field.CPPTYPE_BOOL:
        return True
    if field.cpp_type in (field.CPPTYPE_DOUBLE, field.CPPTYPE_FLOAT):
        return field.number + variant / 4 + 0.5
    if field.cpp_type == field.CPPTYPE_INT64:
        return (1 << 40) + field.number
    if field.cpp_type == field.CPPTYPE_ENUM:
        values = field.enum_type.values
        return values[(variant + 1) % len(values)].number
    return field.number * 100 + variant


def fill(message, variant):
    """Sets every field; of a oneof, another one in each variant."""
    name = message.DESCRIPTOR.full_name
    if name in ("google.protobuf.Timestamp", "google.protobuf.Duration"):
        message.seconds = 1_773_476_100 + variant
        message.nanos = FRACTIONS[variant % len(FRACTIONS)]
        return
    if name == "google.protobuf.FieldMask":
        message.paths.extend(["trip_status", "vehicle_id", "last_location.heading"])
        return
    for field in message.DESCRIPTOR.fields:
        oneof = field.containing_oneof
        if oneof is not None and oneof.fields[variant % len(oneof.fields)].name != field.name:
            continue
        if field.message_type is not None:
            if field.is_repeated:
                for offset in range(2):
                    fill(getattr(message, field.name).add(), variant + offset)
            else:
                fill(getattr(message, field.name), variant)
                getattr(message, field.name).SetInParent()
        elif field.is_repeated:
            getattr(message, field.name).extend([scalar(field, variant), scalar(field, variant + 1)])
        else:
            setattr(message, field.name, scalar(field, variant))


def with_nested(message):
    yield message
    for nested in message.nested_types:
        yield from with_nested(nested)


def main():
    files = set()
    for module in MODULES:
        types = importlib.import_module(module)
        files |= {getattr(types, name).pb().DESCRIPTOR.file.name for name in dir(types) if hasattr(getattr(types, name), "pb")}
    pool = descriptor_pool.Default()
    for file in sorted(files):
        for top in pool.FindFileByName(file).message_types_by_name.values():
            for descriptor in with_nested(top):
                for variant in range(VARIANTS):
                    message = message_factory.GetMessageClass(descriptor)()
                    fill(message, variant)
                    print(json.dumps({
                        "message": descriptor.full_name,
                        "binary": base64.b64encode(message.SerializeToString(deterministic=True)).decode(),
                        "json": json_format.MessageToDict(message),
                    }))


main()
