import FleetWire
import TripFeed
import TripModel
import TripText

/// A decided expectation: a line of the output and an element of a report.
struct ExpectationLine: Encodable {
    var type = "expectation"
    var time: String
    var trip: String?
    var name: String
    /// How it is judged: `must`, `mustNot` or `manual`.
    var kind: String
    var outcome: String
    /// Why it has this outcome, in English.
    var evidence: String
    /// Seconds since the start of the session.
    var seconds: Double?
    /// The number of polls of the trip until then; the last one is the evidence.
    var polls: Int?
    /// The status of the trip when it was decided.
    var status: String?
    /// The status from which on it was judged.
    var after: String?
    /// The time limit in seconds.
    var within: Double?
    /// What the tester noted.
    var note: String?

    init(_ result: ExpectationResult, now: Moment) {
        let expectation = result.expectation
        time = Timestamp.text(result.time ?? now.wall)
        trip = result.trip?.rawValue
        name = expectation.name
        kind =
            switch expectation.kind {
            case .must: "must"
            case .mustNot: "mustNot"
            case .manual: "manual"
            }
        outcome = result.outcome.rawValue
        evidence = Localizer.english.verdict(of: result)
        seconds = result.seconds.map { ($0 * 10).rounded() / 10 }
        polls = result.polls
        status = result.status?.name
        after = expectation.after?.name
        within = expectation.within
        note = result.note.isEmpty ? nil : result.note
    }
}
