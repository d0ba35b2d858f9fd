package import Failures
import Foundation
import Runtime

/// Gets tokens from an HTTP endpoint, such as Google's sample backend.
public struct HTTPTokenSource: RecordingTokenSource {
    /// `http endpoint`.
    public let name = "http endpoint"

    /// The URL template of the endpoint.
    package var template: TokenURLTemplate
    package var method: String
    /// The JSON body; `nil` for none.
    package var body: TokenBodyTemplate?
    package var format: TokenAnswerFormat
    private let headers: @Sendable () async throws(Failure) -> [(name: String, value: String)]
    private let transport: HTTPTransport

    /// Creates a source for an endpoint.
    ///
    /// The headers are read for each fetch, so that a secret may come from a file or the environment and may change.
    package init(
        template: TokenURLTemplate,
        transport: HTTPTransport,
        method: String = "GET",
        body: TokenBodyTemplate? = nil,
        format: TokenAnswerFormat = TokenAnswerFormat(),
        headers: @escaping @Sendable () async throws(Failure) -> [(name: String, value: String)] = {
            () throws(Failure) in []
        }
    ) {
        self.template = template
        self.transport = transport
        self.method = method
        self.body = body
        self.format = format
        self.headers = headers
    }

    /// Sends one request and records its answer.
    package func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason,
        recording recorder: TokenAnswerRecorder
    ) async throws(Failure) -> IssuedToken {
        var request = HTTPTransportRequest(
            method: method,
            url: try template.url(for: context),
            headers: [("Accept", "application/json")],
            timeout: .seconds(10),
            maximumResponseBytes: TokenAnswerFormat.maximumBytes
        )
        if reason == .rejected { request.headers.append(("Cache-Control", "no-cache")) }
        request.headers += try await headers()
        if let body {
            request.body = try body.body(for: context)
            if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
                request.headers.append(("Content-Type", "application/json"))
            }
        }
        let response: HTTPTransportResponse
        do throws(Failure) {
            response = try await transport.send(request)
        } catch {
            recorder.record(error.exchange)
            throw Failure(ofSource: error, at: request.url)
        }
        recorder.record(response.exchange)
        recorder.record(
            TokenSourceAnswer(
                status: response.status,
                headers: response.headers,
                body: response.body,
                tokenKey: format.tokenKey
            )
        )
        let age = response.header("Age")
        let cache = CacheEvidence(response.headers)
        // Without an age, the time in a cached answer may be any one.
        let isDated = cache == nil || age != nil
        let serverDate = isDated ? HTTPDate.timeOfSending(date: response.header("Date"), age: age) : nil
        switch response.status {
        case 200...299: break
        // A 304 answers a conditional request, which was not sent: it is the error of a cache.
        case 300...303, 305...399: throw .sourceRedirected(status: response.status)
        default:
            let retryAfter = response.header("Retry-After").flatMap { HTTPDate.retryAfter($0, now: serverDate) }
            throw .sourceStatus(response.status, retryAfter: retryAfter)
        }
        if response.header("Content-Type")?.lowercased().hasPrefix("text/html") == true, !Self.isAnswer(response.body) {
            throw .sourceHTML(status: response.status)
        }
        var token: IssuedToken
        do throws(Failure) {
            token = try format.read(response.body, status: response.status)
        } catch {
            recorder.record(response.exchange?.describing(body: response.body))
            throw error
        }
        token.serverDate = serverDate
        (token.isNew, token.isCached) = (cache == nil, cache != nil)
        return token
    }

    /// Returns whether a body is JSON or a JWT although its content type is HTML, which is the default of many servers.
    private static func isAnswer(_ body: [UInt8]) -> Bool {
        let text = body.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "\"")
            || text.count { $0 == UInt8(ascii: ".") } == 2
            || TokenForm(of: String(decoding: text, as: UTF8.self)) != nil
    }
}
