import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// A failure with a known truth, as a client would see it.
struct GeneratedCase {
    let truth: Truth
    let history: History
    /// The message about it.
    let message: UserMessage
    /// Words that came back; empty if nothing did.
    let evidence: String

    /// Makes a case from a seed.
    init(seed: UInt64, isFinal: Bool) async throws {
        var maker = CaseMaker(seed: seed, words: .named(isFinal))
        truth = Truth.allCases[maker.number(Truth.allCases.count)]
        let hasWorked = truth.mayFollowTokens && maker.number(2) == 0
        history = History(tokens: hasWorked ? maker.number(9) + 1 : 0, hasAnswer: hasWorked)
        let reply = maker.reply(truth)
        evidence = reply.evidence
        message = truth.isOfService ? try Self.ofService(reply, hasWorked) : try await Self.ofTokens(reply, history)
    }

    static func ofTokens(_ reply: Reply, _ history: History) async throws -> UserMessage {
        let url = (reply.isEncrypted ? "https" : "http") + "://tokens.example/token/{tripId}"
        let transport = HTTPTransport { request async throws(Failure) in
            let line = Exchange.Request(method: request.method, url: request.url, headerNames: [], bytes: 0)
            return try reply.response(to: line)
        }
        let source = HTTPTokenSource(
            template: try TokenURLTemplate(url, allowsPlainHTTP: true),
            transport: transport
        )
        let recorder = TokenAnswerRecorder()
        let context = AuthorizationContext.trip(try TripID("t"))
        do throws(Failure) {
            _ = try await source.fetch(context, reason: .needed, recording: recorder)
            throw .sourceEmpty
        } catch {
            var status = TokenStatus(source: "http endpoint")
            (status.lastExchange, status.lastAnswer) = (recorder.exchange, recorder.answer)
            status.generation = history.tokens
            return UserMessage(noToken: TokenError(ofFetch: error).failure, status, for: "trip t")
        }
    }

    static func ofService(_ reply: Reply, _ hasAnswer: Bool) throws -> UserMessage {
        let (trip, provider) = (try TripID("t"), try ProviderID("p"))
        let line = Exchange.Request(method: "GET", url: "https://fleet.example/v1/x", headerNames: [], bytes: 0)
        var failure: Failure
        do throws(Failure) {
            let response = try reply.response(to: line)
            let request = JourneyRequest(provider: provider, journey: .trip(trip))
            let outcome = FleetClient.outcome(of: response, for: request, now: Date(timeIntervalSince1970: 0))
            guard case .failure(let found) = outcome else { throw .cancelled }
            failure = found.with(response.exchange?.describing(body: response.body))
        } catch {
            failure = error
        }
        if hasAnswer { failure.history.hasAnswer = true }
        return UserMessage(failure, nil, journey: .trip(trip), host: "fleet.example")
    }
}

/// What comes back.
struct Reply {
    var status = 200
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []
    var isEncrypted = true
    var proxy: String?
    /// How it ended without a complete answer.
    var ending: Failure?
    /// Words that a message should quote.
    var evidence = ""

    func response(to request: Exchange.Request) throws(Failure) -> HTTPTransportResponse {
        let connection = Exchange.Connection(isEncrypted: isEncrypted, proxy: proxy, httpVersion: "1.1")
        let hasAnswer = ending == nil || ending == .cutOff
        let answer = hasAnswer ? Exchange.Answer(status: status, headers: headers, body: body) : nil
        let exchange = Exchange(
            .http,
            request,
            connection: connection,
            answer: answer,
            duration: .milliseconds(80),
            ending: ending.map { .failed($0.code) } ?? .complete
        )
        if let ending { throw ending.with(exchange) }
        return HTTPTransportResponse(status: status, headers: headers, body: body, exchange: exchange)
    }
}
