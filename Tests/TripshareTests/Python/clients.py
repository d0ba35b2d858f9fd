"""Calls an emulator with Google's published Python clients, unmodified.

Arguments: the ready file of the emulator and a file with a service account's key. Prints one JSON object: the gRPC code of
every call for every kind of token, and what the answers contained. `GRPC_DEFAULT_SSL_ROOTS_FILE_PATH` has to name the root
certificate before this program starts.
"""

import json
import sys
import time
import urllib.request

from google.api_core import exceptions
from google.maps import fleetengine_v1 as fe
from google.oauth2 import credentials, service_account
from google.protobuf import json_format
from google.rpc import error_details_pb2

READY = json.load(open(sys.argv[1]))
KEY_FILE = sys.argv[2]
PARENT = "providers/" + READY["providerId"]
TRIP = PARENT + "/trips/py-trip"
VEHICLE = PARENT + "/vehicles/py-vehicle"
# In seconds of real time; the machine may be busy.
PATIENCE = 120


def fetch(url, method="GET", body=None, headers=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json", **(headers or {})}, method=method)
    # An environment with a proxy must not send this anywhere else.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=PATIENCE) as response:
        return json.load(response)


def token_credentials(template, name, identifier):
    return credentials.Credentials(fetch(template.replace("{" + name + "}", identifier))["jwt"])


class Clients:
    def __init__(self, token):
        options = {"api_endpoint": READY["grpcTarget"]}
        self.trips = fe.TripServiceClient(credentials=token, client_options=options)
        self.vehicles = fe.VehicleServiceClient(credentials=token, client_options=options)


def point(latitude, longitude):
    return fe.TerminalLocation(point={"latitude": latitude, "longitude": longitude})


def new_vehicle():
    return fe.Vehicle(
        vehicle_state=fe.VehicleState.ONLINE, supported_trip_types=[fe.TripType.EXCLUSIVE], maximum_capacity=4,
        vehicle_type={"category": "AUTO"}, license_plate={"country_code": "BE", "last_character": "7"},
    )


def all_pages(pager):
    """Returns the names on all pages, and the number that the first page promised."""
    total = getattr(pager, "total_size", None)
    return [found.name for found in pager], total


def calls(clients):
    """Returns all 13 calls, in an order in which each of them can succeed."""
    trips, vehicles = clients.trips, clients.vehicles
    return {
        "CreateVehicle": lambda: vehicles.create_vehicle(
            {"parent": PARENT, "vehicle_id": "py-vehicle", "vehicle": new_vehicle()}, timeout=PATIENCE),
        "GetVehicle": lambda: vehicles.get_vehicle({"name": VEHICLE}, timeout=PATIENCE),
        "UpdateVehicle": lambda: vehicles.update_vehicle(
            {
                "name": VEHICLE,
                "vehicle": {
                    "vehicle_state": "ONLINE",
                    "last_location": {
                        "location": {"latitude": 51.06, "longitude": 3.73}, "heading": 0, "speed": 8.5,
                        "location_sensor": "GPS",
                    },
                },
                "update_mask": {"paths": ["vehicle_state", "last_location"]},
            }, timeout=PATIENCE),
        "UpdateVehicleAttributes": lambda: vehicles.update_vehicle_attributes(
            {
                "name": VEHICLE,
                "attributes": [{"key": "color", "string_value": "red"}, {"key": "wheelchair", "bool_value": True}],
            }, timeout=PATIENCE),
        "ListVehicles": lambda: all_pages(vehicles.list_vehicles(
            {"parent": PARENT, "page_size": 1, "vehicle_type_categories": ["AUTO"]}, timeout=PATIENCE)),
        "SearchVehicles": lambda: vehicles.search_vehicles(
            {
                "parent": PARENT, "pickup_point": point(51.06, 3.73), "pickup_radius_meters": 1000, "count": 10,
                "minimum_capacity": 1, "trip_types": ["EXCLUSIVE"], "vehicle_types": [{"category": "AUTO"}],
                "order_by": "PICKUP_POINT_DISTANCE",
            }, timeout=PATIENCE),
        "CreateTrip": lambda: trips.create_trip(
            {
                "parent": PARENT, "trip_id": "py-trip",
                "trip": fe.Trip(
                    trip_type=fe.TripType.EXCLUSIVE, number_of_passengers=2, pickup_point=point(51.0553172, 3.7213445),
                    dropoff_point=point(51.0358911, 3.7102936), intermediate_destinations=[point(51.05, 3.724)],
                ),
            }, timeout=PATIENCE),
        "UpdateTrip": lambda: trips.update_trip(
            {
                "name": TRIP, "trip": {"vehicle_id": "py-vehicle", "trip_status": "ENROUTE_TO_PICKUP"},
                "update_mask": {"paths": ["vehicle_id", "trip_status"]},
            }, timeout=PATIENCE),
        "GetTrip": lambda: trips.get_trip({"name": TRIP}, timeout=PATIENCE),
        "SearchTrips": lambda: all_pages(trips.search_trips(
            {"parent": PARENT, "vehicle_id": "py-vehicle", "active_trips_only": True}, timeout=PATIENCE)),
        "ReportBillableTrip": lambda: trips.report_billable_trip(
            {"name": PARENT + "/billableTrips/py-trip", "country_code": "BE", "platform": "SERVER"}, timeout=PATIENCE),
        "DeleteTrip": lambda: trips.delete_trip({"name": TRIP}, timeout=PATIENCE),
        "DeleteVehicle": lambda: vehicles.delete_vehicle({"name": VEHICLE}, timeout=PATIENCE),
    }


def code_of(call):
    """Makes a call; returns its gRPC code and its answer or error."""
    try:
        return "OK", call()
    except exceptions.GoogleAPICallError as error:
        return error.grpc_status_code.name, error


def details_of(error):
    return [type(detail).__name__ for detail in error.details]


def main():
    server = Clients(service_account.Credentials.from_service_account_file(KEY_FILE))
    consumer = Clients(token_credentials(READY["tokenURL"], "tripId", "py-trip"))
    driver = Clients(token_credentials(READY["vehicleTokenURL"], "vehicleId", "py-vehicle"))
    table = {"server": {}, "consumer": {}, "driver": {}}
    answers = {}
    for name, call in calls(server).items():
        if name == "DeleteTrip":
            # Everything exists now: the calls of the other tokens are refused for no other reason.
            for role, clients in (("consumer", consumer), ("driver", driver)):
                table[role] = {other: code_of(request)[0] for other, request in calls(clients).items()}
            details = errors(server, consumer)
            views = compare(server)
            server.trips.update_trip(
                {"name": TRIP, "trip": {"trip_status": "CANCELED"}, "update_mask": {"paths": ["trip_status"]}},
                timeout=PATIENCE)
        table["server"][name], answers[name] = code_of(call)
        if isinstance(answers[name], Exception):
            sys.exit(f"{name}: {answers[name]}")
    trip, vehicle = answers["GetTrip"], answers["UpdateVehicle"]
    print(json.dumps({
        "table": table,
        "errors": details,
        "views": views,
        "checks": {
            "the created trip": answers["CreateTrip"].trip_status == fe.TripStatus.NEW
                and answers["CreateTrip"].number_of_passengers == 2
                and len(answers["CreateTrip"].intermediate_destinations) == 1,
            "the updated trip": answers["UpdateTrip"].vehicle_id == "py-vehicle"
                and len(answers["UpdateTrip"].vehicle_waypoints) == 3,
            "the trip": trip.name == TRIP and trip.trip_status == fe.TripStatus.ENROUTE_TO_PICKUP
                and len(trip.route) > 1 and len(trip.remaining_waypoints) == 3 and len(trip.vehicle_waypoints) == 0
                and trip.remaining_distance_meters > 0 and trip.eta_to_first_waypoint is not None
                and trip.last_location.heading == 0 and trip.last_location.speed == 8.5,
            "the found trip": answers["SearchTrips"][0] == [TRIP],
            "the created vehicle": answers["CreateVehicle"].license_plate.last_character == "7",
            "the vehicle": vehicle.vehicle_state == fe.VehicleState.ONLINE and vehicle.maximum_capacity == 4
                and vehicle.last_location.location.latitude == 51.06,
            "the attributes": [(attribute.key, attribute.string_value, attribute.bool_value)
                for attribute in answers["UpdateVehicleAttributes"].attributes]
                == [("color", "red", False), ("wheelchair", "", True)],
            "all vehicles, page by page": answers["ListVehicles"][1] == len(set(answers["ListVehicles"][0])) > 1,
            "the matching vehicle": "py-vehicle" in [match.vehicle.name.split("/")[-1]
                for match in answers["SearchVehicles"].matches],
        },
    }))


def compare(server):
    """Compares a trip over gRPC with the same trip over REST."""
    request = {"name": TRIP, "view": "SDK", "route_format_type": "ENCODED_POLYLINE_TYPE"}
    message = server.trips.get_trip(request, timeout=PATIENCE)
    rpc = json_format.MessageToDict(fe.Trip.pb(message))
    token = fetch(READY["tokenURL"].replace("{tripId}", "py-trip"))["jwt"]
    url = f"{READY['fleetEngineURL']}/v1/{TRIP}?view=SDK&routeFormatType=ENCODED_POLYLINE_TYPE"
    rest = fetch(url, headers={"Authorization": "Bearer " + token})
    # It counts down.
    for trip in (rpc, rest):
        trip.pop("remainingTimeToFirstWaypoint")
    guarded = server.trips.get_trip(
        {"name": TRIP, "current_route_segment_version": message.current_route_segment_version}, timeout=PATIENCE)
    sharing = server.trips.get_trip({"name": TRIP, "view": "JOURNEY_SHARING_V1S"}, timeout=PATIENCE)
    return {
        "the same over REST": rpc == rest,
        "an encoded route": bool(message.current_route_segment) and not message.route,
        "no unchanged route": not guarded.route and guarded.trip_status == message.trip_status,
        "the view of servers": not sharing.route and bool(sharing.remaining_waypoints[0].path_to_waypoint),
    }


def errors(server, consumer):
    """Returns code and details of calls that fail."""
    result = {}

    def fail(name, call):
        code, error = code_of(call)
        result[name] = [code, details_of(error) if code != "OK" else []]
        return error

    denied = fail("another trip", lambda: consumer.trips.get_trip({"name": TRIP + "-2"}, timeout=PATIENCE))
    assert "tripid" in denied.message, denied
    missing = fail("no permission", lambda: consumer.trips.delete_trip({"name": TRIP}, timeout=PATIENCE))
    assert missing.reason == "IAM_PERMISSION_DENIED" and missing.domain == "fleetengine.googleapis.com", missing
    assert missing.metadata == {"permission": "fleetengine.trips.delete"}, missing
    unknown = fail("unknown trip", lambda: server.trips.get_trip({"name": TRIP + "-2"}, timeout=PATIENCE))
    assert unknown.message == "No entity with id py-trip-2 exists", unknown
    fail("bad name", lambda: server.trips.get_trip({"name": "py-trip"}, timeout=PATIENCE))
    fail("another provider", lambda: server.trips.get_trip({"name": "providers/x/trips/y"}, timeout=PATIENCE))
    fail("existing trip", calls(server)["CreateTrip"])
    fail("active trip", calls(server)["DeleteTrip"])
    fail("empty mask", lambda: server.trips.update_trip({"name": TRIP, "trip": {}}, timeout=PATIENCE))
    bad = Clients(credentials.Credentials("no.real.token"))
    fail("bad token", lambda: bad.trips.get_trip({"name": TRIP}, timeout=PATIENCE, retry=None))
    faults = READY["controlURL"] + "/faults"

    def with_fault(fault, name, call):
        fetch(faults, "POST", {"on": "engine", "path": "GET trips/py-trip", **fault})
        try:
            return fail(name, call)
        finally:
            fetch(faults, "DELETE", {})

    def get(timeout=PATIENCE):
        return lambda: server.trips.get_trip({"name": TRIP}, timeout=timeout, retry=None)

    begin = time.monotonic()
    with_fault({"kind": "latency", "seconds": 300}, "latency", get(timeout=1))
    assert time.monotonic() - begin < 100
    with_fault({"kind": "status", "status": 503}, "fault 503", get())
    slow = with_fault({"kind": "status", "status": 429, "retry-after": 4}, "fault 429", get())
    waits = [d.retry_delay.seconds for d in slow.details if isinstance(d, error_details_pb2.RetryInfo)]
    assert waits == [4], slow
    with_fault({"kind": "status", "status": 504}, "fault 504", get())
    with_fault({"kind": "status", "status": 502, "body": "<html>"}, "fault 502 as a page", get())
    with_fault({"kind": "reset"}, "reset", get())
    with_fault({"kind": "truncated"}, "truncated", get())
    with_fault({"kind": "garbage"}, "garbage", get())
    code, answer = code_of(get())
    assert code == "OK", answer
    # The client repeats a call after UNAVAILABLE by its own rules.
    fetch(faults, "POST", {"on": "engine", "kind": "status", "status": 503, "count": 1, "path": "GET trips/py-trip"})
    code, answer = code_of(lambda: server.trips.get_trip({"name": TRIP}, timeout=PATIENCE))
    assert code == "OK", answer
    return result


main()
