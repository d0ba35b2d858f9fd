import Foundation
import TripScreen

/// The configuration file: its location and its validated contents.
struct ConfigurationFile: Sendable {
    /// A value in the file.
    enum Value: Decodable, Equatable {
        case text(String)
        case flag(Bool)
        case number(Double)
        case list([String])
        case object([String: Value])
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            // Each type is tried in turn. The individual decoding errors carry no useful information.
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else if let list = try? container.decode([String].self) {
                self = .list(list)
            } else if let object = try? container.decode([String: Value].self) {
                self = .object(object)
            } else {
                self = .other
            }
        }
    }

    /// The accepted keys.
    static let names = [
        "providerId", "fleetEngineUrl", "tokenUrl", "certificatesUrl", "tokenKey", "tokenExpirationKey",
        "tokenExpirationUnit", "interval", "quota", "thresholds", "theme", "lang", "units", "bell", "keys",
    ]

    /// The path of the file, whether or not it exists.
    let path: String
    /// Whether the user named the file.
    ///
    /// A named file must exist.
    let isNamed: Bool
    /// The contents; empty if there is no file.
    let values: [String: Value]

    /// Reads the file in `TRIPSHARE_CONFIG`, else `tripshare/config.json` in the XDG base directories.
    ///
    /// Throws a ``CommandFailure`` if a named file is missing or a file is invalid.
    init(environment: [String: String]) throws(CommandFailure) {
        let named = environment["TRIPSHARE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        let base =
            environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 }
            ?? HomeFolder.path(environment: environment).map { $0 + "/.config" }
        guard let place = named ?? base.map({ $0 + "/tripshare/config.json" }) else {
            (path, isNamed, values) = ("", false, [:])
            return
        }
        path = URL(filePath: place).path
        isNamed = named != nil
        let data: Data
        do {
            data = try ReadableFile.bytes(path, limit: InputFile.maximumBytes)
        } catch .missing {
            guard isNamed || FileManager.default.fileExists(atPath: path) else {
                values = [:]
                return
            }
            let missing = "there is no such file, or it can't be read"
            throw CommandFailure(
                .badConfiguration,
                isNamed
                    ? "TRIPSHARE_CONFIG names \(shown(named ?? "")); looked for \(shown(path)): \(missing).\n"
                        + "Name another file there, or unset it."
                    : "The configuration file \(shown(path)) can't be read.\nMake it readable, or move it away."
            )
        } catch {
            throw Self.unreadable(path)
        }
        // The decoder's error does not reliably say where and why the JSON is invalid, so it is not shown.
        guard let values = try? JSONDecoder().decode([String: Value].self, from: data) else {
            throw Self.unreadable(path)
        }
        self.values = values
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { try check(name, value) }
    }

    private static func unreadable(_ path: String) -> CommandFailure {
        CommandFailure(
            .badConfiguration,
            "The configuration file \(shown(path)) can't be read as a JSON object.\n"
                + "Mend it, or name another one in TRIPSHARE_CONFIG."
        )
    }

    private func check(_ name: String, _ value: Value) throws(CommandFailure) {
        guard Self.names.contains(name) else {
            let nearest = Spelling.nearest(to: name, among: Self.names)
            throw failure(
                "has \(shown(name)), which is not known",
                nearest.map { "Did you mean \(shown($0))?" } ?? "Known are: \(Self.names.joined(separator: ", "))."
            )
        }
        switch (name, value) {
        case ("keys", .object): return
        case ("keys", _):
            throw failure(
                "has ‘keys’ that are no object",
                #"Name actions and their keys: {"follow": "F", "quit": ["q", "Q"]}."#
            )
        case ("thresholds", .object): return
        case ("thresholds", _):
            throw failure("has ‘thresholds’ that are no object", #"Name some and their numbers: {"offRoute": 80}."#)
        case ("quota", .number(let number)) where Int(exactly: number) != nil: return
        case ("quota", .text): return
        case ("quota", _): throw failure("has no whole number as ‘quota’", "Name polls of all trips in a minute.")
        case ("interval", .text(let text)) where Double(text) != nil:
            throw failure("has a text as ‘interval’", "Write the number without quotation marks.")
        // Text that is not a number gets a more specific message later, the same as in the environment.
        case ("interval", .number), ("interval", .text): return
        case ("interval", _): throw failure("has no number as ‘interval’", "Name seconds above 0.")
        case ("bell", .flag): return
        case ("bell", _):
            throw failure("has neither true nor false as ‘bell’", "Write one of them without quotation marks.")
        case (_, .text): return
        default: throw failure("has no text as \(shown(name))", "Put its value in quotation marks.")
        }
    }

    /// Returns the key bindings, keyed by action name.
    ///
    /// Throws a ``CommandFailure`` if a binding is invalid.
    func keys() throws(CommandFailure) -> [KeyBinding] {
        guard case .object(let object) = values["keys"] else { return KeyMap.bindings }
        var changes: [String: [String]] = [:]
        for (name, value) in object.sorted(by: { $0.key < $1.key }) {
            switch value {
            case .text(let key): changes[name] = [key]
            case .list(let keys): changes[name] = keys
            case .flag, .number, .object, .other:
                throw failure("binds \(shown(name)) to no key", #"Name one, such as "F", or several: ["q", "Q"]."#)
            }
        }
        do {
            return try KeyMap.bindings(changing: changes)
        } catch {
            throw words(error)
        }
    }

    /// Returns the finding thresholds.
    ///
    /// Throws a ``CommandFailure`` for an unknown name or a value out of range.
    func thresholds() throws(CommandFailure) -> [Threshold] {
        guard case .object(let object) = values["thresholds"] else { return [] }
        var thresholds: [Threshold] = []
        for (name, value) in object.sorted(by: { $0.key < $1.key }) {
            let number: Double? = if case .number(let number) = value { number } else { nil }
            do {
                thresholds.append(try Threshold(name, number))
            } catch {
                throw failure("has ‘thresholds’ that can't be set", "\(error)")
            }
        }
        return thresholds
    }

    private func words(_ problem: KeyMap.Problem) -> CommandFailure {
        switch problem {
        case .unknownCommand(let name, let nearest):
            failure(
                "binds keys to \(shown(name)), which is no action",
                nearest.map { "Did you mean \(shown($0))?" } ?? "Known are: \(KeyMap.names.joined(separator: ", "))."
            )
        case .fixed(let command):
            failure(
                "binds keys to \(shown(command.rawValue)), whose keys are fixed",
                "Take it out: its keys say the direction, or the number of a view."
            )
        case .unknownKey(let name, let command):
            failure(
                "binds \(shown(command.rawValue)) to \(shown(name)), which is no key that can be bound",
                "Name a character, or Space, Tab, S-Tab, Enter, Esc, Backspace, Delete, an arrow (Up), Home, End, PgUp, "
                    + "PgDn, C-a."
            )
        case .taken(let key, let first, let second, let view):
            failure(
                "leaves the key \(shown(key.name)) with two actions in the view \(view.name): "
                    + "\(first.rawValue) and \(second.rawValue)",
                "Give one of them another key, or none: []."
            )
        }
    }

    private func failure(_ what: String, _ advice: String) -> CommandFailure {
        CommandFailure(.badConfiguration, "The configuration file \(shown(path)) \(what).\n\(advice)")
    }
}
