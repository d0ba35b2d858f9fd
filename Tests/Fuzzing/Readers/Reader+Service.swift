import Failures
import FleetEngineProtos
import FleetWire
import GRPCMessages
import NIOCore
import SwiftProtobuf
import TransportLive
import TripModel

extension Reader {
    /// Answers of the service, over REST and gRPC.
    static let ofService: [Reader] = [
        Reader(name: "trip-json") { input in
            guard let trip = try? TripCoding.decode(input) else { return }
            let body = TripCoding.encode(trip)
            require((try? TripCoding.decode(body)) != nil, "A decoded trip cannot be decoded again.")
        },
        Reader(name: "trip-binary") { input in
            guard let message = try? Maps_Fleetengine_V1_Trip(serializedBytes: input),
                let body: [UInt8] = try? message.jsonUTF8Bytes()
            else { return }
            _ = try? TripCoding.decode(body)
        },
        Reader(name: "search-json") { _ = try? TripPage(body: $0) },
        Reader(name: "vehicle-json") { _ = try? VehicleCoding.decode($0) },
        Reader(name: "task-json") { _ = try? DeliveryTaskCoding.decode($0) },
        Reader(name: "tracking-json") { _ = try? TaskTrackingCoding.decode($0) },
        Reader(name: "delivery-vehicle-json") { _ = try? DeliveryVehicleCoding.decode($0) },
        Reader(name: "list-filter") { _ = try? ListFilter(String(decoding: $0, as: UTF8.self)) },
        Reader(name: "error-json") { _ = ServiceAnswer(httpStatus: 403, body: $0) },
        Reader(name: "grpc-trailers") { input in
            // The first byte is the status; the rest is the message, and the details in binary form.
            guard let status = input.first else { return }
            let code = StatusCode(rawValue: Int(status % 17)) ?? .unknown
            let rest = Array(input.dropFirst())
            let text = String(decoding: StatusMessage.decoded(String(decoding: rest, as: UTF8.self)), as: UTF8.self)
            let body = StatusBody.bytes(code, message: text, details: rest)
            require(!body.isEmpty, "A status has no body.")
            _ = ServiceAnswer(httpStatus: code.httpStatus, body: body)
        },
        Reader(name: "grpc-frames") { input in
            let encodings = [nil, "identity", "gzip", "deflate"]
            guard let first = input.first else { return }
            let frames = ByteBuffer(bytes: input.dropFirst())
            let encoding = encodings[Int(first) % encodings.count]
            let whole = unpacked([frames], encoding)
            // The result does not depend on the sizes of the received parts.
            let bytes = frames.readableBytesView.map { ByteBuffer(bytes: [$0]) }
            require(unpacked(bytes, encoding) == whole, "The messages depend on the parts in which they arrive.")
        },
        Reader(name: "path") { input in
            let text = String(decoding: input, as: UTF8.self)
            if let points = try? S2Polyline.decode(text, admitting: { min($0, 10_000) }) {
                require(points.count <= 10_000, "A path has more points than were admitted.")
            }
        },
    ]

    /// The uncompressed messages of parts that arrive one after the other; `nil` if they are refused.
    private static func unpacked(_ parts: [ByteBuffer], _ encoding: String?) -> ByteBuffer? {
        var unpacker = MessageUnpacker(limit: 1 << 16)
        unpacker.encoding = encoding
        var messages = ByteBuffer()
        for part in parts {
            guard let more = try? unpacker.append(part) else { return nil }
            messages.writeImmutableBuffer(more)
        }
        return messages
    }
}
