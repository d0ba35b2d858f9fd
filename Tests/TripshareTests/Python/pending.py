"""Ends an emulator while it delays the answer to a call, and prints the gRPC code of the call.

The argument is the ready file. `GRPC_DEFAULT_SSL_ROOTS_FILE_PATH` has to name the root certificate.
"""

import json
import os
import signal
import sys
import threading
import time
import urllib.request

from google.api_core import exceptions
from google.maps import fleetengine_v1 as fe
from google.oauth2 import credentials

ready = json.load(open(sys.argv[1]))
trip = ready["tripIds"][0]
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
token = json.load(opener.open(ready["tokenURL"].replace("{tripId}", trip), timeout=60))["jwt"]
client = fe.TripServiceClient(
    credentials=credentials.Credentials(token), client_options={"api_endpoint": ready["grpcTarget"]})
request = {"name": f"providers/{ready['providerId']}/trips/{trip}"}
client.get_trip(request, timeout=60)
fault = {"on": "engine", "kind": "latency", "seconds": 600, "path": f"GET trips/{trip}"}
opener.open(
    urllib.request.Request(
        ready["controlURL"] + "/faults", json.dumps(fault).encode(), {"Content-Type": "application/json"}), timeout=60)


def end_emulator():
    # A call that arrives later is UNAVAILABLE, too.
    time.sleep(1)
    os.kill(ready["process"]["pid"], signal.SIGTERM)


thread = threading.Thread(target=end_emulator)
thread.start()
try:
    client.get_trip(request, timeout=120, retry=None)
except exceptions.GoogleAPICallError as error:
    print(error.grpc_status_code.name)
thread.join()
