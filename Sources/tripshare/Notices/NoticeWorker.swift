import Foundation
import Runtime
import Synchronization

/// A receiver of notices, and how it gets them: ``NoticeSender`` runs ``deliver(by:changed:)`` in a task of its own.
final class NoticeWorker: Sendable {
    /// The time for one attempt, in real time.
    static let limit = Duration.seconds(30)

    /// The receiver.
    let receiver: NoticeReceiver
    /// What waits for it.
    let outbox: Mutex<NoticeOutbox>
    /// A notice was added, or a delivery has ended.
    let hasNews = WakeSignal()

    /// Creates the worker of a receiver.
    init(_ receiver: NoticeReceiver, _ outbox: NoticeOutbox) {
        self.receiver = receiver
        self.outbox = Mutex(outbox)
    }

    /// Delivers what waits for the receiver, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - delivery: How notices are delivered.
    ///   - changed: Called after each delivery.
    func deliver(by delivery: NoticeSender.Delivery, changed: @escaping @Sendable () -> Void) async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let now = delivery.now()
                let (notices, wakeUp) = outbox.withLock { ($0.next(at: now), $0.wakeUp(at: now)) }
                if let notices {
                    group.addTask { await self.attempt(notices, by: delivery, changed: changed) }
                    continue
                }
                // A date has a precision of a tenth of a microsecond: without the millisecond, it may not be due yet.
                let delay = wakeUp.map { Duration(clampedSeconds: max($0.timeIntervalSince(now), 0) + 0.001) }
                await hasNews.wait(atMost: delay, sleep: delivery.sleep)
            }
        }
    }

    /// Delivers notices once, and processes the result.
    private func attempt(
        _ notices: [StoredNotice],
        by delivery: NoticeSender.Delivery,
        changed: @Sendable () -> Void
    ) async {
        let result: DeliveryResult =
            switch receiver.action {
            case .command(let words):
                await delivery.run(words, notices.flatMap(\.body), Self.environment(of: notices), Self.limit)
            case .webhook(let webhook):
                await Self.post(notices, to: webhook, by: delivery)
            }
        // What was interrupted has no result: it waits for the next session.
        if Task.isCancelled, result != .delivered { return }
        outbox.withLock { $0.ended(notices, result, at: delivery.now()) }
        hasNews.signal()
        changed()
    }

    private static func post(
        _ notices: [StoredNotice],
        to webhook: Webhook,
        by delivery: NoticeSender.Delivery
    ) async -> DeliveryResult {
        let body = webhook.body(of: notices)
        return await delivery.post(webhook, webhook.headers(of: notices, body: body, at: delivery.now()), body, limit)
    }

    /// The variables of a command that tell it which notice it gets.
    private static func environment(of notices: [StoredNotice]) -> [String: String] {
        guard let notice = notices.first else { return [:] }
        return ["TRIPSHARE_EVENT_ID": notice.id.text, "TRIPSHARE_SEQUENCE": String(notice.sequence)]
    }
}
