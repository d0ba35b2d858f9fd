import ArgumentParser
import Failures
import FleetTokens
import Foundation
import Runtime
import Terminal
import TransportLive
import TripModel
import TripText

/// `tripshare token inspect`: explains the token on standard input.
struct TokenInspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Explain the token on standard input, rule by rule.",
        discussion: """
            Accepts a token, with or without Bearer, or the JSON response of a token endpoint. Exits with 0 for a valid \
            token, otherwise with 1. The signature is never printed.
            """
    )

    @OptionGroup var subject: TokenSubject

    @Flag(help: "Expect a server token: wildcards are allowed.")
    var server = false

    @OptionGroup var check: TokenCheckOptions

    @OptionGroup var certificates: CertificateOptions

    @Option(
        help: ArgumentHelp(
            "The key of the token in a JSON response, such as data.token (default: jwt).",
            valueName: "key"
        )
    )
    var tokenKey: String?

    @Option(help: ArgumentHelp("Use the clock of the emulator with this ready file.", valueName: "file"))
    var emulator: String?

    @OptionGroup var network: NetworkOptions

    @OptionGroup var profile: ProfileOptions

    @OptionGroup var debugging: DebuggingOptions

    func validate() throws {
        guard !server || subject.given.isEmpty else {
            throw ValidationError(.usageServerToken)
        }
    }

    func run() async throws {
        let context = try subject.context()
        let ready = try emulator.map(ReadyFile.read)
        let clock = ready.map { ScaledClock(anchor: $0.anchor) } ?? ScaledClock(speed: 1)
        let settings = try profile.settings()
        let configuredKey = ready.map(\.file.tokenKey) ?? settings.tokenKey
        let token = try Self.token(in: Self.input(), key: tokenKey ?? configuredKey ?? "jwt")
        KnownSecrets.ofProcess.add(token: token)
        let now = clock.now().wall
        let command = self
        let inspection = try await withLiveHTTPTransport(network.connections(settings)) { transport in
            try await command.check.inspect(
                token,
                for: context,
                provider: settings.providerID,
                isForServer: command.server,
                certificates: try command.certificates.certificates(
                    announced: ready?.file.certificatesURL,
                    settings: settings,
                    over: transport
                ),
                now: now
            )
        }
        let fault = server ? nil : inspection.fault(for: context, at: Moment(wall: now, steady: clock.now().steady))
        let report = TokenReport(inspection: inspection, now: now, fault: fault)
        report.print(check.output)
        try report.finish()
    }

    /// The maximum input size in bytes.
    private static let maximumBytes = 64 << 10

    /// Reads standard input; on a terminal it prompts and disables echo.
    private static func input() throws(CommandFailure) -> [UInt8] {
        if let input = ProcessContext.current.input { return input }
        if ProcessContext.current.isTerminal(STDIN_FILENO) {
            do throws(HiddenPrompt.Failure) {
                return try HiddenPrompt.read(Localizer.ofProcess(.tokenPrompt), limit: maximumBytes)
            } catch {
                switch error {
                case .interrupted(let signal): throw .signal(signal)
                case .unreadable: throw CommandFailure(.badInput, .failureTerminalUnreadable)
                }
            }
        }
        guard let data = InputFile.bytes(FileHandle.standardInput, limit: maximumBytes) else {
            throw CommandFailure(.badInput, .failureInputTooLong)
        }
        return Array(data)
    }

    /// Extracts the token from plain text or from a token endpoint's answer.
    private static func token(in input: [UInt8], key: String) throws(CommandFailure) -> String {
        let text = String(decoding: input, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { throw CommandFailure(.badInput, .failureInputEmpty) }
        guard text.hasPrefix("{") else { return text }
        let token: String
        do throws(Failure) {
            token = try TokenAnswerFormat(tokenKey: key).read(input).revealed
        } catch {
            throw CommandFailure(.badInput) {
                $0(.failureNoTokenInInput(cause: UserMessage(error, localizer: $0).text($0)))
            }
        }
        guard !token.lowercased().hasPrefix("bearer ") else {
            throw CommandFailure(.expectationFailed, .failureBearer)
        }
        return token
    }
}
