import Failures
import Runtime
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
    /// The measured values that prove the outcome.
    var values: [Value]?
    /// Why the last poll failed, if it did and the expectation failed.
    var cause: FailedPoll?
    /// The status of the trip when it was decided.
    var status: String?
    /// The status or the comparison from which on it was judged.
    var after: String?
    /// The status or the comparison until which it was judged.
    var until: String?
    /// The time limit in seconds.
    var within: Double?
    /// What the tester noted.
    var note: String?

    /// A measured value.
    struct Value: Encodable {
        /// The comparison, such as `latency.p95 < 500 ms`.
        let check: String
        /// The value with its unit.
        let value: String
        /// The number of the poll of the trip that it was seen at.
        let poll: Int
        let time: String

        init(_ evidence: ExpectationResult.Evidence) {
            check = evidence.check.words
            value = evidence.value.text(for: evidence.check)
            (poll, time) = (evidence.poll, Timestamp.text(evidence.time))
        }
    }

    /// A failed poll.
    struct FailedPoll: Encodable {
        let code: String
        /// What failed, in English.
        let failure: String
        var party: String?
        var suspects: [SuspectLine]?
        var advice: String?
        /// The injected fault that explains it.
        var injected: InjectedFaultLine?
        /// Whether the trips of the project could not be listed.
        private(set) var isOfSearch = false

        private enum CodingKeys: CodingKey {
            case code, failure, party, suspects, advice, injected
        }

        init(_ cause: ExpectationResult.Cause, journey: JourneyID?, host: String, isLast: Bool) {
            code = cause.failure.nameInJSON
            injected = InjectedFaultLine(cause.failure.injected)
            if let provider = cause.search {
                let message = UserMessage(cause.failure, searching: provider, host: host, localizer: .english)
                (failure, party, advice) = (message.what, message.party?.rawValue, message.advice)
                suspects = SuspectLine.all(message.suspects)
                if isLast { advice = message.last.advice }
                isOfSearch = true
                return
            }
            guard let journey else {
                failure = code
                return
            }
            let message = UserMessage(cause.failure, cause.token, journey: journey, host: host)
            (failure, party, advice) = (message.what, message.party?.rawValue, message.advice)
            if isLast { advice = message.last.advice }
            suspects = SuspectLine.all(message.suspects)
        }
    }

    /// Creates the line of a result; the advice of one that is written at the end of the session promises no retry.
    init(_ result: ExpectationResult, host: String, isLast: Bool = false, now: Moment) {
        let expectation = result.expectation
        time = Timestamp.text(result.time ?? now.wall)
        trip = result.journey?.name
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
        after = expectation.after?.words
        until = expectation.until?.words
        values = result.evidence.isEmpty ? nil : result.evidence.map(Value.init)
        cause = result.cause.map { FailedPoll($0, journey: result.journey, host: host, isLast: isLast) }
        within = expectation.within
        note = result.note.isEmpty ? nil : result.note
    }
}
