import Failures
import GRPCCore
import TripFeed

/// Describes one call and its answer while it is sent.
struct CallRecord: Sendable {
    private let request: Exchange.Request
    private let isEncrypted: Bool
    private let started = ContinuousClock.now

    /// Starts at the time of the call; `request` is `nil` if the call could not be encoded.
    init(of request: CallRequest?, _ call: FleetCall, to endpoint: ServiceEndpoint) {
        self.request = Exchange.Request(
            method: "POST",
            url: endpoint.baseURL + call.method,
            headerNames: request?.metadata.map(\.key) ?? [],
            bytes: request?.message.count ?? 0
        )
        isEncrypted = !endpoint.isPlaintext
    }

    /// Returns a complete answer with its description.
    func completed(_ answer: FleetAnswer, _ secure: SecureConnection?) -> FleetAnswer {
        var answer = answer
        let description = Exchange.Answer(
            status: answer.response.status,
            grpcStatus: answer.remote?.status.rawValue,
            headers: answer.response.headers,
            body: answer.response.body
        )
        answer.response.exchange = exchange(description, secure, nil, .complete)
        return answer
    }

    /// Returns the description of a call without a complete answer.
    func exchange(
        failed failure: Failure,
        after partial: HTTPTransportResponse? = nil,
        _ secure: SecureConnection? = nil,
        refusing certificate: Exchange.Certificate? = nil
    ) -> Exchange {
        let answer = partial.map { Exchange.Answer(status: $0.status, headers: $0.headers, body: $0.body) }
        return exchange(answer, secure, certificate, .failed(failure.code))
    }

    private func exchange(
        _ answer: Exchange.Answer?,
        _ secure: SecureConnection?,
        _ refused: Exchange.Certificate?,
        _ ending: Exchange.Ending
    ) -> Exchange {
        let connection = Exchange.Connection(
            isEncrypted: isEncrypted,
            httpVersion: "2",
            tlsVersion: secure?.version,
            certificate: refused ?? secure?.certificate
        )
        return Exchange(
            .grpc,
            request,
            connection: connection,
            answer: answer,
            duration: ContinuousClock.now - started,
            ending: ending
        )
    }
}
