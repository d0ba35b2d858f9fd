import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// Claims about generated rides, compared with what happened on them.
@Suite("Truth of claims", .ends(within: .minutes(10)))
struct ClaimTruthTests {
    /// The clock of a service and that of this machine agree to this number of seconds.
    private static let tolerance = 2.1

    @Test(arguments: 0..<20)
    func `no claim contradicts the ride`(_ group: UInt64) throws {
        var kinds: Set<String> = []
        for seed in (group * 20)..<(group * 20 + 20) {
            let ride = GeneratedRide(seed: seed)
            var (session, polls) = (try ride.session(), ride.polls[...])
            var (answered, number): ([(poll: GeneratedRide.Poll, event: Int)], Int) = ([], 0)
            for second in stride(from: 0.0, to: ride.end + 120, by: 1) {
                while let poll = polls.first, poll.time <= second {
                    try ride.apply(poll, to: &session)
                    polls.removeFirst()
                    number += 1
                    if poll.isAnswered { answered.append((poll, number)) }
                }
                guard let claims = session.table[session.id]?.claims(at: GeneratedRide.moment(second)) else {
                    #expect(answered.isEmpty)
                    continue
                }
                for claim in claims.all {
                    let problem = Self.problem(of: claim, ride, answered, at: second)
                    #expect(problem == nil, "seed \(seed), second \(second): \(claim.kind)")
                    kinds.insert(String("\(claim.kind)".prefix { $0 != "(" }))
                }
            }
        }
        #expect(kinds == ["expected", "overdue", "noNews", "atStop", "reached", "ended"], "a kind was never judged")
    }

    /// Returns what is false about a claim; `nil` if it is true.
    private static func problem(
        of claim: Claim,
        _ ride: GeneratedRide,
        _ answered: [(poll: GeneratedRide.Poll, event: Int)],
        at second: Double
    ) -> String? {
        let asOf = ride.second(claim.asOf)
        guard let last = answered.last, claim.evidence.map(\.rawValue) == [last.event] else { return "evidence" }
        guard asOf <= last.poll.time + tolerance else { return "as of a time after the last answer" }
        if let until = claim.until, ride.second(until) < second - tolerance { return "it has ended" }
        switch claim.kind {
        case .expected(_, let time, let left):
            let difference = abs(ride.second(time) - second - left.seconds)
            return difference > tolerance ? "time left" : nil
        case .overdue(let stop, let expected, let late):
            let expected = ride.second(expected)
            let truth = stop.kind == .pickup ? ride.arrival : ride.end
            if asOf > truth + tolerance { return "the vehicle had arrived" }
            if last.poll.time < expected - tolerance { return "no answer after the expected time" }
            return abs(asOf - expected - late.seconds) > tolerance ? "not counted to the news" : nil
        case .noNews(let silence, let missed):
            if let missed, ride.second(missed.expected) > second + tolerance { return "the time has not passed" }
            return abs(second - asOf - silence.seconds) > tolerance ? "age of the news" : nil
        case .atStop(let stop, _):
            let isThere =
                (ride.arrival...ride.end).contains(asOf + tolerance)
                || (asOf - tolerance < ride.end && asOf > ride.arrival)
            return stop.kind == .pickup && isThere ? nil : "it was not there"
        case .reached(_, let time, let delay):
            if abs(ride.second(time) - ride.end) > tolerance { return "another time" }
            return delay.map { abs(ride.end - ride.dropoff - $0.seconds) > tolerance } == true ? "delay" : nil
        case .ended: return asOf >= ride.end - tolerance ? nil : "it has not ended"
        }
    }
}
