import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Recording ring", .ends(within: .quickTest))
struct RecordingRingTests {
    private let trip = RecordingScene.trip
    private let now = ManualClock().now()

    private func line(_ number: Int, size: Int = 10) -> [UInt8] {
        Array("\(number)".utf8) + [UInt8](repeating: 0x20, count: size)
    }

    private func numbers(_ ring: RecordingRing) -> [Int] {
        ring.lines.compactMap { Int(String(decoding: $0, as: UTF8.self).trimmingCharacters()) }
    }

    @Test func `retains the lines of 15 minutes`() {
        var ring = RecordingRing()
        for minute in 0..<40 { ring.add(line(minute), at: .seconds(60 * minute), now) }
        #expect(numbers(ring) == Array(24..<40))
    }

    @Test func `retains at most the capacity`() {
        var ring = RecordingRing(capacity: 1000)
        for number in 0..<5000 {
            ring.add(line(number, size: 90), at: .milliseconds(number), now)
            #expect(ring.size <= 1000)
            #expect(ring.size == ring.lines.reduce(0) { $0 + $1.count })
        }
        #expect(numbers(ring).last == 4999)
        #expect(numbers(ring) == Array((5000 - numbers(ring).count)..<5000))
        ring.add(line(1, size: 2000), at: .seconds(6), now)
        #expect(ring.size == 0)
    }

    @Test func `the newest answer with a part stays until another one has the part`() {
        var ring = RecordingRing()
        let route = RecordingRing.Part(trip, .route)
        let traffic = RecordingRing.Part(trip, .traffic)
        ring.add(line(1), at: .zero, now, parts: [route, traffic])
        ring.add(line(2), at: .seconds(1), now, parts: [traffic])
        for minute in 1..<40 { ring.add(line(100 + minute), at: .seconds(60 * minute), now) }
        #expect(numbers(ring) == [1, 2] + Array(124..<140))
        ring.add(line(3), at: .seconds(60 * 40), now, parts: [route])
        #expect(numbers(ring) == [2] + Array(125..<140) + [3])
        #expect(ring.size == ring.lines.reduce(0) { $0 + $1.count })
    }

    @Test func `answers that stay take at most a quarter of the capacity`() throws {
        var ring = RecordingRing(capacity: 4000)
        for number in 0..<200 {
            let part = RecordingRing.Part(try .trip(TripID("t\(number)")), .route)
            ring.add(line(number, size: 100), at: .seconds(number), now, parts: [part])
        }
        for second in 0..<5 { ring.add(line(900), at: .seconds(5000 + second), now) }
        #expect(ring.size <= 1000 + 5 * 20)
        #expect(ring.lines.count > 5)
    }
}

extension String {
    fileprivate func trimmingCharacters() -> String { String(drop { $0 == " " }.prefix { $0 != " " }) }
}
