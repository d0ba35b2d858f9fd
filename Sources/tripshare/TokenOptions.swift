public import ArgumentParser
public import FleetTokens

extension ExpiryUnit: ExpressibleByArgument {}

/// How a token endpoint's answer is read.
struct TokenAnswerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The key of the token in the endpoint's answer, such as data.token (default: jwt).",
            valueName: "key"
        )
    )
    var tokenKey: String?

    @Option(help: ArgumentHelp("The key of the token's end; without it the token's own exp decides.", valueName: "key"))
    var tokenExpirationKey: String?

    @Option(help: ArgumentHelp("What the number there means (default: absolute-milliseconds).", valueName: "unit"))
    var tokenExpirationUnit: ExpiryUnit?
}
