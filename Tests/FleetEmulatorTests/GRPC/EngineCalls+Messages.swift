import FleetWire
import GRPCCore
import SwiftProtobuf
import Testing

@testable import FleetEmulator

extension EngineCalls {
    /// Performs a call with a message of the method to which the message belongs; returns the serialized answer.
    func answer(
        to message: some Message,
        _ metadata: Metadata = [:],
        cancellation: ServerContext.RPCCancellationHandle = ServerContext.RPCCancellationHandle()
    ) async throws -> [UInt8] {
        let method = try RESTMethod(of: message)
        let context = ServerContext(
            descriptor: MethodDescriptor(method),
            remotePeer: "in-process:1",
            localPeer: "in-process:2",
            cancellation: cancellation
        )
        let request = ServerRequest(metadata: metadata, message: try message.serializedBytes() as [UInt8])
        return try await perform(method, request, context).message
    }
}

extension RESTMethod {
    /// Finds the method that has requests of this type.
    init(of message: any Message) throws {
        self = try #require(RESTMethod.all.first { $0.request == type(of: message) })
    }
}
