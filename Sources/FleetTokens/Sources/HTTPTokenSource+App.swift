public import Failures
import Runtime

#if canImport(FoundationNetworking)
import Foundation
#if !Program
public import FoundationNetworking
#endif
#else
public import Foundation
#endif

extension HTTPTokenSource {
    /// Creates a source for an endpoint that is asked by a function of the app.
    ///
    /// - Parameters:
    ///   - url: The absolute URL; `{tripId}`, `{vehicleId}`, `{trackingId}`, `{taskId}` or `{deliveryVehicleId}` is replaced by the ID.
    ///     Plain `http` is accepted for this machine only.
    ///   - method: The HTTP method.
    ///   - body: A JSON body with the same placeholders; `nil` for none.
    ///   - format: The keys of the token and its expiry in the answer.
    ///   - headers: Returns the headers of a request, such as the login of the user; called for each fetch.
    ///   - send: Sends a request and returns the complete answer, an error status included. It must not follow a redirect.
    /// - Throws: ``TokenError`` if the URL or the body is not valid.
    public init(
        url: String,
        method: String = "GET",
        body: String? = nil,
        format: TokenAnswerFormat = TokenAnswerFormat(),
        headers: @escaping @Sendable () async throws -> [String: String] = { [:] },
        send: @escaping @Sendable (HTTPTransportRequest) async throws -> HTTPTransportResponse
    ) throws(TokenError) {
        let template: TokenURLTemplate
        do throws(Failure) { template = try TokenURLTemplate(url) } catch { throw TokenError(ofSettings: error) }
        let bodyTemplate = body.flatMap(TokenBodyTemplate.init)
        guard body == nil || bodyTemplate != nil else { throw TokenError(ofSettings: .sourceNotJSON) }
        self.init(
            template: template,
            transport: HTTPTransport { request throws(Failure) in
                do { return try await send(request) } catch { throw Failure(thrownBySource: error, asked: .service) }
            },
            method: method,
            body: bodyTemplate,
            format: format,
            headers: { () async throws(Failure) in
                do { return try await headers().map { ($0.key, $0.value) } } catch {
                    throw Failure(thrownBySource: error)
                }
            }
        )
    }

    // The program has an HTTP client of its own, and must not contain Foundation's client, which needs libcurl on Linux.
    #if !canImport(FoundationNetworking) || !Program
    /// Creates a source for an endpoint that is asked with `URLSession`.
    ///
    /// Redirects are not followed, because a token must not come from another host, and answers are not taken from a cache.
    ///
    /// - Parameters:
    ///   - url: The absolute URL; `{tripId}`, `{vehicleId}`, `{trackingId}`, `{taskId}` or `{deliveryVehicleId}` is replaced by the ID.
    ///     Plain `http` is accepted for this machine only.
    ///   - method: The HTTP method.
    ///   - body: A JSON body with the same placeholders; `nil` for none.
    ///   - format: The keys of the token and its expiry in the answer.
    ///   - headers: Returns the headers of a request, such as the login of the user; called for each fetch.
    ///   - session: The session of the app; on Linux, another one with its configuration is used.
    /// - Throws: ``TokenError`` if the URL or the body is not valid.
    public init(
        url: String,
        method: String = "GET",
        body: String? = nil,
        format: TokenAnswerFormat = TokenAnswerFormat(),
        headers: @escaping @Sendable () async throws -> [String: String] = { [:] },
        session: URLSession = .shared
    ) throws(TokenError) {
        #if canImport(FoundationNetworking)
        // There, only the delegate of a session is asked about a redirect, not the delegate of a request.
        let session = URLSession(configuration: session.configuration, delegate: RedirectRefusal(), delegateQueue: nil)
        #endif
        try self.init(url: url, method: method, body: body, format: format, headers: headers) { request in
            try await session.answer(to: request)
        }
    }
    #endif
}

#if !canImport(FoundationNetworking) || !Program
extension URLSession {
    /// Sends a request of a token source.
    fileprivate func answer(to request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
        guard let url = URL(string: request.url) else { throw Failure.invalidURL }
        var urlRequest = URLRequest(
            url: url,
            cachePolicy: .reloadIgnoringLocalCacheData,
            timeoutInterval: request.timeout.seconds
        )
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.body.isEmpty ? nil : Data(request.body)
        for header in request.headers { urlRequest.setValue(header.value, forHTTPHeaderField: header.name) }
        let (body, response) = try await data(for: urlRequest, delegate: RedirectRefusal())
        guard let response = response as? HTTPURLResponse else { throw Failure.malformed(reason: "no HTTP answer") }
        guard body.count <= request.maximumResponseBytes else {
            throw Failure.tooLarge(limit: request.maximumResponseBytes)
        }
        return HTTPTransportResponse(
            status: response.statusCode,
            headers: response.allHeaderFields.map { ("\($0.key)", "\($0.value)") },
            body: Array(body)
        )
    }
}

/// Returns redirects as answers.
private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
#endif
