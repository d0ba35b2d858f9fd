import Failures
import FleetWire
import Foundation
import Runtime
import TripFeed
import TripModel

/// HTTP Archive 1.2: the requests to the service and to a token endpoint, and their answers, for browsers' developer tools.
///
/// The format is described in "HTTP Archive (HAR) format", W3C Web Performance Working Group. A poll without a token and one that
/// an injected fault held back sent no request and are left out, as are commands and files that give tokens. Strict viewers require all timings and `ssl` of at most `connect`; unknown ones are -1.
package struct HARExport: RecordingExporter {
    private let program: String
    private let title: String
    private let start: String
    private var entries: [[UInt8]] = []

    /// Creates the export of a session.
    package init(_ session: RecordedSession) {
        program = session.header?.program ?? ""
        title = session.header.map { "\($0.configuration.host) \($0.configuration.provider)" } ?? ""
        start = session.header?.start.wall ?? ""
    }

    package mutating func handle(_ event: RecordedSession.Event) {
        switch event {
        case .poll(let poll):
            if let request = poll.recorded.request { entries.append(ExportText.json(Self.entry(poll, request))) }
        case .token(let event, _):
            if let entry = Self.entry(event) { entries.append(ExportText.json(entry)) }
        // The calls of a driver are not those of the program.
        case .observation, .findings, .driver, .fault, .note: break
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

    private static func entry(_ poll: RecordedSession.Poll, _ request: RecordedPoll.Request) -> JSONValue {
        let answer = poll.recorded.answer
        let wait = (poll.recorded.latency * 1e6).rounded() / 1e3
        let blocked = blocked(poll)
        return .members([
            "pageref": .string("session"), "startedDateTime": .time(poll.started.wall),
            "time": .number(wait + max(0, blocked)), "request": Self.request(request),
            "response": response(answer, poll.recorded.failure), "cache": .object([]),
            "timings": timings(blocked: blocked, wait: wait),
            "comment": comment(
                poll.recorded.fault,
                poll.recorded.failure.map { [$0.nameInJSON, $0.detail].compactMap(\.self).joined(separator: ": ") }
            ),
        ])
    }

    /// Returns a comment with the injected faults and a text; `nil` without both.
    static func comment(_ fault: InjectedFault?, _ text: String?) -> JSONValue? {
        let parts = [fault.map { "injected fault \($0.name)" }, text].compactMap(\.self)
        return parts.isEmpty ? nil : .text(parts.joined(separator: ": "))
    }

    static func timings(blocked: Double, wait: Double) -> JSONValue {
        .members([
            "blocked": .number(blocked), "dns": .number(-1), "connect": .number(-1), "ssl": .number(-1),
            "send": .number(0), "wait": .number(wait), "receive": .number(0),
        ])
    }

    /// The wait for a token in real milliseconds; -1 if it is unknown because the clock was paused.
    private static func blocked(_ poll: RecordedSession.Poll) -> Double {
        guard poll.speed > 0 else { return -1 }
        let total = (poll.finished.steady - poll.started.steady).seconds / poll.speed
        return max(0, ((total - poll.recorded.latency) * 1e6).rounded() / 1e3)
    }

    private static func request(_ request: RecordedPoll.Request) -> JSONValue {
        let query = request.url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        return .members([
            "method": .text(request.method), "url": .string(ExportText.body(request.url)),
            "httpVersion": .string("unknown"), "cookies": .array([]), "headers": headers(request.headers),
            "queryString": .array(
                query.split(separator: "&").map { pair in
                    let parts = pair.split(separator: "=", maxSplits: 1).map {
                        PercentEncoding.decode($0) ?? String($0)
                    }
                    return .members([
                        "name": .text(parts.first ?? ""), "value": .text(parts.dropFirst().first ?? ""),
                    ])
                }
            ), "headersSize": .number(-1), "bodySize": .number(request.grpc == nil ? 0 : -1),
            "postData": request.grpc.map { call in
                .members([
                    "mimeType": .string("application/grpc+proto"), "text": .string(ExportText.body(call.message)),
                    "comment": .string("the message as ProtoJSON"),
                ])
            },
        ])
    }

    private static func response(_ answer: RecordedPoll.Answer?, _ failure: Failure?) -> JSONValue {
        let type = answer?.headers.first { $0.name.lowercased() == "content-type" }?.value
        let location = answer?.headers.first { $0.name.lowercased() == "location" }?.value
        let isJSON = answer?.body?.first == "{"
        // The HTTP status of an answer over gRPC is 200; its own status follows the message.
        let status = answer?.grpc == nil ? answer?.status ?? 0 : 200
        let remote = answer?.grpc.map { "grpc-status \($0.code) \($0.status)" }
        let text = remote ?? (answer == nil ? failure?.nameInJSON ?? "" : "")
        return .members([
            "status": .integer(status), "statusText": .text(text),
            "httpVersion": .string("unknown"), "cookies": .array([]), "headers": headers(answer?.headers ?? []),
            "content": .members([
                "size": .integer(answer?.size ?? 0),
                "mimeType": .text(type ?? (isJSON ? "application/json" : "")),
                "text": (answer?.body).map { .string(ExportText.body($0)) },
                "comment": answer?.isCut == true ? .string("shortened") : nil,
            ]), "redirectURL": .text(location ?? ""), "headersSize": .number(-1),
            "bodySize": .integer(answer?.size ?? -1),
        ])
    }

    /// The names of headers whose values are secret in any case.
    private static let secretHeaders: Set<String> = [
        "authorization", "cookie", "proxy-authorization", "set-cookie", "x-goog-api-key",
    ]

    private static func headers(_ headers: [HeaderField]) -> JSONValue {
        .array(
            headers.map { header in
                let isSecret = secretHeaders.contains(header.name.lowercased())
                return .members([
                    "name": .text(header.name), "value": isSecret ? .string("<token>") : .text(header.value),
                ])
            }
        )
    }
}
