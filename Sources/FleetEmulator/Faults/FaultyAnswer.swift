import FleetWire
import Foundation
import TripModel

/// Applies the active faults to an answer.
struct FaultyAnswer: Sendable {
    let target: Fault.Target
    let faults: FaultInjector
    let clock: any TripClock

    /// Answers a request, with faults applied.
    func answer(
        _ request: PlainRequest,
        at now: Date,
        properly: (PlainRequest, Date, TokenTrouble) async -> PlainResponse
    ) async -> PlainResponse {
        let kinds = faults.take(target, request: "\(request.method) \(request.path)", at: now)
        guard !kinds.isEmpty else { return await properly(request, now, TokenTrouble()) }
        var trouble = TokenTrouble()
        var offset = 0.0
        for kind in kinds {
            switch kind {
            case .clock(let duration): offset += duration.seconds
            case .latency(let duration): await pause(duration)
            case .expiredToken: trouble.isExpired = true
            case .wrongToken: trouble.isWrong = true
            case .oversizedToken: trouble.isOversized = true
            case .lifetime(let duration): trouble.lifetime = duration
            case .status, .reset, .truncated, .garbage, .drip: break
            }
        }
        let time = clock.now().wall.addingTimeInterval(offset)
        var response = await properly(request, time, trouble)
        response.date = time
        for kind in kinds {
            switch kind {
            case .status(let status, let wait, let body):
                response = .fault(status: status, retryAfter: wait, body: body)
                response.date = time
            case .reset: response.delivery = .reset
            case .truncated: response.delivery = .cutOff
            case .garbage: response.body = Array("<html><body>It works!</body></html>".utf8)
            case .drip(let duration): response.delivery = .drip(duration)
            default: break
            }
        }
        return response
    }

    private func pause(_ duration: Duration) async {
        // If the client disconnects, the wait ends and the answer is discarded.
        try? await clock.sleep(until: clock.now().steady + duration)
    }
}

/// The requested defects of a token.
struct TokenTrouble: Sendable {
    var isExpired = false
    var isWrong = false
    var isOversized = false
    var lifetime: Duration?
}

extension PlainResponse {
    /// Creates an error answer; in Google's format unless a body is given.
    fileprivate static func fault(status: Int, retryAfter: Int?, body: String?) -> PlainResponse {
        let names = [
            400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
            429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED",
        ]
        var response = PlainResponse.error(
            .init(httpStatus: status, status: names[status] ?? "UNKNOWN", message: "A fault that was asked for.")
        )
        if let body { response.body = Array(body.utf8) }
        if let retryAfter { response.headers.append(("retry-after", String(retryAfter))) }
        return response
    }
}
