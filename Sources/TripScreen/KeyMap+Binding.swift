import TripText

extension KeyMap {
    /// Why keys can't be bound as a person wants them.
    package enum Problem: Error, Sendable, Equatable {
        /// No command of that name can be bound; the nearest name that can be.
        case unknownCommand(String, nearest: String?)
        /// The command's keys say what is to be done, such as the direction, and stay.
        case fixed(KeyBinding.Command)
        /// There is no key of that name, or the terminal does not let us have it.
        case unknownKey(String, KeyBinding.Command)
        /// A key would do two things in a view.
        case taken(Key, KeyBinding.Command, KeyBinding.Command, ViewKind)
    }

    /// Keys that a terminal sends for others, or that do the same everywhere.
    private static let reserved: [Key] = ["c", "h", "i", "j", "m", "z"].map(Key.control)

    /// The names of the commands that keys can be bound to.
    package static var names: [String] {
        bindings.map(\.command).filter { !$0.needsKey }.map(\.rawValue)
    }

    /// The key map with other keys for some commands, by the names of both; no key at all leaves a command to the
    /// command line.
    ///
    /// Ctrl-C always ends the program.
    package static func bindings(changing changes: [String: [String]]) throws(Problem) -> [KeyBinding] {
        var bindings = bindings
        for (name, keyNames) in changes.sorted(by: { $0.key < $1.key }) {
            guard let command = KeyBinding.Command(rawValue: name),
                let index = bindings.firstIndex(where: { $0.command == command })
            else { throw .unknownCommand(name, nearest: Spelling.nearest(to: name, among: names)) }
            guard !command.needsKey else { throw .fixed(command) }
            var keys: [Key] = []
            for keyName in keyNames {
                guard let key = Key(named: keyName), !reserved.contains(key) else {
                    throw .unknownKey(keyName, command)
                }
                if !keys.contains(key) { keys.append(key) }
            }
            bindings[index] = bindings[index].bound(to: keys)
        }
        try check(bindings)
        return bindings
    }

    private static func check(_ bindings: [KeyBinding]) throws(Problem) {
        for view in ViewKind.allCases {
            var owners: [Key: KeyBinding.Command] = [:]
            for binding in bindings where binding.views.isEmpty || binding.views.contains(view) {
                for key in binding.keys {
                    if let other = owners[key] { throw .taken(key, other, binding.command, view) }
                    owners[key] = binding.command
                }
            }
        }
    }
}

extension KeyBinding {
    /// The same with other keys.
    func bound(to keys: [Key]) -> KeyBinding {
        var binding = self
        binding.keys = command == .quit ? keys + [.control("c")] : keys
        // As many as fit where names stand below one another; the first one in any case.
        var name = keys.first?.name ?? ""
        for key in keys.dropFirst() where name.count + 1 + key.name.count <= 6 { name += " \(key.name)" }
        binding.name = name
        return binding
    }
}
