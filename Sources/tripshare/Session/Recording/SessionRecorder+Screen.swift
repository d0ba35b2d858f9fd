import Failures
import FleetTokens
import Foundation
import Recording
import Runtime
import Synchronization
import TripFeed
import TripModel
import TripScreen
import TripText

extension SessionRecorder {
    /// Returns the recorded inspection of a token, after an event that the screen has read last.
    func verdict(after event: TokenEvent) -> TokenVerdict? { state.withLock { $0.verdicts[event] } }

    /// Sets the time that the screen knows.
    func screenAdvanced(to now: Moment) { state.withLock { $0.screen?.advance(to: now, rate: clock.rate) } }

    /// Notes that the screen reads all events of trips and tokens up to a number.
    func screenRead(upTo number: Int) {
        // The inspections of these events are needed now.
        flush()
        state.withLock { state in
            state.screen?.read(upTo: number)
            state.verdicts.read(upTo: number)
        }
    }

    /// Records that the screen does not show the rest of the events that it has read: it can't be computed any more.
    func screenLeavesOutEvents() {
        guard state.withLock({ $0.screen != nil }) else { return }
        record(.message(RecordedMessage(.untraced)))
    }

    /// Records what the screen shows; ``ScreenTrack/drawn(_:bytes:dependsOnTime:isLast:)`` describes the parameters.
    func screenDrawn(_ picture: @autoclosure () -> ScreenPicture?, dependsOnTime: Bool, isLast: Bool = false) {
        flush()
        state.withLock { state in
            guard
                let line = state.screen?.drawn(
                    picture(),
                    bytes: state.size,
                    dependsOnTime: dependsOnTime,
                    isLast: isLast
                )
            else { return }
            write(line.content, at: line.moment, &state)
        }
    }

    /// The inspection of the token that was just stored; `nil` if it has already been replaced.
    func inspection(of event: TokenEvent) -> RecordedToken.Inspection? {
        guard case .stored = event.kind, let token = tokens.peek(at: event.context),
            token.fingerprint == event.status.fingerprint
        else { return nil }
        let inspection = TokenInspection.inspect(
            token,
            TokenInspection.Expectations(context: event.context, providerID: header.configuration.provider),
            now: event.at.wall.addingTimeInterval(event.status.clockOffset?.seconds ?? 0)
        )
        return RecordedToken.Inspection(claims: inspection.claims, findings: inspection.findings)
    }

    /// The last minutes as a recording.
    var lastMinutes: [UInt8] {
        flush()
        let ring = state.withLock(\.ring)
        var header = header
        if let start = ring.start { header.start = RecordedMoment(start) }
        if ring.isPartial { header.isPartial = true }
        return RecordingLine.bytes(header) + ring.lines.flatMap(\.self)
    }

    /// Saves the last minutes in a new file.
    func save(to path: String) throws(OutputFile.Failure) {
        try OutputFile.create(path, lastMinutes)
    }
}
