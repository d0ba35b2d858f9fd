import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

/// The positions in words of generated sessions, which `--accessible` writes after the answers, compared with the world.
@Suite("Truth of spoken positions", .ends(within: .quickTest))
struct SpokenTruthTests {
    @Test(arguments: ClaimTruthTests.groups(400))
    func `no sentence about a position contradicts the world`(_ seeds: Range<UInt64>) throws {
        var (sentences, ways, motions, ages) = (0, 0, 0, 0)
        for seed in seeds {
            let session = GeneratedSession(seed: seed)
            var events = try SessionEvents(session)
            while let (time, event) = try events.next(until: session.end) {
                guard case .polled(let report, let state, _) = event, report.failure == nil,
                    state.journey?.status.isTerminal == false
                else { continue }
                let text = Localizer.english.position(of: state, street: nil, at: session.moment(time))
                let sentence = text.map(SpokenPosition.init)
                let problems = events.problems(of: sentence, at: time)
                if !problems.isEmpty {
                    Issue.record("seed \(seed), second \(time): \(problems), \(text ?? "nothing")")
                    break
                }
                guard let sentence else { continue }
                sentences += 1
                ways += sentence.ahead == nil ? 0 : 1
                motions += sentence.hasMotion ? 1 : 0
                ages += sentence.age == nil ? 0 : 1
            }
        }
        if seeds.count > 1 {
            #expect(sentences > 50 && ways > 30 && motions > 30 && ages > 0, "hardly a sentence was judged")
        }
    }
}

extension SessionEvents {
    /// Returns what is false about the sentence after the last answer, whose status is not the last one.
    fileprivate func problems(of sentence: SpokenPosition?, at second: Double) -> [String] {
        guard let last = answers.last else { return ["a sentence without an answer"] }
        let error = Truth.tolerance + session.clockError
        // An answer that is older than another one may be ignored.
        let possible = answers.reversed().filter { $0.known.time >= last.known.time }.map { answer -> [String] in
            let (world, known) = (session.world, answer.known)
            let isShown = world.isPositionShown(known)
            guard let sentence else { return isShown && !world.isAtStop(known) ? ["no sentence"] : [] }
            guard isShown else { return ["a position that is not shown"] }
            return sentence.problems(in: world, known, at: second, error: error)
        }
        return possible.contains([]) ? [] : possible.first ?? []
    }
}
