package import Failures
import FleetWire
import Foundation
public import HTTPTransport

/// Gets tokens from an HTTP endpoint, such as Google's sample backend.
public struct HTTPTokenSource: TokenSource {
    /// The URL template of the endpoint.
    public var template: TokenURLTemplate
    /// The HTTP method.
    public var method: String
    /// The JSON body; `nil` for none.
    public var body: TokenBodyTemplate?
    /// The format of the answer.
    public var format: TokenAnswerFormat

    /// `http endpoint`.
    public let name = "http endpoint"

    private let headers: @Sendable () throws(TokenSourceError) -> [(name: String, value: String)]
    private let transport: HTTPTransport

    /// Creates a source for an endpoint.
    ///
    /// The headers are read for each fetch, so that a secret may come from a file or the environment and may change.
    public init(
        template: TokenURLTemplate,
        transport: HTTPTransport,
        method: String = "GET",
        body: TokenBodyTemplate? = nil,
        format: TokenAnswerFormat = TokenAnswerFormat(),
        headers: @escaping @Sendable () throws(TokenSourceError) -> [(name: String, value: String)] = {
            () throws(TokenSourceError) in []
        }
    ) {
        self.template = template
        self.transport = transport
        self.method = method
        self.body = body
        self.format = format
        self.headers = headers
    }

    /// Sends one request.
    public func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason
    ) async throws(TokenSourceError) -> IssuedToken {
        try await fetch(context, reason: reason, recording: TokenAnswerRecorder())
    }

    /// Sends one request and records its answer.
    public func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason,
        recording recorder: TokenAnswerRecorder
    ) async throws(TokenSourceError) -> IssuedToken {
        var request = HTTPTransportRequest(
            method: method,
            url: try template.url(for: context),
            headers: [("Accept", "application/json")],
            timeout: .seconds(10),
            maximumResponseBytes: TokenAnswerFormat.maximumBytes
        )
        if reason == .rejected { request.headers.append(("Cache-Control", "no-cache")) }
        request.headers += try headers()
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
            throw TokenSourceError(error, at: request.url)
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
        case 300...303, 305...399: throw .redirected(status: response.status)
        default:
            let retryAfter = response.header("Retry-After").flatMap { HTTPDate.retryAfter($0, now: serverDate) }
            throw .refusedStatus(response.status, retryAfter: retryAfter)
        }
        if response.header("Content-Type")?.lowercased().hasPrefix("text/html") == true, !Self.isAnswer(response.body) {
            throw .html(status: response.status)
        }
        var token: IssuedToken
        do throws(TokenSourceError) {
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

extension TokenSourceError {
    /// Creates the error of a source from the failure of its transport.
    package init(_ error: Failure, at url: String) {
        let origin = URLOrigin(url)
        let host = origin?.host ?? "?"
        let reason = error.reason ?? ""
        switch error.code {
        case .invalidURL: self = .invalidURL
        case .refused:
            let port = origin.map { $0.port ?? ($0.isSecure ? 443 : 80) } ?? 0
            let name = host.contains(":") ? "[\(host)]" : host
            self = .unreachable(reason: "connection refused by \(name):\(port)")
        case .unknownHost: self = .unreachable(reason: "unknown host \(host)", cause: .unknownHost)
        case .tls: self = .unreachable(reason: "TLS: \(reason)", cause: .tls)
        case .wrongPort: self = .unreachable(reason: reason, cause: .wrongPort)
        case .unusableProxy: self = .unusableProxy(reason: reason)
        case .proxyFailed: self = .unreachable(reason: reason, cause: .proxy)
        case .timedOut: self = .timedOut
        case .connectionLost: self = .unreachable(reason: "connection lost", cause: .interrupted)
        case .cutOff: self = .unreachable(reason: "it ended before it was complete", cause: .brokenAnswer)
        case .tooLarge: self = .tooLarge(limit: error.number("limit") ?? 0)
        case .malformed where error.exchange?.answer != nil: self = .unreachable(reason: reason, cause: .brokenAnswer)
        case .malformed: self = .unreachable(reason: "not HTTP: \(reason)")
        case .cancelled: self = .cancelled
        default: self = .unreachable(reason: reason, cause: .noRoute)
        }
    }
}
