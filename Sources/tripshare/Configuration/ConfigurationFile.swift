import Configuration
import Failures
import FleetWire
import Foundation
import Runtime
import TripScreen
import TripText

/// The configuration file: its location and its validated contents.
struct ConfigurationFile: Sendable {
    /// The accepted keys.
    static let names = [
        "providerId", "fleetEngineUrl", "tokenUrl", "trackingTokenUrl", "serverTokenUrl", "certificatesUrl", "iamUrl",
        "tokenKey",
        "tokenExpirationKey", "tokenExpirationUnit", "transport", "interval", "quota", "thresholds", "theme", "lang",
        "units",
        "accessible", "bell", "calm",
        "keys", "basemaps",
    ]

    /// The path of the file, whether or not it exists.
    let path: String
    /// Whether the user named the file.
    ///
    /// A named file must exist.
    let isNamed: Bool
    /// The contents; empty if there is no file.
    let values: [String: JSONValue]

    /// Reads the file in `TRIPSHARE_CONFIG`, else `tripshare/config.json` in the XDG base directories.
    ///
    /// Throws a ``CommandFailure`` if a named file is missing or a file is invalid.
    init(environment: [String: String]) throws(CommandFailure) {
        let (named, place) = Self.location(environment: environment)
        guard let place else {
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
            guard let named else {
                throw CommandFailure(.badConfiguration, .configurationUnreadable(file: excerpt(path: path)))
            }
            let (name, file) = (excerpt(path: named), excerpt(path: path))
            throw CommandFailure(.badConfiguration, .configurationNamedMissing(name: name, file: file))
        } catch .timedOut {
            throw CommandFailure(.badConfiguration) { [path] in
                let seconds = "\(ReadableFile.timeout.components.seconds)"
                return $0(
                    .failureFileSilent(file: excerpt(path: path), seconds: seconds, advice: $0(.adviceConfiguration))
                )
            }
        } catch .tooManyOpenFiles {
            throw CommandFailure(.unavailable, .failureFileTooManyOpen(file: excerpt(path: path)))
        } catch .tooLong {
            throw CommandFailure(.badConfiguration, .configurationNoObject(file: excerpt(path: path)))
        } catch {
            throw CommandFailure(.badConfiguration, .configurationUnreadable(file: excerpt(path: path)))
        }
        guard let values = Self.values(in: data) else {
            throw CommandFailure(.badConfiguration, .configurationNoObject(file: excerpt(path: path)))
        }
        self.values = values
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { try check(name, value) }
    }

    /// Returns the file named by the user, and the path of the file to read.
    private static func location(environment: [String: String]) -> (named: String?, path: String?) {
        let named = environment["TRIPSHARE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        let base =
            environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 }
            ?? HomeFolder.path(environment: environment).map { $0 + "/.config" }
        return (named, named ?? base.map { $0 + "/tripshare/config.json" })
    }

    /// Returns the value of `lang`, without any check of the file; `nil` for a pipe, which can be read only once.
    static func language(environment: [String: String]) -> String? {
        guard let path = location(environment: environment).path,
            // An unusable file is reported by the code that needs the other values.
            let data = try? ReadableFile.bytes(path, limit: InputFile.maximumBytes, kinds: .regular)
        else { return nil }
        return values(in: data)?["lang"]?.string
    }

    /// Returns the members of the object in a file; editors on Windows write a byte order mark before it.
    private static func values(in data: Data) -> [String: JSONValue]? {
        JSONValue([UInt8](data).withoutByteOrderMark)?.dictionary
    }

    private func check(_ name: String, _ value: JSONValue) throws(CommandFailure) {
        guard Self.names.contains(name) else {
            let advice = Self.advice(Spelling.nearest(to: name, among: Self.names), among: Self.names)
            throw CommandFailure(.badConfiguration) { [path] in
                $0(
                    .configurationUnknownKey(file: excerpt(path: path), key: excerpt(value: name), advice: $0(advice))
                )
            }
        }
        switch (name, value) {
        case ("keys", .object): return
        case ("keys", _): throw failure(.configurationKeysNoObject(file: file))
        case ("thresholds", .object): return
        case ("thresholds", _): throw failure(.configurationThresholdsNoObject(file: file))
        case ("quota", .number(let number)) where Int(exactly: number) != nil: return
        case ("quota", .string): return
        case ("quota", _): throw failure(.configurationQuotaNoNumber(file: file))
        case ("interval", .string(let text)) where Double(decimal: text) != nil:
            throw failure(.configurationIntervalQuoted(file: file))
        // Text that is not a number gets a more specific message later, the same as in the environment.
        case ("interval", .number), ("interval", .string): return
        case ("interval", _): throw failure(.configurationIntervalNoNumber(file: file))
        case ("accessible", .bool), ("bell", .bool), ("calm", .bool): return
        case ("accessible", _), ("bell", _), ("calm", _):
            throw failure(.configurationNoFlag(file: file, key: name))
        case (_, .string): return
        default: throw failure(.configurationNoText(file: file, key: excerpt(value: name)))
        }
    }

    /// The values that are a text, a number or a flag.
    var settings: [AbsoluteConfigKey: ConfigValue] {
        var settings: [AbsoluteConfigKey: ConfigValue] = [:]
        for (name, value) in values {
            let content: ConfigContent
            switch value {
            case .string(let text): content = .string(text)
            case .bool(let flag): content = .bool(flag)
            case .number(let number): content = Int(exactly: number).map { .int($0) } ?? .double(number)
            case .null, .array, .object: continue
            }
            settings[AbsoluteConfigKey([name])] = ConfigValue(content, isSecret: false)
        }
        return settings
    }

    /// Returns the key bindings, keyed by action name.
    ///
    /// Throws a ``CommandFailure`` if a binding is invalid.
    func keys() throws(CommandFailure) -> [KeyBinding] {
        guard let object = values["keys"]?.dictionary else { return KeyMap.bindings }
        var changes: [String: [String]] = [:]
        for (name, value) in object.sorted(by: { $0.key < $1.key }) {
            let keys: [JSONValue] = if case .array(let keys) = value { keys } else { [value] }
            changes[name] = keys.compactMap(\.string)
            guard changes[name]?.count == keys.count else {
                throw failure(.configurationNoKey(file: file, action: excerpt(value: name)))
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
        guard let object = values["thresholds"]?.dictionary else { return [] }
        var thresholds: [Threshold] = []
        for (name, value) in object.sorted(by: { $0.key < $1.key }) {
            do throws(Threshold.Problem) {
                thresholds.append(try Threshold(name, value.number))
            } catch {
                let reason = error.text
                throw CommandFailure(.badConfiguration) { [path] in
                    $0(.configurationThreshold(file: excerpt(path: path), reason: $0(reason)))
                }
            }
        }
        return thresholds
    }

    private func words(_ problem: KeyMap.Problem) -> CommandFailure {
        switch problem {
        case .unknownCommand(let name, let nearest):
            let advice = Self.advice(nearest, among: KeyMap.names)
            return CommandFailure(.badConfiguration) { [path] in
                $0(
                    .configurationUnknownAction(
                        file: excerpt(path: path),
                        action: excerpt(value: name),
                        advice: $0(advice)
                    )
                )
            }
        case .fixed(let command): return failure(.configurationFixedKeys(file: file, action: command.rawValue))
        case .unknownKey(let name, let command):
            return failure(
                .configurationUnknownKeyName(file: file, action: command.rawValue, key: excerpt(value: name))
            )
        case .taken(let key, let first, let second, let view):
            return failure(
                .configurationKeyTaken(
                    file: file,
                    key: excerpt(value: key.name),
                    view: view.name,
                    first: first.rawValue,
                    second: second.rawValue
                )
            )
        }
    }

    /// Suggests the nearest known name; lists all of them if none is near.
    private static func advice(_ nearest: String?, among names: [String]) -> Text {
        nearest.map { .adviceNearest(name: $0) }
            ?? .adviceKnown(names: names.joined(separator: ", "))
    }

    /// The path as messages show it.
    private var file: String { excerpt(path: path) }

    private func failure(_ text: Text) -> CommandFailure {
        CommandFailure(.badConfiguration, text)
    }
}

extension JSONValue {
    /// The members of an object by key, the last one of duplicates; `nil` for other values.
    fileprivate var dictionary: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return Dictionary(members.map { ($0.key, $0.value) }) { $1 }
    }
}
