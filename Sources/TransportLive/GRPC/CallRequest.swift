import Failures
import FleetWire
import GRPCCore
import GRPCMessages
import GRPCNIOTransportHTTP2Posix
import SwiftProtobuf
import TripFeed

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
