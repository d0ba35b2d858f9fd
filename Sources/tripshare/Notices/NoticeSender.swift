import Failures
import Foundation
import Runtime
import Synchronization
import TripFeed
import TripModel
import TripText

/// Runs commands and posts notices while a session goes on: each notice is stored before it is sent, and is delivered or reported.
///
/// A receiver has a ``NoticeOutbox`` and a task of its own, so that a slow one holds up neither the session nor another receiver.
///
/// ```
/// changes ─▶ NoticeDetector ─▶ ID, sequence ─▶ NoticeStore ─▶ NoticeOutbox of each receiver ─▶ Delivery ─▶ result
///                                                                  ▲                                       │
///                                                                  └───────────────────────────────────────┘
/// ```
final class NoticeSender: SessionObserver {
    /// How notices are delivered.
    struct Delivery: Sendable {
        /// Runs a command with a text on its standard input and these further variables.
        var run:
            @Sendable (_ words: [String], _ input: [UInt8], _ environment: [String: String], _ limit: Duration) async ->
                DeliveryResult
        /// Posts a text.
        var post:
            @Sendable (_ webhook: Webhook, _ headers: [(String, String)], _ body: [UInt8], _ limit: Duration) async ->
                DeliveryResult
        /// Sleeps in real time; throws if the task is cancelled.
        var sleep: @Sendable (Duration) async throws -> Void
        /// The time of day, which never jumps while the program runs.
        var now: @Sendable () -> Date
    }

    /// For how long a notice is repeated unless the user sets it.
    static let standardTime = Duration.seconds(3600)

    private struct Numbers {
        var ids: NoticeNumbering
        var sequence = 0
        /// Since when another process holds the lock of the store; `nil` if it does not.
        var lockedSince: Date?
    }

    /// A lock that another process holds for a shorter time is not reported; the notices are stored afterwards.
    private static let longestUnreportedLock = Duration.seconds(5)

    /// What an earlier session has left for the receivers.
    let adopted: Int
    private let host: String
    private let store: any NoticeStore
    private let delivery: Delivery
    private let reported: @Sendable () -> Void
    private let changed: @Sendable () -> Void
    private let reports: NoticeReports
    private let detector: NoticeDetector
    private let workers: [NoticeWorker]
    private let tasks: [Task<Void, Never>]
    private let numbers: Mutex<Numbers>
    /// Something has changed that ``finish(limit:)`` waits for.
    private let progress: WakeSignal
    private let isLeaving = Mutex(false)

    /// Starts to deliver, first what earlier sessions have left for the same receivers.
    ///
    /// - Parameters:
    ///   - receivers: The receivers; those with the same command or address count as one with the triggers of all.
    ///   - provider: The project that owns the trips.
    ///   - host: The host of the service, for sentences.
    ///   - store: Where notices wait.
    ///   - time: For how long a notice is repeated.
    ///   - atOnce: Whether what earlier sessions have left is tried at once, not when its next attempt is due.
    ///   - seed: The seed of the jitter.
    ///   - delivery: How notices are delivered.
    ///   - reported: Called when ``dequeueFailures()`` has something new.
    ///   - changed: Called when ``summary`` or ``backlog`` may have changed.
    init(
        _ receivers: [NoticeReceiver],
        provider: String,
        host: String,
        store: any NoticeStore,
        time: Duration = NoticeSender.standardTime,
        atOnce: Bool = false,
        seed: UInt64,
        delivery: Delivery,
        reported: @escaping @Sendable () -> Void,
        changed: @escaping @Sendable () -> Void = {}
    ) {
        (self.host, self.store, self.delivery) = (host, store, delivery)
        (self.reported, self.changed) = (reported, changed)
        detector = NoticeDetector(receivers.flatMap(\.triggers))
        numbers = Mutex(Numbers(ids: NoticeNumbering(provider: provider)))
        let (reports, progress) = (NoticeReports(store), WakeSignal())
        (self.reports, self.progress) = (reports, progress)
        let workers = receivers.combined.enumerated().map { index, receiver in
            let outbox = NoticeOutbox(
                receiver,
                store: store,
                reports: reports,
                limit: time,
                seed: seed &+ UInt64(index)
            )
            return NoticeWorker(receiver, outbox)
        }
        self.workers = workers
        adopted = Self.adopt(workers, store, reports, delivery.now(), atOnce: atOnce)
        store.waitBriefly(true)
        // The tasks are ended by finish(limit:).
        tasks = workers.map { worker in
            Task {
                await worker.deliver(by: delivery) {
                    progress.signal()
                    if !reports.isEmpty { reported() }
                    changed()
                }
            }
        }
        reportLosses()
        if !reports.isEmpty { reported() }
    }

    /// Takes over what earlier sessions have left; returns the number of notices that wait.
    private static func adopt(
        _ workers: [NoticeWorker],
        _ store: any NoticeStore,
        _ reports: NoticeReports,
        _ now: Date,
        atOnce: Bool
    ) -> Int {
        guard !workers.isEmpty else { return 0 }
        do throws(NoticeStoreError) {
            for worker in workers {
                try store.register(worker.receiver.key, shownName: worker.receiver.shownName)
            }
            let adopted = try store.adopt(for: workers.map(\.receiver.key))
            return workers.reduce(0) { sum, worker in
                let notices = adopted[worker.receiver.key] ?? []
                return sum + worker.outbox.withLock { $0.adopt(notices, at: now, atOnce: atOnce) }
            }
        } catch {
            reports.add(error, isUnstored: true)
            return 0
        }
    }

    // MARK: Events

    /// Stores and queues the notices of an event.
    func receive(_ item: SessionItem, _ changes: [JourneyChange], _ table: JourneyTable) {
        guard !workers.isEmpty else { return }
        for notice in detector.notices(of: changes, table) {
            let wanting = workers.filter { $0.receiver.triggers.contains { $0.matches(notice) } }
            // An ID does not depend on who wants the notice.
            let (id, sequence) = numbers.withLock { numbers in
                if !wanting.isEmpty { numbers.sequence += 1 }
                return (numbers.ids.id(of: notice), numbers.sequence)
            }
            guard !wanting.isEmpty else { continue }
            let now = delivery.now()
            let line = NoticeLine(notice, id: id, sequence: sequence, host: host)
            let stored = StoredNotice(
                id: id,
                session: store.session,
                sequence: sequence,
                journey: notice.journey.name.withoutTokens,
                event: notice.kind.rawValue,
                body: Array((SanitizedJSON.line(line) + "\n").utf8),
                created: now,
                due: now
            )
            let isStored = store(stored, for: wanting.map(\.receiver.key))
            for worker in wanting {
                worker.outbox.withLock { $0.add(stored, isStored: isStored) }
                worker.hasNews.signal()
            }
            changed()
        }
    }

    /// Stores a notice; returns whether that was possible.
    ///
    /// The first failure after a success is reported.
    private func store(_ notice: StoredNotice, for receivers: [String]) -> Bool {
        defer { reportLosses() }
        do throws(NoticeStoreError) {
            // Earlier ones first, so that the next session has those of a trip in order.
            try storeLate()
            try store.add(notice, for: receivers)
            reports.stored()
            numbers.withLock { $0.lockedSince = nil }
            return true
        } catch {
            if isBrief(error) { return false }
            reports.add(error, isUnstored: true)
            if !reports.isEmpty { reported() }
            return false
        }
    }

    /// Returns whether an error is a lock that another process has held for a short time.
    private func isBrief(_ error: NoticeStoreError) -> Bool {
        guard case .locked = error else { return false }
        let now = delivery.now()
        return numbers.withLock { numbers in
            let since = numbers.lockedSince ?? now
            numbers.lockedSince = since
            return now.timeIntervalSince(since) < Self.longestUnreportedLock.seconds
        }
    }

    /// Stores what could not be stored before, so that it does not end with the session.
    private func storeLate() throws(NoticeStoreError) {
        for worker in workers {
            try worker.outbox.withLock { (outbox) throws(NoticeStoreError) in try outbox.storeLate() }
        }
    }

    /// Reports that the store has begun a new file, and stores again what is in memory.
    private func reportLosses() {
        let losses = store.dequeueLosses()
        guard !losses.isEmpty else { return }
        for loss in losses {
            switch loss {
            case .movedAside(let path): reports.add(Localizer.ofProcess(.noticeStoreMoved(file: excerpt(path: path))))
            // The failure is reported with its reason.
            case .missing: break
            case .gone: reports.add(Localizer.ofProcess(.noticeStoreGone(file: excerpt(path: store.path))))
            }
        }
        for worker in workers { worker.outbox.withLock { $0.storeAgain() } }
        reported()
    }

    // MARK: State

    /// Returns sentences about what failed since the last call.
    ///
    /// What was refused or has expired is removed from the store at the next call, and by ``confirmFailures()``.
    func dequeueFailures() -> [String] { reports.dequeue() }

    /// The sentences of the last call of ``dequeueFailures()`` were written.
    func confirmFailures() { reports.confirm() }

    /// What became of the notices so far.
    var summary: NoticeSummary {
        var summary = NoticeSummary(path: store.isPersistent ? store.path : nil)
        for worker in workers {
            let (counts, waiting, unstored) = worker.outbox.withLock { ($0.counts, $0.waiting, $0.waitingUnstored) }
            summary.delivered += counts.delivered
            summary.repeated += counts.repeated
            summary.refused += counts.refused
            summary.expired += counts.expired
            summary.unstored += counts.unstored
            summary.waiting += waiting
            summary.waitingUnstored += unstored
        }
        return summary
    }

    /// The receivers for which notices wait or are under way, and how many.
    var backlog: [(name: String, waiting: Int)] {
        workers.map { $0.outbox.withLock { (name: $0.name, waiting: $0.waiting) } }.filter { $0.waiting > 0 }
    }

    // MARK: The end

    /// Ends: waits until all is delivered or nothing more can be within the limit, and leaves the rest in the store.
    ///
    /// - Parameter limit: The longest wait; `nil` leaves everything at once, also what is under way.
    func finish(limit: Duration?) async {
        if let limit, !workers.isEmpty {
            let end = delivery.now().addingTimeInterval(limit.seconds)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [self] in
                    while !Task.isCancelled, !isDone(before: end) { await progress.wait() }
                }
                // The wait ends early when all is done.
                group.addTask { [delivery] in try? await delivery.sleep(limit) }
                await group.next()
                group.cancelAll()
            }
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        store.waitBriefly(false)
        // The file may be gone, or the disk may have room again.
        do throws(NoticeStoreError) {
            if !workers.isEmpty { try store.check() }
            reportLosses()
            try storeLate()
        } catch {
            reports.add(error, isUnstored: true)
        }
        reportLosses()
        for worker in workers { worker.outbox.withLock { $0.reportLeft() } }
    }

    /// Ends a running ``finish(limit:)``, or the next one, at once.
    func leave() {
        isLeaving.withLock { $0 = true }
        progress.signal()
    }

    /// Whether nothing is under way and nothing is due before a time.
    private func isDone(before end: Date) -> Bool {
        if isLeaving.withLock({ $0 }) { return true }
        let now = delivery.now()
        return workers.allSatisfy { worker in
            worker.outbox.withLock { outbox in
                outbox.underWay == 0 && (outbox.wakeUp(at: now).map { $0 > end } ?? true)
            }
        }
    }
}
