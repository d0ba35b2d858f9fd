import FleetTokens
import FleetTokensMonitoring
import Foundation
import Logging
import Runtime
import Synchronization
import Testing
import TripModel
import TripTestSupport

@Suite("Token log", .ends(within: .quickTest))
struct TokenLogTests {
    /// The lines that a logger has received.
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let details = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            lines.add("\(event.level) \(event.message) | \(details.joined(separator: " "))")
        }
    }

    private func log(_ lines: Lines) -> TokenLog {
        TokenLog(logger: Logger(label: "tokens") { _ in Handler(lines: lines) })
    }

    /// Expects that no line contains twelve consecutive characters of a secret.
    private func expectNoPiece(of secret: String, in lines: Lines) {
        let bytes = Array(secret.utf8)
        let pieces = (0...bytes.count - 12).map { String(decoding: bytes[$0..<$0 + 12], as: UTF8.self) }
        let text = lines.all.joined(separator: "\n")
        #expect(!pieces.contains { text.contains($0) })
    }

    @Test func `each kind of event has its level and message, and no line contains a token`() async throws {
        let clock = ManualClock()
        let trip = AuthorizationContext.trip(try TripID("a-trip-of-4f2a"))
        let source = ScriptedTokenSource {
            .token(FakeToken($0.context, issuedAt: clock.now().wall, serial: $0.number).issued)
        }
        let provider = TokenProvider(source: source, clock: clock, seed: 1)
        let events = provider.events()
        let token = try await provider.token(for: trip)
        clock.advance(by: .seconds(60))
        provider.reject(token, for: trip, status: 401)
        let next = try await provider.token(for: trip)
        await provider.close()
        let lines = Lines()
        let log = log(lines)
        for await event in events { log.write(event) }
        let words = lines.all.compactMap { $0.components(separatedBy: " | ").first }
        #expect(
            words == [
                "debug token fetch begins", "info token stored", "notice token rejected by the service",
                "debug token fetch begins", "info token stored", "info token provider closed",
            ]
        )
        #expect(lines.all[4].contains("generation=2") && lines.all[3].contains("reason=rejected"))
        #expect(lines.all.allSatisfy { !$0.contains("eyJ") && !$0.contains("a-trip") && $0.contains("trip …4f2a") })
        #expect(lines.all[1].contains("seconds_left=3300"))
        for token in [token, next] { expectNoPiece(of: token.revealed, in: lines) }
    }

    @Test func `no line contains a part of a token for another trip or that trip's ID`() async throws {
        let clock = ManualClock()
        let foreign = FakeToken(.trip(try TripID("trip-B")), issuedAt: clock.now().wall).text
        let source = ScriptedTokenSource { _ in .token(IssuedToken(foreign)) }
        let provider = TokenProvider(source: source, clock: clock, seed: 1)
        let events = provider.events()
        let trip = AuthorizationContext.trip(try TripID("trip-A"))
        await #expect(throws: TokenError.self) { try await provider.token(for: trip) }
        await provider.close()
        let lines = Lines()
        let log = log(lines)
        for await event in events { log.write(event) }
        #expect(lines.all.contains { $0.contains("error=unusable.bound_to_another") })
        #expect(lines.all.allSatisfy { !$0.contains("trip-B") })
        expectNoPiece(of: foreign, in: lines)
    }

    @Test func `logs the first of consecutive failures and then each power of two`() throws {
        let lines = Lines()
        let log = log(lines)
        let trip = AuthorizationContext.trip(try TripID("t"))
        for number in 1...100 {
            var status = TokenStatus(state: .failing, source: "script")
            status.failures = number
            let error = TokenError.unavailable(.sourceTimedOut, retryAfter: .seconds(1))
            let moment = Moment(wall: Date(timeIntervalSince1970: 0), steady: .zero)
            log.write(TokenEvent(context: trip, at: moment, kind: .failed(error), status: status))
        }
        let numbers = lines.all.compactMap { $0.firstMatch(of: /failures=([0-9]+)/).flatMap { Int($0.1) } }
        #expect(numbers == [1, 2, 4, 8, 16, 32, 64])
        #expect(lines.all.allSatisfy { $0.hasPrefix("warning token fetch failed") })
    }

    @Test func `a rejected new token is not logged as a failed fetch`() throws {
        let lines = Lines()
        var status = TokenStatus(state: .failing, source: "script")
        status.failures = 1
        status.lastFetchDuration = .seconds(1)
        let error = TokenError.rejectedByService(status: 403, retryAfter: .seconds(10))
        let moment = Moment(wall: Date(timeIntervalSince1970: 0), steady: .zero)
        let event = TokenEvent(context: .trip(try TripID("t")), at: moment, kind: .failed(error), status: status)
        log(lines).write(event)
        #expect(lines.all.count == 1 && lines.all[0].hasPrefix("warning a new token was rejected"))
        #expect(!lines.all[0].contains("took_ms"))
    }

    @Test func `follows a provider until it is closed`() async throws {
        let clock = ManualClock()
        let provider = TokenProvider(source: ScriptedTokenSource { _ in .failure(.sourceEmpty) }, clock: clock, seed: 1)
        let lines = Lines()
        let log = log(lines)
        let following = Task.immediate { await log.follow(provider) }
        _ = try? await provider.token(for: .trip(TripID("t")))  // the failure is expected
        await provider.close()
        await following.value
        #expect(lines.all.contains { $0.hasPrefix("warning token fetch failed") })
        #expect(lines.all.last?.hasPrefix("info token provider closed") == true)
    }
}
