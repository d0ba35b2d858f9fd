import Failures
import FleetTokens
package import TripFeed

/// A sentence that the screen shows, and the events that support it.
package struct Statement: Sendable, Equatable {
    /// What a sentence is about.
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// An arrival, the end of the journey, or the age of the news.
        case arrival
        /// The status of the journey.
        case status
        /// Where the vehicle is.
        case position
        /// Why the position is old, as while the vehicle reports nothing.
        case positionAge
        /// What happens on the ride, or what its scenario says about it.
        case caption
        /// Why polls fail.
        case failure
        /// The state of the token.
        case token
        /// The last token that the source returned, and the last fetch that failed.
        case tokenFetch
        /// The last token that was rejected.
        case tokenRefusal
        /// An anomaly.
        case finding
        /// A line of the event log.
        case news
        /// A row of the receipt.
        case receipt
    }

    /// The call that an event came with.
    package struct Source: Sendable, Equatable {
        /// The method, such as `GetTrip`.
        let operation: String
        /// The HTTP or gRPC status; `nil` in a log.
        let status: AnswerStatus?
        /// The number in the list of calls; `nil` for a call that is not listed for the journey.
        let call: Int?

        /// Takes what is shown of a listed call.
        package init(_ listed: ListedCall) {
            (operation, status, call) = (listed.call.operation.rawValue, listed.call.status, listed.number)
        }

        /// Takes what is shown of a poll, whose call may be a page of a search.
        package init(_ report: PollReport) {
            (operation, status, call) = (report.operation.rawValue, report.status, nil)
        }
    }

    /// An event that supports a sentence.
    package struct Basis: Sendable, Equatable {
        /// What the time of an event is for a sentence.
        package enum Meaning: Sendable, Hashable {
            /// When it happened.
            case time
            /// Since when the sentence is true.
            case beginning
            /// When the value was received.
            case receipt
            /// When the program found it.
            case detection
        }

        /// The number and the time of the event.
        package let stamp: EventStamp
        /// What its time is.
        let meaning: Meaning
        /// The call that it came with; `nil` if it is unknown, or if the event is none of a call.
        package let source: Source?

        /// Creates the evidence of an event.
        package init(_ stamp: EventStamp, _ source: Source?, _ meaning: Meaning = .time) {
            (self.stamp, self.source, self.meaning) = (stamp, source, meaning)
        }
    }

    /// What it is about.
    package let kind: Kind
    /// What it is about, in a word.
    let label: String
    /// What is said.
    package let text: String
    /// Of when it is, how sure, and what ends it, as far as it is known.
    let notes: [String]
    /// The events, the most important first.
    package let evidence: [Basis]

    /// Creates a sentence; its texts are sanitized.
    package init(_ kind: Kind, _ label: String, _ text: String, _ notes: [String?] = [], _ evidence: [Basis]) {
        (self.kind, self.label, self.text) = (kind, label, text)
        self.notes = notes.compactMap(\.self)
        self.evidence = evidence
    }
}
