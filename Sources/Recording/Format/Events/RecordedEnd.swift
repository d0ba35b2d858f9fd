package import Failures
package import Runtime
package import TripFeed
import TripModel

/// How following a trip ended.
package struct RecordedEnd: Sendable, Equatable, Codable {
    /// How it ended.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// The trip has ended with ``RecordedEnd/status``.
        case reached
        /// Further polls would not help, because of ``RecordedEnd/failure``.
        case failed
        /// The trip was removed.
        case left
    }

    /// The trip.
    package var trip: String
    /// How it ended.
    package var kind: Kind
    /// The last status.
    package var status: String?
    /// The last failure.
    package var failure: Failure?

    /// Converts an end.
    package init(trip: String, _ end: FeedEnd) {
        self.trip = trip
        switch end {
        case .reached(let status): (kind, self.status) = (.reached, status.name)
        case .failed(let failure): (kind, self.failure) = (.failed, failure)
        case .left: kind = .left
        }
    }
}

/// Outcomes that are not in the recording, because the program was too slow.
package struct RecordedOmission: Sendable, Equatable, Codable {
    /// The trip or the vehicle.
    package var subject: RecordedSubject
    /// `poll` or `token`.
    package var of: String
    /// The number of successes.
    package var successes: Int
    /// The number of failures by code.
    package var failures: [String: Int]

    /// Converts an omission.
    package init(of kind: String, _ subject: RecordedSubject, _ omission: EventOmission) {
        of = kind
        self.subject = subject
        (successes, failures) = (omission.successes, omission.failures)
    }

    /// The omission.
    package var omission: EventOmission { EventOmission(successes: successes, failures: failures) }
}

/// Remarks as lines of a recording.
extension RecordedEvent.Content {
    /// Converts a remark; a switched fault has its own type of line.
    package init(_ remark: SessionRemark) {
        switch remark.content {
        case .fault(let name, let isActive): self = .fault(RecordedFault(name: name, isActive: isActive))
        case .caption(let text, let conditions): self = .note(RecordedNote(caption: text, while: conditions))
        case .mark: self = .note(RecordedNote(.mark, "", of: remark))
        case .note(let text): self = .note(RecordedNote(.note, text, of: remark))
        }
    }
}

extension RecordedNote {
    fileprivate init(caption text: String, while conditions: String) {
        self.init(.caption, text)
        if !conditions.isEmpty { self.while = RecordedText.redacted(conditions, limit: RecordedText.longestNote) }
    }

    fileprivate init(_ kind: Kind, _ text: String, of remark: SessionRemark) {
        self.init(kind, text)
        noted = Timestamp.text(remark.time)
        trip = remark.journey?.name
        status = remark.status.map { RecordedText.redacted($0.name) }
        guard !remark.screen.isEmpty else { return }
        screen = remark.screen.prefix(Self.mostRows).map { RecordedText.redacted($0, limit: RecordedText.longestNote) }
    }
}

extension SessionRemark {
    /// Converts a recorded note, mark, caption or fault; `nil` for other events.
    package init?(_ event: RecordedEvent) {
        switch event.content {
        case .fault(let fault): self.init(.fault(fault.name, isActive: fault.isActive), at: event.time)
        case .note(let note):
            let content: Content =
                switch note.kind {
                case .caption: .caption(note.text, while: note.while ?? "")
                case .mark where note.text.isEmpty: .mark
                case .mark, .note: .note(note.text)
                }
            // Only an edited file has an invalid name.
            let journey = note.trip.flatMap { try? JourneyID(named: $0) }
            self.init(
                content,
                at: note.noted.flatMap(Timestamp.date) ?? event.time,
                journey: journey,
                status: note.status.map { JourneyStatus(journey?.kind ?? .trip, name: $0) },
                screen: Array((note.screen ?? []).prefix(RecordedNote.mostRows))
            )
        default: return nil
        }
    }
}
