import FleetWire
import Foundation
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import TripModel

/// One HTTP listener: Hummingbird's server with answers of our own, down to the `Date` header.
enum HTTPListener {
    static let largestBody = 1 << 20
    static let longestTarget = 8192

    /// A server that answers with a closure; the channel it listens on is told once it does.
    static func make(
        host: String,
        port: Int,
        clock: any TripClock,
        onRunning: @escaping @Sendable (any Channel) async -> Void,
        answer: @escaping @Sendable (PlainRequest, Date) async -> PlainResponse
    ) throws -> Server<HTTP1Channel> {
        let channel = HTTP1Channel(
            responder: { request, writer, _ in
                let response = await respond(to: request, at: clock.now().wall, answer: answer)
                let now = clock.now().wall
                var head = HTTPResponse(status: .init(code: response.status))
                if response.delivery == .reset { throw DeliveryFault() }
                head.headerFields[.date] = HTTPDate.text(response.date ?? now)
                head.headerFields[.contentType] = "application/json; charset=UTF-8"
                head.headerFields[.contentLength] = String(response.body.count)
                for (name, value) in response.headers {
                    if let field = HTTPField.Name(name) { head.headerFields[field] = value }
                }
                var body = try await writer.writeHead(head)
                switch response.delivery {
                case .whole, .reset: try await body.write(ByteBuffer(bytes: response.body))
                case .cutOff:
                    try await body.write(ByteBuffer(bytes: response.body.prefix(response.body.count / 2)))
                    throw DeliveryFault()
                case .drip(let duration):
                    let size = max(1, response.body.count / 16)
                    for start in stride(from: 0, to: response.body.count, by: size) {
                        try await clock.sleep(until: clock.now().steady + duration / 16)
                        let part = response.body[start..<min(start + size, response.body.count)]
                        try await body.write(ByteBuffer(bytes: part))
                    }
                }
                try await body.finish(nil)
            },
            configuration: .init(
                idleTimeout: .seconds(75),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 << 10,
                    maxHeaderListSize: 32 << 10,
                    maxHeaderFieldCount: 100
                )
            )
        )
        return Server(
            childChannelSetup: channel,
            configuration: ServerConfiguration(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: MaximumAvailableConnections(4096)
            ),
            onServerRunning: onRunning,
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "tripshare.emulator", factory: { _ in SwiftLogNoOpLogHandler() })
        )
    }

    private static func respond(
        to request: Request,
        at now: Date,
        answer: (PlainRequest, Date) async -> PlainResponse
    ) async -> PlainResponse {
        guard let target = request.head.path, target.utf8.count <= longestTarget else {
            return .error(.invalidArgument("The request's target is missing or too long."))
        }
        let body: [UInt8]
        do {
            body = [UInt8](buffer: try await request.body.collect(upTo: largestBody))
        } catch is NIOTooManyBytesError {
            return .error(.tooLarge)
        } catch {
            return .error(.invalidArgument("The request's body is cut off."))
        }
        guard
            let plain = PlainRequest(
                method: request.method.rawValue,
                target: target,
                authorization: request.headers[.authorization],
                body: body,
                contentType: request.headers[.contentType]
            )
        else { return .error(.invalidArgument("The request's target is not a path.")) }
        return await answer(plain, now)
    }
}

/// Ends a connection in the middle, which is what somebody asked for.
private struct DeliveryFault: Error {}
