import ArgumentParser
import Failures
import FleetTokens
import Foundation
import Runtime
import Terminal
import TokenSigning
import TransportLive
import TripModel
import TripText

/// `tripshare token fetch`: fetches one token as `watch` would, and explains it.
struct TokenFetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch one token as watch does, and explain it.",
        discussion: """
            Exits with 0 for a valid token, with 1 for an invalid one. The token itself is printed only with --reveal.
            """
    )

    @OptionGroup var subject: TokenSubject

    @Option(help: ArgumentHelp("Read all settings from the ready file of tripshare emulate.", valueName: "file"))
    var emulator: String?

    @OptionGroup var source: TokenSourceOptions

    @OptionGroup var answer: TokenAnswerOptions

    @OptionGroup var check: TokenCheckOptions

    @OptionGroup var certificates: CertificateOptions

    @Flag(help: "Print the token on standard output and the report on standard error.")
    var reveal = false

    @OptionGroup var network: NetworkOptions

    @OptionGroup var profile: ProfileOptions

    @OptionGroup var debugging: DebuggingOptions

    func run() async throws {
        let settings = try profile.settings()
        let ready = try emulator.map(ReadyFile.read)
        let clock = ready.map { ScaledClock(anchor: $0.anchor) } ?? ScaledClock(speed: 1)
        let context = try context(ready?.file)
        let announced = ready.flatMap { ready in
            ready.file.tokenURL(for: context.kind).map { AnnouncedEndpoint(ready.file, url: $0) }
        }
        let origin = try await TokenOrigin(
            source,
            announced: announced,
            configured: settings.endpoint(\.tokenURL),
            iamURL: settings.resolve(\.iamURL, ready?.file.iamURL),
            allowPlainHTTP: network.allowPlainHttp
        )
        let format = try TokenAnswerFormat(
            answer,
            creationKey: source.tokenCreationKey,
            announced: origin.announced,
            settings: settings,
            isOfDeliveries: context.kind.isOfDeliveries
        )
        let connections = try network.connections(settings)
        let command = self
        // A token command that was started must not outlive this process.
        let report = try await SignalWatch.interrupting {
            try await withLiveHTTPTransport(connections) { live in
                let transport = live.naming(faultsOf: FaultMarks(ready?.file))
                return try await command.report(
                    on: origin.source(transport: transport, clock: clock, format: format),
                    named: origin.name,
                    context: context,
                    provider: settings.resolve(\.providerID, ready?.file.providerId),
                    certificates: try command.certificates.certificates(
                        announced: ready?.file.certificatesURL,
                        settings: settings,
                        allowPlainHTTP: command.network.allowPlainHttp,
                        over: transport
                    ),
                    clock: clock
                )
            }
        }
        report.print(check.output, revealing: reveal ? report.inspection.text.text : nil)
        try report.finish()
    }

    /// Returns what the flags name, else the emulator's first trip.
    private func context(_ ready: ReadyFile?) throws -> AuthorizationContext {
        if let context = try subject.context() { return context }
        guard let trip = ready?.tripIds.first else {
            throw CommandFailure(.usage, .failureWhoseToken)
        }
        return .trip(try TokenSubject.checked(trip, .nounTrip, TripID.init))
    }

    /// Fetches through a `TokenProvider`, so that timeout, checks and refresh time are the same as in `watch`.
    private func report(
        on source: any TokenSource,
        named sourceName: Text,
        context: AuthorizationContext,
        provider project: String?,
        certificates: IssuerCertificates,
        clock: ScaledClock
    ) async throws -> TokenReport {
        let remembering = RememberingSource(source)
        let provider = TokenProvider(
            source: remembering,
            clock: clock,
            policy: self.source.policy,
            seed: .random(in: .min ... .max)
        )
        var fault: Failure?
        do throws(TokenError) {
            _ = try await provider.token(for: context)
        } catch {
            guard error.failure.code == .tokenUnusable else {
                let status = provider.status(of: context)
                await provider.close()
                throw CommandFailure(error.failure.exitStatus) { localizer in
                    let subject = "\(localizer(context.kind.noun)) \(context.id)"
                    return UserMessage(noToken: error.failure, status, for: subject, localizer: localizer).lastText(
                        localizer
                    )
                }
            }
            fault = error.failure.cause
        }
        let status = provider.status(of: context)
        await provider.close()
        guard let issued = remembering.last else {
            throw CommandFailure(.internalError, .failureTokenLost)
        }
        let now = clock.now().wall + (status.clockOffset?.seconds ?? 0)
        let inspection = try await check.inspect(
            issued.revealed,
            for: context,
            provider: project,
            certificates: certificates,
            now: now
        )
        return TokenReport(
            inspection: inspection,
            now: now,
            fetch: TokenReport.Fetch(status: status, source: sourceName, fault: fault, now: now)
        )
    }
}
