import ArgumentParser
import Failures
import FleetTokens
import Foundation
import TripModel
import TripText

/// `tripshare token mint`: signs a token with a service account's key.
struct TokenMintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint",
        abstract: "Sign a token with a service account's key.",
        discussion: """
            Prints its claims; the token itself only with --reveal. RS256, issued 30 s ago, valid for 55 minutes: Fleet \
            Engine accepts one hour at most.
            """
    )

    @Option(help: ArgumentHelp("The JSON key file of a service account.", valueName: "file"))
    var serviceAccount: String

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

    @OptionGroup var debugging: DebuggingOptions

    func validate() throws {
        guard [subject.trip != nil, subject.vehicle != nil, server].count(where: { $0 }) == 1 else {
            throw ValidationError(.usageMintSubject)
        }
        guard (60...3600).contains(lifetime) else {
            throw ValidationError(.usageMintLifetime)
        }
    }

    func run() async throws {
        let context = try subject.context()
        let clock = try emulator.map(ReadyFile.read).map { ScaledClock(anchor: $0.anchor) } ?? ScaledClock(speed: 1)
        let key = try await TokenOrigin.key(serviceAccount)
        let now = clock.now().wall
        let token: String
        do throws(TokenSourceError) {
            token = try await key.sign(context ?? .server, at: now, lifetime: .seconds(lifetime)).revealed
        } catch {
            throw CommandFailure(
                .badConfiguration,
                .failureCannotSign,
                ["file": excerpt(path: serviceAccount), "code": error.code]
            )
        }
        let inspection = try await check.inspect(token, for: context, isForServer: server, now: now)
        let report = TokenReport(inspection: inspection, now: now)
        report.print(check.output, revealing: reveal ? token : nil)
        try report.finish()
    }
}
