import Failures
import FleetWire
import GRPCCore
import SwiftProtobuf
import TripFeed

@testable import TransportLive

/// Calls over gRPC through a network that carries REST: the real client reads messages, statuses and web pages.
extension FleetTransport {
    /// Returns a transport that sends each call as a REST request and reads the answer as one of gRPC.
    static func remote(_ transport: HTTPTransport, at endpoint: ServiceEndpoint) -> FleetTransport {
        FleetTransport { call, authorization throws(Failure) in
            var request = HTTPTransportRequest(url: call.url(at: endpoint), timeout: FleetClient.deadline)
            if case .searchTrips(let search, _) = call { (request.method, request.body) = ("POST", search.body) }
            if let authorization { request.headers.append(("authorization", authorization)) }
            let response = try await transport.send(request)
            let answer = await CallAnswer(collecting: Self.stream(of: response, to: call))
            if let fault = answer.fault(connection: nil, limit: 4 << 20) { throw fault }
            return answer.decoded(as: call)
        }
    }

    private static func stream(
        of response: HTTPTransportResponse,
        to call: FleetCall
    ) -> StreamingClientResponse<[UInt8]> {
        var metadata = Metadata()
        for header in response.headers { metadata.addString(header.value, forKey: header.name.lowercased()) }
        if response.status == 200 {
            let parts: [StreamingClientResponse<[UInt8]>.Contents.BodyPart] = [
                .message(message(of: response.body, to: call)), .trailingMetadata([AnswerMarks.status: "0"]),
            ]
            let (stream, sender) = AsyncThrowingStream.makeStream(of: (type(of: parts)).Element.self)
            for part in parts { sender.yield(part) }
            sender.finish()
            return StreamingClientResponse(metadata: metadata, bodyParts: RPCAsyncSequence(wrapping: stream))
        }
        let error = ServiceAnswer(httpStatus: response.status, body: response.body)
        if let code = error.status.flatMap(StatusCode.init(name:)) {
            metadata.addString("\(code.rawValue)", forKey: AnswerMarks.status)
            metadata.addBinary(Array((error.message ?? "").utf8), forKey: AnswerMarks.message)
        } else {
            // A proxy, which does not speak gRPC.
            metadata.addString("\(response.status)", forKey: AnswerMarks.httpStatus)
            metadata.addBinary(response.body, forKey: AnswerMarks.body)
        }
        return StreamingClientResponse(
            error: RPCError(code: .unknown, message: "", metadata: metadata)
        )
    }

    /// The binary message of a body; a body that is cut off gives a message that is cut off.
    private static func message(of body: [UInt8], to call: FleetCall) -> [UInt8] {
        var options = JSONDecodingOptions()
        options.ignoreUnknownFields = true
        let answer = call.serviceMethod.answer
        let message: [UInt8]? = try? answer.init(jsonUTF8Bytes: body, options: options).serializedBytes()
        return message ?? [0x0A, 0xFF] + body
    }
}
