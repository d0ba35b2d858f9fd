public import ArgumentParser
import Failures
public import FleetTokens
import TripText

extension ExpiryUnit: ExpressibleByArgument {}

/// Options for reading a token endpoint's answer.
struct TokenAnswerOptions: ParsableArguments {
    @Option(\.tokenKey) var tokenKey: String?

    @Option(\.tokenExpirationKey) var tokenExpirationKey: String?

    @Option(\.tokenExpirationUnit) var tokenExpirationUnit: ExpiryUnit?
}

extension TokenAnswerFormat {
    /// Combines the flags, the ready file of the emulator that answers, the settings and the defaults.
    ///
    /// The defaults are the keys of Google's sample backends: `jwt` for rides, `token` for deliveries. The sources above are in order
    /// of precedence. The settings describe another endpoint than the emulator's. The ready file of an emulator names its keys
    /// only if they differ from the defaults.
    init(
        _ options: TokenAnswerOptions,
        creationKey: String?,
        announced: AnnouncedEndpoint?,
        settings: Settings,
        isOfDeliveries: Bool = false
    ) throws(CommandFailure) {
        let other = announced == nil ? settings : Settings()
        let unit = other.resolve(\.tokenExpirationUnit, options.tokenExpirationUnit, announced?.expirationUnit)
        guard creationKey == nil || unit != .relativeSeconds else {
            throw CommandFailure(.usage, .failureCreationKey)
        }
        let key = other.resolve(\.tokenKey, options.tokenKey, announced?.tokenKey)
        self.init(
            tokenKey: key ?? (isOfDeliveries ? "token" : "jwt"),
            expirationKey: other.resolve(\.tokenExpirationKey, options.tokenExpirationKey, announced?.expirationKey),
            expirationUnit: unit,
            creationKey: creationKey
        )
        if key == nil, isOfDeliveries { otherTokenKey = "jwt" }
    }
}
