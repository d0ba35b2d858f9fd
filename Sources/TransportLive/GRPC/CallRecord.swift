import Failures
import FleetWire
import GRPCCore
import GRPCMessages
import GRPCNIOTransportHTTP2Posix
import SwiftProtobuf
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

/// A call as gRPC sends it.
struct CallRequest: Sendable {
    /// The serialized message.
    let message: [UInt8]
    /// The method.
    let method: MethodDescriptor
    /// The metadata; contains the token and must not be printed.
    let metadata: Metadata

    /// Encodes a call; throws a failure of a transport for a call that has no message, for example because of an invalid version.
    init(_ call: FleetCall, authorization: String?, quotaProject: String? = nil) throws(Failure) {
        let called = call.serviceMethod
        do {
            message = try called.request.init(jsonUTF8Bytes: call.message).serializedBytes()
        } catch {
            throw .other(reason: "the request can't be encoded: \(error)")
        }
        method = MethodDescriptor(fullyQualifiedService: called.service, method: called.name, type: .unary)
        var metadata = Metadata()
        if let authorization { metadata.addString(authorization, forKey: "authorization") }
        if let routing = call.routing { metadata.addString(routing, forKey: "x-goog-request-params") }
        if let quotaProject { metadata.addString(quotaProject, forKey: "x-goog-user-project") }
        self.metadata = metadata
    }

    /// Sends the call and collects what comes back.
    func perform(on client: CallChannel.Client, _ options: GRPCClientOptions, timeout: Duration) async -> CallAnswer {
        var call = CallOptions.defaults
        call.timeout = timeout
        // The library uses this limit for the answer.
        call.maxRequestMessageBytes = options.longestMessage
        do {
            return try await client.serverStreaming(
                request: ClientRequest(message: message, metadata: metadata),
                descriptor: method,
                serializer: PlainBytes(),
                deserializer: PlainBytes(),
                options: call
            ) { response in
                await CallAnswer(collecting: response)
            }
        } catch {
            return CallAnswer(failedBy: error)
        }
    }
}
