public import ArgumentParser
import Failures
public import FleetTokens
import TripText

extension ExpiryUnit: ExpressibleByArgument {}

/// Options for reading a token endpoint's answer.
struct TokenAnswerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The key of the token in the endpoint's response, such as data.token (default: jwt, for deliveries token or jwt).",
            valueName: "key"
        )
    )
    var tokenKey: String?

    @Option(help: ArgumentHelp("The key of the expiry in the response (default: the exp claim).", valueName: "key"))
    var tokenExpirationKey: String?

    @Option(help: ArgumentHelp("The unit of that expiry (default: absolute-milliseconds).", valueName: "unit"))
    var tokenExpirationUnit: ExpiryUnit?
}

extension TokenAnswerFormat {
    /// Combines the flags, the ready file of the emulator that answers, the settings and the defaults.
    ///
    /// The defaults are the keys of Google's sample backends, of which that for deliveries has another one. The order above is the order of precedence. The settings describe
    /// another endpoint than the emulator's, whose ready file names its keys only if they differ from the defaults.
    init(
        _ options: TokenAnswerOptions,
        creationKey: String?,
        announced: AnnouncedEndpoint?,
        settings: Settings,
        isOfDeliveries: Bool = false
    ) throws(CommandFailure) {
        let other = announced == nil ? settings : Settings()
        let unit =
            options.tokenExpirationUnit ?? announced?.expirationUnit ?? other.tokenExpirationUnit
            ?? .absoluteMilliseconds
        guard creationKey == nil || unit != .relativeSeconds else {
            throw CommandFailure(.usage, .failureCreationKey)
        }
        let key = options.tokenKey ?? announced?.tokenKey ?? other.tokenKey
        self.init(
            tokenKey: key ?? (isOfDeliveries ? "token" : "jwt"),
            expirationKey: options.tokenExpirationKey ?? announced?.expirationKey ?? other.tokenExpirationKey,
            expirationUnit: unit,
            creationKey: creationKey
        )
        if key == nil, isOfDeliveries { otherTokenKey = "jwt" }
    }
}
