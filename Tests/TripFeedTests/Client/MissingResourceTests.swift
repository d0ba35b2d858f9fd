import Failures
import FleetTokens
import FleetWire
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// What is missing after a 404 in Google's form of errors, which gateways use, too.
@Suite("404: the trip or the path", .ends(within: .quickTest))
struct MissingResourceTests {
    private let clock = ManualClock()

    private func code(_ message: String?, status: String = "NOT_FOUND") async throws -> (FailureCode?, String?) {
        let now = clock.now().wall
        let source = ScriptedTokenSource { fetch in
            .token(IssuedToken(FakeToken(fetch.context, issuedAt: now, serial: fetch.number).text))
        }
        let answer = ServiceError(httpStatus: 404, status: status, message: message).body
        let client = FleetClient(
            endpoint: try ServiceEndpoint("https://engine.example"),
            tokens: TokenProvider(source: source, clock: clock, seed: 1),
            transport: HTTPTransport { _ in HTTPTransportResponse(status: 404, body: answer) },
            clock: clock
        )
        let request = JourneyRequest(provider: try ProviderID("p"), journey: try .trip(TripID("tr-1")))
        let failure = await client.get(request).failure
        return (failure?.code, failure?.detail)
    }

    /// The IDs that messages are about, some of which are words that the messages of gateways have.
    private static let ids = ["t1", "route-1", "my service", "page", "7f3a"]

    /// Fleet Engine's and Google's messages about a resource, and those of backends in front of it.
    @Test(arguments: [
        "No entity with id ID exists", "Requested entity was not found.", "Trip tr-1 does not exist", "trip not found",
        "Task with tracking id x not found", "The shipment was not found.", "No such object: ID",
        "Resource 'providers/p/trips/t1' was not found.", "providers/p/trips/t1 not found", "Trip 'service' not found",
        "trip_not_found", "No record of this trip", "Unknown trip: \"path\"",
    ])
    func `a trip is missing if the service speaks of it`(text: String) async throws {
        for id in Self.ids {
            let message = text.replacing("ID", with: id)
            let (code, _) = try await code(message)
            #expect(code == .notFound, "\(message)")
        }
    }

    /// The messages of gateways and frameworks about a path that they do not know.
    @Test(arguments: [
        // nginx, Go's http.NotFound, Express, Fastify, Spring, Tomcat
        "404 Not Found", "404 page not found", "Cannot GET PATH", "Route GET:PATH not found", "Route PATH not found",
        "No static resource v1/providers/p/trips/t1.", "No mapping for GET PATH", "No handler found for GET PATH",
        "The requested resource [PATH] is not available", "No endpoint GET PATH.",
        // Django, Flask, Rails, IIS, ASP.NET
        "The current path, v1/providers/p/trips/t1, didn’t match any of these.", "Not Found: PATH",
        "The requested URL was not found on the server.", "No route matches [GET] \"PATH\"",
        "The resource you are looking for has been removed, had its name changed, or is temporarily unavailable.",
        "The resource cannot be found.",
        "No HTTP resource was found that matches the request URI 'http://localhostPATH'.",
        // Envoy, Kong, Apigee, Cloud Endpoints, API Management, Google's front end
        "route_not_found", "no Route matched with those values", "no route matches, strip the prefix",
        "Unable to identify proxy for host: secure and url: PATH", "Method does not exist.", "Method not found.",
        "The current request is not defined by this API.", "Unable to match incoming request to an operation.",
        "The method GetTrip does not exist for this entity",
        "The requested URL PATH was not found on this server. That’s all we know.",
        // A mesh, and what is not the trip
        "Service trip-api not found", "Upstream trip-api not found", "Vehicle not found", "Vehicle v1 not found", "why",
        "Not Found",
    ])
    func `a path, a method or a server is not the trip`(text: String) async throws {
        let message = text.replacing("PATH", with: "/v1/providers/p/trips/t1")
        let (code, _) = try await code(message)
        #expect(code == .methodNotFound, "\(message)")
    }

    @Test(arguments: [nil, "", "  "])
    func `without a message the name of the status decides`(message: String?) async throws {
        let (missing, detail) = try await code(message)
        #expect(missing == .notFound && detail == nil)
        #expect(try await code(message, status: "UNKNOWN").0 == .methodNotFound)
    }
}
