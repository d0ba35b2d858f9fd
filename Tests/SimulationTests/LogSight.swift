import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel

/// An event and its time.
typealias TimedEvent = (event: FeedEvent, at: Moment)

/// What a source shows of a trip or a shipment.
struct LogSight {
    private(set) var statuses: [JourneyStatus] = []
    private(set) var vehicle: VehicleID?
    private(set) var outcomes: [ExpectationResult.Outcome] = []
    /// The kinds of changes that a log can have.
    private(set) var changes: Set<String> = []
    /// The rules with findings that a log can have.
    private(set) var rules: Set<String> = []
    private(set) var receipt: TripReceipt
    /// When each kind of change, and each rule of a finding, appeared; without answers that a fault has changed.
    private(set) var occurrences: [String: [Date]] = [:]
    /// The times of the answers that no fault has changed.
    private(set) var answers: [Date] = []

    /// Folds the events of a trip or a shipment.
    init(_ events: [TimedEvent], of journey: JourneyID, reaching end: JourneyStatus?, isOfLog: Bool = false) {
        receipt = TripReceipt(journey)
        var conditions = ExpectedConditions()
        conditions.reached = end
        var checker = ExpectationChecker(
            [TripExpectation(name: "end", kind: .must(conditions, .once))],
            first: journey,
            begins: events.first?.at ?? Moment(wall: .distantPast, steady: .zero),
            isOfLog: isOfLog
        )
        var table = JourneyTable()
        var isUnchanged = true
        for (event, moment) in events where event.journey == journey {
            let changes = table.apply(event, at: moment)
            if case .polled(let report, _, _) = event {
                isUnchanged = report.faultNames == nil
                if isUnchanged, report.failure == nil { answers.append(moment.wall) }
            }
            for change in changes {
                let names = add(change.kind)
                if isUnchanged { for name in names { occurrences[name, default: []].append(moment.wall) } }
            }
            if let facts = table[journey] {
                receipt.handle(changes, facts)
                vehicle = facts.answer?.value.journey?.vehicleID ?? vehicle
            }
            _ = checker.handle(event, table, at: moment)
        }
        if let last = events.last { _ = checker.finish(at: last.at) }
        outcomes = checker.results.map(\.outcome)
    }

    /// Adds a change; returns the names of its kind and of its rules that a log can have.
    private mutating func add(_ kind: JourneyChange.Kind) -> Set<String> {
        if case .status(let status, _) = kind { statuses.append(status) }
        var names: Set<String> = []
        if case .findings(let findings) = kind {
            names.formUnion(
                findings.lazy.filter { $0.injected == nil && LogLimits.rules[$0.rule.id] == nil }.map(\.rule.id)
            )
            rules.formUnion(names)
        }
        if let name = kind.name, LogLimits.changes[name] == nil {
            changes.insert(name)
            names.insert(name)
        }
        return names
    }

    /// Returns the kinds of changes and the rules that only the rider or only a reader of the log has, without a reason.
    ///
    /// What only the reader has needs a state between two answers: none of the rider's came before the next call of a driver
    /// or a server.
    ///
    /// - Parameters:
    ///   - reader: What a reader of the log shows.
    ///   - calls: The times of the calls of drivers and servers.
    ///   - lost: What only the rider can have, because answers lost fields on their way.
    /// - Returns: The names, each with the side that has it.
    func unexplained(in reader: LogSight, calls: [Date], without lost: Set<String>) -> [String] {
        let missing = occurrences.keys.filter {
            reader.occurrences[$0] == nil && LogLimits.ofReaders[$0] == nil && !lost.contains($0)
        }
        let added = reader.occurrences.filter { name, times in
            occurrences[name] == nil
                && !times.contains { time in
                    let next = calls.first { $0 > time } ?? .distantFuture
                    return !answers.contains { $0 >= time && $0 < next }
                }
        }
        return missing.sorted().map { "\($0): only the rider" } + added.keys.sorted().map { "\($0): only the log" }
    }

    /// The times and durations of the receipt in seconds, without those that are unknown.
    ///
    /// Predictions are not compared: that of a trip after another one adds the stops of the other one, which the driver's calls
    /// about it do not have.
    var times: [String: Double] {
        var times: [String: Double] = [:]
        for (name, time) in [
            ("pickup", receipt.pickup.actual), ("dropoff", receipt.dropoff.actual),
            ("handed over", receipt.milestones.dropoff?.known),
        ] {
            times[name] = time?.timeIntervalSince1970
        }
        times["wait for driver"] = receipt.waitForDriver
        times["wait for vehicle"] = receipt.waitForVehicle
        times["wait at pickup"] = receipt.waitAtPickup
        times["wait at stops"] = receipt.waitAtStops
        times["ride"] = receipt.rideDuration
        for (index, status) in receipt.statuses.enumerated() {
            times["\(index) \(status.status.name)"] = status.seen.timeIntervalSince1970
        }
        return times
    }
}

/// The log of a service that was played to its end.
struct ServiceLog {
    let bytes: [UInt8]

    /// Returns the events of the log when it is followed while it is written, and the times of the calls of drivers and servers.
    ///
    /// A state that has held until a call was examined as a poll 5 s before would have shown it.
    func followed(_ journeys: [JourneyID]) -> (events: [TimedEvent], calls: [JourneyID: [Date]]) {
        var log = LiveLog(trips: journeys)
        // The log is read at once, at any time of the steady clock.
        let now = { (newest: Date) in Moment(wall: newest, steady: .seconds(1_000_000)) }
        var (events, calls): ([TimedEvent], [JourneyID: [Date]]) = ([], [:])
        var last: [JourneyID: Moment] = [:]
        for item in log.handle(bytes, now: now) + log.handle(nil, now: now) {
            switch item {
            case .step(let step):
                events += step.events.map { ($0, step.moment) }
                guard !step.events.isEmpty else { continue }
                last[step.sides.id] = step.moment
                if step.side != .rider { calls[step.sides.id, default: []].append(step.time) }
            case .found(let id, let findings, let moment):
                let held = moment.advanced(by: .seconds(-5))
                let at = last[id].map { $0.wall > held.wall ? $0 : held } ?? held
                events.append((.found(id, findings), at))
            case .riderCall, .invalid, .tooManyTrips: continue
            }
        }
        return (events, calls)
    }

    /// Returns the events of the log when it is replayed, polled as a rider would have.
    func replayed(every interval: Duration) throws -> [TimedEvent] {
        let trips = try RecordedLog(bytes: bytes).trips
        var playback = LogPlayback(trips, every: interval)
        var events: [TimedEvent] = []
        while let step = playback.next() {
            let at = Moment(wall: trips.start, steady: .zero).advanced(by: step.at)
            events += step.events.map { ($0, at) }
        }
        return events
    }

    /// Returns the events of a rider whose polls are answered by the log, from the calls of drivers and servers only.
    ///
    /// The polls have the times of those of the real rider, so that both miss the same states. A poll that failed is not in
    /// the log. What a fault has changed in an answer is not in the log, either, and has effects on later answers: such an
    /// answer is that of the real rider.
    func answers(to ridden: [TimedEvent], of provider: ProviderID) throws -> [TimedEvent] {
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        var others: [ArraySlice<UInt8>] = []
        var reads: [JourneyID: ArraySlice<Date>] = [:]
        for line in lines {
            let entry = try JSONDecoder().decode(Entry.self, from: Data(line))
            if let journey = entry.journey {
                reads[journey, default: []].append(entry.time)
            } else {
                others.append(line)
            }
        }
        let trips = try RecordedTrips(bytes: Array(others.joined(separator: [UInt8(ascii: "\n")])))
        let timelines = Dictionary(uniqueKeysWithValues: trips.timelines.map { ($0.id, $0) })
        var tracks: [JourneyID: (state: TripState, detector: FindingDetector)] = [:]
        var events: [TimedEvent] = []
        for (event, at) in ridden {
            guard case .polled(var report, let seen, let schedule) = event else {
                if case .found = event {} else { events.append((event, at)) }
                continue
            }
            guard report.failure == nil, var answer = seen.journey else { continue }
            let id = report.journey
            if report.fault == nil {
                // No two entries have the same time, so that one says which calls came before that of the rider.
                let sent = report.finished.wall - 1e-5
                let next = reads[id, default: []].drop { $0 < sent }
                reads[id] = next
                let time = try #require(next.first, "\(id) at \(sent)")
                answer = try #require(timelines[id]?.snapshot(at: time), "\(id) at \(time)").journey
            }
            report.outcome = .success(answer)
            var track =
                tracks[id] ?? (TripState(id: id), FindingDetector(journey: id, provider: provider))
            track.state.merge(answer, of: report)
            let interval = report.examined?.interval ?? schedule.interval
            let findings = track.detector.examine(report, state: track.state, interval: interval)
            tracks[id] = track
            events.append((.polled(report, track.state, schedule), at))
            if !findings.isEmpty { events.append((.found(id, findings), at)) }
        }
        return events
    }

    /// An entry of the log.
    private struct Entry: Decodable {
        private struct Payload: Decodable {
            struct Request: Decodable {
                var tripId: String?
                var trackingId: String?
            }

            var request: Request?
        }

        private let timestamp: String
        private let logName: String
        private let jsonPayload: Payload

        /// When the service received the call.
        var time: Date { Timestamp.date(timestamp) ?? .distantPast }

        /// What a rider or a recipient asked for; `nil` for the calls of others.
        var journey: JourneyID? {
            guard let request = jsonPayload.request else { return nil }
            if logName.hasSuffix("%2Fget_trip") {
                return request.tripId.flatMap { try? TripID($0) }.map(JourneyID.trip)
            }
            guard logName.hasSuffix("%2Fget_task_tracking_info") else { return nil }
            return request.trackingId.flatMap { try? TrackingID($0) }.map(JourneyID.shipment)
        }
    }
}
