import FleetWire
import TripFeed

extension FollowedTrip {
    /// The last request as a shell command with the variable `TOKEN` instead of the token; `nil` before the first.
    ///
    /// Over REST it is for curl, over gRPC for grpcurl.
    package var curlCommand: String? {
        lastReport?.remoteCall.map(Self.grpcurl) ?? lastReport?.url.map(Self.curl)
    }

    /// The last request over gRPC, but for all parts of the trip; `nil` over REST.
    package var remoteCommandForAll: String? {
        lastReport?.remoteCall.map { call in
            var call = call
            if let name = JSONValue(Array(call.message.utf8))?["name"]?.string, !name.contains("\"") {
                call.message = "{\"name\":\"\(name)\"}"
            }
            return Self.grpcurl(call)
        }
    }

    private static func curl(_ url: String) -> String {
        "curl -sS -H \"Authorization: Bearer $TOKEN\" -H 'Accept: application/json' \(quoted(url))"
    }

    /// The command needs the `.proto` files, because Fleet Engine has no server reflection: `-import-path` names their folder.
    private static func grpcurl(_ call: RemoteCall) -> String {
        var words = ["grpcurl"]
        if call.isPlaintext { words.append("-plaintext") }
        if let file = call.rootCertificate { words += ["-cacert", quoted(file)] }
        words += ["-import-path", "\"$PROTOS\"", "-proto", "google/maps/fleetengine/v1/trip_api.proto"]
        words += ["-H", "\"authorization: Bearer $TOKEN\""]
        if let routing = call.routing { words += ["-H", quoted("x-goog-request-params: \(routing)")] }
        words += ["-d", quoted(call.message), quoted(call.target), String(call.method.dropFirst())]
        return words.joined(separator: " ")
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
