import Failures
import TripFeed

extension FollowedTrip {
    /// The last request to the service and the last one to a token endpoint, as far as they were sent, as shell commands with
    /// variables instead of secrets.
    ///
    /// Over REST they are for curl, over gRPC for grpcurl.
    package var commands: [String] {
        [Call.Party.service, .tokens].compactMap { party in
            calls.entries.last { $0.call.asker == .program && $0.call.answerer == party }.flatMap {
                CallCommand.text(for: $0.call)
            }
        }
    }
}

/// Shell commands that send the request of a call again, with the variable `TOKEN` instead of the token.
enum CallCommand {
    /// Returns the command for a call; `nil` for a call that no command sends, or if too little is known about it.
    static func text(for call: Call) -> String? {
        let request = call.request
        switch (request.medium, call.asker, call.answerer) {
        case (.grpc, _, _): return grpcurl(request)
        case (.http, .program, .service): return request.body == nil ? curl(request) : curlWithBody(request)
        case (.http, .program, _): return curlOfNames(request)
        case (.http, _, _): return curlWithBody(request)
        case (.command, _, _), (.file, _, _), (.variable, _, _): return nil
        }
    }

    private static func curl(_ request: Call.Request) -> String {
        let words = ["curl", "-sS"] + (request.options?.curl() ?? [])
        return words.joined(separator: " ")
            + " -H \"Authorization: Bearer $TOKEN\" -H 'Accept: application/json' \(quoted(request.url))"
    }

    /// Returns the command for a request with a JSON body; `nil` if not all of the body was stored.
    private static func curlWithBody(_ request: Call.Request) -> String? {
        guard request.body?.isCut != true else { return nil }
        let body = String(decoding: request.body?.bytes ?? [], as: UTF8.self)
        let words = ["curl", "-sS"] + (request.options?.curl() ?? []) + ["-X", request.method ?? ""]
        return words.joined(separator: " ")
            + " -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' "
            + "-d \(quoted(body)) \(quoted(request.url))"
    }

    /// Headers are sent by name, with a variable as the value, which may be secret; `nil` if a part of the request was not stored.
    private static func curlOfNames(_ request: Call.Request) -> String? {
        guard let method = request.method, request.body == nil, !request.url.contains("?") else { return nil }
        var words = ["curl", "-sS"] + (request.options?.curl() ?? [])
        words += method == "GET" ? [] : ["-X", method]
        for header in request.headers where !ownHeaders.contains(header.name) {
            let variable = header.name.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }
            words += ["-H", "\"\(header.name): $\(String(variable))\""]
        }
        return (words + [quoted(request.url)]).joined(separator: " ")
    }

    /// The headers that curl sends by itself.
    private static let ownHeaders: Set<String> = ["accept", "accept-encoding", "connection", "host", "user-agent"]

    /// The command needs the `.proto` files, because Fleet Engine has no server reflection: `-import-path` names their folder.
    private static func grpcurl(_ request: Call.Request) -> String {
        var words = ["grpcurl"]
        if request.isPlaintext { words.append("-plaintext") }
        if let file = request.options?[.cacert] { words += ["-cacert", quoted(file)] }
        words += ["-import-path", "\"$PROTOS\"", "-proto", "google/maps/fleetengine/v1/trip_api.proto"]
        words += ["-H", "\"authorization: Bearer $TOKEN\""]
        let routing = FleetCall.routingHeader
        if let value = request.header(routing) { words += ["-H", quoted("\(routing): \(value)")] }
        // grpcurl has no option for the address of a host.
        let address = request.options?[.resolve].flatMap(target)
        if address != nil { words += ["-authority", quoted(request.authority)] }
        let message = String(decoding: request.body?.bytes ?? [], as: UTF8.self)
        words += ["-d", quoted(message), quoted(address ?? request.authority), String(request.path.dropFirst())]
        return words.joined(separator: " ")
    }

    /// Returns `ADDRESS:PORT` of `HOST:PORT:ADDRESS`.
    private static func target(_ resolved: String) -> String? {
        let parts = resolved.split(separator: ":", maxSplits: 2)
        return parts.count == 3 ? "\(parts[2]):\(parts[1])" : nil
    }

    private static func quoted(_ text: String) -> String { ConnectionOptions.quoted(text) }
}
