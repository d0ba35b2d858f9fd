import Failures
import TripFeed

extension FollowedTrip {
    /// The last request to the service and the last one to a token endpoint, as far as they were sent, as shell commands with
    /// variables instead of secrets.
    ///
    /// Over REST they are for curl, over gRPC for grpcurl.
    package var commands: [String] {
        [CallRecord.Party.service, .tokens].compactMap { party in
            calls.entries.last { $0.call.party == party }.flatMap { CallCommand.text(for: $0.call) }
        }
    }
}

/// Shell commands that send the request of a call again, with the variable `TOKEN` instead of the token.
enum CallCommand {
    /// Returns the command for a call; `nil` for one that no command sends, or of which too little is known.
    static func text(for call: CallRecord) -> String? {
        switch call.details {
        case .poll(let poll)?:
            switch poll.request {
            case .grpc(let call)?: grpcurl(call)
            case .rest(let url, let options)?: poll.call.isOfOne ? curl(url, options) : nil
            case nil: nil
            }
        case .fetch(let fetch)?: fetch.exchange.flatMap(curl)
        case .report(let report)?: call.method.map { curl($0, report) }
        case nil: nil
        }
    }

    static func curl(_ url: String, _ options: ConnectionOptions? = nil) -> String {
        let words = ["curl", "-sS"] + (options?.curl() ?? [])
        return words.joined(separator: " ")
            + " -H \"Authorization: Bearer $TOKEN\" -H 'Accept: application/json' \(quoted(url))"
    }

    private static func curl(_ method: String, _ report: CallRecord.Report) -> String {
        "curl -sS -X \(method) -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' "
            + "-d \(quoted(report.body)) \(quoted(report.url))"
    }

    /// Headers are sent by name, with a variable as the value, which may be secret; `nil` if a part of the request was not kept.
    private static func curl(_ exchange: Exchange) -> String? {
        let line = exchange.request.line.split(separator: " ", maxSplits: 1).map(String.init)
        guard exchange.medium == .http, exchange.request.bytes == 0, line.count == 2, !line[1].contains("?") else {
            return nil
        }
        var words = ["curl", "-sS"] + (exchange.connection?.options?.curl() ?? [])
        words += line[0] == "GET" ? [] : ["-X", line[0]]
        for name in exchange.request.headerNames where !ownHeaders.contains(name) {
            let variable = name.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }
            words += ["-H", "\"\(name): $\(String(variable))\""]
        }
        return (words + [quoted(line[1])]).joined(separator: " ")
    }

    /// The headers that curl sends by itself.
    private static let ownHeaders: Set<String> = ["accept", "accept-encoding", "connection", "host", "user-agent"]

    /// The command needs the `.proto` files, because Fleet Engine has no server reflection: `-import-path` names their folder.
    static func grpcurl(_ call: RemoteCall) -> String {
        var words = ["grpcurl"]
        if call.isPlaintext { words.append("-plaintext") }
        if let file = call.options?[.cacert] { words += ["-cacert", quoted(file)] }
        words += ["-import-path", "\"$PROTOS\"", "-proto", "google/maps/fleetengine/v1/trip_api.proto"]
        words += ["-H", "\"authorization: Bearer $TOKEN\""]
        if let routing = call.routing { words += ["-H", quoted("x-goog-request-params: \(routing)")] }
        // grpcurl has no option for the address of a host.
        let address = call.options?[.resolve].flatMap(target)
        if address != nil { words += ["-authority", quoted(call.target)] }
        words += ["-d", quoted(call.message), quoted(address ?? call.target), String(call.method.dropFirst())]
        return words.joined(separator: " ")
    }

    /// Returns `ADDRESS:PORT` of `HOST:PORT:ADDRESS`.
    private static func target(_ resolved: String) -> String? {
        let parts = resolved.split(separator: ":", maxSplits: 2)
        return parts.count == 3 ? "\(parts[2]):\(parts[1])" : nil
    }

    private static func quoted(_ text: String) -> String { ConnectionOptions.quoted(text) }
}
