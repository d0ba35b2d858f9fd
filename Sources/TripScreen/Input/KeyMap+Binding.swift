import Runtime
import TripText

extension KeyMap {
    /// The reason why custom key bindings are invalid.
    package enum Problem: Error, Sendable, Equatable {
        /// No bindable command has this name; `nearest` is the closest name.
        case unknownCommand(String, nearest: String?)
        /// The command's keys cannot change, because they imply it, such as a direction.
        case fixed(KeyBinding.Command)
        /// The key is unknown, or the terminal does not deliver it.
        case unknownKey(String, KeyBinding.Command)
        /// A key would have two commands in a view.
        case taken(Key, KeyBinding.Command, KeyBinding.Command, ViewKind)
    }

    /// Keys that terminals send for other keys, or that have a fixed meaning.
    private static let reserved: [Key] = ["c", "h", "i", "j", "m", "z"].map(Key.control)

    /// The names of the commands that can be bound.
    package static var names: [String] {
        bindings.filter { !$0.needsKey }.map(\.command.rawValue)
    }

    /// Returns the key map with other keys for some commands; both are given by name.
    ///
    /// A command without keys remains available on the command line.
    ///
    /// Ctrl-C always exits the program.
    package static func bindings(changing changes: [String: [String]]) throws(Problem) -> [KeyBinding] {
        var bindings = bindings
        for (name, keyNames) in changes.sorted(by: { $0.key < $1.key }) {
            guard let command = KeyBinding.Command(rawValue: name),
                let index = bindings.firstIndex(where: { $0.command == command })
            else { throw .unknownCommand(name, nearest: Spelling.nearest(to: name, among: names)) }
            guard !bindings[index].needsKey else { throw .fixed(command) }
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
            var owners: [Key: [KeyBinding]] = [:]
            for binding in bindings where binding.views.isEmpty || binding.views.contains(view) {
                for key in binding.keys {
                    let other = owners[key, default: []].first { !$0.excludes(binding) }
                    if let other { throw .taken(key, other.command, binding.command, view) }
                    owners[key, default: []].append(binding)
                }
            }
        }
    }
}

extension KeyBinding {
    /// Returns the binding with other keys.
    func bound(to keys: [Key]) -> KeyBinding {
        var binding = self
        binding.keys = command == .quit ? keys + [.control("c")] : keys
        // Include as many names as fit in the column of names, at least the first.
        var name = keys.first?.name ?? ""
        for key in keys.dropFirst() where name.count + 1 + key.name.count <= 6 { name += " \(key.name)" }
        binding.name = name
        return binding
    }
}
