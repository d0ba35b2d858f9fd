import Failures
package import FleetTokens
package import Foundation
package import TripFeed
import TripModel

/// A call that a recorded session made: a request to the service, or a fetch of a token.
package struct RecordedCall: Sendable {
    /// Whom the program called.
    package enum Party: String, Sendable, CaseIterable {
        /// Fleet Engine.
        case service
        /// The source of tokens.
        case tokens
    }

    /// Why a call failed.
    package enum Failure: Sendable {
        /// A poll, with its status of the token; `nil` if there was none.
        case poll(PollFailure)
        /// A fetch, with the status of the token after it.
        case fetch(TokenError, TokenStatus)
    }

    /// When it ended, by the local clock.
    package var time: Date
    /// Whom the program called.
    package var party: Party
    /// The ID of the trip or the vehicle that it was for.
    package var subject: String
    /// The method; `nil` if it is unknown.
    package var method: String?
    /// The URL without its query, or the name of the source; over gRPC the URL of the method.
    package var target: String
    /// The status of the answer; `nil` without one.
    package var status: AnswerStatus?
    /// The size of the answer in bytes; `nil` without one.
    package var bytes: Int?
    /// The duration in real time; `nil` if it is unknown.
    package var duration: Duration?
    /// The number of the token that was sent or received; `nil` without one.
    package var token: Int?
    /// Why it failed; `nil` if it succeeded.
    package var failure: Failure?
}

/// The calls of a recorded session, in the order in which they ended.
///
/// A poll without a token made no call; the fetch that failed is one.
package struct RecordedCalls {
    /// The calls.
    package private(set) var calls: [RecordedCall] = []
    /// The number of lines that were skipped because they are torn or unknown.
    package private(set) var skipped = 0

    /// Reads a session.
    package init(of session: RecordedSession) {
        var found: [RecordedCall] = []
        skipped = session.read { event in
            if let call = Self.call(of: event) { found.append(call) }
        }
        // Polls and tokens are recorded by tasks of their own, so that their order is not that of their times.
        calls = found.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
        var tokens: [String: Int] = [:]
        for index in calls.indices {
            if let number = calls[index].token { tokens[calls[index].subject] = number }
            if calls[index].failure == nil || calls[index].party == .service {
                calls[index].token = tokens[calls[index].subject]
            }
        }
    }

    private static func call(of event: RecordedSession.Event) -> RecordedCall? {
        switch event {
        case .poll(let poll): call(of: poll)
        case .token(let event, _): call(of: event)
        case .observation, .findings, .fault, .note: nil
        }
    }

    private static func call(of poll: RecordedSession.Poll) -> RecordedCall? {
        guard let request = poll.recorded.request else { return nil }
        let answer = poll.recorded.answer
        let subject = poll.trip.rawValue
        return RecordedCall(
            time: poll.finished.wall,
            party: .service,
            subject: subject,
            method: request.method,
            target: String(request.url.prefix { $0 != "?" }),
            status: answer.map { answer in
                answer.grpc.map { AnswerStatus.grpc($0.code) } ?? .http(answer.status)
            },
            bytes: answer?.size,
            duration: Duration(recorded: poll.recorded.latency),
            failure: poll.failure.map(RecordedCall.Failure.poll)
        )
    }

    private static func call(of event: TokenEvent) -> RecordedCall? {
        let (status, subject) = (event.status, event.context.id)
        var call = RecordedCall(
            time: event.at.wall,
            party: .tokens,
            subject: subject,
            target: status.source,
            duration: status.lastFetchDuration
        )
        switch event.kind {
        case .stored(let number): call.token = number
        case .repeated: break
        // The service was called, not the source.
        case .failed(.rejectedByService): return nil
        case .failed(let error): call.failure = .fetch(error, status)
        case .fetching, .rejected, .discardedLate, .clockDisagreement, .evicted, .omitted, .closed: return nil
        }
        let line = status.lastExchange?.request.line.split(separator: " ", maxSplits: 1).map(String.init) ?? []
        if line.count == 2, status.lastExchange?.medium == .http {
            (call.method, call.target) = (line[0], String(line[1].prefix { $0 != "?" }))
        }
        call.status = (status.lastAnswer?.status).map(AnswerStatus.http)
        call.bytes = status.lastAnswer?.bytes
        // The answer of an earlier attempt says nothing about one without an answer.
        if call.failure != nil, status.lastExchange?.answer == nil { (call.status, call.bytes) = (nil, nil) }
        return call
    }
}
