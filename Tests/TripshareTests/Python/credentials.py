"""Calls an emulator with each type of Application Default Credentials, through Google's unmodified libraries.

Argument: the ready file of `tripshare emulate --credentials-folder … --grpc-port …`. `GCE_METADATA_HOST` and
`GCE_METADATA_IP` have to name the metadata server before this program starts, and `CLOUDSDK_CONFIG` an empty folder.
Prints one JSON object: for each type of credential what the calls over gRPC and REST gave.
"""

import json
import os
import sys

import google.auth
import requests
from google.api_core import exceptions
from google.auth import iam
from google.auth.transport.requests import AuthorizedSession, Request
from google.maps import fleetengine_v1 as fe
from google.oauth2 import service_account

READY = json.load(open(sys.argv[1]))
FOLDER = READY["credentialsFolder"]
PARENT = "providers/" + READY["providerId"]
TRIP = f"{PARENT}/trips/{READY['tripIds'][0]}"
SCOPES = ["https://www.googleapis.com/auth/cloud-platform"]
ADMIN = f"ondemandAdmin@{READY['providerId']}.iam.gserviceaccount.com"
SERVER = f"server@{READY['providerId']}.iam.gserviceaccount.com"
# In seconds of real time; the machine may be busy.
PATIENCE = 120
# The library takes the keys of the instance only if none of these is set.
for name in ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION", "AWS_DEFAULT_REGION"]:
    os.environ.pop(name, None)


def direct():
    """Returns a session that no proxy of the environment can intercept."""
    session = requests.Session()
    session.trust_env = False
    return session


class EmulatedHosts(Request):
    """Sends requests for Google's hosts to the emulator, as another DNS would.

    The library has no setting for the token endpoint of `authorized_user` and for the host of IAM.
    """

    HOSTS = {
        "https://oauth2.googleapis.com/token": READY["oauthTokenURL"],
        "https://iamcredentials.googleapis.com": READY["iamURL"],
    }

    def __init__(self):
        super().__init__(direct())

    def __call__(self, url, *arguments, **options):
        for host, emulated in self.HOSTS.items():
            if url.startswith(host):
                url = emulated + url[len(host):]
        return super().__call__(url, *arguments, **options)


def over_grpc(credentials):
    """Returns the outcome of GetTrip and of SearchTrips."""
    trips = fe.TripServiceClient(credentials=credentials, client_options={"api_endpoint": READY["grpcTarget"]})
    try:
        trips.get_trip({"name": TRIP}, timeout=PATIENCE)
        list(trips.search_trips({"parent": PARENT}, timeout=PATIENCE))
        return "OK"
    except exceptions.GoogleAPICallError as error:
        return " ".join(filter(None, [error.grpc_status_code.name, error.reason or error.message]))


def over_rest(credentials):
    """Returns the status of GetTrip."""
    session = AuthorizedSession(credentials, auth_request=EmulatedHosts())
    session.trust_env = False
    return session.get(f"{READY['fleetEngineURL']}/v1/{TRIP}", timeout=PATIENCE).status_code


def load(name, refreshed=True):
    """Finds a file as Application Default Credentials."""
    os.environ["GOOGLE_APPLICATION_CREDENTIALS"] = f"{FOLDER}/{name}.json"
    credentials, _ = google.auth.default(scopes=SCOPES)
    del os.environ["GOOGLE_APPLICATION_CREDENTIALS"]
    if refreshed:
        credentials.refresh(EmulatedHosts())
    return credentials


def outcome(credentials):
    return [over_grpc(credentials), over_rest(credentials)]


def main():
    result = {}
    for name in [
        "authorized_user", "impersonated_service_account", "service_account", "service_account_server",
        "external_account_file", "external_account_url", "external_account_executable", "external_account_aws",
        "external_account_authorized_user",
    ]:
        result[name] = outcome(load(name))
    user = load("authorized_user")
    result["no quota project"] = outcome(user.with_quota_project(None))
    result["another quota project"] = outcome(user.with_quota_project("another"))

    # Otherwise the library asks Google for the project of an external account.
    del os.environ["GOOGLE_CLOUD_PROJECT"]
    metadata, project = google.auth.default(scopes=SCOPES)
    result["metadata"] = outcome(metadata)
    result["metadata of"] = [project, metadata.service_account_email]

    def key(name):
        return service_account.Credentials.from_service_account_file(f"{FOLDER}/{name}.json")

    result["self-signed for an audience"] = [over_grpc(key("service_account"))]
    scoped = key("service_account").with_scopes(SCOPES).with_always_use_jwt_access(True)
    result["self-signed with scopes"] = outcome(scoped)
    assert scoped.token.startswith("eyJ"), "not a JWT"

    # The library's signer, with the person's token: its signature is that of the account's certificate.
    signature = iam.Signer(EmulatedHosts(), user, SERVER).sign(b"text")
    result["signature"] = [len(signature)]
    session = AuthorizedSession(user, auth_request=EmulatedHosts())
    session.trust_env = False
    answer = session.post(
        f"{READY['iamURL']}/v1/projects/-/serviceAccounts/{ADMIN}:signJwt", json={"payload": "{}"}, timeout=PATIENCE)
    result["signJwt"] = [answer.status_code, answer.json().get("keyId")]
    server = load("service_account_server")
    try:
        iam.Signer(EmulatedHosts(), server, SERVER).sign(b"text")
    except google.auth.exceptions.TransportError as error:
        result["no grant"] = ["IAM_PERMISSION_DENIED" in str(error) and "signBlob" in str(error)]
    print(json.dumps(result))


main()
