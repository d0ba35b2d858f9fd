import AsyncHTTPClient
import Failures
import NIOCore
import NIOHTTP1
import Synchronization

/// Assembles an answer on the event loop that receives it, so that the task is resumed only when it is complete.
///
/// With such a delegate, the library's request deadline includes the body. With its async calls it ends at the head: in
/// async-http-client 1.37.0, `HTTPClient.executeCancellable` cancels the timer there. `LiveTransportTests`, “times out when a
/// body does not end”, shows whether that has changed.
final class AnswerCollector: HTTPClientResponseDelegate {
    private struct Answer {
        var head: HTTPResponseHead?
        var body: [UInt8] = []

        var response: HTTPTransportResponse? {
            guard let head else { return nil }
            return HTTPTransportResponse(
                status: Int(head.status.code),
                headers: head.headers.map { ($0.name, $0.value) },
                body: body
            )
        }
    }

    /// The maximum size of the decompressed body in bytes.
    private let limit: Int
    private let answer = Mutex(Answer())

    init(limit: Int) { self.limit = limit }

    /// What has been received so far; `nil` before the head.
    var partial: HTTPTransportResponse? { answer.withLock(\.response) }

    /// The version of the answer, such as `1.1`; `nil` before the head.
    var httpVersion: String? { answer.withLock { $0.head.map { "\($0.version.major).\($0.version.minor)" } } }

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
            : task.eventLoop.makeFailedFuture(Failure.tooLarge(limit: limit))
    }

    func didFinishRequest(task: HTTPClient.Task<HTTPTransportResponse>) throws -> HTTPTransportResponse {
        guard let response = partial else { throw Failure.connectionLost }
        return response
    }
}
