import Failures
import FleetTokens
import Foundation
import Runtime

/// Sends requests to Google's services that give access tokens, and records what came back.
struct GoogleCall: Sendable {
    /// The waits before further attempts after an outage, within the time that a token provider gives a fetch.
    static let waits: [Duration] = [.seconds(1), .seconds(2)]
    /// The time within which another attempt may begin.
    ///
    /// A token provider ends a fetch after 10 s and then knows only that there was no answer, so the cause of an outage has to be
    /// thrown before.
    static let retryLimit = Duration.seconds(7)
    /// The maximum size of an answer in bytes.
    static let maximumBytes = 64 << 10

    let world: CredentialWorld
    let recorder: TokenAnswerRecorder

    /// Sends a request and, after an outage, sends it again; each attempt is a call.
    func send(
        _ request: HTTPTransportRequest,
        as operation: Call.Operation = .grantCredentials,
        waits: [Duration] = waits
    ) async throws(Failure) -> HTTPTransportResponse {
        var waits = waits[...]
        let start = world.clock.realTime
        var cause: Call.Cause?
        while true {
            let failure: Failure
            let began = world.clock.now()
            do throws(Failure) {
                let response = try await world.transport.send(request)
                recorder.record(response.exchange)
                let host = URLOrigin(request.url)?.host ?? ""
                let isOutage = [408, 429, 500, 502, 503, 504].contains(response.status)
                failure = Failure(.googleFailed).with(.host, host).with(.status, response.status)
                add(operation, response.exchange, began, cause, isOutage ? failure : nil)
                guard isOutage else { return response }
            } catch {
                recorder.record(error.exchange)
                failure = Failure(ofSource: error, at: request.url)
                add(operation, error.exchange, began, cause, failure)
                guard failure.retry == .withSource else { throw failure }
            }
            let elapsed = world.clock.realTime - start
            guard let wait = waits.popFirst(), elapsed + wait <= Self.retryLimit else { throw failure }
            do { try await world.wait(wait) } catch { throw .sourceCancelled }
            cause = .retry
        }
    }

    /// Records a call, unless nothing was sent; the body of a grant is a secret.
    private func add(
        _ operation: Call.Operation,
        _ exchange: Exchange?,
        _ began: Moment,
        _ cause: Call.Cause?,
        _ failure: Failure?
    ) {
        guard let exchange, exchange.fault?.isSent != false else { return }
        var answer = exchange.answer.map(Call.Answer.init)
        if let status = answer?.status, status < 300 { answer?.body = nil }
        var call = Call(
            operation,
            to: .credentials,
            about: "",
            Call.Request(exchange),
            answer,
            started: began,
            ended: world.clock.now(),
            duration: exchange.duration,
            failure: failure,
            fault: exchange.fault
        )
        (call.connection, call.cause) = (exchange.connection, cause)
        recorder.add(grants: [call])
    }

    /// Sends a form.
    func post(
        _ fields: KeyValuePairs<String, String>,
        to url: String,
        headers: [(name: String, value: String)] = [],
        waits: [Duration] = waits
    ) async throws(Failure) -> HTTPTransportResponse {
        let body = fields.filter { !$0.value.isEmpty }.map {
            "\(PercentEncoding.encode($0.key))=\(PercentEncoding.encode($0.value))"
        }
        let form = ("Content-Type", "application/x-www-form-urlencoded")
        return try await send(
            HTTPTransportRequest(
                method: "POST",
                url: url,
                headers: [form, ("Accept", "application/json")] + headers,
                body: Array(body.joined(separator: "&").utf8),
                timeout: .seconds(8),
                maximumResponseBytes: Self.maximumBytes
            ),
            waits: waits
        )
    }

    /// Reads the access token of an answer with status 200 (RFC 6749, section 5.1).
    func accessToken(
        in response: HTTPTransportResponse,
        from url: String
    ) throws(Failure) -> IssuedToken {
        let answer = JSONValue(response.body)
        guard let text = answer?["access_token"]?.string, !text.isEmpty else {
            recorder.record(response.exchange?.describing(body: response.body))
            throw Failure(.noAccessToken).with(.host, URLOrigin(url)?.host ?? "")
        }
        let life = answer?["expires_in"]?.number ?? answer?["expires_in"]?.string.flatMap { Double(decimal: $0) }
        // Without an expiry a token would never be replaced; Google's live an hour at most, unless a policy allows more.
        return Self.token(text, .after(Duration(clampedSeconds: (life ?? 3600).clamped(to: 0...86_400))), response)
    }

    /// Creates an access token that came with an answer.
    static func token(
        _ text: String,
        _ expiry: IssuedToken.Expiry,
        _ response: HTTPTransportResponse
    ) -> IssuedToken {
        var token = IssuedToken(text, expiry: expiry, serverDate: response.header("Date").flatMap(HTTPDate.date))
        (token.isAccessToken, token.isNew) = (true, true)
        return token
    }
}
