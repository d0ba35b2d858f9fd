import Configuration
import FleetTokens
import Foundation
import SystemPackage

/// What the environment (`TRIPSHARE_…`) and the configuration file say, for what no flag does.
struct Settings: Sendable {
    var providerID: String?
    var fleetEngineURL: String?
    var tokenURL: String?
    var tokenKey: String?
    var tokenExpirationKey: String?
    var tokenExpirationUnit: ExpiryUnit?
    var interval: Double?

    /// Reads both; the environment wins.
    ///
    /// Throws ``CommandFailure`` for a file that is not JSON and a value that can't be.
    static func load() async throws -> Settings {
        let environment = ProcessInfo.processInfo.environment
        let path = configurationFile(environment)
        let file: FileProvider<JSONSnapshot>
        do {
            file = try await FileProvider<JSONSnapshot>(
                filePath: FilePath(path),
                allowMissing: environment["TRIPSHARE_CONFIG"] == nil
            )
        } catch {
            throw CommandFailure(
                .badConfiguration,
                "The configuration file \(shown(path)) can't be read as a JSON object.\n"
                    + "Mend it, or name another one in TRIPSHARE_CONFIG."
            )
        }
        let reader = ConfigReader(providers: [
            EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "tripshare"), file,
        ])
        var settings = Settings()
        settings.providerID = reader.string(forKey: "providerId")
        settings.fleetEngineURL = reader.string(forKey: "fleetEngineUrl")
        settings.tokenURL = reader.string(forKey: "tokenUrl")
        settings.tokenKey = reader.string(forKey: "tokenKey")
        settings.tokenExpirationKey = reader.string(forKey: "tokenExpirationKey")
        if let unit = reader.string(forKey: "tokenExpirationUnit") {
            guard let known = ExpiryUnit(rawValue: unit) else {
                throw CommandFailure(
                    .badConfiguration,
                    "\(shown(unit)) is no unit of an expiry. Known are: "
                        + ExpiryUnit.allCases.map(\.rawValue).joined(separator: ", ")
                )
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
        return settings
    }

    /// `TRIPSHARE_CONFIG`, else `tripshare/config.json` where the XDG base directories say.
    private static func configurationFile(_ environment: [String: String]) -> String {
        if let named = environment["TRIPSHARE_CONFIG"] { return named }
        let home = environment["HOME"] ?? "."
        let base = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.config"
        return base + "/tripshare/config.json"
    }
}
