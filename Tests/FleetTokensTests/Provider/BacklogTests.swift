import FleetTokens
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Backlog", .ends(within: .quickTest))
struct BacklogTests {
    /// An outcome and how often it occurred in a row.
    private typealias Event = String

    private static func kind(of outcome: Int) -> Backlog<Event>.Kind {
        outcome < 4 ? .success(key: "\(outcome % 2)") : .failure(code: "F\(outcome % 5)", key: "F\(outcome)")
    }

    /// Adds random outcomes and reads them at random intervals.
    ///
    /// Returns what was added and what was read.
    private static func run(seed: UInt64, kinds: Int) -> (added: [Event], read: [(event: Event, left: EventOmission)]) {
        var random = SeededGenerator(seed: seed)
        var backlog = Backlog<Event>()
        var (added, read): ([Event], [(Event, EventOmission)]) = ([], [])
        var untilRead = 0
        for number in 0..<Int.random(in: 1...400, using: &random) {
            if untilRead == 0 {
                read += backlog.entries.filter { $0.kind != .progress }.map { ($0.event, $0.omission) }
                backlog = Backlog()
                untilRead = Int.random(in: 0...150, using: &random)
            }
            untilRead -= 1
            let outcome = Int.random(in: 0..<kinds, using: &random)
            let channel = Int.random(in: 0...1, using: &random)
            backlog.add("asking", .progress, channel: channel, number: number * 2)
            backlog.add("\(number) \(outcome)", kind(of: outcome), channel: channel, number: number * 2 + 1)
            added.append("\(number) \(outcome)")
            let outcomes = backlog.entries.count { $0.kind != .progress }
            #expect(outcomes <= Backlog<Event>.maximumOutcomes)
            #expect(backlog.entries.count <= 2 * Backlog<Event>.maximumOutcomes + 2)
        }
        read += backlog.entries.filter { $0.kind != .progress }.map { ($0.event, $0.omission) }
        return (added, read)
    }

    @Test(arguments: [2, 5, 8, 60], 1...25 as ClosedRange<UInt64>)
    func `every added outcome is either read or counted as omitted`(kinds: Int, seed: UInt64) {
        let (added, read) = Self.run(seed: seed, kinds: kinds)
        #expect(added.count == read.count + read.reduce(0) { $0 + $1.left.total })
        func isFailure(_ event: Event) -> Bool { (Int(event.split(separator: " ")[1]) ?? 0) >= 4 }
        let failures = added.count(where: isFailure)
        let reported = read.count { isFailure($0.event) } + read.reduce(0) { $0 + $1.left.failureCount }
        #expect(failures == reported)
        let order = read.compactMap { Int($0.event.split(separator: " ")[0]) }
        #expect(order == order.sorted())
    }

    @Test func `a reader without a delay gets every event`() {
        var backlog = Backlog<Event>()
        for number in 0..<100 {
            backlog.add("\(number)", Self.kind(of: number % 8), number: number)
            #expect(backlog.entries.map(\.event) == ["\(number)"])
            #expect(backlog.entries.allSatisfy { $0.omission.total == 0 })
            backlog = Backlog()
        }
    }

    @Test func `retains one failure of each kind while the kinds fit into the backlog`() {
        var backlog = Backlog<Event>()
        for number in 0..<1000 {
            let outcome = number % 24
            backlog.add("\(outcome)", .failure(code: "\(outcome)", key: "\(outcome)"), number: 2 * number)
            backlog.add("good", .success(key: ""), number: 2 * number + 1)
        }
        let reported = Set(backlog.entries.map(\.event))
        #expect(reported == Set((0..<24).map(String.init) + ["good"]))
    }

    @Test func `retains the order of failures from two channels`() {
        var backlog = Backlog<Event>()
        for (number, channel) in [0, 1, 0, 1].enumerated() {
            backlog.add("\(channel)", .failure(code: "x", key: "x"), channel: channel, number: number)
        }
        #expect(backlog.entries.map(\.event) == ["0", "1", "0", "1"])
    }

    @Test func `merges an earlier outcome into the later one that replaces it`() {
        var backlog = Backlog<Event>()
        for number in 0..<3 {
            backlog.add("\(number)", .success(key: ""), number: number) { $1 = "\($0)+\($1)" }
        }
        #expect(backlog.entries.map(\.event) == ["0+1+2"])
        #expect(backlog.entries.first?.omission == EventOmission(successes: 2))
    }

    @Test func `counts all omitted failures even when it can't name every kind`() {
        var backlog = Backlog<Event>()
        for number in 0..<500 {
            backlog.add("\(number)", .failure(code: "\(number)", key: "\(number)"), number: number)
        }
        let left = backlog.entries.map(\.omission)
        #expect(left.reduce(0) { $0 + $1.total } == 500 - backlog.entries.count)
        #expect(left.allSatisfy { $0.failures.count <= EventOmission.maximumCodes + 1 })
    }
}
