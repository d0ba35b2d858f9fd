import Failures
import Foundation
import Recording
import Runtime
import Synchronization
import TripFeed
import TripModel
import TripScreen
import TripText

/// Collects what a session without a screen knows, for the page that is written at its end.
final class SharedSession: SessionObserver {
    /// The file of the page.
    let path: String
    private let state: Mutex<State>

    /// Creates the knowledge of a session that has not begun.
    init(_ configuration: SessionConfiguration, path: String, basemap: Basemap?) {
        self.path = path
        let now = configuration.clock.now()
        let output = configuration.output
        state = Mutex(
            State(
                trips: configuration.trips,
                settings: State.Settings(
                    host: configuration.endpoint.displayName,
                    zone: output.zone(at: now.wall),
                    localizer: output.localizer(),
                    provider: configuration.provider.rawValue,
                    basemap: basemap,
                    limits: configuration.limits
                ),
                now: now,
                width: 80,
                height: 24
            )
        )
    }

    /// The page of what is known.
    var page: RidePage { RidePage(state.withLock { $0 }) }

    func receive(_ item: SessionItem, _ changes: [JourneyChange], _ table: JourneyTable) {
        guard let message = Message(item) else { return }
        state.withLock { state in
            _ = state.update(.tick(item.at))
            _ = state.update(message)
        }
    }
}

extension Message {
    /// What an item of a session tells a screen; `nil` for what it only says.
    init?(_ item: SessionItem) {
        switch item.content {
        case .feed(let event): self = .feed(event)
        case .token(let event): self = .token(event)
        case .search(let event): self = .search(event)
        case .remark(let remark): self = .remark(remark)
        case .step(let step): self = .logged(step)
        case .riderCall, .problem: return nil
        }
    }
}

extension SessionConfiguration {
    /// Returns the same with a collector of what the page of the session says; unchanged without a page, and with a screen, which
    /// knows it itself.
    ///
    /// Throws a ``CommandFailure`` if the page can't be written.
    func sharing(_ basemap: Basemap?) throws(CommandFailure) -> SessionConfiguration {
        guard let sharePath else { return self }
        try RidePageFile.check(sharePath)
        guard output.form != .tui else { return self }
        var configuration = self
        configuration.shared = SharedSession(self, path: sharePath, basemap: basemap)
        return configuration
    }

    /// Writes the page of a session without a screen; returns the failure, `nil` if it was written or not asked for.
    func writeSharedPage() -> CommandFailure? {
        guard let shared, let problem = RidePageFile.write(shared.page, to: shared.path) else { return nil }
        return CommandFailure(.outputFailed, problem)
    }
}
