import Failures

/// A party that may have caused a failure.
struct SuspectLine: Encodable, Equatable {
    let party: String
    /// `proven`, `likely` or `possible`.
    let strength: String
    /// The name of the clue; absent if the kind of failure alone names the party.
    let clue: String?

    private init(_ suspect: Diagnosis.Suspect) {
        (party, strength, clue) = (suspect.party.rawValue, suspect.strength.rawValue, suspect.clue?.rawValue)
    }

    /// Returns the lines of suspects; `nil` if there is none.
    static func all(_ suspects: [Diagnosis.Suspect]) -> [SuspectLine]? {
        suspects.isEmpty ? nil : suspects.map(SuspectLine.init)
    }
}
