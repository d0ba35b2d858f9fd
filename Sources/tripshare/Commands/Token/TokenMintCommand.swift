import ArgumentParser
import Credentials
import Failures
import FleetTokens
import Foundation
import Runtime
import Terminal
import TokenSigning
import TransportLive
import TripModel
import TripText

/// `tripshare token mint`: signs a token with a service account's key, or in its name through IAM.
struct TokenMintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint",
        abstract: "Sign a token with a service account's key, or through IAM without one.",
        discussion: """
            Without a key, IAM Credentials signs in the name of an account: the credentials need the role Service Account \
            Token Creator on it. Prints the claims; the token itself only with --reveal. RS256, issued 30 s ago, valid for 55 minutes: Fleet \
            Engine accepts one hour at most.
            """
    )

    @Option(help: ArgumentHelp("The JSON key file of a service account.", valueName: "file"))
    var serviceAccount: String?

    @Option(help: ArgumentHelp("Who signs: the key of a file, or IAM with credentials.", valueName: "signer"))
    var signer: SignerKind?

    @OptionGroup var iam: SignerOptions

    @OptionGroup var subject: TokenSubject

    @Flag(help: "Sign a server token, valid for every trip and vehicle; never give it to a client.")
    var server = false

    @Option(help: ArgumentHelp("Lifetime in seconds, 60 to 3600.", valueName: "seconds"))
    var lifetime = 3300

    @OptionGroup var check: TokenCheckOptions

    @Flag(help: "Print the token on standard output and the report on standard error.")
    var reveal = false

    @Option(help: ArgumentHelp("Use the clock of the emulator with this ready file.", valueName: "file"))
    var emulator: String?

    @OptionGroup var network: NetworkOptions

    @OptionGroup var profile: ProfileOptions

    @OptionGroup var debugging: DebuggingOptions

    func validate() throws {
        guard subject.given.isEmpty == server else {
            throw ValidationError(.usageMintSubject)
        }
        let usesIAM = signer == .iam || iam.isUsed
        guard (serviceAccount != nil) != usesIAM, signer != .key || serviceAccount != nil else {
            throw ValidationError(.usageMintSigner)
        }
        guard (60...3600).contains(lifetime) else {
            throw ValidationError(.usageMintLifetime)
        }
    }

    func run() async throws {
        let context = try subject.context()
        let ready = try emulator.map(ReadyFile.read)
        let clock = ready.map { ScaledClock(anchor: $0.anchor) } ?? ScaledClock(speed: 1)
        let settings = try profile.settings()
        let iamURL = settings.resolve(\.iamURL, ready?.file.iamURL)
        let token = try await signed(context ?? .server, clock, settings, iamURL: iamURL)
        let now = clock.now().wall
        let inspection = try await check.inspect(token, for: context, isForServer: server, now: now)
        let report = TokenReport(inspection: inspection, now: now)
        report.print(check.output, revealing: reveal ? token : nil)
        try report.finish()
    }

    /// Signs with the key, or through IAM.
    private func signed(
        _ context: AuthorizationContext,
        _ clock: ScaledClock,
        _ settings: Settings,
        iamURL: String?
    ) async throws -> String {
        let lifetime = Duration.seconds(lifetime)
        if let serviceAccount {
            let key = try await TokenOrigin.key(serviceAccount)
            do throws(Failure) {
                return try await key.sign(context, at: clock.now().wall, lifetime: lifetime).revealed
            } catch {
                throw CommandFailure(
                    .badConfiguration,
                    .failureCannotSign(file: excerpt(path: serviceAccount), code: error.name)
                )
            }
        }
        let connections = try network.connections(settings)
        let origin = try await CredentialOrigin(
            iam.credentials ?? CredentialOrigin.standard,
            iam.choice,
            iamURL: iamURL,
            allowPlainHTTP: network.allowPlainHttp
        )
        return try await SignalWatch.interrupting {
            try await withLiveHTTPTransport(connections) { transport in
                let recorder = TokenAnswerRecorder()
                do throws(Failure) {
                    let signer = try await origin.source(transport: transport, clock: clock).resolved().signer
                    return try await signer.sign(context, lifetime: lifetime, recording: recorder).revealed
                } catch {
                    throw CommandFailure(source: error.with(recorder.exchange))
                }
            }
        }
    }
}

/// Who signs a token.
enum SignerKind: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// The key of a service account in a file.
    case key
    /// IAM Credentials, in the name of a service account.
    case iam
}
