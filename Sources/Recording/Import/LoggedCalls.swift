import Failures
import FleetWire
import Foundation
import Runtime
import TripFeed
import TripModel

/// The calls of a log, in order of time, with the bodies in the spelling of the log.
///
/// A log has one time for each call. It does not say who called, by which protocol, with which token and how long it took: the asker
/// is the party that usually makes such a call, and the other values are absent.
struct LoggedCalls {
    /// The calls.
    let calls: [Failures.Call]

    /// Reads a file; entries that were delivered twice are returned once.
    init(_ bytes: [UInt8]) {
        let originals = LogStream.originals(in: bytes)
        var parts: [String: JSONValue] = [:]
        for part in originals {
            guard let parent = part.parent, let payload = part.value.member("jsonpayload") else { continue }
            parts[parent] = parts[parent]?.merged(with: payload) ?? payload
        }
        var known: Set<[String]> = []
        let entries = originals.compactMap { original -> (LogEntry, JSONValue)? in
            guard let entry = original.entry,
                entry.insertID.isEmpty || known.insert([entry.insertID, Timestamp.text(entry.time)]).inserted
            else { return nil }
            let payload = original.value.member("jsonpayload") ?? original.value.member(entry.method.lowercased())
            let whole = payload ?? .object([])
            return (entry, parts[entry.insertID]?.merged(with: whole) ?? whole)
        }
        .sorted { ($0.0.time, $0.0.insertID) < ($1.0.time, $1.0.insertID) }
        let start = entries.first?.0.time ?? .distantPast
        calls = entries.map { Failures.Call($0.0, $0.1, since: start) }
    }
}

extension Failures.Call {
    /// Creates a call of a log.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - payload: Its request and its answer in the spelling of the log.
    ///   - start: The time of the first entry.
    fileprivate init(_ entry: LogEntry, _ payload: JSONValue, since start: Date) {
        func body(_ name: String) -> StoredBody? {
            payload.member(name).map { StoredBody(redacting: JSONBytes.encode($0)) }
        }
        let steady = Duration(clampedSeconds: entry.time.timeIntervalSince(start))
        let moment = Moment(wall: entry.time, steady: steady)
        let status = entry.error.flatMap { $0.httpStatus == 0 ? nil : $0.httpStatus }
        let answer = body(entry.error == nil ? "response" : "errorresponse")
        self.init(
            Operation(rawValue: entry.method),
            from: entry.asker,
            about: entry.subject,
            Request(resource: entry.resource, body: body("request")),
            Answer(status: status, shown: [], body: answer, bytes: nil),
            started: moment,
            ended: moment,
            failure: entry.error.map { Failure.service($0, retryAfter: $0.retryDelay) }
        )
    }
}

extension LogEntry {
    /// The ID of the trip or the vehicle, the name of the shipment, or the ID of the task; empty if none is known.
    fileprivate var subject: String {
        if let tracking = (response?["trackingid"] ?? request["trackingid"])?.string.flatMap({ try? TrackingID($0) }) {
            return JourneyID.shipment(tracking).name
        }
        let own = ["tripid", "vehicleid", "taskid", "deliveryvehicleid"].lazy.compactMap { self.request[$0]?.string }
            .first
        return own ?? response?["name"]?.string?.lastPart ?? request["name"]?.string?.lastPart ?? ""
    }

    /// The name of the resource, such as `providers/p/trips/t`, as far as the log has it; else the method.
    fileprivate var resource: String {
        let names = [response?["name"], request["name"], request["trip"]?["name"], request["vehicle"]?["name"]]
        return names.lazy.compactMap { $0?.string }.first ?? method
    }
}

extension JSONValue {
    /// Returns the member with a key in lower case, however the log spells it.
    fileprivate func member(_ key: String) -> JSONValue? {
        members?.first { $0.key.lowercased().replacing("_", with: "") == key }?.value
    }
}
