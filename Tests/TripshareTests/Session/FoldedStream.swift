import AsyncAlgorithms
import Failures
import FleetTokens
import Foundation
import Recording
import Runtime
import Synchronization
import Testing
import TripFeed
import TripModel
import TripScreen

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
        var (table, fold) = (JourneyTable(), Fold(items, expectations))
        for item in items {
            let changes = table.apply(item)
            fold.receive(item, changes, table)
        }
        self = fold.finish(items)
    }

    /// Folds each item as it is posted, as the mailbox of a live session does.
    init(posting items: [SessionItem], _ expectations: [TripExpectation] = []) {
        let collector = Collector(Fold(items, expectations))
        let group = ObserverGroup([collector])
        for item in items { group.receive(item) }
        self = collector.fold.withLock { $0.finish(items) }
    }

    private init() {}

    private final class Collector: SessionObserver {
        let fold: Mutex<Fold>

        init(_ fold: Fold) { self.fold = Mutex(fold) }

        func receive(_ item: SessionItem, _ changes: [JourneyChange], _ table: JourneyTable) {
            fold.withLock { $0.receive(item, changes, table) }
        }
    }

    /// The readers of a table.
    private struct Fold: Sendable {
        private var stream = FoldedStream()
        private var receipts = ReceiptBook()
        private var checker: ExpectationChecker
        private var known = EventNumber.none

        init(_ items: [SessionItem], _ expectations: [TripExpectation]) {
            let first = items.lazy.compactMap { if case .feed(let event) = $0.content { event.journey } else { nil } }
                .first
            let begins = items.first?.at ?? Moment(wall: .distantPast, steady: .zero)
            checker = ExpectationChecker(expectations, first: first, begins: begins)
        }

        mutating func receive(_ item: SessionItem, _ changes: [JourneyChange], _ table: JourneyTable) {
            for change in changes {
                let number = change.stamp.number.rawValue
                stream.changes.append("\(change.journey.rawValue) \(number) \(change.kind.label)")
                if case .findings(let new) = change.kind {
                    stream.findings += new.map { "\($0.journey.rawValue) \($0.rule.id)" }
                }
            }
            receipts.handle(changes, table)
            switch item.content {
            case .feed(let event):
                check(table, event)
                _ = checker.handle(event, table, at: item.at)
                if case .ended(let trip, _) = event, let receipt = receipts.finished(trip) {
                    stream.receipts.append(receipt)
                }
            case .token(let event): checker.handle(event, table)
            case .remark, .search, .step, .riderCall, .problem: break
            }
            known = table.lastEvent
        }

        /// Checks that each fact has an event, and is not older than it claims.
        private mutating func check(_ table: JourneyTable, _ event: FeedEvent) {
            guard let facts = table[event.journey] else { return }
            let stamps = [
                facts.firstRequest, facts.firstPoll, facts.answer?.stamp, facts.status?.stamp, facts.position?.stamp,
                facts.failure?.stamp, facts.staleness?.stamp, facts.schedule?.stamp, facts.token.status?.stamp,
            ]
            for stamp in stamps.compactMap(\.self) where stamp.number > table.lastEvent || stamp.number == .none {
                stream.faults.append("a fact of event \(stamp.number.rawValue) after \(table.lastEvent.rawValue)")
            }
            if table.lastEvent != known.next {
                stream.faults.append("event \(table.lastEvent.rawValue) after \(known.rawValue)")
            }
            if let position = facts.position, let measured = position.measured, let state = facts.answer?.value,
                position.stamp == facts.answer?.stamp, measured > state.serviceTime(position.stamp.received)
            {
                stream.faults.append("a position measured after its receipt")
            }
        }

        mutating func finish(_ items: [SessionItem]) -> FoldedStream {
            if let last = items.last { _ = checker.finish(at: last.at) }
            stream.verdicts = checker.results.map { "\($0.expectation.name): \($0.outcome)" }
            return stream
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
        case .reportsAgain: "reports again"
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

/// The events of trips and tokens in a recording.
struct RecordedStream {
    let bytes: [UInt8]
    let provider: ProviderID
    private let start: Moment

    /// Reads a recording.
    init(_ bytes: [UInt8]) throws {
        let header = try RecordingReader(bytes: bytes).header
        self.bytes = bytes
        provider = try ProviderID(header.configuration.provider)
        start = try #require(header.start.moment)
    }

    /// Records the events of a session.
    init(recording items: [SessionItem], provider: ProviderID, from start: Moment) {
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
            case .search(let event):
                bytes += RecordingLine.bytes(RecordedEvent(.search(event), at: item.at))
            case .remark, .step, .riderCall, .problem: break
            }
        }
        (self.bytes, self.provider, self.start) = (bytes, provider, start)
    }

    private var player: RecordingPlayer { RecordingPlayer(provider: provider) }

    /// Plays it as fast as possible, as `replay` does without a screen.
    func items() async throws -> [SessionItem] {
        let content = ReplaySource.Content.recording(RecordingBytes(bytes), try RecordingReader(bytes: bytes), player)
        let source = ReplaySource(content, isPaced: false)
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await source.play(ScaledClock(speed: 1, begins: nil)) }
            var items: [SessionItem] = []
            for await case .items(let new) in source.parts.prefix(while: { if case .items = $0 { true } else { false } }
            ) {
                items += new
            }
            return items.filter(\.isOfTrip)
        }
    }

    /// Plays it at a speed on a screen, whose real time passes without a wait.
    func items(atSpeed speed: Double) -> [SessionItem] {
        let opening = ReplayOpening(RecordingBytes(bytes), player, start: start)
        var state = State(
            trips: [],
            settings: State.Settings(host: "engine.example"),
            now: start,
            width: 80,
            height: 24
        )
        state.isSilent = true
        let clock = ReplayClock(
            length: opening.index.length,
            speed: speed,
            isLooping: false,
            position: .zero,
            at: .zero
        )
        var driver = ReplayDriver(opening, state, clock: clock, playsAll: true)
        var real = Duration.zero
        var items: [SessionItem] = []
        while true {
            _ = driver.advance(&state, at: real) { false }
            items += driver.dequeueSteps().flatMap { step in
                step.items.compactMap { SessionItem(played: $0, at: step.moment) }
            }
            guard let wait = driver.wait(at: real) else { return items.filter(\.isOfTrip) }
            real += wait
        }
    }
}

extension SessionItem {
    /// Whether it is an event of a trip or of a token.
    fileprivate var isOfTrip: Bool {
        switch content {
        case .feed, .token: true
        case .remark, .search, .step, .riderCall, .problem: false
        }
    }
}
