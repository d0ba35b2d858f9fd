"""Gets the first trip of an emulator over gRPC without TLS, and prints its name. The argument is the ready file.

Requests and answers are compressed, as a client may do.
"""

import json
import sys
import urllib.request

import grpc
from google.maps import fleetengine_v1 as fe
from google.maps.fleetengine_v1.services.trip_service.transports import TripServiceGrpcTransport

ready = json.load(open(sys.argv[1]))
trip = ready["tripIds"][0]
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
token = json.load(opener.open(ready["tokenURL"].replace("{tripId}", trip), timeout=60))["jwt"]
channel = grpc.insecure_channel(ready["grpcTarget"], compression=grpc.Compression.Gzip)
client = fe.TripServiceClient(transport=TripServiceGrpcTransport(channel=channel))
name = f"providers/{ready['providerId']}/trips/{trip}"
print(client.get_trip({"name": name}, metadata=[("authorization", "Bearer " + token)], timeout=60).name)
