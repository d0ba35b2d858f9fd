"""Makes random messages of Google's published package, or compares them with what another program made of them.

    random_messages.py make COUNT SEED          prints one JSON object a line: name, binary form in base64, JSON form
    random_messages.py check COUNT SEED FILE    reads such lines, in the same order, and compares

The same count and seed give the same messages. A line of the file has `binary` and `json`, which must be equal to the
message, and optionally `wire`, a JSON form that only has to be a valid message.
"""

import base64
import importlib
import json
import random
import sys

from google.protobuf import descriptor_pool, json_format, message_factory

MODULES = ["google.maps.fleetengine_v1.types", "google.maps.fleetengine_delivery_v1.types"]
# The messages of which there is a model, with their collections.
MODELS = {
    "Trip": "trips", "Vehicle": "vehicles", "Task": "tasks", "DeliveryVehicle": "deliveryVehicles",
    "TaskTrackingInfo": "taskTrackingInfo",
}
DEEPEST = 5
TEXTS = ["", "a", "providers/p/trips/t", "ä€😀", "\u0000\u001f\"\\/", "x" * 300, "1", "null", "\u2028"]
INTEGERS = {32: [0, 1, -1, 359, 2**31 - 1, -2**31], 64: [0, 1, -1, 2**53 + 1, 2**63 - 1, -2**63]}
DOUBLES = [0.0, -0.0, 1.5, -90.0, 180.0, 5e-324, 1.7976931348623157e308, float("inf"), float("-inf"), float("nan")]
PATHS = ["trip_status", "vehicle_id", "last_location.heading", "remaining_waypoints"]


def scalar(field, source, newer):
    if field.type == field.TYPE_BYTES:
        return source.randbytes(source.randrange(20))
    if field.cpp_type == field.CPPTYPE_STRING:
        return source.choice(TEXTS)
    if field.cpp_type == field.CPPTYPE_BOOL:
        return source.random() < 0.5
    if field.cpp_type == field.CPPTYPE_DOUBLE:
        return source.choice(DOUBLES) if source.random() < 0.3 else source.uniform(-180, 180)
    if field.cpp_type == field.CPPTYPE_FLOAT:
        return source.choice([0.0, 62.5, 100.0, float("inf"), 0.10000000149011612])
    if field.cpp_type == field.CPPTYPE_ENUM:
        # A newer server may send a value that the schema does not have.
        return 1234 if newer and source.random() < 0.05 else source.choice(field.enum_type.values).number
    bits = 64 if field.cpp_type == field.CPPTYPE_INT64 else 32
    return source.choice(INTEGERS[bits]) if source.random() < 0.5 else source.randrange(100_000)


def fill(message, source, newer, depth=0):
    name = message.DESCRIPTOR.full_name
    if name == "google.protobuf.Timestamp":
        message.seconds = source.choice([-62_135_596_800, -1, 0, 253_402_300_799, source.randrange(2 * 10**9)])
        message.nanos = source.choice([0, 1, 1000, 250_000_000, 999_999_999])
        return
    if name == "google.protobuf.Duration":
        message.seconds = source.choice([-315_576_000_000, -1, 0, 1, source.randrange(10**6)])
        message.nanos = source.choice([0, 1, 5000, 999_999_999]) * (-1 if message.seconds < 0 else 1)
        return
    if name == "google.protobuf.FieldMask":
        message.paths.extend(source.sample(PATHS, source.randrange(len(PATHS))))
        return
    share = source.random()
    for field in message.DESCRIPTOR.fields:
        if source.random() > share:
            continue
        count = source.randrange(4) if field.is_repeated else 1
        for _ in range(count):
            if field.message_type is None:
                value = scalar(field, source, newer)
                if field.is_repeated:
                    getattr(message, field.name).append(value)
                else:
                    setattr(message, field.name, value)
            elif depth < DEEPEST:
                inner = getattr(message, field.name)
                if field.is_repeated:
                    inner = inner.add()
                else:
                    inner.SetInParent()
                fill(inner, source, newer, depth + 1)


def with_nested(message):
    yield message
    for nested in message.nested_types:
        yield from with_nested(nested)


def messages(count, seed):
    files = set()
    for module in MODULES:
        types = importlib.import_module(module)
        files |= {getattr(types, name).pb().DESCRIPTOR.file.name for name in dir(types) if hasattr(getattr(types, name), "pb")}
    pool = descriptor_pool.Default()
    tops = [top for file in sorted(files) for top in pool.FindFileByName(file).message_types_by_name.values()]
    descriptors = [descriptor for top in tops for descriptor in with_nested(top)]
    source = random.Random(seed)
    for number in range(count):
        descriptor = descriptors[number % len(descriptors)]
        message = message_factory.GetMessageClass(descriptor)()
        is_model = descriptor.name in MODELS
        fill(message, source, newer=not is_model)
        if is_model:
            message.name = f"providers/p/{MODELS[descriptor.name]}/x"
        yield message


def make(count, seed):
    for message in messages(count, seed):
        print(json.dumps({
            "message": message.DESCRIPTOR.full_name,
            "binary": base64.b64encode(message.SerializeToString(deterministic=True)).decode(),
            "json": json_format.MessageToJson(message, indent=None),
        }))


def check(count, seed, path):
    with open(path, encoding="utf-8") as file:
        lines = list(file)
    if len(lines) != count:
        sys.exit(f"{len(lines)} lines instead of {count}")
    for number, (message, line) in enumerate(zip(messages(count, seed), lines)):
        answer = json.loads(line)
        expected = message.SerializeToString(deterministic=True)
        kind = type(message)
        # Bytes are compared, because NaN is not equal to itself.
        forms = {
            "binary": kind.FromString(base64.b64decode(answer["binary"])),
            "json": json_format.Parse(answer["json"], kind()),
        }
        for form, found in forms.items():
            if found.SerializeToString(deterministic=True) != expected:
                sys.exit(f"message {number} of seed {seed}, {form}:\n{message}\nis now\n{found}")
        if "wire" in answer:
            json_format.Parse(answer["wire"], kind())
    print(len(lines))


if sys.argv[1] == "make":
    make(int(sys.argv[2]), int(sys.argv[3]))
else:
    check(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
