import ArgumentParser
import Failures
import FleetTokens
import Foundation
import Recording
import Runtime
import TransportLive
import TripFeed
import TripModel
import TripScreen
import TripText

/// `tripshare replay`: plays a recording on the screen of a live session.
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Play a recording on the same screen; needs no network and no token.",
        discussion: """
            FILE is a recording of watch or demo, a Cloud Logging export or a Fleet Debugger file. For a log it shows \
            what a rider would have seen.
            """
    )

    /// The maximum size of a file in bytes.
    static let maximumBytes = 256 << 20
    private static let advice = Text.adviceReplay(size: "\(maximumBytes >> 20)")

    @Argument(help: ArgumentHelp("The recording.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("Recorded seconds per real second, 0.1 to 600.", valueName: "factor"))
    var speed = 1.0

    @Option(
        help: ArgumentHelp("Start at this time since the beginning, such as 90, 12:30 or 1:02:03.", valueName: "time")
    )
    var from: String?

    @Flag(help: "Start again at the end.")
    var loop = false

    @Option(
        help: ArgumentHelp("For a log: seconds between the rider's polls.", valueName: "seconds")
    )
    var interval = 5.0

    @Option(help: ArgumentHelp("Output format (default: tui on a terminal, otherwise plain).", valueName: "form"))
    var output: OutputForm?

    @Flag(help: "Print the last state of each trip, and exit.")
    var once = false

    @Option(help: ArgumentHelp("Exit with 0 once every trip has reached this status.", valueName: "status"))
    var until: JourneyStatus?

    @Option(help: ArgumentHelp("Timeout in seconds of real time; exits with 69.", valueName: "seconds"))
    var timeout: Double?

    @Option(help: .share)
    var share: String?

    /// Refused with a reason: the file is a recording already.
    @Option(help: .hidden)
    var record: String?

    @OptionGroup var expectations: ExpectationOptions

    @OptionGroup var notices: NoticeOptions

    @OptionGroup var metrics: MetricsOptions

    @OptionGroup var display: DisplayOptions

    @OptionGroup var profile: ProfileOptions

    @OptionGroup var debugging: DebuggingOptions

    func validate() throws {
        try require(ScaledClock.speeds.contains(speed), .usageSpeed)
        try require((1...86_400).contains(interval), .usageInterval)
        try require(from.map { ReplayAction.duration($0) != nil } ?? true, .usageFrom)
        try require(timeout.isNilOrIn(Double.leastNonzeroMagnitude..<1e9), .usageTimeout)
        try require(!once || output != .tui, .usageOnceScreen)
        try require(!once || until == nil, .usageOnceUntil)
        let isOnScreen = !once && (output ?? .tui) == .tui
        try display.check(isOnScreen: isOnScreen, output: output)
        try require(!loop || isOnScreen, .usageLoop)
        try require(record == nil, .usageRecorded)
        try require(!once || metrics.metricsPort == nil, .usageMetricsAtOnce)
    }

    func run() async throws {
        let begin = ContinuousClock.now
        let settings = try profile.settings()
        var configuration = try ForcedEnd.limited(to: timeout.map { .seconds($0) }) {
            try self.configuration(settings)
        }
        // The time in which the file was read counts.
        configuration.timeout = configuration.timeout.map { max(.zero, $0 - (.now - begin)) }
        notices.apply(try notices.receivers(), to: &configuration)
        // Only a web service needs the network.
        if notices.webhook.isEmpty {
            try await SessionRunner.run(configuration, metrics)
        } else {
            try await withLiveHTTPTransport { [configuration] transport in
                var configuration = configuration
                configuration.transport = transport
                try await SessionRunner.run(configuration, metrics)
            }
        }
        if let (count, line) = configuration.source.replay?.skippedLines, line > 0 {
            SessionFile.warn(ofSkipped: count, from: line, in: file)
        }
    }

    /// Reads the file; of a recording that is a regular file, only what is needed.
    private func configuration(_ settings: Settings) throws -> SessionConfiguration {
        if let bytes = RecordingBytes.file(file),
            RecordingReader.isRecording(bytes.bytes(0..<(RecordingLine.longest + 1)))
        {
            return try recording(bytes, settings)
        }
        let data = try InputFile.data(file, limit: Self.maximumBytes, what: .nounRecording, advice: Self.advice)
        let bytes: [UInt8]
        do throws(RecordingError) {
            bytes = try PackedFile.unpacked([UInt8](data), limit: RecordedSession.maximumBytes)
        } catch {
            throw CommandFailure(.badInput) {
                $0(.failureRecording(file: excerpt(path: file), reason: error.sentence($0, advice: Self.advice)))
            }
        }
        return RecordingReader.isRecording(bytes)
            ? try recording(RecordingBytes(bytes), settings) : try log(bytes, settings)
    }

    private func source(_ content: ReplaySource.Content) throws(CommandFailure) -> ReplaySource {
        let from = from.flatMap { ReplayAction.duration($0) } ?? .zero
        let source = ReplaySource(content, from: from, isLooping: loop, isPaced: !once)
        if from > .zero {
            let length = source.open().index.length
            guard from <= length else {
                throw CommandFailure(.usage) { $0(.usageFromEnd(length: $0.watch(length))) }
            }
        }
        return source
    }

    private func recording(_ bytes: RecordingBytes, _ settings: Settings) throws -> SessionConfiguration {
        let reader: RecordingReader
        do throws(RecordingReader.Failure) {
            reader = try RecordingReader(bytes)
        } catch {
            throw CommandFailure(.badInput) {
                $0(.failureRecording(file: excerpt(path: file), reason: error.sentence($0, advice: Self.advice)))
            }
        }
        let recorded = reader.header.configuration
        // A damaged header has an invalid name or time.
        guard let provider = try? ProviderID(recorded.provider), let start = reader.header.start.moment,
            let endpoint = try? ServiceEndpoint(recorded.service, allowPlainHTTP: true)
        else {
            throw CommandFailure(.badInput) {
                $0(.failureRecording(file: excerpt(path: file), reason: $0(.recordingBadHeader)))
            }
        }
        // Only an edited file has an invalid ID. The other trips are still played.
        let trips = recorded.trips.compactMap { try? JourneyID(named: $0) }
        let player = RecordingPlayer(
            provider: provider,
            trailLength: TripFeed.trailLength(for: max(1, trips.count))
        )
        var session = try configuration(
            settings,
            try source(.recording(bytes, reader, player)),
            trips: trips,
            provider: provider,
            endpoint: endpoint,
            start: start,
            interval: recorded.interval
        )
        session.limits = recorded.limits
        return session
    }

    private func log(_ bytes: [UInt8], _ settings: Settings) throws -> SessionConfiguration {
        let limits = FindingLimits(settings.thresholds)
        let log: RecordedLog
        do throws(RecordingError) {
            log = try RecordedLog(bytes: bytes, limits: limits)
        } catch {
            throw CommandFailure(.badInput) {
                $0(.failureRecording(file: excerpt(path: file), reason: error.sentence($0, advice: Self.advice)))
            }
        }
        let trips = log.trips
        return try configuration(
            settings,
            try source(.log(log, LogPlayback(trips, every: .seconds(interval), limits: limits))),
            trips: trips.timelines.map(\.id),
            provider: trips.provider,
            endpoint: try ServiceEndpoint(ServiceEndpoint.google),
            start: Moment(wall: trips.start, steady: .zero),
            interval: interval
        )
    }

    private func configuration(
        _ settings: Settings,
        _ replay: ReplaySource,
        trips: [JourneyID],
        provider: ProviderID,
        endpoint: ServiceEndpoint,
        start: Moment,
        interval: Double
    ) throws -> SessionConfiguration {
        let first = start.advanced(by: replay.from)
        var session = try SessionOptions.parse([])
        (session.output, session.once, session.until, session.timeout) = (output, once, until, timeout)
        session.interval = interval
        session.share = share
        var configuration = SessionConfiguration(
            session,
            settings,
            output: OutputConfiguration(session, display, settings),
            trips: trips,
            provider: provider,
            endpoint: endpoint,
            tokens: (EnvironmentTokenSource(variable: "", environment: { [:] }), .standard),
            transport: HTTPTransport { _ throws(Failure) in throw .cancelled },
            clock: ScaledClock(
                anchor: ScaledClock.Anchor(real: Date(), virtual: first.wall, speed: speed),
                steady: first.steady
            ),
            seed: 0
        )
        configuration.source = .replay(replay)
        // The report names it.
        configuration.recordingPath = file
        // The clock runs already, at high speed some seconds per read file.
        try configuration.readExpectations(expectations, begins: first)
        return configuration
    }
}
