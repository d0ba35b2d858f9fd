import FleetTokens
import Foundation
import Synchronization
import Testing
import TripModel
import TripTestSupport

@Suite("Token secrecy")
struct SecrecyTests {
    // 64
    @Test func `nothing that prints shows a piece of the token`() async throws {
        let scene = try TokenScene()
        let events = scene.provider.events()
        let token = try await scene.provider.token(for: scene.trip)
        let issued = scene.token(serial: 1)
        var printed = "\(token) \(String(reflecting: token)) \(issued) \(scene.provider.status(of: scene.trip))"
        dump(token, to: &printed)
        dump(issued, to: &printed)
        dump(scene.provider.status(of: scene.trip), to: &printed)
        dump(TokenInspection.inspect(issued.revealed, .init(), now: scene.clock.now().wall), to: &printed)
        scene.clock.advance(by: .seconds(60))
        scene.provider.reject(token, for: scene.trip, status: 401)
        _ = try await scene.provider.token(for: scene.trip)
        await scene.provider.close()
        for await event in events { dump(event, to: &printed) }
        let secret = Array(token.revealed)
        for start in stride(from: 0, to: secret.count - 12, by: 4) {
            #expect(!printed.contains(String(secret[start..<start + 12])))
        }
    }

    // 65
    @Test func `the bytes are wiped when the last copy goes`() {
        let rest = Mutex<[UInt8]?>(nil)
        var secret: SecretBytes? = SecretBytes("very secret") { bytes in rest.withLock { $0 = bytes } }
        #expect(secret?.text == "very secret")
        secret = nil
        #expect(rest.withLock { $0 } == [UInt8](repeating: 0, count: 11))
    }

    @Test func `a token that was replaced, put out or closed away is held by nobody`() async throws {
        let scene = try TokenScene()
        weak let identity = try await scene.provider.token(for: scene.trip).identity
        #expect(identity != nil)
        await scene.provider.close()
        #expect(identity == nil)
    }

    // 66
    @Test func `a URL without TLS is taken for this machine only`() throws {
        #expect(throws: TokenSourceError.insecureURL) { try TokenURLTemplate("http://example.com/{tripId}") }
        #expect(throws: TokenSourceError.insecureURL) { try TokenURLTemplate("http://127.0.0.1.example.com/{tripId}") }
        #expect(throws: TokenSourceError.invalidURL) { try TokenURLTemplate("https://{tripId}/token") }
        #expect(throws: TokenSourceError.invalidURL) { try TokenURLTemplate("ftp://example.com/{tripId}") }
        for good in ["http://127.0.0.1:8080/{tripId}", "http://[::1]/{tripId}", "https://example.com/{tripId}"] {
            #expect(throws: Never.self) { try TokenURLTemplate(good) }
        }
        #expect(throws: Never.self) { try TokenURLTemplate("http://example.com/{tripId}", allowsPlainHTTP: true) }
    }
}
