import Failures
import Runtime
import TripModel

extension Call {
    /// Creates the record of the fetch that an event ends; `nil` for other events, and if an injected fault prevented that it was
    /// sent.
    init?(endedBy event: TokenEvent, because reason: FetchReason?) {
        let (status, exchange) = (event.status, event.status.lastExchange)
        var (number, failure): (Int?, Failure?)
        switch event.kind {
        case .stored(let stored): number = stored
        case .repeated: break
        // The service was called, not the source.
        case .failed(let error) where error.failure.rejection != nil: return nil
        case .failed(let error):
            failure = error.failure.with(exchange)
            failure?.history.tokens = status.generation
        case .fetching, .rejected, .discardedLate, .clockDisagreement, .evicted, .omitted, .closed: return nil
        }
        guard exchange?.fault?.isSent != false else { return nil }
        let duration = status.lastFetchDuration
        // What was sent for the credentials is said by the grants, which the event has already.
        let isGranted = !event.calls.isEmpty
        let isRequest = !isGranted && (exchange?.medium == .http || exchange?.medium == .grpc)
        let source = Request(ofSource: status.source, isGranted ? .command : exchange?.medium ?? .command)
        self.init(
            .fetchToken,
            to: .tokens,
            about: event.context.subject,
            isRequest ? exchange.map { Request($0) } ?? source : source,
            // The answer of an earlier attempt says nothing about one without an answer.
            isGranted || failure != nil && exchange?.answer == nil ? nil : Answer(status.lastAnswer, exchange?.answer),
            started: event.at.advanced(by: .zero - (duration ?? .zero)),
            ended: event.at,
            duration: duration,
            token: number,
            failure: failure,
            fault: exchange?.fault
        )
        if !isGranted, let connection = exchange?.connection { self.connection = connection }
        if let reason { self.cause = Cause(rawValue: reason.rawValue) }
    }
}

extension AuthorizationContext {
    /// The subject of calls.
    var subject: String { journey?.name ?? id }
}

extension Call.Answer {
    /// Creates the answer of a source: its endpoint's, which is redacted as tokens need it, with the headers of the exchange.
    fileprivate init?(_ answer: TokenSourceAnswer?, _ exchanged: Exchange.Answer?) {
        guard let answer else {
            guard let exchanged, exchanged.status != nil else { return nil }
            self.init(exchanged)
            return
        }
        let body = Array(answer.body.utf8)
        self.init(
            status: answer.status,
            shown: exchanged?.headers ?? Self.shown(answer.headers.map { ($0.name, $0.value) }),
            body: StoredBody(body, ofSize: answer.bytes, isCut: answer.bytes > body.count),
            bytes: answer.bytes
        )
    }
}
