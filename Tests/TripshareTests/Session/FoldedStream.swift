import Failures
import FleetTokens
import Foundation
import Recording
import Runtime
import Synchronization
import TripFeed
import TripModel

@testable import tripshare

/// What a session concludes from a stream of events.
struct FoldedStream: Equatable {
    var changes: [String] = []
    var receipts: [TripReceipt] = []
    var findings: [String] = []
    var verdicts: [String] = []
    /// What is wrong with a fact.
    var faults: [String] = []

    /// Folds all items as the loop of a session does.
    init(_ items: [SessionItem], _ expectations: [TripExpectation] = []) {
        var table = JourneyTable()
        for item in items {
            let known = table.lastEvent
            add(table.apply(item))
            check(table, after: known, item)
        }
        conclude(from: items, expectations)
    }

    /// Folds each item as it is posted, as the mailbox of a live session does.
    init(posting items: [SessionItem], _ expectations: [TripExpectation] = []) {
        let collector = Collector()
        let group = ObserverGroup([collector])
        for item in items {
            group.receive(item)
            add(
                collector.changes.withLock { changes in
                    defer { changes = [] }
                    return changes
                }
            )
        }
        conclude(from: items, expectations)
    }

    private final class Collector: SessionObserver {
        let changes = Mutex<[JourneyChange]>([])

        func receive(_ item: SessionItem, _ changes: [JourneyChange], _ table: JourneyTable) {
            self.changes.withLock { $0 += changes }
        }
    }

    private mutating func add(_ changes: [JourneyChange]) {
        for change in changes {
            self.changes.append("\(change.journey.rawValue) \(change.stamp.number.rawValue) \(change.kind.label)")
            if case .findings(let new) = change.kind { findings += new.map { "\($0.trip.rawValue) \($0.rule.id)" } }
        }
    }

    private mutating func conclude(from items: [SessionItem], _ expectations: [TripExpectation]) {
        var (table, receipts) = (JourneyTable(), ReceiptBook())
        let first = items.lazy.compactMap { if case .feed(let event) = $0.content { event.trip } else { nil } }.first
        let begins = items.first?.at ?? Moment(wall: .distantPast, steady: .zero)
        var checker = ExpectationChecker(expectations, first: first, begins: begins)
        for item in items {
            receipts.handle(table.apply(item), table)
            switch item.content {
            case .feed(let event):
                _ = checker.handle(event, table, at: item.at)
                if case .ended(let trip, _) = event, let receipt = receipts.finished(trip) {
                    self.receipts.append(receipt)
                }
            case .token(let event): checker.handle(event, table)
            case .remark, .search, .step, .riderCall, .problem: break
            }
        }
        if let last = items.last { _ = checker.finish(at: last.at) }
        verdicts = checker.results.map { "\($0.expectation.name): \($0.outcome)" }
    }

    /// Checks that each fact has an event, is not older than it claims, and that only this item has changed any.
    private mutating func check(_ table: JourneyTable, after known: EventNumber, _ item: SessionItem) {
        guard case .feed(let event) = item.content, let facts = table[event.trip] else { return }
        let stamps = [
            facts.firstRequest, facts.firstPoll, facts.answer?.stamp, facts.status?.stamp, facts.position?.stamp,
            facts.failure?.stamp, facts.staleness?.stamp, facts.schedule?.stamp,
        ]
        for stamp in stamps.compactMap(\.self) where stamp.number > table.lastEvent || stamp.number == .none {
            faults.append("a fact of event \(stamp.number.rawValue) after \(table.lastEvent.rawValue)")
        }
        if table.lastEvent != known.next { faults.append("event \(table.lastEvent.rawValue) after \(known.rawValue)") }
        if let position = facts.position, let measured = position.measured, let state = facts.answer?.value,
            position.stamp == facts.answer?.stamp, measured > state.serviceTime(position.stamp.received)
        {
            faults.append("a position measured after its receipt")
        }
    }
}

extension JourneyChange.Kind {
    /// The kind and its values, which a recording keeps exactly.
    fileprivate var label: String {
        func name(_ journey: Journey?) -> String {
            journey.map { "\($0.status.name) \($0.vehicleID?.rawValue ?? "-")" } ?? "-"
        }
        func seconds(_ duration: Duration?) -> String { duration.map { "\(Int($0.seconds.rounded()))" } ?? "-" }
        return switch self {
        case .began: "began"
        case .polled(let planned): "polled \(seconds(planned))"
        case .failure(let failure, let before): "failure \(failure.nameInJSON) after \(before?.nameInJSON ?? "-")"
        case .recovery(let failure, let count, let hadAnswer): "recovery \(failure.nameInJSON) \(count) \(hadAnswer)"
        case .answered(let state, let before): "answered \(name(state.journey)) after \(name(before?.journey))"
        case .status(let status, let before): "status \(status.name) after \(before?.name ?? "-")"
        case .tour: "tour"
        case .vehicle(let new, let before): "vehicle \(new.rawValue) after \(before.rawValue)"
        case .plan(let fields): "plan \(fields.map(\.rawValue))"
        case .estimate(let arrival, let before):
            "estimate \(arrival.place) \(String(describing: arrival.expected)) \(before)"
        case .approach(let approach): "approach \(approach.arrival.place) \(approach.comesWithin(minutes: 5))"
        case .clocks(let verdict): "clocks \(verdict)"
        case .positionAge(let age, let before): "age \(age?.reason?.rawValue ?? "-") after \(before?.rawValue ?? "-")"
        case .schedule(let schedule, _): "schedule \(seconds(schedule.interval)) \(schedule.isPaused)"
        case .findings(let findings): "findings \(findings.map(\.rule.id))"
        case .omission(let omission): "omission \(omission.total)"
        case .token(let event, let before): "token \(event.kind.name) \(before.missing == nil)"
        case .ended(.left): "ended left"
        case .ended(.reached(let status)): "ended \(status.name)"
        case .ended(.failed(let failure)): "ended \(failure.nameInJSON)"
        }
    }
}

/// The events of a session in a recording, written and read again.
struct RecordedStream {
    /// Writes the events, and reads them as `replay` does.
    static func played(_ items: [SessionItem], provider: ProviderID, from start: Moment) throws -> [SessionItem] {
        let header = RecordingHeader(
            program: "test",
            start: RecordedMoment(start),
            seed: 1,
            configuration: .init(
                provider: provider.rawValue,
                service: "https://engine.example",
                host: "engine.example",
                trips: [],
                interval: 5
            ),
            display: .init(width: 80, height: 24, language: "en", units: "metric", output: "json"),
            zone: .init(offset: 0, name: "UTC", hasTwelveHours: false)
        )
        var bytes = RecordingLine.bytes(header)
        for item in items {
            switch item.content {
            case .feed(let event):
                bytes += RecordingLine.bytes(RecordedEvent(RecordedEvent.Content(event), at: item.at))
            case .token(let event):
                bytes += RecordingLine.bytes(RecordedEvent(.token(RecordedToken(event, inspection: nil)), at: item.at))
            case .remark, .search, .step, .riderCall, .problem: break
            }
        }
        return try Self.items(of: bytes, provider: provider)
    }

    /// Reads the events of trips and tokens.
    static func items(of bytes: [UInt8], provider: ProviderID) throws -> [SessionItem] {
        var reader = try RecordingReader(bytes: bytes)
        var player = RecordingPlayer(provider: provider)
        var items: [SessionItem] = []
        while let event = reader.next() {
            switch player.item(of: event) {
            case .feed(let feed)?: items.append(SessionItem(.feed(feed), at: event.moment))
            case .token(let token, _)?: items.append(SessionItem(.token(token), at: event.moment))
            case nil: break
            }
        }
        return items
    }
}
