import Failures
import FleetWire
import Foundation
import Runtime
import Synchronization
import TripFeed
import TripModel

/// Writes each call of the service and its answer as an entry of Cloud Logging.
///
/// As in Fleet Engine, calls without a valid token have no entry. What a fault does to an answer is not in the log, because it
/// happens between the service and the client.
final class CallLog: Sendable {
    private struct State {
        /// The number of entries.
        var count = 0
        /// The time of the last entry.
        var last = Date.distantPast
    }

    private let provider: ProviderID
    private let write: @Sendable ([UInt8]) -> Void
    private let state = Mutex(State())

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - provider: The project of the service.
    ///   - write: Gets each entry as one line of JSON with its line feed; it must not block.
    init(provider: ProviderID, write: @escaping @Sendable ([UInt8]) -> Void) {
        (self.provider, self.write) = (provider, write)
    }

    /// Performs a call and adds an entry, unless the service has no such method.
    ///
    /// Calls are performed one after the other, so that the entries have their order; no two have the same time.
    ///
    /// - Parameters:
    ///   - target: What the request is about.
    ///   - request: The request, whose token is valid.
    ///   - now: When the service received the request.
    ///   - perform: Returns what the caller gets, and the whole answer with the names of enum values.
    /// - Returns: What the caller gets.
    func record(
        _ target: FleetTarget,
        _ request: PlainRequest,
        at now: Date,
        _ perform: () -> (sent: PlainResponse, whole: PlainResponse)
    ) -> PlainResponse {
        guard let call = LoggedCall(target, request) else { return perform().sent }
        if let token = request.authorization?.split(separator: " ").last {
            KnownSecrets.ofProcess.add(token: String(token))
        }
        return state.withLock { state in
            let (sent, whole) = perform()
            state.count += 1
            state.last = max(now, state.last.addingTimeInterval(1e-6))
            write(line(call, whole, at: state.last, number: state.count))
            return sent
        }
    }

    /// Returns an entry as a line of JSON.
    private func line(_ call: LoggedCall, _ answer: PlainResponse, at now: Date, number: Int) -> [UInt8] {
        let response = answer.status == 200 ? JSONValue(answer.body) : nil
        let error = answer.status == 200 ? nil : ServiceAnswer(httpStatus: answer.status, body: answer.body)
        let logged = response.map { LogSpelling.spelled($0, in: call.resource) }
        let entry = JSONValue.entry([
            ("insertId", .string(Self.insertID(at: now, number))),
            ("timestamp", .string(Timestamp.text(now))),
            ("receiveTimestamp", .string(Timestamp.text(now))),
            ("logName", .string("projects/\(provider)/logs/fleetengine.googleapis.com%2F\(call.logName)")),
            ("labels", .entry(call.labels(response: response).map { ($0.key, .string($0.value)) })),
            (
                "resource",
                .entry([
                    ("type", .string("fleetengine.googleapis.com/Fleet")),
                    (
                        "labels",
                        .entry([
                            ("location", .string("global")), ("resource_container", .string("projects/\(provider)")),
                        ])
                    ),
                ])
            ),
            (
                "jsonPayload",
                .entry([
                    ("@type", .string("type.googleapis.com/maps.fleetengine.v1.\(call.method)Log")),
                    ("request", call.request),
                    ("response", logged),
                    ("errorResponse", error.map(Self.logged)),
                ])
            ),
        ])
        let line = AnswerText.redacted(String(decoding: JSONBytes.encode(entry), as: UTF8.self))
        return Array(line.utf8) + [UInt8(ascii: "\n")]
    }

    /// Returns an ID that no other entry has, also of another run.
    private static func insertID(at now: Date, _ number: Int) -> String {
        let time = UInt64(max(0, now.timeIntervalSince1970 * 1e6))
        return [time, UInt64(number)].map { part in
            let digits = String(part, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        .joined()
    }

    private static func logged(_ error: ServiceAnswer) -> JSONValue {
        .entry([
            ("httpStatusCode", .number(Double(error.httpStatus))),
            ("code", error.status.map(JSONValue.string)),
            ("message", error.message.map(JSONValue.string)),
        ])
    }
}

extension JSONValue {
    /// An object; members without a value are left out.
    static func entry(_ members: [(String, JSONValue?)]) -> JSONValue {
        .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
    }
}
