import Failures
import FleetTokens
import FleetWire
import Foundation
import Recording
import Runtime
import TripFeed
import TripModel

/// Measures what recording adds to a poll: processor time, bytes in the file and bytes in memory.
///
/// A session always keeps its last minutes in memory; `--record` adds the file.
struct RecordingBenchmark {
    private static let polls = 2000
    private static let rounds = 5

    func run() async throws {
        // Every line is searched for the tokens of the process, of which there is at least one.
        let context = try MintingSource.context(1)
        let source = MintingSource(clock: SystemClock())
        let tokens = TokenProvider(source: source, clock: SystemClock(), seed: 1)
        _ = try await tokens.token(for: context)
        try measure("an answer with a new route of 80 points each tenth time", more: 0)
        try measure("an answer with a list of 50 kB", more: 50_000)
        await tokens.close()
    }

    private func measure(_ name: String, more: Int) throws {
        let polls = try Self.polls(more: more)
        let bytes = polls.reduce(0) { $0 + ($1.report.answer?.bytes ?? 0) } / polls.count
        say("\nRecording of \(polls.count) polls: \(name), \(bytes) bytes on average")
        let file = FileManager.default.temporaryDirectory.appending(path: "recording-\(UUID().uuidString).ndjson")
        defer { try? FileManager.default.removeItem(at: file) }
        var figures = Figures()
        var (lineBytes, ringBytes) = (0, 0)
        for _ in 0..<Self.rounds {
            var state = TripState(id: polls[0].report.journey)
            figures.add(
                "poll: interpret and merge",
                Self.microseconds(per: polls.count) {
                    for poll in polls { Self.interpret(poll, &state) }
                }
            )
            var lines: [[UInt8]] = []
            figures.add(
                "recording: write the lines",
                Self.microseconds(per: polls.count) {
                    for poll in polls { lines += poll.lines }
                }
            )
            var ring = RecordingRing()
            figures.add(
                "recording: store them in memory",
                Self.microseconds(per: polls.count) {
                    for (number, line) in lines.enumerated() {
                        let time = Duration.milliseconds(number * 1800)
                        ring.add(line, at: time, LongRecording.start.advanced(by: time))
                    }
                }
            )
            guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
                throw CocoaError(.fileWriteUnknown)
            }
            let output = try FileHandle(forWritingTo: file)
            figures.add(
                "--record: append them to a file",
                try Self.microseconds(per: polls.count) {
                    for line in lines { try output.write(contentsOf: line) }
                }
            )
            try output.close()
            (lineBytes, ringBytes) = (lines.reduce(0) { $0 + $1.count } / polls.count, ring.size)
        }
        figures.print(unit: "µs a poll")
        say("  file: \(lineBytes) bytes a poll; memory after 15 min of 0.28 polls a second: \(ringBytes >> 10) KiB")
        let added = ["write the lines", "store them in memory"].reduce(0) {
            $0 + (figures.median("recording: \($1)") ?? 0)
        }
        Figures.gate("recording in memory, a poll", added, atMost: 1000, unit: "µs")
        Figures.gate("memory of the last minutes", Double(ringBytes) / 1e6, atMost: 8.4, unit: "MB")
    }

    /// A completed poll and its events.
    private struct Poll {
        var report: PollReport
        var body: [UInt8]
        var schedule: PollSchedule
        let provider: ProviderID

        /// The lines of the request and of the answer.
        var lines: [[UInt8]] {
            let request = RecordedRequest(journey: report.journey, schedule: schedule)
            return [
                RecordingLine.bytes(RecordedEvent(.request(request), at: report.started)),
                RecordingLine.bytes(
                    RecordedEvent(.poll(RecordedPoll(report, schedule: schedule)), at: report.finished)
                ),
            ]
        }
    }

    private static func interpret(_ poll: Poll, _ state: inout TripState) {
        let response = HTTPTransportResponse(status: 200, headers: [], body: poll.body)
        let request = JourneyRequest(provider: poll.provider, journey: poll.report.journey)
        let outcome = FleetClient.outcome(of: response, for: request, now: poll.report.finished.wall)
        if case .success(let trip) = outcome { state.merge(trip, serverDate: nil, at: poll.report.finished) }
    }

    private static func polls(more: Int) throws -> [Poll] {
        let recording = LongRecording(polls: polls)
        let (trip, provider) = (JourneyID.trip(try TripID("trip-0-0")), try ProviderID("acme"))
        let list = (0..<(more / 10)).map { "\"item-\($0 % 10_000)\"" }.joined(separator: ",")
        return (0..<polls).map { number in
            let now = LongRecording.start.advanced(by: .seconds(Double(number) * 3.6))
            let answer = recording.body(trip.rawValue, Double(number) * 0.5, Double(number) * 0.5, number)
            let body = Array((more == 0 ? answer : answer.dropLast() + #","list":[\#(list)]}"#).utf8)
            var report = PollReport(journey: trip, started: now)
            report.finished = now.advanced(by: .milliseconds(20))
            let url = "https://h/v1/providers/acme/trips/\(trip.rawValue)"
            report.call = Call(
                .getTrip,
                about: trip.name,
                Call.Request(own: "GET", url, options: nil),
                Call.Answer(status: 200, shown: [], body: StoredBody(body), bytes: body.count),
                started: now,
                ended: report.finished,
                duration: .milliseconds(20)
            )
            let schedule = PollSchedule(interval: .seconds(3.6), next: now.steady + .seconds(3.6))
            return Poll(report: report, body: body, schedule: schedule, provider: provider)
        }
    }

    private static func microseconds(per count: Int, _ body: () throws -> Void) rethrows -> Double {
        let start = processorTime
        try body()
        return (processorTime - start) * 1e6 / Double(count)
    }

    /// The processor time of this process in seconds; POSIX counts it in microseconds.
    private static var processorTime: Double { Double(clock()) / 1e6 }
}
