import Failures
import FleetTokens
import Foundation
import Synchronization
import Testing
import TripTestSupport

/// Sources as an app makes them: with texts and with functions that throw errors of any type.
@Suite("Sources of an app", .ends(within: .quickTest))
struct AppSourceTests {
    /// An error of Foundation's network.
    private struct NetworkError: CustomNSError {
        static let errorDomain = "NSURLErrorDomain"
        var errorCode: Int
    }

    private struct Offline: Error {
        var token = "eyJhbGciOiJSUzI1NiJ9.eyJhdXRob3JpemF0aW9uIjp7InRyaXBpZCI6InQifX0.c2lnbmF0dXJl"
    }

    /// Returns the error for a trip whose endpoint is asked by a function.
    private func error(
        _ send: @escaping @Sendable (HTTPTransportRequest) async throws -> HTTPTransportResponse
    ) async throws -> TokenError? {
        let source = try HTTPTokenSource(url: "https://example.com/{tripId}", send: send)
        return await error(of: TokenProvider(source: source))
    }

    private func error(of provider: TokenProvider) async -> TokenError? {
        var thrown: TokenError?
        do throws(TokenError) { _ = try await provider.token(forTrip: "trip-1") } catch { thrown = error }
        await provider.close()
        return thrown
    }

    @Test(arguments: [
        (-1001, "unavailable.timed_out"), (-1003, "unavailable.unreachable"), (-1004, "unavailable.unreachable"),
        (-1, "unavailable.unreachable"),
    ])
    func `an error of Foundation's network has the code of a failure`(number: Int, code: String) async throws {
        let error = try await error { _ in throw NetworkError(errorCode: number) }
        #expect(error?.code == code)
        #expect(error?.retryAfter != nil)
    }

    @Test func `any other error is a failure whose reason has no token`() async throws {
        let error = try #require(await error { _ in throw Offline() })
        #expect(error.code == "unavailable.unreachable")
        #expect(!"\(error.failure.cause as Any) \(error.message)".contains("eyJ"))
    }

    @Test func `a type that throws any error is a source with the name of the type`() async throws {
        struct Keychain: TokenSource {
            func fetch(_ context: AuthorizationContext, reason: FetchReason) async throws -> IssuedToken {
                throw Offline()
            }
        }
        #expect(Keychain().name == "Keychain")
        #expect(await error(of: TokenProvider(source: Keychain()))?.code == "unavailable.unreachable")
    }

    @Test func `each fetch has the headers of the app`() async throws {
        let sent = Mutex<[HTTPTransportRequest]>([])
        let source = try HTTPTokenSource(
            url: "https://example.com/{tripId}",
            headers: { ["X-Login": "user-\(sent.withLock { $0.count })"] },
            send: { request in
                sent.withLock { $0.append(request) }
                return HTTPTransportResponse(status: 403)
            }
        )
        #expect(await error(of: TokenProvider(source: source))?.code == "denied")
        let request = try #require(sent.withLock { $0 }.first)
        #expect(request.url == "https://example.com/trip-1")
        #expect(request.headers.contains { $0 == ("X-Login", "user-0") })
    }

    @Test(
        arguments: [
            ("http://example.com/{tripId}", nil), ("example.com", nil), ("https://example.com", "{"),
        ] as [(String, String?)]
    )
    func `settings that are not valid are refused`(url: String, body: String?) throws {
        let error = #expect(throws: TokenError.self) {
            try HTTPTokenSource(url: url, body: body) { _ in HTTPTransportResponse(status: 200) }
        }
        #expect(error?.retryAfter == nil)
    }

    @Test(arguments: ["", "a/b", ".."])
    func `a text that is no ID gets no token`(text: String) async throws {
        let source = try HTTPTokenSource(url: "https://example.com/{tripId}") { _ in HTTPTransportResponse(status: 200)
        }
        let provider = TokenProvider(source: source)
        await #expect(throws: TokenError.noAuthorizationContext) { try await provider.token(forTrip: text) }
        await #expect(throws: TokenError.noAuthorizationContext) { try await provider.token(forVehicle: text) }
        await provider.close()
    }
}
