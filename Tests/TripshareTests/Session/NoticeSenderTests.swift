import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import tripshare

/// What was noticed is passed on or reported, also at the end of a session.
@Suite("Notices at the end of a session", .ends(within: .longTest))
struct NoticeSenderTests {
    @Test(arguments: [false, true])
    func `reports each event that could not be passed on in time`(isCancelled: Bool) async throws {
        let delivery = NoticeSender.Delivery(
            run: { _, _, _ in
                // Ends when it is cancelled.
                for await _ in AsyncStream<Void>.makeStream().stream {}
                return nil
            },
            post: { _, _, _ in nil },
            sleep: { _ in }
        )
        let rule = NoticeRule(triggers: [try NoticeTrigger(parsing: "end")], action: .command(["slow"]))
        let sender = NoticeSender([rule], host: "h", delivery: delivery, failed: {})
        let now = Moment(wall: Date(timeIntervalSince1970: 0), steady: .zero)
        for name in ["t-1", "t-2", "t-3"] {
            ObserverGroup([sender]).receive(SessionItem(.feed(.ended(try .trip(TripID(name)), .left)), at: now))
        }
        await sender.finish(isCancelled: isCancelled)
        let sentences = sender.dequeueFailures()
        #expect(sentences.count == 3 && sentences.allSatisfy { $0.contains("slow") && $0.contains("end") })
    }

    @Test func `reports nothing if all was passed on`() async throws {
        let delivery = NoticeSender.Delivery(
            run: { _, _, _ in nil },
            post: { _, _, _ in nil },
            sleep: { limit in
                // Only the wait for the end takes time.
                guard limit == NoticeSender.lastLimit else { return }
                for await _ in AsyncStream<Void>.makeStream().stream {}
            }
        )
        let rule = NoticeRule(triggers: [try NoticeTrigger(parsing: "end")], action: .command(["fast"]))
        let sender = NoticeSender([rule], host: "h", delivery: delivery, failed: {})
        let now = Moment(wall: Date(timeIntervalSince1970: 0), steady: .zero)
        for name in ["t-1", "t-2", "t-3"] {
            ObserverGroup([sender]).receive(SessionItem(.feed(.ended(try .trip(TripID(name)), .left)), at: now))
        }
        await sender.finish(isCancelled: false)
        #expect(sender.dequeueFailures().isEmpty)
    }
}
