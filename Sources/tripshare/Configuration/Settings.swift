import Configuration
import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Terminal
import TripFeed
import TripScreen
import TripText

/// Settings from the environment (`TRIPSHARE_…`) and the configuration file, used where no flag is given.
struct Settings: Sendable {
    var providerID: String?
    var fleetEngineURL: String?
    var tokenURL: String?
    /// The URL template of the token endpoint for shipments, if it is another one than for trips.
    var trackingTokenURL: String?
    /// The URL of the token endpoint for server tokens.
    var serverTokenURL: String?
    var certificatesURL: String?
    /// The base URL of IAM Credentials.
    var iamURL: String?
    var tokenKey: String?
    var tokenExpirationKey: String?
    var tokenExpirationUnit: ExpiryUnit?
    var transport: ServiceProtocol?
    var interval: Double?
    var quota: Int?
    var thresholds: [Threshold] = []
    var theme: Theme.Name?
    /// The folder of base maps.
    var basemaps: String?
    var keys = KeyMap.bindings
    var lang: Language?
    var units: Localizer.Units?
    /// Whether the bell rings.
    var bell = false
    /// Whether the vehicle moves on the map once per second only.
    var calm = false
    /// Whether to write sentences for a screen reader.
    var accessible = false

    /// Loads the settings; the environment overrides the file.
    ///
    /// Throws a ``CommandFailure`` for a file that is not JSON and for an invalid value.
    static func load() throws(CommandFailure) -> Settings {
        // An empty variable counts as unset.
        let environment = ProcessContext.current.environment.filter { !$0.value.isEmpty }
        checkNames(of: environment)
        let file = try ConfigurationFile(environment: environment)
        var settings = Settings()
        settings.keys = try file.keys()
        settings.thresholds = try file.thresholds() + thresholds(environment["TRIPSHARE_THRESHOLDS"] ?? "")
        // The file is not read again, because it may be a pipe.
        let reader = ConfigReader(providers: [
            EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "tripshare"),
            InMemoryProvider(values: file.settings),
        ])
        settings.providerID = reader.string(forKey: "providerId")
        settings.fleetEngineURL = reader.string(forKey: "fleetEngineUrl")
        settings.tokenURL = reader.string(forKey: "tokenUrl")
        settings.trackingTokenURL = reader.string(forKey: "trackingTokenUrl")
        settings.serverTokenURL = reader.string(forKey: "serverTokenUrl")
        settings.certificatesURL = reader.string(forKey: "certificatesUrl")
        settings.iamURL = reader.string(forKey: "iamUrl")
        settings.tokenKey = reader.string(forKey: "tokenKey")
        settings.tokenExpirationKey = reader.string(forKey: "tokenExpirationKey")
        settings.tokenExpirationUnit = try value("tokenExpirationUnit", .nounExpiryUnit, reader)
        settings.transport = try value("transport", .nounTransport, reader)
        settings.interval = try interval(reader)
        if let quota = reader.string(forKey: "quota") ?? reader.int(forKey: "quota").map(String.init) {
            guard let number = Int(quota), FollowOptions.quotas.contains(number) else {
                throw CommandFailure(.badConfiguration, .settingQuota(value: excerpt(value: quota)))
            }
            settings.quota = number
        }
        settings.theme = try value("theme", .nounTheme, reader)
        settings.basemaps = reader.string(forKey: "basemaps").map { ($0 as NSString).expandingTildeInPath }
        settings.lang = try value("lang", .nounLanguage, reader, parse: Language.init(named:))
        settings.units = try value("units", .nounUnits, reader)
        settings.bell = try flag("bell", reader)
        settings.calm = try flag("calm", reader)
        settings.accessible = try flag("accessible", reader)
        return settings
    }

    /// Returns the interval in seconds; `nil` if it is not set.
    ///
    /// Throws a ``CommandFailure`` for anything but a number in range.
    private static func interval(_ reader: ConfigReader) throws(CommandFailure) -> Double? {
        // A variable is a text; the library would also read one as a number in hexadecimal form.
        let text = reader.string(forKey: "interval")
        let number = reader.double(forKey: "interval") ?? reader.int(forKey: "interval").map(Double.init)
        guard let interval = text.map({ Double(decimal: $0) }) ?? number else {
            guard let text else { return nil }
            throw CommandFailure(.badConfiguration, .settingIntervalNoNumber(value: excerpt(value: text)))
        }
        guard interval > 0, interval <= 86_400 else {
            throw CommandFailure(.badConfiguration, .settingIntervalRange)
        }
        return interval
    }

    /// Returns the value of a key that is true or false; false if it is not set.
    ///
    /// Throws a ``CommandFailure`` for anything else.
    private static func flag(_ key: String, _ reader: ConfigReader) throws(CommandFailure) -> Bool {
        if let isOn = reader.bool(forKey: ConfigKey(key)) { return isOn }
        guard let text = reader.string(forKey: ConfigKey(key)) else { return false }
        throw unknown(key, text, .nounValue, ["true", "false"])
    }

    /// Returns the value of a key with named values.
    ///
    /// Throws a ``CommandFailure`` for an unknown name.
    private static func value<Value: CaseIterable & RawRepresentable<String>>(
        _ key: String,
        _ noun: Text,
        _ reader: ConfigReader,
        parse: (String) -> Value? = Value.init(rawValue:)
    ) throws(CommandFailure) -> Value? {
        guard let name = reader.string(forKey: ConfigKey(key)) else { return nil }
        guard let value = parse(name) else { throw unknown(key, name, noun, Value.allCases.map(\.rawValue)) }
        return value
    }

    private static func unknown(_ key: String, _ value: String, _ noun: Text, _ known: [String]) -> CommandFailure {
        CommandFailure(.badConfiguration) {
            $0(
                .settingUnknown(
                    value: excerpt(value: value),
                    noun: $0(noun),
                    variable: variable(key),
                    key: key,
                    names: known.joined(separator: ", ")
                )
            )
        }
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
            // Short names are similar to many others.
            let limit = name.count >= prefix.count + 6 ? 2 : 1
            let meant = known.first { other in
                other == name + "_ID" || Spelling.changes(Array(name), Array(other)) <= limit
            }
            if let meant {
                Printing.warning(.warningUnknownVariable(name: excerpt(value: name), meant: meant))
            }
        }
    }

    /// Parses a comma-separated list of `NAME=NUMBER`.
    private static func thresholds(_ text: String) throws(CommandFailure) -> [Threshold] {
        do throws(Threshold.Problem) {
            return try text.split(separator: ",").map { part throws(Threshold.Problem) in
                try Threshold(parsing: part.trimmingCharacters(in: .whitespaces))
            }
        } catch {
            let reason = error.text
            throw CommandFailure(.badConfiguration) {
                $0(.settingThresholds(text: excerpt(value: text), reason: $0(reason)))
            }
        }
    }
}
