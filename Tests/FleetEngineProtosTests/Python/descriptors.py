"""Compares the .proto files in a folder with Google's published Python packages.

Prints one JSON object: how many messages, fields, enum values and RPCs of each package were compared, and every
difference.
"""

import collections
import importlib
import json
import pathlib
import sys
import tempfile

import grpc
import grpc_tools.protoc
from google.maps.fleetengine_delivery_v1.services.delivery_service.transports import DeliveryServiceGrpcTransport
from google.maps.fleetengine_v1.services.trip_service.transports import TripServiceGrpcTransport
from google.maps.fleetengine_v1.services.vehicle_service.transports import VehicleServiceGrpcTransport
from google.protobuf import descriptor_pb2, descriptor_pool

# The Python modules of the messages by their packages.
PACKAGES = {
    "maps.fleetengine.v1.": "google.maps.fleetengine_v1.types",
    "maps.fleetengine.delivery.v1.": "google.maps.fleetengine_delivery_v1.types",
}
# Importing a module adds its messages to the default pool.
MODULES = [
    "google.geo.type.types.viewport", "google.rpc.error_details_pb2", "google.rpc.status_pb2", "google.type.latlng_pb2",
]


def compile_protos(folder):
    """Returns the descriptors of all files in a folder, in a pool of their own."""
    with tempfile.NamedTemporaryFile() as output:
        bundled = pathlib.Path(grpc_tools.__file__).parent / "_proto"
        files = sorted(str(path.relative_to(folder)) for path in pathlib.Path(folder).glob("google/**/*.proto"))
        arguments = ["protoc", f"-I{folder}", f"-I{bundled}", "--include_imports", f"-o{output.name}"]
        if grpc_tools.protoc.main(arguments + files) != 0:
            sys.exit("protoc failed")
        descriptors = descriptor_pb2.FileDescriptorSet.FromString(pathlib.Path(output.name).read_bytes())
    pool = descriptor_pool.DescriptorPool()
    for file in descriptors.file:
        pool.Add(file)
    return pool, files


def describe_field(field):
    """Returns everything about a field that shows on the wire or in JSON."""
    oneof = field.containing_oneof
    is_synthetic = oneof is not None and oneof.name.startswith("_")
    target = field.message_type or field.enum_type
    return {
        "number": field.number,
        "type": field.type,
        "of": target.full_name if target else None,
        "repeated": field.is_repeated,
        "presence": field.has_presence,
        "oneof": oneof.name if oneof is not None and not is_synthetic else None,
        "json": field.json_name,
    }


def describe(message, result):
    """Adds a message and what it contains to a table from full name to description."""
    result[message.full_name] = {"kind": "message"}
    for field in message.fields:
        # Python's package renames fields whose names Python has itself, such as `type_`.
        result[f"{message.full_name}.{field.name.removesuffix('_')}"] = {"kind": "field", **describe_field(field)}
    for enum in message.enum_types:
        describe_enum(enum, result)
    for nested in message.nested_types:
        describe(nested, result)


def describe_enum(enum, result):
    result[enum.full_name] = {"kind": "enum"}
    for value in enum.values:
        result[f"{enum.full_name}.{value.name}"] = {"kind": "value", "number": value.number}


def our_descriptions(pool, files):
    result = {}
    for name in files:
        file = pool.FindFileByName(name)
        for message in file.message_types_by_name.values():
            describe(message, result)
        for enum in file.enum_types_by_name.values():
            describe_enum(enum, result)
        for service in file.services_by_name.values():
            for method in service.methods:
                types = [method.input_type.full_name, method.output_type.full_name]
                result[f"/{service.full_name}/{method.name}"] = {"kind": "rpc", "types": types}
    return result


class RecordingChannel:
    """Records the calls that a client of the package would make."""

    def __init__(self):
        self.calls = {}

    def unary_unary(self, path, request_serializer, response_deserializer):
        self.calls[path] = [full_name(request_serializer), full_name(response_deserializer)]
        return lambda request: None


def full_name(function):
    """Returns the message that a serializer or deserializer belongs to."""
    owner = function.__self__
    descriptor = owner.pb().DESCRIPTOR if hasattr(owner, "pb") else owner.DESCRIPTOR
    return descriptor.full_name


def published_rpcs():
    result = {}
    for transport_class in (TripServiceGrpcTransport, VehicleServiceGrpcTransport, DeliveryServiceGrpcTransport):
        transport = transport_class(channel=grpc.insecure_channel("localhost:1"))
        channel = RecordingChannel()
        transport._logged_channel = channel
        transport._stubs.clear()
        for name, member in vars(transport_class).items():
            if isinstance(member, property) and name != "operations_client":
                getattr(transport, name)
        for path, types in channel.calls.items():
            if path.startswith(tuple("/" + package for package in PACKAGES)):
                result[path] = {"kind": "rpc", "types": types}
    return result


def published_descriptions(ours):
    """Describes the whole of Fleet Engine, and of the other packages the messages that our files contain."""
    for name in MODULES:
        importlib.import_module(name)
    pool = descriptor_pool.Default()
    result = published_rpcs()
    files = set()
    for module in PACKAGES.values():
        types = importlib.import_module(module)
        files |= {getattr(types, name).pb().DESCRIPTOR.file.name for name in dir(types) if hasattr(getattr(types, name), "pb")}
    for name in files:
        file = pool.FindFileByName(name)
        for message in file.message_types_by_name.values():
            describe(message, result)
        for enum in file.enum_types_by_name.values():
            describe_enum(enum, result)
    top_level = {
        name for name, value in ours.items()
        if value["kind"] == "message" and not name.startswith(tuple(PACKAGES)) and name.rsplit(".", 1)[0] not in ours
    }
    for name in top_level:
        describe(pool.FindMessageTypeByName(name), result)
    return result


def main():
    pool, files = compile_protos(sys.argv[1])
    ours = our_descriptions(pool, files)
    theirs = published_descriptions(ours)
    differences = [
        f"{name}: ours is {ours.get(name)}, the published one is {theirs.get(name)}"
        for name in sorted(ours.keys() | theirs.keys()) if ours.get(name) != theirs.get(name)
    ]
    counts = {
        package.rstrip("."): collections.Counter(value["kind"] for name, value in theirs.items() if package in name)
        for package in PACKAGES
    }
    print(json.dumps({"counts": counts, "differences": differences}))


main()
