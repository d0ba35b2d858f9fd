import FleetEmulator
import FleetTokens
import FleetWire
import Foundation
import HTTPTransport
import TripFeed
import TripModel
import TripText

/// Looks at a set-up step by step.
///
/// ```
/// connection → TLS → service → clock → for each trip: token → claims → provider → answer → vehicle → position
/// ```
struct Doctor: Sendable {
    let target: Target
    let transport: HTTPTransport
    /// What signatures are checked with.
    let certificates: IssuerCertificates
    /// From which age on a position is too old.
    let staleAfter: Duration

    /// A clock that differs by more makes every age and every token look wrong.
    static let clockLimit = 60.0
    /// What the whole seconds of a `Date` header explain, and a little.
    static let clockTolerance = 5.0

    /// Looks at everything up to the first cause, of each trip where it is a trip's own.
    ///
    /// - Parameter report: Is told of each step when it is over.
    /// - Returns: The exit code of the first cause; `nil` where there was none.
    func examine(_ report: @Sendable (Check) -> Void) async -> ExitStatus? {
        let remembering = RememberingSource(target.source(transport: transport))
        let tokens = TokenProvider(
            source: remembering,
            clock: target.clock,
            policy: target.policy,
            seed: .random(in: .min ... .max)
        )
        for check in await serviceChecks(tokens) {
            report(check)
            guard check.verdict == .failed else { continue }
            await tokens.close()
            return check.exit
        }
        var first: ExitStatus?
        for trip in target.trips {
            let exam = TripExam(doctor: self, trip: trip, tokens: tokens, source: remembering)
            if let failed = await exam.run(report) { first = first ?? failed }
        }
        await tokens.close()
        return first
    }

    // MARK: The service

    /// Asks without a token: whatever comes back shows that there is a service, and what time it is there.
    private func serviceChecks(_ tokens: TokenProvider) async -> [Check] {
        guard let trip = target.trips.first else { return [] }
        let url = target.endpoint.baseURL + GetTripRequest(provider: target.provider, trip: trip).target
        let response: HTTPTransportResponse
        let began = target.clock.now()
        do {
            response = try await transport.send(
                HTTPTransportRequest(url: url, headers: [("accept", "application/json")], timeout: FleetClient.deadline)
            )
        } catch {
            return failures(of: error, trip: trip)
        }
        let ended = target.clock.now()
        let latency = (ended.steady - began.steady) / target.clock.speed
        let host = target.endpoint.host
        let isSecure = target.endpoint.baseURL.lowercased().hasPrefix("https:")
        return [
            Check(.name, .passed, "\(host) is known."),
            Check(.connection, .passed, "\(host) answered in \(Wording.english.latency(latency))."),
            isSecure
                ? Check(.tls, .passed, "The connection is secure, the certificate is right.")
                : Check(.tls, .skipped, "Plain http."),
            service(response, trip: trip),
            await clock(response, began.wall...max(began.wall, ended.wall), tokens, trip),
        ]
    }

    /// What is known up to the fault, and the fault.
    private func failures(of error: HTTPTransportError, trip: TripID) -> [Check] {
        let host = target.endpoint.host
        let sentence = Sentence(.transport(error), trip: trip, host: host)
        let exit = PollFailure.transport(error).exitStatus
        let known = Check(.name, .passed, "\(host) is known.")
        func failed(_ step: Check.Step) -> Check {
            Check(step, .failed, sentence, exit: exit)
        }
        switch error {
        case .invalidURL, .unknownHost: return [failed(.name)]
        // Whether the name is known was not looked at, or can't be told from what went wrong.
        case .unusableProxy, .cancelled, .other: return [failed(.connection)]
        case .refused, .timedOut, .connectionLost, .cutOff: return [known, failed(.connection)]
        case .tls: return [known, Check(.connection, .passed, "\(host) listens."), failed(.tls)]
        case .tooLarge, .malformed: return [known, Check(.connection, .passed, "\(host) listens."), failed(.service)]
        }
    }

    /// Whether it is a Fleet Engine that answered: its errors are JSON of a certain form.
    private func service(_ response: HTTPTransportResponse, trip: TripID) -> Check {
        let request = GetTripRequest(provider: target.provider, trip: trip)
        switch FleetClient.outcome(of: response, for: request, now: target.clock.now().wall) {
        case .success: return Check(.service, .warned, "The service tells of a trip without any token.")
        case .failure(.service(let error, _))
        where error.httpStatus == 403 && error.message?.hasPrefix(HostPolicy.unknownHost + " ") == true:
            return Check(
                .service,
                .failed,
                "It is an emulator that does not answer to the name \(shown(target.endpoint.host)).",
                advice: "Use its address in --fleet-engine-url, or start it with --allow-host.",
                exit: .badConfiguration
            )
        case .failure(.service(let error, _)) where error.status != nil && [400, 401, 403].contains(error.httpStatus):
            return Check(.service, .passed, "It is a Fleet Engine, and wants a token (HTTP \(error.httpStatus)).")
        case .failure(.service(let error, _)) where error.httpStatus < 500 && error.httpStatus != 429:
            return Check(
                .service,
                .failed,
                "It answers with HTTP \(error.httpStatus), but not as a Fleet Engine does.",
                advice: "Check --fleet-engine-url: something else listens there.",
                exit: .badConfiguration
            )
        case .failure(let failure):
            let sentence = Sentence(failure, trip: trip, host: target.endpoint.host)
            return Check(.service, .failed, sentence, exit: failure.exitStatus)
        }
    }

    /// The service's time has to lie within the time that the request took.
    private func clock(
        _ response: HTTPTransportResponse,
        _ span: ClosedRange<Date>,
        _ tokens: TokenProvider,
        _ trip: TripID
    ) async -> Check {
        guard let date = response.header("date").flatMap(HTTPDate.date) else {
            return Check(.clock, .skipped, "The service does not say what time it is there.")
        }
        let nearest = min(max(date, span.lowerBound), span.upperBound)
        let offset = date.timeIntervalSince(nearest)
        guard abs(offset) > Self.clockTolerance else {
            return Check(.clock, .passed, "The service's clock and this one agree.")
        }
        // Which of the two is wrong is told by a third; whether its token is any good does not matter here.
        _ = try? await tokens.token(for: .trip(trip))
        let verdict = ClockVerdict(
            endpoint: tokens.status(of: .trip(trip)).clockOffset,
            service: Duration(clampedSeconds: offset)
        )
        guard let sentence = Sentence(verdict) else {
            return Check(.clock, .passed, "The service's clock and this one agree.")
        }
        return Check(
            .clock,
            abs(offset) > Self.clockLimit ? .failed : .warned,
            sentence,
            exit: .badConfiguration
        )
    }
}
