import Failures

/// How the first suspects of many diagnoses compare with the truth.
struct CauseCount {
    /// A share, as two counts.
    struct Share {
        private(set) var right = 0
        private(set) var all = 0

        mutating func add(_ isRight: Bool) {
            all += 1
            if isRight { right += 1 }
        }

        /// From 0 to 1.
        var value: Double { all == 0 ? 1 : Double(right) / Double(all) }
    }

    /// Failures with evidence whose first suspect is right.
    private(set) var first = Share()
    /// Ordinary answers without a false cause.
    ///
    /// A wrong address is possible, and so is another answer than expected of who was asked, but not more, and no one
    /// else comes first.
    private(set) var ordinary = Share()
    /// Likely first suspects of injected failures that are right.
    private(set) var likely = Share()
    /// Failures of which a wrong party is called proven.
    private(set) var wronglyProven: [String] = []
    /// Other wrong diagnoses.
    private(set) var wrong: [String] = []
    /// The number of cases by place and first suspect.
    private var cells: [Place: [String: Int]] = [:]

    mutating func add(_ cause: InjectedCause, _ diagnosis: Diagnosis, seed: UInt64) {
        let suspects = diagnosis.suspects
        let isRight = suspects.first.map { cause.parties.contains($0.party) } ?? false
        let shown = "seed \(seed): \(cause)\nsuspects: \(suspects.map { "\($0.party.rawValue), \($0.strength)" })\n"
        let cell = suspects.first.map { "\($0.party.rawValue), \($0.strength)" } ?? "unknown"
        cells[cause.place, default: [:]][cell, default: 0] += 1
        if suspects.contains(where: { $0.strength == .proven && !cause.parties.contains($0.party) }) {
            wronglyProven.append(shown)
        }
        if cause.place == .nowhere {
            let mayBe: Set<Party> = [.commandLine, .tokenEndpoint, .service]
            let hasNoCause =
                suspects.allSatisfy { $0.strength == .possible }
                && suspects.prefix(1).allSatisfy { mayBe.contains($0.party) }
            ordinary.add(hasNoCause)
            if !hasNoCause { wrong.append(shown) }
            return
        }
        if suspects.first?.strength == .likely { likely.add(isRight) }
        if cause.hasEvidence {
            first.add(isRight)
            if !isRight { wrong.append(shown) }
        }
    }

    /// The confusion matrix and the shares.
    var matrix: String {
        let rows = Place.allCases.map { place in
            let counts = (cells[place] ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            return place.rawValue + "\n" + counts.map { "  \($0.value)  \($0.key)\n" }.joined()
        }
        return rows.joined() + """
            right party first: \(first.right) of \(first.all)
            ordinary answers without a cause: \(ordinary.right) of \(ordinary.all)
            likely and right: \(likely.right) of \(likely.all)
            wrong party proven: \(wronglyProven.count)

            """
    }
}

/// The client accepts an answer that should fail.
struct NoFailure: Error {
    let seed: UInt64
    let cause: InjectedCause
}

extension CauseCount {
    /// Counts the diagnoses of the failures of these seeds.
    init(of seeds: Range<UInt64>, _ filler: Filler) async throws {
        self.init()
        for seed in seeds {
            var generator = CauseGenerator(seed: seed, filler: filler)
            let cause = generator.next()
            guard let diagnosis = try await cause.diagnosis() else { throw NoFailure(seed: seed, cause: cause) }
            add(cause, diagnosis, seed: seed)
        }
    }
}
