import AsyncHTTPClient
import HTTPTransport
import NIOCore
import NIOHTTP1
import Synchronization

/// Puts one answer together on the event loop where it comes in, so that no task is woken before it is whole.
///
/// The library's deadline for a request with such a delegate covers the body; that of its async calls ends with the head.
final class AnswerCollector: HTTPClientResponseDelegate {
    private struct Answer {
        var head: HTTPResponseHead?
        var body: [UInt8] = []
    }

    /// The largest body that is taken in, in bytes, unpacked.
    private let limit: Int
    private let answer = Mutex(Answer())

    init(limit: Int) { self.limit = limit }

    /// Whether an answer has begun.
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
