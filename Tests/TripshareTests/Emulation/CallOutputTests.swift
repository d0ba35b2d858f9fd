import Failures
import FleetWire
import Foundation
import Runtime
import Synchronization
import SystemPackage
import Testing
import TripTestSupport

@testable import tripshare

/// The queue of the calls that an emulator shows.
@Suite("Output of calls", .ends(within: .longTest))
struct CallOutputTests {
    /// A reader that does not read until the gate is open, at most a minute.
    private final class Gate: Sendable {
        private let condition = NSCondition()
        private let isOpen = Mutex(false)

        func pass() {
            let end = Date(timeIntervalSinceNow: 60)
            condition.lock()
            while !isOpen.withLock(\.self), condition.wait(until: end) {}
            condition.unlock()
        }

        func open() {
            condition.lock()
            isOpen.withLock { $0 = true }
            condition.broadcast()
            condition.unlock()
        }
    }

    private static func call(_ id: String, failure: Failure? = nil) -> Call {
        let now = Moment(wall: Date(timeIntervalSince1970: 1_800_000_000), steady: .zero)
        return Call(
            .getTrip,
            from: .rider,
            about: id,
            Call.Request("GET", "/"),
            started: now,
            ended: now,
            failure: failure
        )
    }

    /// What an output has written: IDs, and the numbers of dropped successes and failures.
    private final class Lines: Sendable {
        let all = Locked<[String]>([])

        func write(_ part: CallOutput.Part) {
            switch part {
            case .call(let call): all.withLock { $0.append(call.subject) }
            case .omitted(let omission, _):
                all.withLock { $0.append("-\(omission.successes)-\(omission.failureCount)") }
            }
        }
    }

    @Test func `counts the calls that do not fit while the reader is slow`() async {
        let lines = Lines()
        let output = CallOutput(.none, limit: 2) { lines.write($0) }
        for id in ["a", "b", "c", "d"] { output.add(Self.call(id)) }
        output.add(Self.call("e", failure: .connectionLost))
        output.begin()
        #expect(await output.close() == 0)
        #expect(lines.all.withLock(\.self) == ["a", "b", "-2-1"])
    }

    @Test func `writes the calls that its filter matches, also those before the beginning`() async {
        let lines = Lines()
        let output = CallOutput(CallFilter("status:error")) { lines.write($0) }
        output.add(Self.call("good"))
        output.add(Self.call("bad", failure: .connectionLost))
        #expect(await output.close() == 0)
        #expect(lines.all.withLock(\.self) == ["bad"])
    }

    @Test func `says how many calls a reader has not got that does not read`() async {
        let gate = Gate()
        let output = CallOutput(.none) { _ in gate.pass() }
        output.begin()
        for id in ["a", "b", "c"] { output.add(Self.call(id)) }
        #expect(await output.close() == 3)
        gate.open()
    }

    @Test func `a reader that has gone ends the output`() async {
        let output = CallOutput(.none) { _ throws(Errno) in throw .brokenPipe }
        output.begin()
        for id in ["a", "b", "c"] { output.add(Self.call(id)) }
        #expect(await output.close() == 3)
    }
}
