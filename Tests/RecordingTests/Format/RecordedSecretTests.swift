import Failures
import FleetTokens
import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Secrets in recordings", .ends(within: .quickTest))
struct RecordedSecretTests {
    private static let signature = "Zk3vQp9xLm2nRt8wYb4cHd7fJg5sKa1eUo6iXz0VqNyTrBhCwD"
    private static let token = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhIn0.\(signature)"

    /// Whether a text contains 16 consecutive characters of the signature.
    private func isLeaked(in text: String) -> Bool {
        let all = Array(Self.signature.lowercased())
        let text = text.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return (0...(all.count - 16)).contains { text.contains(String(all[$0..<($0 + 16)])) }
    }

    private func line(_ body: String, status: Int = 200) async throws -> String {
        KnownSecrets.ofProcess.add(token: Self.token)
        let report = try await RecordingScene().poll(.init(status: status, headers: [("Server", body)], body: body))
        let poll = RecordedPoll(report, schedule: PollSchedule(interval: .seconds(5), next: nil))
        return String(decoding: RecordingLine.bytes(RecordedEvent(.poll(poll), at: report.finished)), as: UTF8.self)
    }

    @Test(arguments: [200, 400, 401, 500])
    func `no form of a token is recorded`(status: Int) async throws {
        let piece = String(Self.signature.dropFirst(7).prefix(24))
        let forms = [
            Self.token, piece, piece.uppercased(), piece.map { "\($0)\\u200b" }.joined(),
            piece.map { "\($0)\u{200B}" }.joined(), piece.utf8.map { "%" + String($0, radix: 16) }.joined(),
            "Bearer \(Self.token)",
        ]
        for form in forms {
            for body in [RecordingScene.body(more: #","x":"\#(form)""#), "{\"x\":\"\(form)", "<p>\(form)"] {
                let line = try await line(body, status: status)
                let plain = (line.removingPercentEncoding ?? line).replacing(/\\+u200b/, with: "")
                #expect(!isLeaked(in: plain), "\(form) in \(body)")
                #expect(throws: Never.self) { try RecordingLine.event(line.utf8.dropLast()) }
            }
        }
    }

    @Test func `a token that is split over members removes the event`() async throws {
        let pieces = Self.signature.map { "\"\($0)\"" }.joined(separator: ",")
        let line = try await line(RecordingScene.body(more: #","x":[\#(pieces)]"#))
        #expect(!isLeaked(in: line))
        #expect(throws: Never.self) { try RecordingLine.event(line.utf8.dropLast()) }
    }

    @Test func `an unknown JSON Web Token is not recorded`() async throws {
        let other = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJvdGhlciJ9.AAAABBBBCCCCDDDDEEEE"
        let line = try await line(RecordingScene.body(more: #","x":"\#(other)""#))
        #expect(!line.contains("AAAABBBB"))
        #expect(!line.contains("eyJ"))
    }

    @Test func `the path of a trip stays as received`() async throws {
        let path = String(repeating: "QWxhZGRpbjpvcGVuIHNlc2FtZQ/+", count: 40)
        let body = RecordingScene.body(more: #","currentRouteSegment":"\#(path)","note":"a\u0041\n""#)
        let event = try RecordingLine.event(Array(try await line(body).utf8.dropLast()))
        guard case .poll(let poll) = event.content else {
            Issue.record("not a poll: \(event)")
            return
        }
        #expect(poll.call?.answer?.body?.bytes == Array(body.utf8))
    }

    @Test func `notes and keys are redacted`() {
        KnownSecrets.ofProcess.add(token: Self.token)
        #expect(!isLeaked(in: RecordedNote(.note, "see \(Self.token)").text))
        #expect(!isLeaked(in: RecordedKey(paste: Self.token).paste ?? ""))
        #expect(!isLeaked(in: "\(RecordedFault(name: "x", isActive: true, parameters: ["token": Self.token]))"))
    }
}
