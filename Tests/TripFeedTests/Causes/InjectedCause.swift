import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import TripFeed
import TripModel

/// Where a generated failure was injected.
enum Place: String, CaseIterable {
    case machine = "client's machine"
    case network = "network or proxy"
    case gateway = "gateway"
    case endpoint = "token endpoint"
    case service = "service"
    case account = "account or project"
    case driver = "driver's side"
    case nowhere = "ordinary answer"
}

/// An answer, or its absence, whose cause is known.
struct InjectedCause {
    /// What was generated, for the message of a failing test.
    let name: String
    let place: Place
    /// The parties that are right; empty for an ordinary answer.
    let parties: Set<Party>
    /// Whether the answer contains evidence for one of the parties.
    var hasEvidence = true
    /// Who was asked.
    var asked = Failure.Asked.source
    var status = 200
    var headers: [(name: String, value: String)] = []
    var body = ""
    var isEncrypted = true
    /// The proxy that the client used.
    var proxy: String?
    /// The issuer of the certificate.
    var issuer: String?
    /// Whether the same settings worked before.
    var hasWorked = false
    /// Why no complete answer was received.
    var ending: Failure?

    init(_ name: String, _ place: Place, _ parties: Set<Party>) {
        (self.name, self.place, self.parties) = (name, place, parties)
    }

    /// The diagnosis of the failure that a client reports.
    func diagnosis() async throws -> Diagnosis? {
        guard let failure = try await asked == .source ? ofTokens() : ofService() else { return nil }
        return Diagnosis(failure.with(hasWorked ? History(tokens: 3, hasAnswer: true) : History()))
    }

    /// The failure of a request for a token; `nil` if the answer is a token.
    private func ofTokens() async throws -> Failure? {
        let url = (isEncrypted ? "https" : "http") + "://tokens.example/token/{tripId}"
        let transport = HTTPTransport { request async throws(Failure) in try response(to: request) }
        let source = HTTPTokenSource(template: try TokenURLTemplate(url, allowsPlainHTTP: true), transport: transport)
        let recorder = TokenAnswerRecorder()
        do throws(Failure) {
            _ = try await source.fetch(.trip(try Self.trip()), reason: .needed, recording: recorder)
            return nil
        } catch {
            return TokenError(ofFetch: error).failure.with(recorder.exchange)
        }
    }

    /// The failure of a request for a trip; `nil` if the answer is a trip.
    private func ofService() throws -> Failure? {
        let request = HTTPTransportRequest(url: "https://fleet.example/v1/providers/p/trips/t", timeout: .seconds(9))
        do throws(Failure) {
            let response = try response(to: request)
            let journey = JourneyRequest(provider: try Self.provider(), journey: .trip(try Self.trip()))
            let outcome = FleetClient.outcome(of: response, for: journey, now: Date(timeIntervalSince1970: 0))
            guard case .failure(let failure) = outcome else { return nil }
            return failure.with(response.exchange?.describing(body: response.body))
        } catch {
            return error
        }
    }

    private static func trip() throws(Failure) -> TripID {
        do { return try TripID("t") } catch { throw .invalidURL }
    }

    private static func provider() throws(Failure) -> ProviderID {
        do { return try ProviderID("p") } catch { throw .invalidURL }
    }

    private func response(to request: HTTPTransportRequest) throws(Failure) -> HTTPTransportResponse {
        let certificate = issuer.map {
            Exchange.Certificate(names: ["tokens.example"], issuer: $0, notBefore: 0, notAfter: 1 << 40)
        }
        let bytes = Array(body.utf8)
        let hasAnswer = ending == nil || ending == .cutOff
        let exchange = Exchange(
            .http,
            Exchange.Request(method: request.method, url: request.url, headerNames: [], bytes: 0),
            connection: Exchange.Connection(isEncrypted: isEncrypted, proxy: proxy, certificate: certificate),
            answer: hasAnswer ? Exchange.Answer(status: status, headers: headers, body: bytes) : nil,
            duration: .milliseconds(80),
            ending: ending.map { .failed($0.code) } ?? .complete
        )
        if let ending { throw ending.with(exchange) }
        return HTTPTransportResponse(status: status, headers: headers, body: bytes, exchange: exchange)
    }
}

extension InjectedCause: CustomStringConvertible {
    var description: String {
        let lines = headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
        return """
            \(name) at \(place.rawValue), asked \(asked.rawValue), \(isEncrypted ? "encrypted" : "in clear"), \
            proxy \(proxy ?? "none"), issuer \(issuer ?? "unknown"), \(hasWorked ? "worked before, " : "")\(ending.map { "\($0.code)" } ?? "HTTP \(status)")
            \(lines)

            \(body.prefix(600))
            """
    }
}
