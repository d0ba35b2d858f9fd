import Failures
import FleetTokens
import Foundation
import Runtime
import Synchronization
import Testing
import TripModel
import TripTestSupport

@testable import tripshare

@Suite("Secret headers", .ends(within: .quickTest))
struct SecretHeaderTests {
    private func sent(
        _ headers: [SecretHeader],
        environment: [String: String] = [:]
    ) async throws -> [String] {
        let seen = Locked<[String]>([])
        let transport = HTTPTransport { request throws(Failure) in
            seen.withLock { $0 = request.headers.map { "\($0.name): \($0.value)" } }
            return HTTPTransportResponse(status: 200, body: Array("a.b.c".utf8))
        }
        let source = HTTPTokenSource(
            template: try TokenURLTemplate("https://example.com/{tripId}"),
            transport: transport,
            method: "POST",
            headers: HTTPTokenSource.reading(headers, environment: environment)
        )
        _ = try await source.fetch(.trip(try TripID("t")), reason: .needed)
        return seen.withLock { $0 }
    }

    @Test func `reads headers from variables and files for each fetch`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "header-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }  // a leftover file does no harm
        let variable = try #require(SecretHeader(name: "Authorization", origin: .variable("LOGIN")))
        let file = try #require(SecretHeader(name: "X-Key", origin: .file(path: path)))
        for key in ["one", "two"] {
            try Data("\(key)\n".utf8).write(to: URL(fileURLWithPath: path))
            let headers = try await sent([variable, file], environment: ["LOGIN": "Basic abc"])
            #expect(headers.contains("Authorization: Basic abc"))
            #expect(headers.contains("X-Key: \(key)"))
        }
    }

    @Test func `sends no header that is missing or contains a line break`() async throws {
        let variable = try #require(SecretHeader(name: "X", origin: .variable("V")))
        await #expect(throws: Failure.missingVariable("V")) { try await sent([variable]) }
        for value in ["", "a\r\nHost: evil", "a\u{0}", "é", String(repeating: "x", count: 9000)] {
            let error = await #expect(throws: Failure.self) {
                try await sent([variable], environment: ["V": value])
            }
            #expect(value.isEmpty || !"\(String(describing: error))".contains(value))
        }
        let file = try #require(SecretHeader(name: "X", origin: .file(path: "/no/such/file")))
        await #expect(throws: Failure.self) { try await sent([file]) }
    }

    @Test(arguments: ["", "a b", "a:", "a\r\nb", "é"])
    func `requires a valid header name`(name: String) {
        #expect(SecretHeader(name: name, origin: .variable("V")) == nil)
    }
}
