import FleetWire
import Foundation
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Runtime
import TripModel

/// An HTTP listener: Hummingbird's server with custom response writing, including the `Date` header.
struct HTTPListener: Sendable {
    /// The address or name to listen on.
    var host: String
    /// The port; 0 selects a free port.
    var port: Int
    /// The accepted hosts and origins.
    var policy: HostPolicy
    /// The limits for clients.
    var limits: ListenerLimits
    /// The emulator's clock.
    var clock: any TripClock
    /// The waits of slow answers.
    var delays: FaultDelays
    /// Called with each request that is refused before it reaches `answer`, and the refusal; it must not block.
    var refused: @Sendable (PlainRequest, PlainResponse) -> Void = { _, _ in }

    /// Creates a server that answers with a closure; passes on the channel once it listens.
    func server(
        onRunning: @escaping @Sendable (any Channel) async -> Void,
        answer: @escaping @Sendable (PlainRequest, Date) async -> PlainResponse
    ) -> Server<RetainedChannel> {
        let connections = OpenConnections(maximum: limits.connections)
        let channel = HTTP1Channel(
            responder: { request, writer, channel in
                connections.begin(channel)
                defer { connections.end(channel) }
                let (response, isRead) = await respond(
                    to: request,
                    of: channel.remoteAddress?.ipAddress,
                    answer: answer
                )
                if !isRead { closeLater(channel) }
                try await write(response, isLast: !isRead, to: writer)
            },
            configuration: .init(
                idleTimeout: TimeAmount(limits.headTime),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: limits.largestHeader,
                    maxHeaderListSize: limits.headerBytes,
                    maxHeaderFieldCount: limits.headerCount
                )
            )
        )
        return Server(
            childChannelSetup: RetainedChannel(base: channel, connections: connections),
            configuration: ServerConfiguration(address: .hostname(host, port: port)),
            onServerRunning: onRunning,
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "tripshare.emulator", factory: { _ in SwiftLogNoOpLogHandler() })
        )
    }

    // MARK: Reading

    /// Returns the answer, and whether the request was read to its end.
    private func respond(
        to request: Request,
        of peer: String?,
        answer: (PlainRequest, Date) async -> PlainResponse
    ) async -> (PlainResponse, isRead: Bool) {
        let hosts = [request.head.authority].compactMap(\.self) + request.headers.values(named: "Host")
        if let refusal = policy.refusal(hosts: hosts, origins: request.headers.values(named: "Origin")) {
            return (refuse(request, refusal), false)
        }
        guard let target = request.head.path, target.utf8.count <= limits.longestTarget else {
            return (refuse(request, .invalidArgument("The request's target is missing or too long.")), false)
        }
        let body: [UInt8]
        do {
            body = try await self.body(of: request)
        } catch is NIOTooManyBytesError {
            return (refuse(request, .tooLarge), false)
        } catch is BodyTimeout {
            return (refuse(request, .requestTimeout), false)
        } catch {
            return (refuse(request, .invalidArgument("The request's body is cut off.")), false)
        }
        guard
            var plain = PlainRequest(
                method: request.method.rawValue,
                target: target,
                authorization: request.headers[.authorization],
                body: body,
                contentType: request.headers[.contentType],
                headers: headers(of: request)
            )
        else { return (refuse(request, .invalidArgument("The request's target is not a path.")), true) }
        plain.peer = peer
        return (await answer(plain, clock.now().wall), true)
    }

    /// Returns a refusal, and reports it.
    private func refuse(_ request: Request, _ error: ServiceError) -> PlainResponse {
        let answer = PlainResponse.error(error)
        func plain(_ target: String) -> PlainRequest? {
            PlainRequest(
                method: request.method.rawValue,
                target: target,
                authorization: request.headers[.authorization],
                body: [],
                headers: headers(of: request)
            )
        }
        let path = request.head.path.flatMap { plain(String($0.prefix(limits.longestTarget))) } ?? plain("/")
        if let path { refused(path, answer) }
        return answer
    }

    /// Returns the further headers that the routes read.
    private func headers(of request: Request) -> [String: String] {
        var headers: [String: String] = [:]
        for name in PlainRequest.readHeaders { headers[name] = request.headers.values(named: name).first }
        headers["host"] = headers["host"] ?? request.head.authority
        return headers
    }

    private func body(of request: Request) async throws -> [UInt8] {
        let (limit, time) = (limits.largestBody, limits.bodyTime)
        // Most requests have no body and need no timeout task.
        if request.headers[.contentLength] == nil, request.headers[.transferEncoding] == nil { return [] }
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw NIOTooManyBytesError(maxBytes: limit)
        }
        return try await withThrowingTaskGroup(of: [UInt8].self) { group in
            group.addTask { [UInt8](buffer: try await request.body.collect(upTo: limit)) }
            group.addTask {
                try await Task.sleep(for: time, clock: .continuous)
                throw BodyTimeout()
            }
            defer { group.cancelAll() }
            guard let body = try await group.next() else { throw CancellationError() }
            return body
        }
    }

    /// Closes a connection whose request was not read to its end, after a delay that lets the client read the answer.
    private func closeLater(_ channel: any Channel) {
        channel.eventLoop.scheduleTask(in: TimeAmount(limits.lingering)) { channel.close(promise: nil) }
    }

    // MARK: Writing

    @concurrent private func write(
        _ response: PlainResponse,
        isLast: Bool,
        to writer: consuming ResponseWriter
    ) async throws {
        guard let share = response.delivery.share else { throw DeliveryFault() }
        var head = HTTPResponse(status: .init(code: response.status))
        head.headerFields[.date] = HTTPDate.text(response.date ?? clock.now().wall)
        head.headerFields[.contentType] = "application/json; charset=UTF-8"
        head.headerFields[.contentLength] = String(response.body.count)
        if isLast { head.headerFields[.connection] = "close" }
        for (name, value) in response.allHeaders {
            if let field = HTTPField.Name(name) { head.headerFields[field] = value }
        }
        var body = try await writer.writeHead(head)
        let bytes = response.body.prefix(Int(Double(response.body.count) * share))
        // A slow answer is sent in 16 parts.
        let parts = response.delivery.duration > .zero ? 16 : 1
        let size = max(1, bytes.count / parts)
        for start in stride(from: 0, to: bytes.count, by: size) {
            if parts > 1 { await delays.wait(for: response.delivery.duration / parts, on: clock) }
            try await body.write(ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)]))
        }
        if share < 1 { throw DeliveryFault() }
        try await body.finish(nil)
    }
}

/// The body of a request took too long.
private struct BodyTimeout: Error {}

/// Closes a connection in the middle of an answer, as an injected fault.
private struct DeliveryFault: Error {}

extension HTTPFields {
    /// All values of a header.
    fileprivate func values(named name: String) -> [String] {
        guard let field = HTTPField.Name(name) else { return [] }
        return self[values: field]
    }
}
