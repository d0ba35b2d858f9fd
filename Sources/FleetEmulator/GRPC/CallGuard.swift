import Failures
import FleetWire
import GRPCCore
import GRPCMessages
import NIOCore
import NIOHPACK
import NIOHTTP2
import Runtime

/// Refuses calls that the REST listener refuses before it knows what they are: by host, origin, size and duration.
///
/// It belongs into the pipeline of a stream, before everything else. The library ends a call whose message is too large
/// without a status, decompresses a message that is cut off in an endless loop, and traps on a negative timeout.
///
/// Written for grpc-swift-nio-transport 2.9.2, whose `GRPCServerStreamHandler` closes the stream after an error of a message
/// (for the loop, see ``MessageUnpacker``), and for grpc-swift-2 2.4.3, whose `Timeout.init(decoding:)` passes a negative
/// number to an initializer with a precondition. These parts are obsolete once `HostileRequestTests` passes without them; the
/// rules for hosts and origins stay.
final class CallGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let policy: HostPolicy
    private let limits: ListenerLimits
    private let refused: @Sendable (PlainRequest, PlainResponse) -> Void
    /// The first headers.
    private var headers = HPACKHeaders()
    private var messages: MessageUnpacker
    private var timer: Scheduled<Void>?
    private var hasBegun = false
    private var isComplete = false
    private var isAnswered = false
    private var isRefused = false

    /// Creates a guard.
    ///
    /// - Parameters:
    ///   - policy: The accepted hosts and origins.
    ///   - limits: The limits for clients.
    ///   - refused: Called with each refused call and its answer; it must not block.
    init(
        _ policy: HostPolicy,
        _ limits: ListenerLimits,
        refused: @escaping @Sendable (PlainRequest, PlainResponse) -> Void
    ) {
        self.refused = refused
        (self.policy, self.limits) = (policy, limits)
        messages = MessageUnpacker(limit: limits.largestBody)
    }

    // MARK: The request

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        switch unwrapInboundIn(data) {
        case .headers(var frame):
            if frame.endStream { complete() }
            if !hasBegun, let refusal = begin(frame.headers, context) { return refuse(refusal, context) }
            // The library refuses a call with several values.
            if messages.hidesEncoding, frame.headers["grpc-encoding"].count == 1 {
                frame.headers.remove(name: "grpc-encoding")
            }
            context.fireChannelRead(wrapInboundOut(.headers(frame)))
        case .data(let frame):
            if frame.endStream { complete() }
            unpack(frame, context)
        default: context.fireChannelRead(data)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    /// Takes the first headers; returns the error for a refused call.
    private func begin(_ headers: HPACKHeaders, _ context: ChannelHandlerContext) -> RPCError? {
        hasBegun = true
        self.headers = headers
        messages.encoding = headers.first(name: "grpc-encoding")
        if let error = policy.refusal(hosts: headers[":authority"] + headers["host"], origins: headers["origin"]) {
            return RPCError(HTTPTransportResponse(status: error.answer.httpStatus, body: error.body))
        }
        if !headers["grpc-timeout"].allSatisfy(Self.isTimeout) {
            let text = "The grpc-timeout is malformed: it must be one to eight digits and one of HMSmun."
            return RPCError(code: .internalError, message: text)
        }
        if !isComplete {
            let late = RPCError(code: .deadlineExceeded, message: "The message took too long to arrive.")
            timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.bodyTime)) {
                self.refuse(late, context)
            }
        }
        return nil
    }

    /// Whether a timeout has the form of the gRPC protocol: one to eight digits and a unit.
    private static func isTimeout(_ text: String) -> Bool {
        let digits = text.utf8.dropLast()
        return (1...8).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
            && text.utf8.last.map(Array("HMSmun".utf8).contains) == true
    }

    private func complete() {
        isComplete = true
        timer?.cancel()
    }

    /// Passes the messages on that a frame completes.
    private func unpack(_ frame: HTTP2Frame.FramePayload.Data, _ context: ChannelHandlerContext) {
        guard case .byteBuffer(let bytes) = frame.data else { return }
        do throws(MessageUnpacker.Problem) {
            let complete = try messages.append(bytes)
            guard complete.readableBytes > 0 || frame.endStream else { return }
            let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(complete), endStream: frame.endStream)
            context.fireChannelRead(wrapInboundOut(.data(data)))
        } catch {
            switch error {
            case .tooLarge:
                let text = "The message is larger than \(limits.largestBody) bytes."
                refuse(RPCError(code: .resourceExhausted, message: text), context)
            case .damaged:
                refuse(RPCError(code: .internalError, message: "The message can't be decompressed."), context)
            }
        }
    }

    // MARK: The answer

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // The library answers what has already been answered.
        guard !isRefused else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        if case .headers = unwrapOutboundIn(data) { isAnswered = true }
        context.write(data, promise: promise)
    }

    /// Ends the call with a status.
    private func refuse(_ error: RPCError, _ context: ChannelHandlerContext) {
        guard !isRefused else { return }
        isRefused = true
        timer?.cancel()
        if !isAnswered {
            if let request = PlainRequest(refused: headers, limits) { refused(request, PlainResponse(error)) }
            let headers = HPACKHeaders([
                (":status", "200"), ("content-type", "application/grpc"), ("grpc-status", "\(error.code.rawValue)"),
                ("grpc-message", PercentEncoding.encode(error.message)),
            ])
            context.write(wrapOutboundOut(.headers(.init(headers: headers, endStream: true))), promise: nil)
        }
        // RFC 9113, section 8.1: the rest of the request is not needed.
        if !isComplete { context.write(wrapOutboundOut(.rstStream(.noError)), promise: nil) }
        context.flush()
    }
}
