import FleetEmulator
import Testing
import TripTestSupport
import TripText

@testable import tripshare

@Suite("Captions to come", .ends(within: .longTest))
struct CaptionQueueTests {
    private func entry(_ text: String, _ time: Double? = nil) -> CaptionQueue.Entry { .init(text: text, time: time) }

    @Test func `the next caption has the source of the last one`() {
        var queue = CaptionQueue(lists: [[entry("a"), entry("b")], [], [entry("c", 10), entry("d", 20)]])
        #expect(queue.next == entry("a"))
        queue.show("c")
        #expect(queue.next == entry("d", 20))
        queue.show("a")
        #expect(queue.next == entry("b"))
        queue.show("b")
        #expect(queue.next == entry("d", 20))
        queue.show("d")
        #expect(queue.next == nil)
        queue.show("d")
        #expect(queue.next == nil)
        #expect(CaptionQueue(lists: []).next == nil)
    }

    @Test func `captions that were passed over are gone`() {
        var queue = CaptionQueue(lists: [[entry("a"), entry("b"), entry("a"), entry("c")]])
        queue.show("b")
        #expect(queue.next == entry("a"))
        queue.show("a")
        #expect(queue.next == entry("c"))
    }

    @Test(arguments: Scenario.names)
    func `a scenario begins with one of its captions`(_ name: String) throws {
        let queue = CaptionQueue(try Scenario.named(name), localizer: .english)
        #expect(queue.next != nil)
    }
}
