import Failures
import FleetTokens
import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Recorded examinations", .ends(within: .quickTest))
struct RecordedExaminationTests {
    private let schedule = PollSchedule(interval: .seconds(5), next: nil)

    private func line(_ token: ExaminedToken, interval: Duration = .seconds(2)) async throws -> [UInt8] {
        var report = try await RecordingScene().poll(.init(body: RecordingScene.body()))
        report.examined = .init(token: token, interval: interval)
        let poll = RecordedPoll(report, schedule: schedule)
        return RecordingLine.bytes(RecordedEvent(.poll(poll), at: report.finished)).dropLast()
    }

    private func read(_ line: some Collection<UInt8>) throws -> RecordedPoll? {
        guard case .poll(let poll) = try RecordingLine.event(line).content else { return nil }
        return poll
    }

    private var token: ExaminedToken {
        var token = ExaminedToken()
        token.generation = 3
        token.issuedAt = Date(timeIntervalSince1970: 1_767_225_600)
        token.expiresAt = Date(timeIntervalSince1970: 1_767_229_200)
        token.fault = .tokenBearerPrefix
        (token.rejectedTrip, token.rejectedVehicle) = ("tr-2", "v-2")
        token.sourceClockOffset = .nanoseconds(-7_000_000_001)
        return token
    }

    @Test func `what the rules examined is read as it was written`() async throws {
        let poll = try #require(try read(try await line(token)))
        #expect(poll.examined?.interval == 2)
        let state = try #require(poll.examined?.token)
        #expect(state.generation == 3)
        #expect(state.issuedAt == "2026-01-01T00:00:00Z" && state.expiresAt == "2026-01-01T01:00:00Z")
        #expect(state.fault?.code == .tokenBearerPrefix)
        #expect(state.rejectedTrip == "tr-2" && state.rejectedVehicle == "v-2")
        #expect(state.examined == token)
    }

    @Test func `no token is recorded in the IDs of a rejected one`() async throws {
        let signature = "Wd7vQp9xLm2nRt8wYb4cHz7fJg5sKa1eUo6iXk0VqNyTrBhCwS"
        let text = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhIn0.\(signature)"
        KnownSecrets.ofProcess.add(token: text)
        var token = token
        (token.rejectedTrip, token.rejectedVehicle) = (text, signature)
        let line = String(decoding: try await line(token), as: UTF8.self)
        #expect(!line.contains("eyJ") && !line.contains(signature.prefix(16)))
    }

    @Test(arguments: [
        #""generation":3"#: #""generation":3000000000"#, #""interval":2"#: #""interval":-1"#,
        #""sourceClockOffset":-7.000000001"#: #""sourceClockOffset":1e16"#,
    ])
    func `a line with a number out of range is not read`(number: String, hostile: String) async throws {
        let line = String(decoding: try await line(token), as: UTF8.self)
        #expect(line.contains(number))
        #expect(throws: RecordingLine.Problem.self) {
            try RecordingLine.event(line.replacing(number, with: hostile).utf8)
        }
    }

    @Test func `hostile texts are bounded, and unknown times and faults are left out`() async throws {
        let long = String(repeating: "x", count: 100_000)
        let line = String(decoding: try await line(token), as: UTF8.self)
            .replacing("2026-01-01T01:00:00Z", with: "soon")
            .replacing("fault.bearer_prefix", with: "fault.of_tomorrow")
            .replacing("\"tr-2\"", with: "\"\(long)\"")
        let read = try #require(try read(line.utf8)?.examined?.token?.examined)
        #expect(read.expiresAt == nil && read.fault == nil)
        #expect((read.rejectedTrip?.unicodeScalars.count ?? 0) <= 501)
        #expect(read.generation == 3)
    }
}
