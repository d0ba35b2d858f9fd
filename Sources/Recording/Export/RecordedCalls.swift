import Failures
import FleetTokens
import Foundation
import Runtime
package import TripFeed
import TripModel

/// The calls of a recorded session, in the order in which they ended.
///
/// A poll without a token made no call; the fetch that failed is one. What an injected fault kept from being sent is none.
package struct RecordedCalls {
    /// The calls.
    package private(set) var calls: [CallRecord] = []
    /// The number of lines that were skipped because they are torn or unknown.
    package private(set) var skipped = 0

    /// Reads a session.
    package init(of session: RecordedSession) {
        var found: [CallRecord] = []
        skipped = session.read { event in
            if let call = Self.call(of: event) { found.append(call) }
        }
        // Polls and tokens are recorded by tasks of their own, so that their order is not that of their times.
        calls = found.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
        var tokens: [String: Int] = [:]
        for index in calls.indices {
            if let number = calls[index].token { tokens[calls[index].subject] = number }
            if calls[index].party == .service || calls[index].party == .tokens && calls[index].failure == nil {
                calls[index].token = tokens[calls[index].subject]
            }
        }
    }

    private static func call(of event: RecordedSession.Event) -> CallRecord? {
        switch event {
        case .poll(let poll): call(of: poll)
        case .token(let event, _): CallRecord(event)
        case .driver(let trip, let call): CallRecord(call, about: trip)
        case .observation, .findings, .fault, .note: nil
        }
    }

    private static func call(of poll: RecordedSession.Poll) -> CallRecord? {
        guard let request = poll.recorded.request else { return nil }
        let answer = poll.recorded.answer
        var call = CallRecord(
            time: poll.finished.wall,
            party: .service,
            subject: poll.trip.name,
            target: String(request.url.prefix { $0 != "?" })
        )
        call.method = request.method
        call.status = answer.map { answer in
            answer.grpc.map { AnswerStatus.grpc($0.code) } ?? .http(answer.status)
        }
        // The recorded body of a search is one trip of a page.
        call.bytes = poll.recorded.call == PollReport.Call.searchTrips.rawValue ? nil : answer?.size
        call.duration = Duration(recorded: poll.recorded.latency)
        call.failure = poll.failure.map(CallRecord.Failure.poll)
        call.fault = poll.recorded.fault
        return call
    }
}
