import FleetTokens
import Runtime
import TripFeed

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
