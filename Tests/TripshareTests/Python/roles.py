"""Calls an emulator with the key files of service accounts, as Google's clients do: without claims in the tokens.

Arguments: the ready file, the folder of the key files and the roles, which are the names of the files. Prints one JSON
object: for each role the gRPC code and the message of GetTrip and of ListVehicles.
"""

import json
import sys

from google.api_core import exceptions
from google.maps import fleetengine_v1 as fe
from google.oauth2 import service_account

READY = json.load(open(sys.argv[1]))
PARENT = "providers/" + READY["providerId"]
# In seconds of real time; the machine may be busy.
PATIENCE = 120


def outcome(call):
    try:
        call()
        return ["OK", ""]
    except exceptions.GoogleAPICallError as error:
        return [error.grpc_status_code.name, error.message]


def main():
    result = {}
    for role in sys.argv[3:]:
        key = service_account.Credentials.from_service_account_file(f"{sys.argv[2]}/{role}.json")
        options = {"api_endpoint": READY["grpcTarget"]}
        trips = fe.TripServiceClient(credentials=key, client_options=options)
        vehicles = fe.VehicleServiceClient(credentials=key, client_options=options)
        trip = f"{PARENT}/trips/{READY['tripIds'][0]}"
        result[role] = outcome(lambda: trips.get_trip({"name": trip}, timeout=PATIENCE)) + outcome(
            lambda: list(vehicles.list_vehicles({"parent": PARENT}, timeout=PATIENCE)))
    print(json.dumps(result))


main()
