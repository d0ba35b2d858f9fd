import Failures
import Foundation
import Runtime
import Synchronization
import Testing
import TripModel
import TripScreen
import TripTestSupport
import TripText

@testable import tripshare

/// What a user asked for on the screen, at the end of the session.
@Suite("Pending work", .ends(within: .longTest))
struct PendingWorkTests {
    private var pending = PendingWork()

    @Test mutating func `the end waits for work that is not complete`() async {
        let isDone = Locked(false)
        pending.add("a.csv") {
            await Task.yield()
            isDone.withLock { $0 = true }
            return .saved("a.csv")
        } report: { _ in
        }
        #expect(await pending.finish(within: .seconds(30)) == nil)
        #expect(isDone.withLock { $0 })
    }

    @Test mutating func `work that does not end in time, or fails, ends with 74 and a message that names it`()
        async throws
    {
        let never = AsyncStream<Void> { _ in }
        pending.add("slow.csv") {
            for await _ in never {}
            return nil
        } report: { _ in
        }
        pending.add("bad.csv") {
            .complaint("bad.csv can't be written")
        } report: { _ in
        }
        let failure = try #require(await pending.finish(within: .milliseconds(200)))
        #expect(failure.status == .outputFailed)
        #expect(failure.message(.english).contains("slow.csv"))
        #expect(failure.message(.english).contains("bad.csv can't be written"))
    }

    @Test mutating func `a result that was shown is not waited for or reported again`() async {
        let (completions, sink) = AsyncStream.makeStream(of: PendingWork.Completion.self)
        pending.add("a.csv") {
            .complaint("no")
        } report: {
            sink.yield($0)
        }
        for await completion in completions {
            pending.complete(completion)
            break
        }
        #expect(await pending.finish(within: .seconds(30)) == nil)
    }
}
