import ArgumentParser
import Failures
import FleetTokens
import Foundation
import Runtime
import Synchronization
import TransportLive
import TripFeed
import TripModel
import TripText

/// `tripshare doctor`: checks a setup step by step and stops at the first cause of failure.
struct DoctorCommand: AsyncParsableCommand, TargetCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check a setup step by step and stop at the first problem.",
        discussion: """
            Checks the service, its clock, the tokens, and for each trip its token, its answer, its vehicle and the \
            vehicle's position, and says what to change. Exits with 0 if all checks pass, with 1 for a trip without a \
            vehicle or with an old position, otherwise as watch does.
            """
    )

    @OptionGroup var target: TargetOptions

    @OptionGroup var service: ServiceOptions

    @OptionGroup var source: TokenSourceOptions

    @OptionGroup var answer: TokenAnswerOptions

    @OptionGroup var transport: TransportOptions

    @OptionGroup var certificates: CertificateOptions

    @Option(help: ArgumentHelp("The age in seconds above which a position is stale.", valueName: "seconds"))
    var staleAfter = 60.0

    @Option(help: ArgumentHelp("Report format.", valueName: "form"))
    var output: ReportForm = .plain

    @OptionGroup var network: NetworkOptions

    @OptionGroup var profile: ProfileOptions

    @OptionGroup var debugging: DebuggingOptions

    static let kind = JourneyKind.trip

    var names: [JourneyName] { target.trips.map { JourneyName($0, as: .trip) } }

    var trackingTokenURL: String? { nil }

    func validate() throws {
        try requireNames(.usageNoTrip)
        guard staleAfter > 0, staleAfter <= 86_400 else {
            throw ValidationError(.usageStaleAfter)
        }
    }

    func run() async throws {
        let localizer = output.localizer
        let printer = CheckPrinter(form: output, localizer: localizer)
        let target: Target
        let settings: Settings
        do {
            settings = try profile.settings()
            target = try await Target(self, settings: settings)
        } catch let failure as CommandFailure {
            // Invalid flags and files are reported as the first failed check, with the message that every command prints.
            let lines = failure.message(localizer).split(separator: "\n", maxSplits: 1).map(String.init)
            let advice = lines.dropFirst().first?.replacing("\n", with: " ")
            var check = Check(.configuration, .failed, lines.first ?? "", advice: advice, exit: failure.status)
            check.suspects = failure.suspects
            printer.record(check)
            printer.finish(hasPassed: false, hasWarned: false)
            throw failure
        }
        printer.record(
            Check(
                .configuration,
                .passed,
                localizer(.doctorConfiguration(url: target.endpoint.baseURL, project: "\(target.provider)"))
                    + settings.profileWords(localizer)
                    + target.connections.words(for: target.endpoint.baseURL, localizer)
            )
        )
        let staleAfter = Duration.seconds(staleAfter)
        let hasWarned = Locked(false)
        let command = self
        let worst = try await withLiveHTTPTransport(target.connections) { live in
            let transport = live.naming(faultsOf: target.marks)
            let certificates = try command.certificates.certificates(
                announced: target.emulator?.ready.certificatesURL,
                settings: settings,
                allowPlainHTTP: command.network.allowPlainHttp,
                over: transport
            )
            return try await target.calls.run(to: target.endpoint, over: transport) { plain in
                let calls = plain.naming(faultsOf: target.marks)
                let doctor = Doctor(
                    target: target,
                    transport: transport,
                    calls: calls,
                    certificates: certificates,
                    staleAfter: staleAfter,
                    localizer: localizer
                )
                return await doctor.examine { check in
                    if check.verdict == .warned { hasWarned.withLock { $0 = true } }
                    printer.record(check)
                }
            }
        }
        printer.finish(hasPassed: worst == nil, hasWarned: hasWarned.withLock { $0 })
        if let worst { throw CommandFailure.silent(worst) }
    }
}
