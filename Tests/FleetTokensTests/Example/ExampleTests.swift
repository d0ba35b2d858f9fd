import FleetTokens
import Foundation
import Runtime
import Synchronization
import Testing
import TokenSigning
import TripModel
import TripTestSupport

import enum CryptoExtras._RSA

/// The examples of the pages.
@Suite("Examples of the documentation", .ends(within: .quickTest))
struct ExampleTests {
    @Test(arguments: [
        ("FleetTokens", "Tokens/main"), ("AnswerGooglesSDKs", "Adapter/Authorizations"), ("WatchEvents", "Events/main"),
        ("UseItInAnApp", "Network/main"),
    ])
    func `a page shows the example that is compiled in a package of its own`(page: String, example: String) throws {
        let folder = Checkout.folder.appending(path: "Tests/LibraryPackage/Sources")
        let code = try String(contentsOf: folder.appending(path: "\(example).swift"), encoding: .utf8)
        let pages = Checkout.folder.appending(path: "Sources/FleetTokens/FleetTokens.docc")
        let text = try String(contentsOf: pages.appending(path: "\(page).md"), encoding: .utf8)
        #expect(text.contains("```swift\n\(code)```\n"))
    }

    @Test func `the first example has at most twelve lines`() throws {
        let example = Checkout.folder.appending(path: "Tests/LibraryPackage/Sources/Tokens/main.swift")
        let text = try String(contentsOf: example, encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().count <= 12)
    }

    @Test func `the page about backends shows the compiled example`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let example = try String(contentsOf: folder.appending(path: "TokenBackend.swift"), encoding: .utf8)
        let page = folder.appending(path: "../../../Sources/FleetTokens/FleetTokens.docc/ServeTokens.md")
        let text = try String(contentsOf: page.standardized, encoding: .utf8)
        #expect(text.contains("```swift\n\(example)```\n"))
    }

    @Test func `the backend signs for its own users and trips only`() async throws {
        let pem = try _RSA.Signing.PrivateKey(keySize: .bits2048).pkcs8PEMRepresentation.replacing("\n", with: "\\n")
        let file = #"{"client_email":"a@p.iam.gserviceaccount.com","private_key_id":"k1","private_key":"\#(pem)"}"#
        let backend = TokenBackend(key: try await ServiceAccountKey(json: Array(file.utf8))) { user, trip in
            user == "rider" && trip.rawValue == "trip-A"
        }
        #expect(await backend.consumerToken("trip-A", user: nil).status == 401)
        #expect(await backend.consumerToken("*", user: "rider").status == 400)
        #expect(await backend.consumerToken("trip-B", user: "rider").status == 404)
        let now = Date()
        let answer = await backend.consumerToken("trip-A", user: "rider", now: now)
        #expect(answer.status == 200)
        let issued = try TokenAnswerFormat(expirationKey: "expirationTimestamp").read(Array(answer.json.utf8))
        let inspection = TokenInspection.inspect(issued.revealed, .init(context: .trip(try TripID("trip-A"))), now: now)
        #expect(inspection.isFaultless)
    }

    @Test func `the drawing names every state of the machine`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let page = folder.appending(path: "../../../Sources/FleetTokens/FleetTokens.docc/LifeOfAToken.md")
        let text = try String(contentsOf: page.standardized, encoding: .utf8)
        let drawing = try #require(text.components(separatedBy: "```").dropFirst().first)
        let machine = folder.appending(path: "../../../Sources/FleetTokens/Provider/Machine/KeyMachine.swift")
        let source = try String(contentsOf: machine.standardized, encoding: .utf8)
        let body = try #require(source.components(separatedBy: "enum State: Sendable {").dropFirst().first)
        let cases = body.components(separatedBy: "\n    }")[0].matches(of: /case ([a-zA-Z]+)/).map { String($0.1) }
        #expect(cases == ["empty", "fetching", "valid", "backingOff"])
        for name in cases { #expect(drawing.contains("│ \(name) "), "\(name)") }
    }

    @Test func `replaces a rejected token once and stops with the ride`() async throws {
        let clock = ManualClock()
        let source = ScriptedTokenSource {
            .token(FakeToken($0.context, issuedAt: clock.now().wall, serial: $0.number).issued)
        }
        let tokens = TokenProvider(source: source, clock: clock, seed: 1)
        let trip = try AuthorizationContext(trip: "trip-A")
        let sent = Mutex<[String]>([])
        let first = try await tokens.request(for: trip) { authorization in
            sent.withLock { $0.append(authorization) }
            return 200
        }
        #expect(first == 200)
        clock.advance(by: .seconds(60))
        let second = try await tokens.request(for: trip) { authorization in
            sent.withLock { $0.append(authorization) }
            return sent.withLock { $0.count } == 2 ? 401 : 200
        }
        #expect(second == 200)
        let headers = sent.withLock { $0 }
        #expect(headers.count == 3 && headers[0] == headers[1] && headers[1] != headers[2])
        #expect(source.fetches.map(\.reason) == [.needed, .rejected])

        let shown = await withCheckedContinuation { continuation in
            AuthorizationAdapter(provider: tokens).fetchToken(tripID: "trip-A") { token, _ in
                continuation.resume(returning: token)
            }
        }
        #expect(shown.map { "Bearer \($0)" } == headers[2])
        tokens.stopRefreshing(trip)
        await tokens.close()
        await #expect(throws: TokenError.closed) { try await tokens.request(for: trip) { _ in 200 } }
    }
}
