import AsyncHTTPClient
import HTTPTransport
import NIOCore
import NIOHTTP1
import Synchronization

/// Assembles an answer on the event loop that receives it, so that the task is resumed only when it is complete.
///
/// With such a delegate, the library's request deadline includes the body. With its async calls it ends at the head.
final class AnswerCollector: HTTPClientResponseDelegate {
    private struct Answer {
        var head: HTTPResponseHead?
        var body: [UInt8] = []
    }

    /// The maximum size of the decompressed body in bytes.
    private let limit: Int
    private let answer = Mutex(Answer())

    init(limit: Int) { self.limit = limit }

    /// Whether the head was received.
    var hasBegun: Bool { answer.withLock { $0.head != nil } }

    func didReceiveHead(task: HTTPClient.Task<HTTPTransportResponse>, _ head: HTTPResponseHead) -> EventLoopFuture<Void>
    {
        answer.withLock { $0.head = head }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(
        task: HTTPClient.Task<HTTPTransportResponse>,
        _ buffer: ByteBuffer
    ) -> EventLoopFuture<Void> {
        let fits = answer.withLock { answer in
            guard answer.body.count + buffer.readableBytes <= limit else { return false }
            answer.body.append(contentsOf: buffer.readableBytesView)
            return true
        }
        return fits
            ? task.eventLoop.makeSucceededVoidFuture()
            : task.eventLoop.makeFailedFuture(HTTPTransportError.tooLarge(limit: limit))
    }

    func didFinishRequest(task: HTTPClient.Task<HTTPTransportResponse>) throws -> HTTPTransportResponse {
        let answer = answer.withLock { $0 }
        guard let head = answer.head else { throw HTTPTransportError.connectionLost }
        return HTTPTransportResponse(
            status: Int(head.status.code),
            headers: head.headers.map { ($0.name, $0.value) },
            body: answer.body
        )
    }
}
