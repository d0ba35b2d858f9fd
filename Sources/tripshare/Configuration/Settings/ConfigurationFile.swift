import Failures
import Foundation
import Runtime
import TripScreen
import TripText

/// The configuration file: its location and its validated contents.
struct ConfigurationFile: Sendable {
    /// The variable that names the file.
    static let variable = Settings.prefix + "CONFIG"
    /// The key of the profiles.
    private static let profiles = "profiles"

    /// The path of the file, whether or not it exists.
    let path: String
    /// The settings outside of profiles.
    let layer: SettingLayer
    /// The profiles by name.
    private let profiles: [String: SettingLayer]

    /// Reads the file in `TRIPSHARE_CONFIG`, else `tripshare/config.json` in the XDG base directories.
    ///
    /// Throws a ``CommandFailure`` if a named file is missing or a file is invalid.
    init(environment: [String: String]) throws(CommandFailure) {
        let (named, place) = Self.location(environment: environment)
        let path = place.map { URL(filePath: $0).path } ?? ""
        let values = place == nil ? [:] : try Self.read(path, named: named)
        self.path = path
        layer = try SettingLayer(values, path: path, besides: [Self.profiles])
        var profiles: [String: SettingLayer] = [:]
        if let all = values[Self.profiles] {
            for (name, value) in try Self.object(all, Self.profiles, path).sorted(by: { $0.key < $1.key }) {
                let key = "\(Self.profiles).\(name)"
                profiles[name] = try SettingLayer(Self.object(value, key, path), prefix: "\(key).", path: path)
            }
        }
        self.profiles = profiles
    }

    /// Returns the settings of a profile; throws a ``CommandFailure`` that names those that exist if there is none.
    func profile(_ name: String, from source: SettingSource) throws(CommandFailure) -> SettingLayer {
        if let profile = profiles[name] { return profile }
        let names = profiles.keys.sorted()
        let advice =
            names.isEmpty ? Text.allowedProfiles : Text(nearest: Spelling.nearest(to: name, among: names), among: names)
        throw CommandFailure(.badConfiguration) { [path] in
            $0(
                .configurationNoProfile(
                    source: source.words($0),
                    name: excerpt(value: name),
                    file: excerpt(path: path),
                    advice: $0(advice)
                )
            )
        }
    }

    /// Returns the content of the file, which may be missing if it is not named.
    private static func read(_ path: String, named: String?) throws(CommandFailure) -> [String: JSONValue] {
        let file = excerpt(path: path)
        let data: Data
        do {
            data = try ReadableFile.bytes(path, limit: InputFile.maximumBytes)
        } catch .missing {
            guard named != nil || FileManager.default.fileExists(atPath: path) else { return [:] }
            guard let named else { throw CommandFailure(.badConfiguration, .configurationUnreadable(file: file)) }
            let name = excerpt(path: named)
            throw CommandFailure(.badConfiguration, .configurationNamedMissing(name: name, file: file))
        } catch .timedOut {
            throw CommandFailure(.badConfiguration) {
                let seconds = "\(ReadableFile.timeout.components.seconds)"
                return $0(.failureFileSilent(file: file, seconds: seconds, advice: $0(.adviceConfiguration)))
            }
        } catch .tooManyOpenFiles {
            throw CommandFailure(.unavailable, .failureFileTooManyOpen(file: file))
        } catch .tooLong {
            throw CommandFailure(.badConfiguration, .configurationNoObject(file: file))
        } catch {
            throw CommandFailure(.badConfiguration, .configurationUnreadable(file: file))
        }
        guard let values = values(in: data) else {
            throw CommandFailure(.badConfiguration, .configurationNoObject(file: file))
        }
        return values
    }

    /// Returns the members of a value that has to be an object.
    private static func object(
        _ value: JSONValue,
        _ key: String,
        _ path: String
    ) throws(CommandFailure) -> [String: JSONValue] {
        guard let object = value.dictionary else {
            let source = SettingSource.file(key: key, path: path)
            throw source.failure(.refused, SettingInput.json(value).shown, .allowedProfiles)
        }
        return object
    }

    /// Returns the file named by the user, and the path of the file to read.
    private static func location(environment: [String: String]) -> (named: String?, path: String?) {
        let named = environment[variable].flatMap { $0.isEmpty ? nil : $0 }
        let base =
            environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 }
            ?? HomeFolder.path(environment: environment).map { $0 + "/.config" }
        return (named, named ?? base.map { $0 + "/tripshare/config.json" })
    }

    /// Returns the value of `lang`, of a profile if it has one, without any check of the file; `nil` for a pipe, which can be read
    /// only once.
    static func language(profile: String?, environment: [String: String]) -> String? {
        guard let path = location(environment: environment).path,
            // An unusable file is reported by the code that needs the other values.
            let data = try? ReadableFile.bytes(path, limit: InputFile.maximumBytes, kinds: .regular),
            let values = values(in: data)
        else { return nil }
        let key = SettingRows.all.lang.key
        return (profile.flatMap { values[profiles]?[$0]?[key] } ?? values[key])?.string
    }

    /// Returns the members of the object in a file; editors on Windows write a byte order mark before it.
    private static func values(in data: Data) -> [String: JSONValue]? {
        JSONValue([UInt8](data).withoutByteOrderMark)?.dictionary
    }

    /// Returns the key bindings with the changed keys of actions.
    ///
    /// Throws a ``CommandFailure`` if a binding is invalid.
    func bindings(_ object: [String: JSONValue]) throws(CommandFailure) -> [KeyBinding] {
        var changes: [String: [String]] = [:]
        for (name, value) in object.sorted(by: { $0.key < $1.key }) {
            let keys: [JSONValue] = if case .array(let keys) = value { keys } else { [value] }
            changes[name] = keys.compactMap(\.string)
            guard changes[name]?.count == keys.count else {
                throw CommandFailure(
                    .badConfiguration,
                    .configurationNoKey(file: excerpt(path: path), action: excerpt(value: name))
                )
            }
        }
        do {
            return try KeyMap.bindings(changing: changes)
        } catch {
            throw words(error)
        }
    }

    private func words(_ problem: KeyMap.Problem) -> CommandFailure {
        let file = excerpt(path: path)
        switch problem {
        case .unknownCommand(let name, let nearest):
            let advice = Text(nearest: nearest, among: KeyMap.names)
            return CommandFailure(.badConfiguration) {
                $0(.configurationUnknownAction(file: file, action: excerpt(value: name), advice: $0(advice)))
            }
        case .fixed(let command):
            return CommandFailure(.badConfiguration, .configurationFixedKeys(file: file, action: command.rawValue))
        case .unknownKey(let name, let command):
            return CommandFailure(
                .badConfiguration,
                .configurationUnknownKeyName(file: file, action: command.rawValue, key: excerpt(value: name))
            )
        case .taken(let key, let first, let second, let view):
            return CommandFailure(
                .badConfiguration,
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
}
