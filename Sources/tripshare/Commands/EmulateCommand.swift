import ArgumentParser
import Failures
import FleetEmulator
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Terminal
import TransportLive
import TripFeed
import TripModel
import TripText

/// `tripshare emulate`: serves a Fleet Engine and its token endpoint to other programs.
struct EmulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulate",
        abstract: "Run a Fleet Engine emulator with a token endpoint and a driver."
    )

    @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(help: ArgumentHelp("The port of Fleet Engine; 0 for a free one.", valueName: "port"))
    var port = 0

    @Option(help: ArgumentHelp("The port of the token endpoint; 0 for a free one.", valueName: "port"))
    var tokenPort = 0

    @Option(
        help: ArgumentHelp(
            "The port of the certificates and of the credential endpoints; 0 for a free one.",
            valueName: "port"
        )
    )
    var certificatesPort = 0

    @Option(
        help: ArgumentHelp(
            "Also serve gRPC on this port; 0 for a free one. The root certificate of its TLS is written to a file.",
            valueName: "port"
        )
    )
    var grpcPort: Int?

    @Flag(help: "Serve gRPC without TLS.")
    var grpcPlaintext = false

    @Option(
        help: ArgumentHelp(
            "Also accept this host name in requests, in addition to loopback names and the address; can be repeated.",
            valueName: "name"
        )
    )
    var allowHost: [String] = []

    @Option(help: ArgumentHelp("Write a ready file once all ports are listening.", valueName: "file"))
    var readyFile: String?

    @Option(
        help: ArgumentHelp(
            "Write a credential file of each type for this emulator to a folder, which is created if it does not exist.",
            valueName: "folder"
        )
    )
    var credentialsFolder: String?

    @Option(
        help: ArgumentHelp(
            "Write each call and its answer to a file in the form of Cloud Logging, for watch --log and replay.",
            valueName: "file"
        )
    )
    var log: String?

    @Option(
        help: ArgumentHelp(
            "Write a line to standard output for each call that the emulator receives, refused ones included.",
            valueName: "format"
        )
    )
    var output: ReportForm?

    @Option(help: .callFilter)
    var filter: String?

    @OptionGroup var ride: RideOptions

    @Option(help: ArgumentHelp("The port of the control API on loopback; 0 for a free one.", valueName: "port"))
    var controlPort = 0

    @Option(
        help: ArgumentHelp(
            "Token lifetime in seconds of the ride's time (default: the scenario's, otherwise 3300).",
            valueName: "seconds"
        )
    )
    var tokenLifetime: Double?

    @Option(help: ArgumentHelp("Delay responses of the token endpoint by this many seconds.", valueName: "seconds"))
    var tokenLatency: Double?

    @Option(help: ArgumentHelp("Make the token endpoint fail with this HTTP status, 300 to 599.", valueName: "status"))
    var tokenFailure: Int?

    @Option(
        help: ArgumentHelp(
            "The service account of a role: ROLE=FILE with its key file, or ROLE=EMAIL if IAM signs. Those of consumer, driver and server sign the tokens.",
            valueName: "account"
        )
    )
    var account: [String] = []

    @Option(
        help: ArgumentHelp(
            "The credentials with which IAM signs: adc (Application Default Credentials) or a credential file.",
            valueName: "adc|file"
        )
    )
    var credentials: String?

    @Option(
        help: ArgumentHelp(
            "A service account between the credentials and the signing account; repeat for a longer chain.",
            valueName: "email"
        )
    )
    var delegate: [String] = []

    @OptionGroup var answer: TokenAnswerOptions

    @Option(help: ArgumentHelp("The HTTP status for a request without a token, 401 or 403.", valueName: "status"))
    var missingToken = 401

    @Option(
        help: ArgumentHelp(
            "Maximum reads per minute in the project, and the same for searches; further calls get 429 (default: no limit).",
            valueName: "calls"
        )
    )
    var quota: Int?

    @OptionGroup var metrics: MetricsOptions

    @OptionGroup var network: NetworkOptions

    @OptionGroup var profile: ProfileOptions

    @OptionGroup var debugging: DebuggingOptions

    func validate() throws {
        try RideOptions.check(tokenLifetime: tokenLifetime)
        try require(tokenLatency.isNilOrIn(0...600), .usageTokenLatency)
        try require(tokenFailure.isNilOrIn(300...599), .usageTokenFailure)
        try require([401, 403].contains(missingToken), .usageMissingToken)
        try require(quota.map(SettingRows.all.quota.kind.accepts) ?? true, .usageCallQuota)
        try require(
            [port, tokenPort, certificatesPort, controlPort, grpcPort ?? 0].allSatisfy((0...65_535).contains),
            .usagePort
        )
        let keys = [answer.tokenKey ?? "jwt", answer.tokenExpirationKey ?? "expirationTimestamp", "creationTimestamp"]
        let areDistinct = keys.indices.allSatisfy { index in
            keys.indices.allSatisfy { $0 == index || !(keys[$0] + ".").hasPrefix(keys[index] + ".") }
        }
        let areComplete = keys.allSatisfy { !$0.split(separator: ".", omittingEmptySubsequences: false).contains("") }
        try require(areDistinct && areComplete, .usageAnswerKeys)
        try require(!grpcPlaintext || grpcPort != nil, .usageGRPCPlaintext)
        try require(credentials != nil || delegate.isEmpty, .usageDelegate)
        try require(filter == nil || output != nil, .usageCallFilter)
    }

    func run() async throws {
        let accounts = try EmulatedAccounts(account, hasCredentials: credentials != nil)
        guard let credentials else { return try await run(accounts) }
        guard !accounts.named.isEmpty else { throw CommandFailure(.usage, .failureCredentialsUnused) }
        let settings = try profile.settings()
        let remote = try await RemoteAccounts(accounts.named, credentials, delegates: delegate, settings)
        let command = self
        try await withLiveHTTPTransport(network.connections(settings)) { transport in
            try await command.run(accounts, remote: try remote.signers(over: transport))
        }
    }

    /// Runs the emulator until a signal ends it.
    func run(_ accounts: EmulatedAccounts, remote: [RemoteSigner] = []) async throws {
        // Load the program before the clock starts: at high speed the ride would otherwise begin before the rider polls.
        let program = try EmulatedWorld.Program(ride)
        let secret = try secret(for: accounts)
        if let readyFile, let warning = try ReadyFile.warning(beforeReplacing: readyFile) { Printing.warning(warning) }
        let folder = try credentialsFolder.map(CredentialsFolder.init)
        if grpcPort != nil, !grpcPlaintext { try GRPCEndpoint.checkCertificate(readyFile: readyFile) }
        let keys = try await EmulatorRun.keys(for: program, given: accounts.keys, remote: remote)
        let clock = ScaledClock(speed: ride.speed, begins: program.begins)
        var playing = try EmulatedWorld(program, seed: ride.seed, clock: clock)
        playing.initialFaults = try tokenFaults()
        let (world, command) = (playing, self)
        var options = options(program)
        options.tokenSecret = secret
        let page = MetricsPage()
        if metrics.metricsPort != nil { options.answered = { page.count($0) } }
        let file = try log.map(CallLogFile.init)
        defer { file?.close() }
        if let file { options.logged = { file.append($0) } }
        try await CallOutput.with(output, CallFilter(filter ?? "")) { [options] output in
            var options = options
            if let output { options.received = { output.add($0) } }
            try await command.withEmulator(world, keys: keys, options: options, clock: clock) { address, grpc in
                try await page.serve(command.metrics) { url in
                    try await command.run(world, at: address, grpc, folder, metricsURL: url, clock: clock, output)
                }
            }
        }
    }

    /// Announces a running emulator and waits for a signal.
    func run(
        _ world: EmulatedWorld,
        at address: EmulatorAddress,
        _ grpc: GRPCEndpoint?,
        _ folder: CredentialsFolder?,
        metricsURL: String?,
        clock: ScaledClock,
        _ calls: CallOutput?
    ) async throws {
        try await SignalWatch.withSignals { signals in
            defer { folder?.remove() }
            let start = clock.now()
            try await folder?.write(address.credentials, at: start)
            if let metricsURL { say("Metrics         \(metricsURL)") }
            let ready = try announce(address, grpc, folder, world: world, clock: clock)
            calls?.begin()
            // Remove the ready file so that later readers find no emulator instead of calling one that has ended.
            defer { if let readyFile { ready.remove(from: readyFile) } }
            try await withThrowingTaskGroup { group in
                if let readyFile { group.addTask { await ready.synchronize(readyFile, with: clock) } }
                if let folder { group.addTask { await folder.renew(address.credentials, since: start, clock: clock) } }
                for await signal in signals { throw CommandFailure.signal(signal) }
            }
        }
    }
}
