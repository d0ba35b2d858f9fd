import Foundation
import Runtime
import TripFeed
import TripText

/// The notices of a session: what is said about them while it goes on, and the wait for them at its end.
extension SessionLoop {
    /// Says that notices of an earlier session wait.
    mutating func announceEarlierNotices() {
        let count = notices.adopted
        guard count > 0 else { return }
        output.warn(Localizer.ofProcess(.noticesEarlier(count: count)))
    }

    /// Reports what could not be delivered.
    mutating func reportNotices() {
        for text in messages.pass(notices.dequeueFailures()) { output.warn(text) }
    }

    /// Shows for which slow receivers notices wait.
    mutating func showBacklog() {
        guard output.isInteractive, !configuration.notices.isEmpty else { return }
        let slow = slowReceivers.update(notices.backlog, at: configuration.clock.realTime)
        news.read(isShown: !slow.isEmpty)
        output.update(.backlog(slow))
    }

    /// Waits until all notices are delivered, the time is over, or the user or a signal ends the wait.
    ///
    /// The files of the session are written before. The session's outcome does not change any more.
    ///
    /// - Parameters:
    ///   - events: What the loop waits for.
    ///   - feed: The feed of the session.
    ///   - limit: The time of the wait, in real time; `nil` to leave what is not delivered for later at once.
    ///   - send: Sends an event to the loop.
    mutating func deliverNotices<Events: AsyncIteratorProtocol>(
        _ events: inout Events,
        to feed: TripFeed,
        within limit: Duration?,
        _ send: @escaping @Sendable (Event) -> Void
    ) async where Events.Element == Event, Events.Failure == Never {
        if let limit, limit > .zero, notices.summary.waiting > 0 {
            let end = ContinuousClock.now + limit
            // Both are awaited or cancelled below.
            let delivery = Task { [notices] in
                await notices.finish(limit: limit)
                send(.noticesFinished)
            }
            let countdown = Task {
                // The wait ends with the delivery.
                while (try? await Task.sleep(for: .seconds(1))) != nil { send(.noticesChanged) }
            }
            await wait(&events, to: feed, until: end)
            countdown.cancel()
            await delivery.value
        } else {
            await notices.finish(limit: nil)
        }
        output.update(.backlog([]))
        reportNotices()
        if messages.omitted > 0 { output.warn(Localizer.ofProcess(.noticesMore(count: messages.omitted))) }
    }

    private mutating func wait<Events: AsyncIteratorProtocol>(
        _ events: inout Events,
        to feed: TripFeed,
        until end: ContinuousClock.Instant
    ) async where Events.Element == Event, Events.Failure == Never {
        while true {
            output.advance(to: configuration.clock.now())
            reportNotices()
            output.update(.ending(count: notices.summary.waiting, left: end - .now))
            // A screen is left a second time, and a listener types `quit` again.
            if await output.flush(to: feed) != nil { notices.leave() }
            guard let event = await events.next(isolation: #isolation) else { return notices.leave() }
            switch event {
            case .noticesFinished: return
            case .signal: notices.leave()
            case .input(let input): output.update(input)
            case .mail, .closed, .part, .timeout, .noFirstContact, .noticesChanged: break
            }
        }
    }
}
