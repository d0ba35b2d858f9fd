import ArgumentParser
import Credentials
import Failures
import FleetEmulator
import FleetTokens
import Foundation
import Runtime
import Terminal
import TokenSigning
import TransportLive
import TripModel
import TripText

/// `tripshare tokens serve`: a token endpoint for development and demos.
struct TokensServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a token endpoint for development and demos.",
        discussion: """
            Not for production: it has one login for everybody and does not check who may see which trip. Serves \
            /token/consumer/{tripId}, /token/driver/{vehicleId}, /token/delivery_consumer/{trackingId} and \
            /token/delivery_driver/{deliveryVehicleId} to requests with the login in the header \
            Authorization, and prints a line for each request, without tokens.
            """
    )

    /// The form of the answers, named after the key of the token.
    enum AnswerForm: String, Sendable, CaseIterable, ExpressibleByArgument {
        /// `jwt`, `creationTimestamp`, `expirationTimestamp`.
        case jwt
        /// `token`, `creation_timestamp_ms`, `expiration_timestamp_ms`.
        case token
    }

    @Option(help: ArgumentHelp("A service-account key file that signs.", valueName: "file"))
    var serviceAccount: String?

    @OptionGroup var iam: SignerOptions

    @Option(
        help: ArgumentHelp(
            "The service account that signs drivers' tokens (default: that of the others).",
            valueName: "email"
        )
    )
    var driverAccount: String?

    @Option(
        help: ArgumentHelp(
            "The file with the login: a value for the header Authorization. It is created if it does not exist.",
            valueName: "file"
        )
    )
    var loginFile: String

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The port; 0 for a free one.", valueName: "port"))
    var port = 0

    @Option(
        help: ArgumentHelp(
            "Also accept this host name in requests, in addition to loopback names and the address; can be repeated.",
            valueName: "name"
        )
    )
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "Maximum number of requests with the login per minute and client address; further ones get 429.",
            valueName: "requests"
        )
    )
    var limit = 60

    @Option(help: ArgumentHelp("The form of the answers, as in Google's samples.", valueName: "form"))
    var answer: AnswerForm = .jwt

    @Option(help: ArgumentHelp("Lifetime in seconds, 60 to 3600.", valueName: "seconds"))
    var lifetime = 3300

    @OptionGroup var network: NetworkOptions

    @OptionGroup var profile: ProfileOptions

    @OptionGroup var debugging: DebuggingOptions

    func validate() throws {
        let isIAM = iam.credentials != nil
        try require((serviceAccount != nil) != isIAM, .usageTokensSigner)
        try require(isIAM || (!iam.isUsed && driverAccount == nil), .usageCredentialFlags)
        try require((60...3600).contains(lifetime), .usageMintLifetime)
        try require((0...65_535).contains(port), .usagePort)
        try require((1...100_000).contains(limit), .usageTokensLimit)
    }

    func run() async throws {
        let login = try login()
        let settings = try profile.settings()
        let connections = try network.connections(settings)
        let clock = ScaledClock(speed: 1)
        let command = self
        try await SignalWatch.interrupting {
            try await withLiveHTTPTransport(connections) { transport in
                let sign = try await command.signer(settings.resolve(\.iamURL), transport, clock)
                let service = TokenService(
                    command.options,
                    login: login,
                    clock: clock,
                    sign: sign,
                    audit: { Printing.out(Self.text($0)) }
                )
                do {
                    try await service.run { url in
                        command.announce(url)
                        // The signal of the user ends the wait.
                        while true { try await Task.sleep(for: .seconds(86_400), clock: .continuous) }
                    }
                } catch let error as EmulatorError {
                    throw EmulatorRun.failure(error)
                }
            }
        }
    }

    private var options: TokenService.Options {
        var options = TokenService.Options()
        (options.host, options.port, options.allowedHosts) = (host, port, allowHost)
        options.requestsPerMinute = limit
        if answer == .token { options.format = .snakeCase }
        return options
    }

    /// Reads the login, or writes a new one.
    private func login() throws(CommandFailure) -> EndpointLogin {
        if !FileManager.default.fileExists(atPath: loginFile) {
            do throws(OutputFile.Failure) {
                try OutputFile.writePrivate((EndpointLogin.generate() + "\n").utf8, to: loginFile)
            } catch {
                throw CommandFailure(.outputFailed) {
                    $0(.failureLoginWrite(file: excerpt(path: loginFile), reason: error.reason($0)))
                }
            }
        }
        let text = try InputFile.text(loginFile, what: .nounLoginFile, advice: .adviceLoginFile)
        guard let login = EndpointLogin(text) else {
            throw CommandFailure(.badInput, .failureLoginFile(file: excerpt(path: loginFile)))
        }
        InputFile.warnIfOpen(loginFile) { .warningLoginFileOpen(file: $0, path: $1) }
        return login
    }

    /// Returns what signs the tokens: a key, or IAM for two accounts.
    private func signer(
        _ iamURL: String?,
        _ transport: HTTPTransport,
        _ clock: ScaledClock
    ) async throws -> @Sendable (AuthorizationContext) async throws(TokenService.Refusal) -> IssuedToken {
        let lifetime = Duration.seconds(lifetime)
        if let serviceAccount {
            let key = try await TokenOrigin.key(serviceAccount)
            return { context throws(TokenService.Refusal) in
                do throws(Failure) {
                    return try await key.sign(context, at: clock.now().wall, lifetime: lifetime)
                } catch {
                    throw TokenService.Refusal(reporting: error)
                }
            }
        }
        let riders = try await source(iam.account, iamURL, transport, clock)
        let drivers = try await source(driverAccount ?? iam.account, iamURL, transport, clock)
        return { context throws(TokenService.Refusal) in
            let recorder = TokenAnswerRecorder()
            let source = context.kind == .vehicle || context.kind == .deliveryVehicle ? drivers : riders
            do throws(Failure) {
                return try await source.resolved().signer.sign(context, lifetime: lifetime, recording: recorder)
            } catch {
                throw TokenService.Refusal(reporting: error.with(recorder.exchange))
            }
        }
    }

    private func source(
        _ account: String?,
        _ iamURL: String?,
        _ transport: HTTPTransport,
        _ clock: ScaledClock
    ) async throws -> CredentialTokenSource {
        try await CredentialOrigin(
            iam.credentials ?? CredentialOrigin.standard,
            TokenSigner.Choice(account: account, delegates: iam.delegate),
            iamURL: iamURL,
            allowPlainHTTP: network.allowPlainHttp
        ).source(transport: transport, clock: clock)
    }

    private func announce(_ url: String) {
        Printing.out("Riders      \(url)/token/consumer/{tripId}")
        Printing.out("Drivers     \(url)/token/driver/{vehicleId}")
        Printing.out("Recipients  \(url)/token/delivery_consumer/{trackingId}")
        Printing.out("Deliverers  \(url)/token/delivery_driver/{deliveryVehicleId}")
        let key = answer == .token ? " --token-key token" : ""
        Printing.out(
            "Try it      tripshare token fetch --trip TRIP --token-url '\(url)/token/consumer/{tripId}'\(key)"
                + " --token-header Authorization=file:\(pasteable(loginFile))"
        )
        if !URLOrigin.isLoopback(host.lowercased()) {
            Printing.warning(.warningTokensListening(host: excerpt(host)))
        }
    }

    /// Returns a line of the audit.
    private static func text(_ audit: TokenService.Audit) -> String {
        var words = [Timestamp.text(audit.time), String(audit.status)]
        if let context = audit.context, let type = TokenService.type(of: context) {
            words += [type, excerpt(context.id)]
        } else {
            words.append("-")
        }
        if let token = audit.token {
            words += ["sha256:\(token.fingerprint)", "until \(Timestamp.text(token.expiresAt))"]
        }
        return words.joined(separator: " ")
    }
}
