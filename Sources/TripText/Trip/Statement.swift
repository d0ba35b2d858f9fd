import Failures
import FleetTokens
import Runtime
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
        /// What the tokens open, how they are used, and what their replacement has cost.
        case tokenUse
        /// An anomaly.
        case finding
        /// A line of the event log.
        case log
        /// What driver, server and rider of a trip have shown, and where they differ.
        case sides
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

        /// Takes what is shown of a poll that a page of a search may have returned, which has a number of its own.
        package init(_ report: PollReport, page: Int?) {
            (operation, status, call) = (report.operation.rawValue, report.status, page)
        }
    }

    /// Where a fact comes from.
    package enum Origin: Sendable, Equatable {
        /// An event of the session.
        case event(EventStamp)
        /// A call in a log.
        case logged(SideCall)
    }

    /// An event, or a call in a log, that supports a sentence.
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

        /// What it is.
        package let origin: Origin
        /// What its time is.
        let meaning: Meaning
        /// The call that it came with; `nil` if it is unknown, or if the event is none of a call.
        package let source: Source?

        /// Creates the evidence of an event.
        package init(_ stamp: EventStamp, _ source: Source?, _ meaning: Meaning = .time) {
            (origin, self.source, self.meaning) = (.event(stamp), source, meaning)
        }

        /// Creates the evidence of a call in a log.
        package init(_ call: SideCall) { (origin, source, meaning) = (.logged(call), nil, .time) }

        /// The event; `nil` for a call in a log.
        package var stamp: EventStamp? { if case .event(let stamp) = origin { stamp } else { nil } }
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

extension Statement {
    /// A line of the panel with the evidence.
    package struct Row: Sendable, Equatable {
        /// The texts.
        package let text: FailureDetails.Row
        /// The number of the call that it leads to; `nil` if it leads to none.
        package let call: Int?
    }

    /// Returns the sentence, and below it the notes and the events.
    package func rows(_ zone: Zone, _ localizer: Localizer) -> [Row] {
        let first = evidence.lazy.compactMap { $0.source?.call }.first
        let sentence = Row(text: .init(label: label, value: text), call: first)
        return [sentence]
            + notes.map { Row(text: .init(label: "", value: $0), call: first) }
            + evidence.map { basis in
                Row(text: .init(label: "", value: basis.words(zone, localizer)), call: basis.source?.call)
            }
    }
}

extension Statement.Basis {
    /// Returns `GetTrip, HTTP 200, 17:01:40, event 12`, or `GetTrip, 17:01:40, insertId 1x2y3z`.
    fileprivate func words(_ zone: Zone, _ localizer: Localizer) -> String {
        switch origin {
        case .event(let stamp): words(stamp, zone, localizer)
        case .logged(let call):
            [
                Reporter.sanitized(call.method, limit: 64), zone.clock(call.time),
                call.insertID.isEmpty ? nil : "insertId " + Reporter.sanitized(call.insertID, limit: 64),
            ]
            .compactMap(\.self).joined(separator: localizer(.listComma))
        }
    }

    private func words(_ stamp: EventStamp, _ zone: Zone, _ localizer: Localizer) -> String {
        let clock = zone.clock(stamp.received.wall)
        let time =
            switch meaning {
            case .time: clock
            case .beginning: localizer(.since(time: clock))
            case .receipt: localizer(.claimReceived(time: clock))
            case .detection: localizer(.claimFound(time: clock))
            }
        let call = [source?.operation, source?.status?.label].compactMap(\.self)
        let event = localizer(.claimEvent(number: String(stamp.number.rawValue)))
        return (call + [time, event]).joined(separator: localizer(.listComma))
    }
}
