import Failures
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel

/// HTTP Archive 1.2: the requests to the service and to a token endpoint, and their answers, for browsers' developer tools.
///
/// The format is described in "HTTP Archive (HAR) format", W3C Web Performance Working Group. What was never sent is no entry;
/// commands and files that give tokens are left out. Strict viewers require all timings and `ssl` of at most `connect`; unknown
/// ones are -1.
package struct HARExport: RecordingExporter {
    private let program: String
    private let title: String
    private let start: String
    private var entries: [[UInt8]] = []

    /// Creates the export of a session.
    package init(_ session: RecordedSession) {
        program = session.header?.program ?? ""
        title =
            session.header.map { "\($0.configuration.host) \($0.configuration.provider)" } ?? session.provider.rawValue
        let logged = session.loggedCalls ?? []
        start = session.header?.start.wall ?? logged.first.map { Timestamp.text($0.started.wall) } ?? ""
        entries = logged.map { ExportText.json(Self.entry(ofLogged: $0)) }
    }

    package mutating func handle(_ event: RecordedSession.Event) {
        switch event {
        case .poll(let poll):
            guard let call = ListedCall(poll.report)?.call else { return }
            append(call, blocked: Self.blocked(call, poll.speed))
        case .search(let search, let speed):
            guard let call = search.call else { return }
            append(call, blocked: Self.blocked(call, speed))
        case .token(let event, _):
            for call in event.calls {
                append(call, of: call.answerer == .tokens ? "token fetch" : "grant of credentials")
            }
        case .driver(_, let call): append(call, of: "driver")
        case .observation, .findings, .fault, .note: break
        }
    }

    package func finished() throws(ExportFailure) -> [UInt8] {
        guard !entries.isEmpty else { throw .noPolls }
        let page: JSONValue = .members([
            "startedDateTime": .string(start), "id": .string("session"), "title": .text(title),
            "pageTimings": .members(["onContentLoad": .number(-1), "onLoad": .number(-1)]),
        ])
        let creator: JSONValue = .members(["name": .string("tripshare"), "version": .text(program)])
        var bytes = Array(#"{"log":{"version":"1.2","creator":"#.utf8) + ExportText.json(creator)
        bytes += Array(#","pages":["#.utf8) + ExportText.json(page) + Array("],\"entries\":[\n".utf8)
        bytes += entries.joined(separator: ",\n".utf8)
        return bytes + Array("\n]}}\n".utf8)
    }

    /// Adds the entry of a call over HTTP or gRPC; `kind` says what it is unless it is a poll or a page of a search.
    private mutating func append(_ call: Call, blocked: Double = 0, of kind: String? = nil) {
        guard let method = call.request.method else { return }
        let wait = ((call.duration ?? .zero).seconds * 1e6).rounded() / 1e3
        let why = call.failure.map { failure in
            [failure.nameInJSON, kind == nil ? failure.detail : nil].compactMap(\.self).joined(separator: ": ")
        }
        let fault = call.fault.map { "injected fault \($0.name)" }
        let comment = [fault, kind, why].compactMap(\.self).joined(separator: ": ")
        let entry: JSONValue = .members([
            "pageref": .string("session"), "startedDateTime": .time(call.started.wall),
            "time": .number(wait + max(0, blocked)), "request": Self.request(call.request, method),
            "response": Self.response(call.answer, call), "cache": .object([]),
            "timings": .members([
                "blocked": .number(blocked), "dns": .number(-1), "connect": .number(-1), "ssl": .number(-1),
                "send": .number(0), "wait": .number(wait), "receive": .number(0),
            ]), "comment": comment.isEmpty ? nil : .text(comment),
        ])
        entries.append(ExportText.json(entry))
    }

    /// The wait for a token in real milliseconds; -1 if it is unknown because the clock was paused.
    private static func blocked(_ call: Call, _ speed: Double) -> Double {
        guard speed > 0 else { return -1 }
        let total = (call.ended.steady - call.started.steady).seconds / speed
        return max(0, ((total - (call.duration ?? .zero).seconds) * 1e6).rounded() / 1e3)
    }

    private static func request(_ request: Call.Request, _ method: String) -> JSONValue {
        let type = request.medium == .grpc ? "application/grpc+proto" : request.header("content-type") ?? ""
        let body = request.body.flatMap { $0.bytes.isEmpty ? nil : $0 }
        return .members([
            "method": .text(method), "url": .string(ExportText.body(request.url)),
            "httpVersion": .string("unknown"), "cookies": .array([]), "headers": headers(request.headers),
            "queryString": .array(
                request.query.map { .members(["name": .text($0.name), "value": .text($0.value)]) }
            ), "headersSize": .number(-1),
            "bodySize": .integer(request.medium == .grpc ? -1 : request.body?.size ?? 0),
            "postData": body.map { body in
                .members([
                    "mimeType": .text(type), "text": text(body),
                    "comment": request.medium == .grpc ? .string("the message as ProtoJSON") : nil,
                ])
            },
        ])
    }

    private static func response(_ answer: Call.Answer?, _ call: Call) -> JSONValue {
        let isJSON = answer?.body?.bytes.first == UInt8(ascii: "{")
        // The HTTP status of an answer over gRPC is 200; its own status follows the message.
        let status = answer?.grpcStatus == nil ? answer?.status ?? 0 : 200
        let remote = answer?.grpcStatus.map { "grpc-status \($0) \(call.status?.name ?? "")" }
        let size = call.bodySize
        return .members([
            "status": .integer(status),
            "statusText": .text(remote ?? (answer == nil ? call.failure?.nameInJSON ?? "" : "")),
            "httpVersion": .string("unknown"), "cookies": .array([]), "headers": headers(answer?.headers ?? []),
            "content": .members([
                "size": .integer(size ?? 0),
                "mimeType": .text(answer?.header("content-type") ?? (isJSON ? "application/json" : "")),
                "text": (answer?.body).map(text),
                "comment": answer?.body?.isCut == true ? .string("shortened") : nil,
            ]), "redirectURL": .text(answer?.header("location") ?? ""), "headersSize": .number(-1),
            "bodySize": .integer(size ?? -1),
        ])
    }

    static func text(_ body: StoredBody) -> JSONValue {
        .string(ExportText.body(String(decoding: body.bytes, as: UTF8.self)))
    }

    private static func headers(_ headers: [HeaderField]) -> JSONValue {
        .array(headers.map { .members(["name": .text($0.name), "value": .text($0.value)]) })
    }
}

/// Calls of a log as entries of an HTTP Archive.
///
/// A log has neither the HTTP method nor the duration: the method is the service's method, and all timings are -1, the value
/// for unknown timings, so that their sum is 0.
extension HARExport {
    /// Returns the entry of a call.
    static func entry(ofLogged call: Call) -> JSONValue {
        let unknown: JSONValue = .number(-1)
        let resource = call.request.url.contains("/") ? call.request.url : ""
        return .members([
            "pageref": .string("session"), "startedDateTime": .time(call.started.wall), "time": .number(0),
            "request": .members([
                "method": .text(call.operation.rawValue),
                "url": .string(ExportText.body("https://fleetengine.googleapis.com/v1/\(resource)")),
                "httpVersion": .string("unknown"), "cookies": .array([]), "headers": .array([]),
                "queryString": .array([]), "headersSize": .number(-1), "bodySize": .number(-1),
                "postData": call.request.body.map { body in
                    .members(["mimeType": .string("application/json"), "text": text(body)])
                },
            ]),
            "response": .members([
                // An answer without an error means that the service has accepted the call.
                "status": .integer(call.answer?.status ?? (call.failure == nil ? 200 : 0)),
                "statusText": .text(call.failure?.answer?.status ?? ""), "httpVersion": .string("unknown"),
                "cookies": .array([]), "headers": .array([]),
                "content": .members([
                    "size": .integer(call.answer?.body?.size ?? 0), "mimeType": .string("application/json"),
                    "text": call.answer?.body.map(text),
                    "comment": call.answer?.body?.isCut == true ? .string("shortened") : nil,
                ]), "redirectURL": .text(""), "headersSize": .number(-1), "bodySize": .number(-1),
            ]), "cache": .object([]),
            "timings": .members([
                "blocked": unknown, "dns": unknown, "connect": unknown, "ssl": unknown, "send": unknown,
                "wait": unknown, "receive": unknown,
            ]),
            "comment": .text(
                ["from a log", call.failure?.answer?.message].compactMap(\.self).joined(separator: ": ")
            ),
        ])
    }
}
