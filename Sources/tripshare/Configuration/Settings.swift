import Configuration
import FleetTokens
import Foundation
import SystemPackage
import Terminal
import TripScreen
import TripText

/// Settings from the environment (`TRIPSHARE_…`) and the configuration file, used where no flag is given.
struct Settings: Sendable {
    var providerID: String?
    var fleetEngineURL: String?
    var tokenURL: String?
    var certificatesURL: String?
    var tokenKey: String?
    var tokenExpirationKey: String?
    var tokenExpirationUnit: ExpiryUnit?
    var interval: Double?
    var quota: Int?
    var thresholds: [Threshold] = []
    var theme: Theme.Name?
    var keys = KeyMap.bindings
    var lang: Language?
    var units: Wording.Units?
    /// Whether the bell rings.
    var bell = false

    /// Loads the settings; the environment overrides the file.
    ///
    /// Throws a ``CommandFailure`` for a file that is not JSON and for an invalid value.
    static func load() async throws -> Settings {
        // An empty variable counts as unset.
        let environment = ProcessInfo.processInfo.environment.filter { !$0.value.isEmpty }
        checkNames(of: environment)
        let file = try ConfigurationFile(environment: environment)
        var settings = Settings()
        settings.keys = try file.keys()
        settings.thresholds = try file.thresholds() + thresholds(environment["TRIPSHARE_THRESHOLDS"] ?? "")
        var providers: [any ConfigProvider] = [
            EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "tripshare")
        ]
        // A missing or unreadable default file counts as empty.
        if !file.values.isEmpty {
            do {
                providers.append(try await FileProvider<JSONSnapshot>(filePath: FilePath(file.path)))
            } catch {
                // The file parsed as an object before, so the contents are invalid as a configuration.
                throw CommandFailure(
                    .badConfiguration,
                    "The configuration file \(shown(file.path)) can't be read as texts and numbers by their names.\n"
                        + "Mend it, or name another one in TRIPSHARE_CONFIG."
                )
            }
        }
        let reader = ConfigReader(providers: providers)
        settings.providerID = reader.string(forKey: "providerId")
        settings.fleetEngineURL = reader.string(forKey: "fleetEngineUrl")
        settings.tokenURL = reader.string(forKey: "tokenUrl")
        settings.certificatesURL = reader.string(forKey: "certificatesUrl")
        settings.tokenKey = reader.string(forKey: "tokenKey")
        settings.tokenExpirationKey = reader.string(forKey: "tokenExpirationKey")
        if let unit = reader.string(forKey: "tokenExpirationUnit") {
            guard let known = ExpiryUnit(rawValue: unit) else {
                throw unknown("tokenExpirationUnit", unit, "unit of an expiry", ExpiryUnit.allCases.map(\.rawValue))
            }
            settings.tokenExpirationUnit = known
        }
        if let interval = reader.double(forKey: "interval") ?? reader.int(forKey: "interval").map(Double.init) {
            guard interval > 0, interval <= 86_400 else {
                throw CommandFailure(
                    .badConfiguration,
                    "The configured interval has to be a number of seconds above 0."
                )
            }
            settings.interval = interval
        } else if let text = reader.string(forKey: "interval") {
            throw CommandFailure(
                .badConfiguration,
                "The configured interval \(shown(text)) is no number.\nName seconds above 0, in TRIPSHARE_INTERVAL or as \"interval\"."
            )
        }
        if let quota = reader.string(forKey: "quota") ?? reader.int(forKey: "quota").map(String.init) {
            guard let number = Int(quota), WatchCommand.quotas.contains(number) else {
                throw CommandFailure(
                    .badConfiguration,
                    "The configured quota \(shown(quota)) is no number of polls a minute.\n"
                        + "Name a whole number from 1 to 1000000, in TRIPSHARE_QUOTA or as \"quota\"."
                )
            }
            settings.quota = number
        }
        settings.theme = try theme(reader.string(forKey: "theme"))
        settings.lang = try reader.string(forKey: "lang").map { name in
            guard let language = Language(named: name) else {
                throw unknown("lang", name, "language", Language.allCases.map(\.rawValue))
            }
            return language
        }
        settings.units = try reader.string(forKey: "units").map { name in
            guard let units = Wording.Units(rawValue: name) else {
                throw unknown("units", name, "system of units", Wording.Units.allCases.map(\.rawValue))
            }
            return units
        }
        settings.bell = try bell(reader)
        return settings
    }

    private static func bell(_ reader: ConfigReader) throws(CommandFailure) -> Bool {
        if let isOn = reader.bool(forKey: "bell") { return isOn }
        guard let text = reader.string(forKey: "bell") else { return false }
        throw unknown("bell", text, "value", ["true", "false"])
    }

    private static func unknown(_ key: String, _ value: String, _ noun: String, _ known: [String]) -> CommandFailure {
        CommandFailure(
            .badConfiguration,
            "There is no \(noun) \(shown(value)), which \(variable(key)) or ‘\(key)’ in the configuration file names.\n"
                + "Known are: \(known.joined(separator: ", "))."
        )
    }

    /// Returns the environment variable for a configuration key: `TRIPSHARE_TOKEN_URL` for `tokenUrl`.
    private static func variable(_ key: String) -> String {
        "TRIPSHARE_" + key.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
    }

    /// Warns about variables that look like a misspelled setting, because they have no effect.
    ///
    /// Other variables with the same prefix may belong to other programs, or hold a token under a name chosen by the user.
    private static func checkNames(of environment: [String: String]) {
        let prefix = "TRIPSHARE_"
        // The ID variables are passed to token commands, and this program may run as one.
        let known =
            ConfigurationFile.names.filter { $0 != "keys" }.map(variable)
            + ["TRIPSHARE_CONFIG", "TRIPSHARE_TRIP_ID", "TRIPSHARE_VEHICLE_ID"]
        for name in environment.keys.sorted() where name.hasPrefix(prefix) && !known.contains(name) {
            // Short names are similar to too many others.
            guard name.count >= prefix.count + 6 else { continue }
            let meant = known.first { other in
                other == name + "_ID" || Spelling.changes(Array(name), Array(other)) <= 2
            }
            if let meant {
                Printing.error("The variable \(shown(name)) is not known and does nothing. Did you mean \(meant)?")
            }
        }
    }

    /// Parses a comma-separated list of `NAME=NUMBER`.
    private static func thresholds(_ text: String) throws(CommandFailure) -> [Threshold] {
        do {
            return try text.split(separator: ",").map {
                try Threshold(parsing: $0.trimmingCharacters(in: .whitespaces))
            }
        } catch {
            throw CommandFailure(
                .badConfiguration,
                "TRIPSHARE_THRESHOLDS can't be \(shown(text)).\n\(error)\nName some and their numbers: offRoute=80,gap=45."
            )
        }
    }

    private static func theme(_ name: String?) throws(CommandFailure) -> Theme.Name? {
        guard let name else { return nil }
        guard let theme = Theme.Name(rawValue: name) else {
            throw unknown("theme", name, "theme", Theme.Name.allCases.map(\.rawValue))
        }
        return theme
    }
}
