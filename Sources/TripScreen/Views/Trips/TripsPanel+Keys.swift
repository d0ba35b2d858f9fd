import TripModel
import TripText

/// What keys and commands do in the table of trips.
extension TripsPanel {
    static let keys = [
        key("open", "Enter", .keyOpen, .helpOpen) { $0.open(selectedIn: $1.state) },
        key("moveInList", "Up Down k j", shown: "Up Dn", .keyChoose, .helpChoose) {
            $0.moveSelection(by: $1.rows, in: $1.state)
        }
        .byDirection(),
        key("pageInList", "PgUp PgDn Home End g G", shown: "PgUp", .keyPage, .helpPageTrips) {
            $0.moveSelection(by: $1.rows, in: $1.state)
        }
        .byDirection().hidden(),
        key("order", "s", .keyOrder, .helpOrder) { $0.changeOrder() },
        key("reverseOrder", "S", .keyReverse, .helpReverse) { $0.reverse() },
        KeyMap.filter,
        key("leave", "x", .keyLeave, .helpLeave) { $0.askToRemove(in: $1.state) }
            .inSessions(.live).effective { $0.isFollowing },
    ]

    static let commands = [
        command("watch", "ID", .paletteWatch) { $0.watch($1, in: $2) }
            .offered { $0.timeLine == nil }.values { $0.watchable },
        command("leave", "ID", .paletteLeave) { $0.askToRemove($1, in: $2) }.withoutArgument()
            .offered { $0.timeLine == nil }
            .values { $0.trips.filter { $0.end == nil }.prefix(200).map(\.id.name) },
    ]

    /// Adds a trip and shows it; restarts a trip that has ended.
    private func watch(_ name: String, in state: State) -> [PanelRequest] {
        let localizer = state.settings.localizer
        let named = JourneyName(name, as: state.shownKind)
        if let other = named.provider, !state.settings.provider.isEmpty, other != state.settings.provider {
            return [.complain(localizer(.otherProject(asked: other, followed: state.settings.provider)))]
        }
        do {
            return [.watch(try state.journey(named))]
        } catch {
            return [.complain(UserMessage(error, text: named.id, noun: .nounTrip, localizer: localizer).what)]
        }
    }
}

extension State {
    /// The trips that can be added: trips of the project, ended trips, and trips from the history, newest first.
    fileprivate var watchable: [String] {
        let known = Set(trips.map(\.id))
        let ended = trips.filter { $0.end != nil }.prefix(200).map(\.id)
        let found = project.found.filter { !known.contains($0) }
        let offered = known.union(found)
        let past = settings.pastTrips.reversed().filter { !offered.contains($0) }
        return (found + ended + past).map(\.name)
    }
}
