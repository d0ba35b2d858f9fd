import TripText

/// The keys and the commands of faults.
extension FaultsPanel {
    static var place: any WritableKeyPath<Panels, FaultsPanel> & Sendable { \.faults }

    static let keys = [
        key(.faults, "i", .keyFaults, .helpFaults) { _, _ in [.overlay(.faults)] }
            .inSessions(.present) { !$0.settings.faults.isEmpty },
        key(.clearFaults, "I", .keyClearFaults, .helpClearFaults) { _, _ in [.perform(.fault(.clear))] }
            .inSessions(.present) { !$0.settings.faults.isEmpty }
            .effective { !$0.activeFaults.isEmpty }
            .inKeyLine { !$0.settings.hidesFaults },
    ]

    static let commands = [
        command("fault", "NAME", .paletteFault) { _, name, state in
            guard state.settings.faults.contains(where: { $0.id == name }) else {
                return [.complain(state.settings.localizer(.noFault(name: name)))]
            }
            return [.perform(.fault(.toggle(name)))]
        }
        .offered { !$0.settings.faults.isEmpty && $0.timeLine == nil }
        .values { $0.settings.faults.map(\.id) }
    ]
}
