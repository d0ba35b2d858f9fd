import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import TripFeed
import TripModel

/// Fetches from a token endpoint as entries of an HTTP Archive.
///
/// Values of a query and of request headers may be secret and were never kept; tokens in an answer are replaced.
extension HARExport {
    /// Returns the entry of a completed fetch over HTTP; `nil` for other events.
    static func entry(_ event: TokenEvent) -> JSONValue? {
        guard let call = CallRecord(event), let exchange = event.status.lastExchange, exchange.medium == .http,
            let method = call.method
        else { return nil }
        let wait = ((call.duration ?? .zero).seconds * 1e6).rounded() / 1e3
        let start = event.at.wall.addingTimeInterval(-wait / 1e3)
        let url = exchange.request.line.split(separator: " ", maxSplits: 1).last.map(String.init) ?? call.target
        return .members([
            "pageref": .string("session"), "startedDateTime": .time(start), "time": .number(wait),
            "request": .members([
                "method": .text(method), "url": .string(ExportText.body(url)), "httpVersion": .string("unknown"),
                "cookies": .array([]),
                "headers": .array(
                    exchange.request.headerNames.map { .members(["name": .text($0), "value": .string("<hidden>")]) }
                ), "queryString": .array([]), "headersSize": .number(-1), "bodySize": .integer(exchange.request.bytes),
            ]), "response": response(event, call), "cache": .object([]),
            "timings": timings(blocked: 0, wait: wait),
            "comment": comment(call.fault, call.failure.map { "token fetch: \($0.code)" } ?? "token fetch"),
        ])
    }

    private static func response(_ event: TokenEvent, _ call: CallRecord) -> JSONValue {
        let answer = call.status == nil ? nil : event.status.lastAnswer
        let type = answer?.headers.first { $0.name.lowercased() == "content-type" }?.value
        return .members([
            "status": .integer(answer?.status ?? 0), "statusText": .text(answer == nil ? call.failure?.code ?? "" : ""),
            "httpVersion": .string("unknown"), "cookies": .array([]),
            "headers": .array(
                (answer?.headers ?? []).map { .members(["name": .text($0.name), "value": .text($0.value)]) }
            ),
            "content": .members([
                "size": .integer(answer?.bytes ?? 0), "mimeType": .text(type ?? ""),
                "text": (answer?.body).map { .string(ExportText.body($0)) },
            ]), "redirectURL": .text(""), "headersSize": .number(-1), "bodySize": .integer(answer?.bytes ?? -1),
        ])
    }
}
