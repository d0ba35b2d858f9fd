import NIOCore
import NIOPosix

/// A TCP connection to a loopback port that sends exact bytes, which an HTTP client would not send.
package enum RawConnection {
    /// Why an exchange failed.
    package enum Problem: Error {
        /// The server neither closed the connection nor sent enough in time.
        case deadline(receivedSoFar: String)
    }

    /// Sends parts one after the other and collects the answer until the server closes or has sent enough.
    ///
    /// - Parameters:
    ///   - parts: The bytes to send.
    ///   - pause: The time between two parts.
    ///   - port: The port on 127.0.0.1.
    ///   - deadline: The time after which the exchange fails.
    ///   - isEnough: Whether the answer so far is complete.
    /// - Returns: The answer.
    /// - Throws: ``Problem``, and connection errors.
    package static func exchange(
        _ parts: [[UInt8]],
        pause: Duration = .zero,
        port: Int,
        deadline: Duration = .testTimeout,
        isEnough: @escaping @Sendable (String) -> Bool = { _ in false }
    ) async throws -> String {
        let group = MultiThreadedEventLoopGroup.singleton
        let done = group.next().makePromise(of: String.self)
        let channel: any Channel
        do {
            channel = try await ClientBootstrap(group: group)
                .channelOption(.allowRemoteHalfClosure, value: false)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Collector(done: done, isEnough: isEnough))
                    }
                }
                .connect(host: "127.0.0.1", port: port).get()
        } catch {
            done.fail(error)
            throw error
        }
        return try await withThrowingTaskGroup(of: String?.self) { tasks in
            tasks.addTask { try await done.futureResult.get() }
            tasks.addTask {
                for part in parts {
                    // The server may have closed already; the answer shows whether that is expected.
                    try? await channel.writeAndFlush(ByteBuffer(bytes: part)).get()
                    if pause > .zero { try await Task.sleep(for: pause, clock: .continuous) }
                }
                return nil
            }
            tasks.addTask {
                try await Task.sleep(for: deadline, clock: .continuous)
                channel.eventLoop.execute { channel.pipeline.fireUserInboundEventTriggered(Collector.Deadline()) }
                return nil
            }
            defer {
                tasks.cancelAll()
                channel.close(promise: nil)
            }
            while let answer = try await tasks.next() { if let answer { return answer } }
            throw CancellationError()
        }
    }

    /// Connects once and disconnects.
    package static func connectOnce(port: Int) async throws {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        try await bootstrap.connect(host: "127.0.0.1", port: port).get().close()
    }

    /// Connects and disconnects again and again until the port accepts no more connections.
    package static func connectRepeatedly(port: Int) async {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        while !Task.isCancelled {
            // A refused connection is the end.
            guard let channel = try? await bootstrap.connect(host: "127.0.0.1", port: port).get() else { return }
            channel.close(promise: nil)
        }
    }

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        struct Deadline: Sendable {}

        private let done: EventLoopPromise<String>
        private let isEnough: @Sendable (String) -> Bool
        private var text = ""

        init(done: EventLoopPromise<String>, isEnough: @escaping @Sendable (String) -> Bool) {
            (self.done, self.isEnough) = (done, isEnough)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            text += String(buffer: unwrapInboundIn(data))
            if isEnough(text) { done.succeed(text) }
        }

        func channelInactive(context: ChannelHandlerContext) { done.succeed(text) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is Deadline { done.fail(Problem.deadline(receivedSoFar: text)) }
        }
    }
}
