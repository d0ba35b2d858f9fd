import Canvas
import Runtime
import TripFeed
import TripModel
import TripText

/// The injected faults on the screen.
extension State {
    /// Sets the menu of faults.
    ///
    /// - Parameters:
    ///   - faults: The faults that can be injected.
    ///   - names: The names of all faults, for recordings that contain them.
    package mutating func offer(_ faults: [FaultChoice], names: [FaultChoice] = []) {
        (settings.faults, settings.faultNames) = (faults, faults + names)
    }

    /// Mentions no fault on the screen from now on.
    package mutating func hideFaults() {
        settings.hidesFaults = true
        settings.localizer.hidesFaults = true
        log.reporter.localizer.hidesFaults = true
    }

    /// Returns the name of a fault as displayed.
    func faultName(_ id: String) -> String {
        settings.faultNames.first { $0.id == id }.map { settings.localizer($0.title) } ?? id.sanitized(limit: 60)
    }

    /// Sets the active faults and adds the switched ones to the log, unless a presenter hides them.
    mutating func switchFaults(to active: [String]) {
        guard !settings.hidesFaults else {
            activeFaults = active
            return
        }
        for id in activeFaults where !active.contains(id) { addToLog(fault: id, isActive: false) }
        for id in active where !activeFaults.contains(id) { addToLog(fault: id, isActive: true) }
        activeFaults = active
    }

    private mutating func addToLog(fault id: String, isActive: Bool) {
        addToLog(SessionRemark(.fault(id, isActive: isActive), at: time.latest.wall))
    }

    /// The active faults; `nil` if there are none, or a presenter hides them.
    var faultBanner: Banner? {
        guard !settings.hidesFaults else { return nil }
        let localizer = settings.localizer
        let names = activeFaults.map(faultName)
        guard !names.isEmpty else { return nil }
        let list = names.joined(separator: localizer(.listComma))
        guard !settings.faults.isEmpty else {
            return Banner(text: localizer(.faultsRecorded(names: list)), role: .badgeCritical)
        }
        return Banner(
            text: localizer(.faultsActive(key: keyName(.clearFaults, or: "clear-faults"), names: list)),
            role: .badgeCritical
        )
    }
}
