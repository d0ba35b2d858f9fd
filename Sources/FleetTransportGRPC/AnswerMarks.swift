import NIOCore
import NIOHPACK
import NIOHTTP2

/// Marks what the server itself sent in the headers of an answer.
///
/// The library invents a status if a stream breaks off or the answer is not gRPC, and does not tell it from a received one.
final class AnswerMarks: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload

    /// The received `grpc-status`.
    static let status = "tripshare-received-status"
    /// The HTTP status of an answer that is not gRPC.
    static let httpStatus = "tripshare-http-status"
    /// Present if the message is longer than the limit.
    static let tooLong = "tripshare-too-long"

    private let longestMessage: Int
    /// The first bytes of the first message: a flag and the length.
    private var prefix: [UInt8] = []
    private var isOver = false

    /// Creates a handler; it belongs into the pipeline of a stream, before everything else.
    init(longestMessage: Int) { self.longestMessage = longestMessage }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .headers(var frame):
            mark(&frame.headers)
            context.fireChannelRead(wrapInboundOut(.headers(frame)))
        case .data(let frame):
            if isTooLong(frame) {
                isOver = true
                let trailers = HPACKHeaders([
                    ("grpc-status", "8"), ("grpc-message", "The message is too long."), (Self.tooLong, "1"),
                ])
                context.fireChannelRead(wrapInboundOut(.headers(.init(headers: trailers, endStream: true))))
            } else {
                context.fireChannelRead(data)
            }
        default: context.fireChannelRead(data)
        }
    }

    private func mark(_ headers: inout HPACKHeaders) {
        for name in [Self.status, Self.httpStatus, Self.tooLong] { headers.remove(name: name) }
        if let status = headers.first(name: "grpc-status") {
            headers.add(name: Self.status, value: status)
        } else if let status = headers.first(name: ":status"), status != "200" {
            headers.add(name: Self.httpStatus, value: status)
        }
    }

    private func isTooLong(_ frame: HTTP2Frame.FramePayload.Data) -> Bool {
        guard prefix.count < 5, case .byteBuffer(let buffer) = frame.data else { return false }
        prefix += buffer.readableBytesView.prefix(5 - prefix.count)
        guard prefix.count == 5 else { return false }
        return prefix.dropFirst().reduce(0) { $0 << 8 | Int($1) } > longestMessage
    }
}
