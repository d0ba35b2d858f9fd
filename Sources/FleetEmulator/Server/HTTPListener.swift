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
                let now = clock.now().wall
                let response = await respond(to: request, at: now, answer: answer)
                var head = HTTPResponse(status: .init(code: response.status))
                head.headerFields[.date] = HTTPDate.text(now)
                head.headerFields[.contentType] = "application/json; charset=UTF-8"
                head.headerFields[.contentLength] = String(response.body.count)
                var body = try await writer.writeHead(head)
                try await body.write(ByteBuffer(bytes: response.body))
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
                body: body
            )
        else { return .error(.invalidArgument("The request's target is not a path.")) }
        return await answer(plain, now)
    }
}
