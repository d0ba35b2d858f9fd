"""Calls an emulator with Google's published Python client for deliveries, unmodified, over gRPC and over REST.

Argument: the ready file of the emulator. Prints one JSON object with a key per transport: the code of every call for every
kind of token, and what the answers contained. `GRPC_DEFAULT_SSL_ROOTS_FILE_PATH` has to name the root certificate before this
program starts.
"""

import json
import sys
import urllib.request

from google.api_core import exceptions
from google.maps import fleetengine_delivery_v1 as fd
from google.maps.fleetengine_delivery_v1.services.delivery_service.transports import DeliveryServiceRestTransport
from google.oauth2 import credentials

READY = json.load(open(sys.argv[1]))
PARENT = "providers/" + READY["providerId"]
TOKENS = READY["serverTokenURL"].rsplit("/", 1)[0]
# In seconds of real time; the machine may be busy.
PATIENCE = 120


def token(path):
    # An environment with a proxy must not send this anywhere else.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"{TOKENS}/{path}", timeout=PATIENCE) as response:
        answer = json.load(response)
    assert set(answer) == {"token", "creation_timestamp_ms", "expiration_timestamp_ms"}, answer
    return credentials.Credentials(answer["token"])


def client(transport, path):
    if transport == "grpc":
        options = {"api_endpoint": READY["grpcTarget"]}
        return fd.DeliveryServiceClient(credentials=token(path), client_options=options)
    host = READY["fleetEngineURL"].removeprefix("http://")
    rest = DeliveryServiceRestTransport(host=host, credentials=token(path), url_scheme="http")
    return fd.DeliveryServiceClient(transport=rest)


def code_of(call):
    """Returns the name of a call's gRPC status, which REST has in the body, and the answer or the error."""
    try:
        return "OK", call()
    except exceptions.GoogleAPICallError as error:
        if error.grpc_status_code is not None:
            return error.grpc_status_code.name, error
        return error.response.json()["error"]["status"], error


class Shift:
    """A vehicle with tasks, whose IDs differ between the transports."""

    def __init__(self, transport):
        self.ending = transport
        self.van = f"{PARENT}/deliveryVehicles/van-{transport}"
        self.task = f"{PARENT}/tasks/task-{transport}"
        self.shipment = f"{PARENT}/taskTrackingInfo/shipment-{transport}"

    def new_task(self, tracking):
        return fd.Task(
            type_="DELIVERY", state="OPEN", tracking_id=f"{tracking}-{self.ending}", task_duration={"seconds": 60},
            planned_location={"point": {"latitude": 51.06, "longitude": 3.73}},
            target_time_window={"start_time": {"seconds": 1773476100}, "end_time": {"seconds": 1773479700}},
            attributes=[{"key": "floor", "number_value": 3}],
        )

    def locate(self, api):
        location = {"location": {"latitude": 51.05, "longitude": 3.72}, "heading": 0, "location_sensor": "GPS"}
        return api.update_delivery_vehicle(
            {
                "delivery_vehicle": {"name": self.van, "last_location": location},
                "update_mask": {"paths": ["last_location"]},
            }, timeout=PATIENCE)

    def plan(self, api, tasks):
        stop = {"planned_location": {"point": {"latitude": 51.06, "longitude": 3.73}}, "state": "ENROUTE"}
        segments = [{"stop": {**stop, "tasks": [{"task_id": f"{task}-{self.ending}"} for task in tasks]}}]
        return api.update_delivery_vehicle(
            {
                "delivery_vehicle": {
                    "name": self.van, "remaining_vehicle_journey_segments": segments if tasks else [],
                },
                "update_mask": {"paths": ["remaining_vehicle_journey_segments"]},
            }, timeout=PATIENCE)

    def set_outcome(self, api, outcome):
        return api.update_task(
            {"task": {"name": self.task, "task_outcome": outcome}, "update_mask": {"paths": ["task_outcome"]}},
            timeout=PATIENCE)

    def calls(self, api, batch):
        """Returns 10 of 12 calls, in an order in which each of them can succeed."""
        return {
            "CreateDeliveryVehicle": lambda: api.create_delivery_vehicle(
                {
                    "parent": PARENT, "delivery_vehicle_id": f"van-{self.ending}",
                    "delivery_vehicle": {"type_": "BICYCLE", "attributes": [{"key": "area", "string_value": "north"}]},
                }, timeout=PATIENCE),
            "GetDeliveryVehicle": lambda: api.get_delivery_vehicle({"name": self.van}, timeout=PATIENCE),
            "UpdateDeliveryVehicle": lambda: self.locate(api),
            "CreateTask": lambda: api.create_task(
                {"parent": PARENT, "task_id": f"task-{self.ending}", "task": self.new_task("shipment")},
                timeout=PATIENCE),
            "BatchCreateTasks": lambda: batch.batch_create_tasks(
                {
                    "parent": PARENT,
                    "requests": [
                        {"parent": PARENT, "task_id": f"{name}-{self.ending}", "task": self.new_task(name)}
                        for name in ("b1", "b2")
                    ],
                }, timeout=PATIENCE),
            "GetTask": lambda: api.get_task({"name": self.task}, timeout=PATIENCE),
            "UpdateTask": lambda: self.set_outcome(api, "SUCCEEDED"),
            "ListTasks": lambda: api.list_tasks(
                {"parent": PARENT, "page_size": 1, "filter": f"tracking_id = b1-{self.ending}"}, timeout=PATIENCE),
            "ListDeliveryVehicles": lambda: api.list_delivery_vehicles(
                {
                    "parent": PARENT, "filter": 'attributes.area = "north"',
                    "viewport": {"low": {"latitude": 51, "longitude": 3}, "high": {"latitude": 52, "longitude": 4}},
                }, timeout=PATIENCE),
            "GetTaskTrackingInfo": lambda: api.get_task_tracking_info({"name": self.shipment}, timeout=PATIENCE),
        }

    def deletions(self, api):
        """Returns the 2 other calls."""
        return {
            "DeleteTask": lambda: api.delete_task({"name": self.task}, timeout=PATIENCE),
            "DeleteDeliveryVehicle": lambda: api.delete_delivery_vehicle({"name": self.van}, timeout=PATIENCE),
        }


def run(transport):
    shift = Shift(transport)
    server = client(transport, "delivery_server")
    batch = client(transport, "delivery_batch")
    table = {"server": {name: code_of(call)[0] for name, call in shift.calls(server, batch).items()}}
    kinds = {
        "consumer": f"delivery_consumer/shipment-{transport}",
        "driver": f"delivery_driver/van-{transport}",
        "trusted driver": f"trusted_delivery_driver/van-{transport}",
        "fleet reader": "fleet_reader",
    }
    clients = {kind: client(transport, path) for kind, path in kinds.items()}
    for kind, api in clients.items():
        all_calls = {**shift.calls(api, api), **shift.deletions(api)}
        table[kind] = {name: code_of(call)[0] for name, call in all_calls.items()}
    result = {
        "table": table, "checks": checks(shift, server, clients), "errors": errors(shift, server, clients, transport),
    }
    other = client("rest" if transport == "grpc" else "grpc", "delivery_server")
    result["checks"]["both transports answer the same"] = answers(shift, server) == answers(shift, other)
    shift.plan(server, [])
    closed = server.get_task_tracking_info({"name": shift.shipment}, timeout=PATIENCE)
    result["checks"]["a closed task hides the vehicle"] = (
        closed.state.name == "CLOSED" and closed.task_outcome.name == "SUCCEEDED"
        and not closed.vehicle_location and closed.estimated_arrival_time is None)
    table["server"].update({name: code_of(call)[0] for name, call in shift.deletions(server).items()})
    return result


def answers(shift, api):
    """Returns the messages of calls that change nothing."""
    return [
        api.get_task({"name": shift.task}, timeout=PATIENCE),
        api.get_delivery_vehicle({"name": shift.van}, timeout=PATIENCE),
        api.get_task_tracking_info({"name": shift.shipment}, timeout=PATIENCE),
        list(api.list_tasks({"parent": PARENT, "page_size": 1}, timeout=PATIENCE)),
        list(api.list_delivery_vehicles({"parent": PARENT}, timeout=PATIENCE)),
    ]


def checks(shift, server, clients):
    """Returns what the answers contain."""
    vehicle = shift.plan(clients["trusted driver"], ["task", "b1"])
    info = clients["consumer"].get_task_tracking_info({"name": shift.shipment}, timeout=PATIENCE)
    task = server.get_task({"name": shift.task}, timeout=PATIENCE)
    pager = server.list_tasks(
        {"parent": PARENT, "page_size": 1, "filter": f"delivery_vehicle_id = van-{shift.ending}"}, timeout=PATIENCE)
    total = pager.total_size
    names = [found.name for found in pager]
    seconds = (info.estimated_task_completion_time - info.estimated_arrival_time).total_seconds()
    segment = vehicle.remaining_vehicle_journey_segments[0]
    return {
        "a stop has its tasks and the way": [found.task_id for found in segment.stop.tasks]
        == [f"task-{shift.ending}", f"b1-{shift.ending}"]
        and segment.stop.tasks[0].task_duration.total_seconds() == 60 and segment.driving_distance_meters > 1000,
        "a recipient sees the vehicle": info.remaining_stop_count == 1 and info.vehicle_location.heading == 0
        and info.remaining_driving_distance_meters == segment.driving_distance_meters
        and len(info.route_polyline_points) >= 2,
        "both tasks at the stop take their time": abs(seconds - 120) < 0.001,
        "a recipient sees the promise": info.target_time_window.end_time.timestamp() == 1773479700
        and info.attributes[0].number_value == 3,
        "an outcome does not close a task": task.state.name == "OPEN" and task.task_outcome.name == "SUCCEEDED",
        "a task has the way to it": task.delivery_vehicle_id == f"van-{shift.ending}"
        and len(task.journey_sharing_info.remaining_vehicle_journey_segments) == 1,
        "a list has all pages": total == 2 and len(set(names)) == 2,
    }


def errors(shift, server, clients, transport):
    """Returns the codes of calls that fail."""
    other = Shift("other")
    result = {
        "an existing task": code_of(lambda: shift.calls(server, server)["CreateTask"]()),
        "a changed outcome": code_of(lambda: shift.set_outcome(server, "FAILED")),
        "a deletion while assigned": code_of(shift.deletions(server)["DeleteTask"]),
        "a vehicle with open tasks": code_of(shift.deletions(server)["DeleteDeliveryVehicle"]),
        "another shipment": code_of(lambda: clients["consumer"].get_task_tracking_info(
            {"name": other.shipment}, timeout=PATIENCE)),
        "an unknown shipment": code_of(lambda: server.get_task_tracking_info(
            {"name": other.shipment}, timeout=PATIENCE)),
        "another vehicle": code_of(lambda: clients["driver"].get_delivery_vehicle({"name": other.van}, timeout=PATIENCE)),
        "stops of an untrusted driver": code_of(lambda: shift.plan(clients["driver"], ["task"])),
        "an unknown task in a stop": code_of(lambda: shift.plan(clients["trusted driver"], ["nothing"])),
        "no mask": code_of(lambda: server.update_task({"task": {"name": shift.task}}, timeout=PATIENCE)),
        "a bad filter": code_of(lambda: server.list_tasks({"parent": PARENT, "filter": "a ="}, timeout=PATIENCE)),
        "a batch with another claim": code_of(lambda: shift.calls(server, server)["BatchCreateTasks"]()),
    }
    if transport == "grpc":
        assert result["stops of an untrusted driver"][1].metadata == {
            "permission": "fleetengine.deliveryvehicles.updateVehicleStops"
        }, result
    return {name: code for name, (code, _) in result.items()}


print(json.dumps({transport: run(transport) for transport in ("grpc", "rest")}))
