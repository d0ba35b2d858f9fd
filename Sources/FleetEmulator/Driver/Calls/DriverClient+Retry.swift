import Failures
import FleetTokens
import FleetWire
import Runtime
import TripFeed
import TripModel

/// One call with its repetitions.
extension DriverClient {
    /// How an attempt ended.
    private enum Outcome {
        case accepted([UInt8])
        /// It failed for a reason that may pass; the service may want no further call for a time.
        case failed(DriverError, wait: Duration)
        /// The service or the source of its tokens refused the sender: a mistake in the settings, or a state that passes.
        case denied(DriverError, wait: Duration)
        /// The service refused the token, and a new one is fetched.
        case renewing(wait: Duration)
    }

    /// Makes a call and returns the body of its answer; empty if the call was dropped.
    ///
    /// If it fails for a reason that may pass, the parameter `retry` says what happens, by default ``retry``. A refused token is
    /// replaced at once. A refusal of the sender may pass if the service has accepted such a call before, or if the driver is
    /// patient.
    @discardableResult
    func call(
        _ name: String,
        _ method: String,
        _ target: String,
        _ body: [UInt8],
        by sender: Sender,
        about journeys: Set<JourneyID> = [],
        retry: DriverRetry? = nil,
        timeout: Duration = Self.timeout
    ) async throws(DriverError) -> [UInt8] {
        let retry = retry ?? self.retry
        let left = outage.pause(at: clock.now().steady)
        if left > .zero, retry == .dropping {
            outage.drop()
            return []
        }
        if left > .zero, retry == .untilAnswered { try await pause(left) }
        let call = outage.begin(name, target)
        var (number, isRenewed) = (0, false)
        while true {
            number += 1
            let outcome = try await attempt(name, method, target, body, by: sender, about: journeys, isRenewed, timeout)
            let wait: Duration
            switch outcome {
            case .accepted(let body):
                if let event = outage.accept(call, at: clock.now().steady) { onEvent(event) }
                return body
            case .renewing(let time):
                // Even a single attempt gets the new token, at once: the wait before it is only that which the service asks for.
                (number, isRenewed) = (number - 1, true)
                if time > .zero { try await pause(time) }
                continue
            case .denied(let failure, _) where !passes(call, retry): throw failure
            case .denied(let failure, let time), .failed(let failure, let time):
                wait = time
                let event = outage.fail(
                    call,
                    isRepeated: retry == .untilAnswered,
                    failure,
                    at: clock.now().steady,
                    wait: wait
                )
                if let event { onEvent(event) }
                switch retry {
                case .dropping:
                    outage.drop()
                    return []
                case .attempts(let most) where number >= most: throw failure
                // A mistake in the settings must not appear to be an outage.
                case .untilAnswered where number >= Self.attempts && !isPatient && !outage.hasAccepted: throw failure
                case .attempts, .untilAnswered: break
                }
            }
            try await pause(max(wait, .seconds(min(10, 1 << min(number - 1, 4)))))
        }
    }

    /// Whether a refusal of the sender may pass: it does if it is not a mistake in the settings.
    private func passes(_ call: DriverOutage.Call, _ retry: DriverRetry) -> Bool {
        if case .attempts = retry { return false }
        return isPatient || outage.hasAccepted(like: call)
    }

    /// The stored part of the headers of a call.
    private static let headers = [
        Call.Request.authorization, HeaderField(name: "content-type", value: "application/json"),
    ]

    private func attempt(
        _ name: String,
        _ method: String,
        _ target: String,
        _ body: [UInt8],
        by sender: Sender,
        about journeys: Set<JourneyID>,
        _ isRenewed: Bool,
        _ timeout: Duration
    ) async throws(DriverError) -> Outcome {
        let (header, token): (String, BearerToken?)
        do throws(Failure) {
            (header, token) = try await authorization(of: sender)
        } catch {
            let failure = Task.isCancelled ? DriverError.cancelled : .noToken(call: name, error)
            guard !Task.isCancelled else { throw failure }
            if let delay = error.passesAfter { return .failed(failure, wait: min(delay, .seconds(60))) }
            guard let delay = error.retryAfter else { throw failure }
            return .denied(failure, wait: min(delay, .seconds(60)))
        }
        // A cancelled request may still reach the service, even after the OFFLINE report that follows it.
        guard !Task.isCancelled else { throw .cancelled }
        let (started, sent) = (clock.now(), clock.realTime)
        func complete(_ answer: Call.Answer?, _ failure: Failure?) {
            guard case .driver = sender else { return }
            var call = Call(
                Call.Operation(rawValue: name),
                from: .driver,
                about: vehicle.id,
                Call.Request(own: method, baseURL + target, headers: Self.headers, body: body, options: nil),
                answer,
                started: started,
                ended: clock.now(),
                duration: clock.realTime - sent,
                token: token?.generation,
                failure: failure
            )
            if isRenewed { call.cause = .rejected }
            onCall(call, journeys)
        }
        let response: HTTPTransportResponse
        do {
            response = try await transport.send(
                HTTPTransportRequest(
                    method: method,
                    url: baseURL + target,
                    headers: [("authorization", header), ("content-type", "application/json")],
                    body: body,
                    timeout: timeout
                )
            )
        } catch {
            if error.code == .cancelled { throw .cancelled }
            complete(nil, error)
            let failure = DriverError.unreachable(call: name, error)
            // The proxy variables of a running process do not change, so a retry cannot help.
            if error.code == .unusableProxy { throw failure }
            return .failed(failure, wait: .zero)
        }
        let isAccepted = (200..<300).contains(response.status)
        var answer = Call.Answer(status: response.status, headers: response.headers, body: response.body)
        let error = isAccepted ? nil : ServiceAnswer(httpStatus: response.status, body: answer.body?.bytes ?? [])
        // An accepted report is answered with the whole vehicle, which would make recordings several times as large.
        if isAccepted { answer.body = nil }
        complete(answer, error.map { .service($0, retryAfter: nil) })
        let message = error?.message
        // Honor `Retry-After`, up to a limit.
        let asked = response.header("retry-after").flatMap { HTTPDate.retryAfter($0, now: clock.now().wall) }
        let wait = min(asked ?? .zero, .seconds(60))
        let refusal = DriverError.refused(call: name, httpStatus: response.status, message: message)
        switch response.status {
        case 200..<300: return .accepted(response.body)
        case 409 where method == "POST": return .accepted([])  // It already exists, as intended.
        case 401:
            if let token { driverTokens.reject(token, for: vehicle.context, status: 401) }
            return isRenewed ? .denied(refusal, wait: wait) : .renewing(wait: wait)
        case 403, 409: return .denied(refusal, wait: wait)
        case 408, 429, 500...:
            return .failed(.refused(call: name, httpStatus: response.status, message: nil), wait: wait)
        default: throw refusal
        }
    }
}

extension Failure {
    /// The wait before a retry that may get a token; `nil` if it needs a change by the user.
    fileprivate var passesAfter: Duration? {
        switch (code, cause?.code) {
        case (.tokenUnavailable, _): isPermanent ? nil : retryAfter
        case (.tokenRejected, _), (.tokenUnusable, .tokenExpired?), (.tokenUnusable, .tokenTooShort?): retryAfter
        default: nil
        }
    }
}
