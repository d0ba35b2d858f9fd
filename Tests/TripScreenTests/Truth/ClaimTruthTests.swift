import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// Claims about generated sessions, compared with what happened: a trip or a shipment, outages, pauses, caches, slow answers,
/// silent drivers, wrong clocks.
///
/// `TRUTH_SESSIONS` sets the number of sessions, and `TRUTH_SEED` selects one of them.
@Suite("Truth of claims", .ends(within: .quickTest))
struct ClaimTruthTests {
    /// The seeds of a number of sessions, in groups that are tested in parallel.
    static func groups(_ count: Int) -> [Range<UInt64>] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["TRUTH_SEED"].flatMap(UInt64.init) { return [seed..<(seed + 1)] }
        let scale = environment["TRUTH_SESSIONS"].flatMap(Int.init).map { max(1, $0 / 2000) } ?? 1
        return (0..<20 * UInt64(scale)).map { $0 * UInt64(count) / 20..<($0 + 1) * UInt64(count) / 20 }
    }

    @Test(arguments: groups(2000))
    func `no claim contradicts the world`(_ seeds: Range<UInt64>) throws {
        var kinds: Set<String> = []
        for seed in seeds {
            let session = GeneratedSession(seed: seed)
            var (events, table) = (try SessionEvents(session), JourneyTable())
            for second in session.seconds(40) {
                while let (time, event) = try events.next(until: second) {
                    _ = table.apply(event, at: session.moment(time))
                }
                guard let claims = table[try session.world.id()]?.claims(at: session.moment(second)) else { continue }
                let problems = events.problems(of: claims, at: second)
                kinds.formUnion(claims.all.map(\.kind.name))
                guard problems.isEmpty else {
                    Issue.record("seed \(seed), second \(second): \(problems)")
                    break
                }
            }
        }
        if seeds.count > 1 { #expect(kinds == Set(Truth.rules.map(\.kind)), "a kind was never judged") }
    }
}

extension SessionEvents {
    /// Returns what is false about the claims of a moment.
    func problems(of claims: Claims, at second: Double) -> [String] {
        guard let last = answers.last else { return claims.all.isEmpty ? [] : ["claims without an answer"] }
        var problems: [String] = []
        for claim in claims.all {
            if claim.evidence.map(\.rawValue) != [last.event] { problems.append("evidence \(claim.evidence)") }
            if session.second(claim.asOf) > last.sent + Truth.tolerance { problems.append("after the last answer") }
        }
        let promised = answers.lazy.compactMap { $0.known.promised }.first
        // An answer that is older than another one may be ignored.
        let possible = answers.reversed().filter { $0.known.time >= last.known.time }.map { answer in
            Truth(session: session, known: answer.known, promised: promised, second: second).problems(of: claims)
        }
        return problems + (possible.contains([]) ? [] : possible.first ?? [])
    }
}
