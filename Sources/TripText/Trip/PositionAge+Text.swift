package import TripFeed

extension PositionAge {
    /// Returns the reason as a line of text.
    package func explanation(_ localizer: Localizer) -> String? {
        reason.map { localizer($0.phrase) }
    }
}

extension PositionAge.Reason {
    fileprivate var phrase: Text {
        switch self {
        case .paused: .stalePaused
        case .pollingFails: .stalePolling
        case .unanswered: .staleUnanswered
        case .cached: .staleCache
        case .serverUnchanged: .staleServer
        case .driverSilent: .staleDriver
        case .deliveredLate: .staleLate
        case .clocksDiffer: .staleClock
        }
    }
}
