import Failures

/// Describes one request and its answer while it is sent.
struct ExchangeRecord: Sendable {
    private let request: Exchange.Request
    let origin: URLOrigin
    private let hosts: RequestedHosts
    private let started = ContinuousClock.now
    /// The proxy; `nil` for a direct connection.
    var proxy: ProxySettings.Proxy?
    /// The options with which a command makes the same connection.
    var options: ConnectionOptions?
    /// The certificate that was refused; `nil` if none was.
    var refusedCertificate: Exchange.Certificate?

    /// Starts at the time of the call.
    init(of request: HTTPTransportRequest, to origin: URLOrigin, _ hosts: RequestedHosts) {
        self.request = Exchange.Request(
            method: request.method,
            url: request.url,
            headerNames: request.headers.map(\.name),
            bytes: request.body.count
        )
        (self.origin, self.hosts) = (origin, hosts)
    }

    /// Returns a complete answer with its description.
    func completed(_ response: HTTPTransportResponse, httpVersion: String?) -> HTTPTransportResponse {
        var response = response
        response.exchange = exchange(Exchange.Answer(response), httpVersion, .complete)
        return response
    }

    /// Returns a failure with the description of what came before it.
    func failed(_ failure: Failure, after partial: HTTPTransportResponse? = nil, httpVersion: String? = nil) -> Failure
    {
        failure.with(exchange(partial.map { Exchange.Answer($0) }, httpVersion, .failed(failure.code)))
    }

    /// Returns a failure with the description of an answer.
    func failed(_ failure: Failure, _ answer: Exchange.Answer, httpVersion: String?) -> Failure {
        failure.with(exchange(answer, httpVersion, .failed(failure.code)))
    }

    private func exchange(_ answer: Exchange.Answer?, _ httpVersion: String?, _ ending: Exchange.Ending) -> Exchange {
        let secure = origin.isSecure ? hosts.connection(to: origin.host) : nil
        let connection = Exchange.Connection(
            isEncrypted: origin.isSecure,
            proxy: proxy.map { "\($0.host):\($0.port)" },
            httpVersion: httpVersion,
            tlsVersion: secure?.version,
            certificate: refusedCertificate ?? secure?.certificate,
            options: options
        )
        return Exchange(
            .http,
            request,
            connection: connection,
            answer: answer,
            duration: ContinuousClock.now - started,
            ending: ending
        )
    }
}

extension Exchange.Answer {
    fileprivate init(_ response: HTTPTransportResponse) {
        self.init(status: response.status, headers: response.headers, body: response.body)
    }
}
