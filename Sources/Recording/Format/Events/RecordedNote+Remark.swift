import Runtime
package import TripFeed
import TripModel

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
