import Failures
import Foundation
import Runtime
import Synchronization
import TripFeed
import TripModel
import TripText

/// Runs commands and posts events while a session goes on, one after another for each rule.
///
/// A rule that is slow or fails never holds up the session: at most ``mostWaiting`` events wait for it, at most one a second is
/// passed on, and each has ``limit``. What failed or was dropped is reported. At the end, what waits has ``lastLimit``.
final class NoticeSender: SessionObserver {
    /// How a rule is carried out.
    struct Delivery: Sendable {
        /// Runs a command with a text on its standard input; returns why it failed, or `nil`.
        var run: @Sendable (_ words: [String], _ input: [UInt8], _ limit: Duration) async -> String?
        /// Posts a text; returns why that failed, or `nil`.
        var post: @Sendable (_ url: String, _ body: [UInt8], _ limit: Duration) async -> String?
        /// Sleeps in real time; throws if the task is cancelled.
        var sleep: @Sendable (Duration) async throws -> Void
    }

    /// The maximum number of events that wait for one rule.
    static let mostWaiting = 100
    /// The time for one event, in real time.
    static let limit = Duration.seconds(30)
    /// The time between two events of one rule, in real time.
    static let spacing = Duration.seconds(1)
    /// The time for what waits when the session ends, in real time.
    static let lastLimit = Duration.seconds(10)

    private struct Worker: Sendable {
        let rule: NoticeRule
        let queue: AsyncStream<(event: String, body: [UInt8])>.Continuation
        /// The events that wait or are under way.
        let waiting: Waiting
        let task: Task<Void, Never>
    }

    private let host: String
    private let delivery: Delivery
    private let failed: @Sendable () -> Void
    private let failures: FailureList
    private let detector: NoticeDetector
    private let workers: [Worker]

    private final class Waiting: Sendable {
        let events = Mutex<[String]>([])
    }

    /// Sentences about what failed or was dropped, until they are taken.
    private final class FailureList: Sendable {
        let sentences = Mutex<[String]>([])
    }

    /// Starts to carry out rules; `failed` is called when ``dequeueFailures()`` has something new.
    init(
        _ rules: [NoticeRule],
        host: String,
        delivery: Delivery,
        failed: @escaping @Sendable () -> Void
    ) {
        let failures = FailureList()
        (self.host, self.delivery, self.failed, self.failures) = (host, delivery, failed, failures)
        detector = NoticeDetector(rules.flatMap(\.triggers))
        workers = rules.map { rule in
            let (events, queue) = AsyncStream.makeStream(
                of: (event: String, body: [UInt8]).self,
                bufferingPolicy: .bufferingOldest(Self.mostWaiting)
            )
            let waiting = Waiting()
            let task = Task {
                for await (event, body) in events {
                    let failure: String? =
                        switch rule.action {
                        case .command(let words): await delivery.run(words, body, Self.limit)
                        case .webhook(let url): await delivery.post(url, body, Self.limit)
                        }
                    if let failure, !Task.isCancelled {
                        let text = Localizer.ofProcess(
                            .noticeFailed(action: rule.shownAction, event: event, reason: failure.sanitized(limit: 600))
                        )
                        failures.sentences.withLock { $0.append(text) }
                        failed()
                    }
                    // What was interrupted is reported as dropped.
                    if !Task.isCancelled { waiting.events.withLock { _ = $0.removeFirst() } }
                    // A cancelled task ends with the stream.
                    try? await delivery.sleep(Self.spacing)
                }
            }
            return Worker(rule: rule, queue: queue, waiting: waiting, task: task)
        }
    }

    /// Queues the notices of an event.
    func receive(_ item: SessionItem, _ changes: [JourneyChange], _ table: JourneyTable) {
        for notice in detector.notices(of: changes, table) {
            var body: [UInt8]?
            for worker in workers where worker.rule.triggers.contains(where: { $0.matches(notice) }) {
                let line = body ?? Array((SanitizedJSON.line(NoticeLine(notice, host: host)) + "\n").utf8)
                body = line
                let name = notice.kind.rawValue
                worker.waiting.events.withLock { $0.append(name) }
                guard case .dropped = worker.queue.yield((name, line)) else { continue }
                worker.waiting.events.withLock { _ = $0.removeLast() }
                reportDrop(of: name, by: worker)
                failed()
            }
        }
    }

    private func reportDrop(of event: String, by worker: Worker) {
        let text = Localizer.ofProcess(.noticeDropped(action: worker.rule.shownAction, event: event))
        failures.sentences.withLock { $0.append(text) }
    }

    /// Returns sentences about what failed or was dropped since the last call.
    func dequeueFailures() -> [String] {
        failures.sentences.withLock { sentences in
            defer { sentences = [] }
            return sentences
        }
    }

    /// Ends: waits for what is under way or waits, at most ``lastLimit``; not at all if `isCancelled`.
    ///
    /// What is left is reported.
    func finish(isCancelled: Bool) async {
        for worker in workers { worker.queue.finish() }
        await withTaskGroup(of: Void.self) { group in
            if !isCancelled {
                group.addTask { [workers] in for worker in workers { await worker.task.value } }
                // The wait ends early when the workers have ended.
                group.addTask { [delivery] in try? await delivery.sleep(Self.lastLimit) }
                await group.next()
            }
            for worker in workers { worker.task.cancel() }
            group.cancelAll()
        }
        for worker in workers {
            for event in worker.waiting.events.withLock(\.self) { reportDrop(of: event, by: worker) }
        }
    }
}
