import Failures
import Foundation
import Runtime
import TripFeed
import TripScreen
import TripText

/// The settings of a run, from the environment (`TRIPSHARE_…`), a profile and the configuration file.
///
/// The value of a row is a member with its name: `settings.interval`; ``resolve(_:_:)`` adds flags and the default.
@dynamicMemberLookup
struct Settings: Sendable {
    /// The beginning of each variable.
    static let prefix = "TRIPSHARE_"

    /// The values, those that override others first: of the environment, of the profile, of the file.
    private(set) var layers: [SettingLayer] = []
    /// The profile in force and the file that has it; `nil` without one.
    private(set) var profile: (name: String, file: String)?
    /// The key bindings of all layers.
    private(set) var keys = KeyMap.bindings

    /// Creates settings without any value.
    init() {}

    /// Loads the settings.
    ///
    /// - Parameter profile: The name of a profile; `nil` for the profile of the environment, if there is one.
    /// - Returns: The settings.
    /// - Throws: ``CommandFailure`` for a file that is not JSON, an unknown profile and an invalid value.
    static func load(profile: String? = nil) throws(CommandFailure) -> Settings {
        // An empty variable counts as unset.
        let environment = ProcessContext.current.environment.filter { !$0.value.isEmpty }
        checkNames(of: environment)
        let file = try ConfigurationFile(environment: environment)
        var settings = Settings()
        settings.layers = [try SettingLayer(environment: environment), file.layer]
        if let (name, source) = ProfileOptions.choice(profile, environment) {
            settings.layers.insert(try file.profile(name, from: source), at: 1)
            settings.profile = (name, file.path)
        }
        let changes = settings.layers.reversed().reduce(into: [:]) { $0.merge($1[\.keys] ?? [:]) { $1 } }
        settings.keys = try file.bindings(changes)
        return settings
    }

    /// The value of a setting; `nil` if it is not set.
    subscript<Value, Resolved>(dynamicMember row: KeyPath<SettingRows, Setting<Value, Resolved>>) -> Value? {
        layers.lazy.compactMap { $0[row] }.first
    }

    /// Returns the value of a setting: the first one that is given, else the configured one, else the default.
    ///
    /// - Parameters:
    ///   - row: The setting.
    ///   - given: What overrides the settings: the option, then the ready file of an emulator.
    /// - Returns: The value.
    func resolve<Value, Resolved>(
        _ row: KeyPath<SettingRows, Setting<Value, Resolved>>,
        _ given: Value?...
    ) -> Resolved {
        SettingRows.all[keyPath: row].completed(given.lazy.compactMap(\.self).first ?? self[dynamicMember: row])
    }

    /// Returns where the value of a setting is from; `nil` if it is not set.
    func source<Value, Resolved>(of row: KeyPath<SettingRows, Setting<Value, Resolved>>) -> SettingSource? {
        layers.first { $0[row] != nil }?.source(of: SettingRows.all[keyPath: row])
    }

    /// The thresholds of all layers, the layer that overrides others last.
    var thresholds: [Threshold] { layers.reversed().flatMap { $0[\.thresholds] ?? [] } }

    /// Returns a token endpoint; `nil` if it is not set.
    ///
    /// Its headers come from the layer that names it, and from the layers that override this layer: a profile's endpoint does not
    /// get the headers that the file has for another endpoint.
    func endpoint<Resolved>(_ row: KeyPath<SettingRows, Setting<String, Resolved>>) -> ConfiguredEndpoint? {
        guard let place = layers.firstIndex(where: { $0[row] != nil }), let url = layers[place][row] else { return nil }
        let headers = layers[...place].reduce([]) { $0.adding($1[\.tokenHeaders] ?? []) }
        return ConfiguredEndpoint(url: url, headers: headers)
    }

    /// Which profile is in force, as the end of a sentence; empty without one.
    func profileWords(_ localizer: Localizer) -> String {
        profile.map { localizer(.doctorProfile(profile: excerpt(value: $0.name), file: excerpt(path: $0.file))) } ?? ""
    }

    /// What a session says first: which profile is in force; `nil` without one.
    var announcement: String? {
        profile.map {
            Localizer.ofProcess(.settingsProfile(profile: excerpt(value: $0.name), file: excerpt(path: $0.file)))
        }
    }

    /// Warns about variables that are probably a misspelled setting, because they have no effect.
    ///
    /// Other variables with the same prefix may belong to other programs, or hold a token under a name chosen by the user.
    private static func checkNames(of environment: [String: String]) {
        // The ID variables are passed to token commands, and this program may run as one.
        let known =
            SettingRows.list.compactMap(\.variable)
            + [ConfigurationFile.variable, ProfileOptions.variable, prefix + "TRIP_ID", prefix + "VEHICLE_ID"]
        for name in environment.keys.sorted() where name.hasPrefix(prefix) && !known.contains(name) {
            // Short names are similar to many others.
            let limit = name.count >= prefix.count + 6 ? 2 : 1
            let near = known.map {
                (name: $0, changes: $0 == name + "_ID" ? 0 : Spelling.changes(Array(name), Array($0)))
            }
            .min { $0.changes < $1.changes }
            if let near, near.changes <= limit {
                Printing.warning(.warningUnknownVariable(name: excerpt(value: name), meant: near.name))
            }
        }
    }
}

/// A token endpoint of the settings, and the headers of its requests.
struct ConfiguredEndpoint: Sendable {
    let url: String
    let headers: [SecretHeader]
}
