import ArgumentParser
import Failures
import FleetTokens
import Foundation
import Runtime
import TripText

/// Options for the token source; at most one may be given.
struct TokenSourceOptions: ParsableArguments {
    @Option(\.tokenURL) var tokenUrl: String?

    @Option(help: ArgumentHelp("The HTTP method for the token endpoint (default: GET).", valueName: "method"))
    var tokenMethod: TokenMethod?

    @Option(
        help: ArgumentHelp(
            "A JSON body to POST to the token endpoint; {tripId}, {vehicleId} or {trackingId} in its strings is replaced by the ID.",
            valueName: "json"
        )
    )
    var tokenBody: String?

    @Option(\.tokenHeaders, transform: { $0 }) var tokenHeader: [String] = []

    @Option(
        help: ArgumentHelp(
            "The key of the token's issue time in the response, in the unit of the expiry; used to correct for a wrong clock.",
            valueName: "key"
        )
    )
    var tokenCreationKey: String?

    @Option(
        help: ArgumentHelp(
            "Lifetime in seconds for tokens without an expiry; by default they are rejected.",
            valueName: "seconds"
        )
    )
    var assumeTokenLifetime: Double?

    @Option(
        help: ArgumentHelp(
            "A command that prints a token (quoted as for a shell, run without one); TRIPSHARE_TRIP_ID or TRIPSHARE_VEHICLE_ID contains the ID.",
            valueName: "command"
        )
    )
    var tokenCommand: String?

    @Option(help: ArgumentHelp("A file that contains a token; read again for each fetch.", valueName: "file"))
    var tokenFile: String?

    @Option(help: ArgumentHelp("An environment variable that contains a token.", valueName: "variable"))
    var tokenEnv: String?

    @Option(help: ArgumentHelp("A service-account key file; tokens are signed locally.", valueName: "file"))
    var serviceAccount: String?

    @Option(
        help: ArgumentHelp(
            "The credentials of a backend: adc (Application Default Credentials) or a credential file. They list trips with an access token and sign the tokens of trips and vehicles.",
            valueName: "adc|file"
        )
    )
    var credentials: String?

    @Option(
        help: ArgumentHelp(
            "The service account that signs through IAM, without its key (default: that of the credentials).",
            valueName: "email"
        )
    )
    var account: String?

    @Option(
        help: ArgumentHelp(
            "A service account between the credentials and the signing account; repeat for a longer chain.",
            valueName: "email"
        )
    )
    var delegate: [String] = []

    @Option(
        help: ArgumentHelp("The project that is charged for calls with an access token.", valueName: "id")
    )
    var quotaProject: String?

    func validate() throws {
        try require(named.count <= 1, .usageOneTokenSource)
        try require(
            named.isEmpty || tokenUrl != nil || (tokenMethod == nil && tokenBody == nil && tokenHeader.isEmpty),
            .usageEndpointFlags
        )
        try require(
            credentials != nil || (account == nil && delegate.isEmpty && quotaProject == nil),
            .usageCredentialFlags
        )
        try require(tokenBody == nil || tokenMethod != .get, .usageTokenBody)
        try require(assumeTokenLifetime.isNilOrIn(1...3600), .usageAssumedLifetime)
    }

    private var named: [String] {
        [tokenUrl, tokenCommand, tokenFile, tokenEnv, serviceAccount, credentials].compactMap(\.self)
    }

    /// Whether no flag names a source.
    var isUnset: Bool { named.isEmpty }

    /// Whether the source is an endpoint, or none is named.
    var isEndpoint: Bool { isUnset || tokenUrl != nil }

    /// The standard token policy with the configured lifetime for tokens without an expiry.
    var policy: TokenPolicy {
        var policy = TokenPolicy.standard
        policy.assumedLifetime = assumeTokenLifetime.map { .seconds($0) }
        return policy
    }
}

/// The HTTP methods that token endpoints accept.
enum TokenMethod: String, Sendable, CaseIterable, ExpressibleByArgument {
    case get = "GET"
    case post = "POST"
}

extension SecretHeader {
    /// Parses `Name=env:VARIABLE` or `Name=file:PATH`.
    ///
    /// A literal value is rejected and never echoed, because it may be a secret.
    init(flag: String) throws(CommandFailure) {
        let parts = flag.split(separator: "=", maxSplits: 1).map(String.init)
        let origin = parts.count == 2 ? SecretReference(parts[1]) : nil
        let header = origin.flatMap { SecretHeader(name: parts[0], origin: $0) }
        guard let header else {
            // The text in place of the name may be the secret itself.
            let isName = parts.count == 2 && SecretHeader(name: parts[0], origin: .variable("")) != nil
            let name = isName ? excerpt(parts[0]) : nil
            throw CommandFailure(.usage) { localizer in
                localizer(.failureTokenHeader(name: name.map { localizer(.quotedName(name: $0)) } ?? ""))
            }
        }
        self = header
    }
}
