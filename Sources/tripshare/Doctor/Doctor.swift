import Credentials
import Failures
import FleetEmulator
import FleetTokens
import FleetWire
import Foundation
import Runtime
import TokenSigning
import TripFeed
import TripModel
import TripText

/// Diagnoses a setup step by step.
///
/// ```
/// connection → TLS → service → clock → credentials → access token → server calls → signing → for each trip: token → claims → provider → answer → vehicle → position
/// ```
struct Doctor: Sendable {
    let target: Target
    let transport: HTTPTransport
    /// Sends the calls to the service.
    let calls: FleetTransport
    /// The certificates that verify token signatures.
    let certificates: IssuerCertificates
    /// The age above which a position is stale.
    let staleAfter: Duration
    /// The language of the results.
    let localizer: Localizer

    /// The maximum clock difference in seconds.
    ///
    /// Above it every age and token lifetime would appear wrong.
    static let clockLimit = 60.0
    /// The tolerance in seconds for the whole-second resolution of the `Date` header, plus a margin.
    static let clockTolerance = 5.0

    /// Runs the checks up to the first failure; a failure in one trip does not stop the checks of other trips.
    ///
    /// - Parameter report: Called with each result as soon as it is known.
    /// - Returns: The exit code of the first failure; `nil` if there was none.
    func examine(_ report: @Sendable (Check) -> Void) async -> ExitStatus? {
        let source = target.source(transport: transport)
        let remembering = RememberingSource(source)
        let tokens = TokenProvider(
            source: remembering,
            clock: target.clock,
            policy: target.policy,
            seed: .random(in: .min ... .max)
        )
        let credentials = (source as? CredentialTokenSource).map {
            CredentialCheck(doctor: self, source: $0, tokens: tokens)
        }
        for checks in [{ await serviceChecks(tokens) }, { await credentials?.checks() ?? [] }] {
            for check in await checks() {
                report(check)
                guard check.verdict == .failed else { continue }
                await tokens.close()
                return check.exit
            }
        }
        var first: ExitStatus?
        for trip in target.trips {
            let tripCheck = TripCheck(doctor: self, journey: trip, tokens: tokens, source: remembering)
            if let failed = await tripCheck.run(report) { first = first ?? failed }
        }
        await tokens.close()
        return first
    }

    // MARK: The service

    /// Sends a request without a token: any answer proves that the service is reachable and reveals its time.
    private func serviceChecks(_ tokens: TokenProvider) async -> [Check] {
        guard let trip = target.trips.first else { return [] }
        let answer: FleetAnswer
        let began = target.clock.now()
        do {
            answer = try await calls.send(FleetCall(JourneyRequest(provider: target.provider, journey: trip)), nil)
        } catch {
            return failures(of: error, journey: trip)
        }
        let ended = target.clock.now()
        let latency = (ended.steady - began.steady) / target.clock.speed
        let endpoint = target.endpoint
        let plain = localizer(endpoint.protocol == .grpc ? .doctorPlaintext : .doctorPlainHTTP)
        return [
            Check(.name, .passed, localizer(.doctorHostKnown(host: endpoint.host))),
            Check(
                .connection,
                .passed,
                localizer(.doctorAnswered(host: endpoint.displayName, duration: localizer.latency(latency)))
            ),
            endpoint.isPlaintext ? Check(.tls, .skipped, plain) : Check(.tls, .passed, localizer(.doctorSecure)),
            service(answer, journey: trip),
            await clock(answer.response, began.wall...max(began.wall, ended.wall), tokens, trip),
        ]
    }

    /// Returns the steps that passed before the transport error, and the failed step.
    private func failures(of error: Failure, journey: JourneyID) -> [Check] {
        let host = target.endpoint.displayName
        let sentence = UserMessage(error, nil, journey: journey, host: host, localizer: localizer)
        let exit = error.exitStatus
        let known = Check(.name, .passed, localizer(.doctorHostKnown(host: target.endpoint.host)))
        let listens = Check(.connection, .passed, localizer(.doctorListens(host: host)))
        func failed(_ step: Check.Step) -> Check {
            Check(step, .failed, sentence, exit: exit, localizer: localizer)
        }
        return switch error.row.stage {
        case .address: [failed(.name)]
        case .connection: [known, failed(.connection)]
        case .tls: [known, listens, failed(.tls)]
        case .answer, .service: [known, listens, failed(.service)]
        // It is not known whether the name was looked up.
        case .route, .source, .sourceAnswer, .token, .provider: [failed(.connection)]
        }
    }

    /// Checks that the answer comes from a Fleet Engine, whose errors are JSON objects of a known format.
    private func service(_ answer: FleetAnswer, journey: JourneyID) -> Check {
        let request = JourneyRequest(provider: target.provider, journey: journey)
        guard case .failure(let failure) = FleetClient.outcome(of: answer, for: request, now: target.clock.now().wall)
        else { return Check(.service, .warned, localizer(.doctorNoTokenNeeded)) }
        switch failure.answer {
        case let error?
        where error.httpStatus == 403 && error.message?.hasPrefix(HostPolicy.unknownHost + " ") == true:
            return Check(
                .service,
                .failed,
                localizer(.doctorEmulatorName(host: excerpt(target.endpoint.host))),
                advice: localizer(.doctorEmulatorNameAdvice),
                exit: .badConfiguration
            )
        case let error?
        where error.status != nil && [400, 401, 403].contains(error.httpStatus)
            && (answer.remote != nil || target.endpoint.protocol == .rest):
            return Check(.service, .passed, localizer(.doctorFleetEngine(status: error.answerStatus.label)))
        case _ where Self.isByGateway(failure):
            // A gateway refuses requests without a token; the answer with a token decides.
            return Check(
                .service,
                .warned,
                localizer(.doctorNotFleetEngine(status: failure.status?.label ?? "")),
                advice: localizer(.foreignRefusalAdvice)
            )
        case let error? where error.httpStatus < 500 && error.httpStatus != 429:
            let said =
                error.message.map { localizer(.saidDetail(message: Reporter.sanitized($0, limit: 160))) } ?? ""
            let status = error.answerStatus
            let usual = [StatusCode.unauthenticated, .permissionDenied].map { code in
                status.grpcStatus == nil ? String(code.httpStatus) : code.name
            }
            return Check(
                .service,
                .failed,
                error.status.map { name in
                    let code = status.grpcStatus == nil ? " \(Reporter.sanitized(name, limit: 40))" : ""
                    return localizer(
                        .doctorOtherAnswer(
                            status: status.label + code,
                            said: said,
                            unauthenticated: usual[0],
                            denied: usual[1]
                        )
                    )
                } ?? localizer(.doctorNotFleetEngine(status: status.label)),
                advice: localizer(.doctorNotFleetEngineAdvice),
                exit: .badConfiguration
            )
        default:
            let sentence = UserMessage(
                failure.with(answer.exchange),
                nil,
                journey: journey,
                host: target.endpoint.displayName,
                localizer: localizer
            )
            return Check(.service, .failed, sentence, exit: failure.exitStatus, localizer: localizer)
        }
    }

    /// Returns whether a gateway refuses the request: with 401 or 403, but not in the form of a Fleet Engine error.
    private static func isByGateway(_ failure: Failure) -> Bool {
        (failure.answer?.isForeign ?? (failure.code == .webPage)) && [401, 403].contains(failure.httpStatus)
    }

    /// Checks that the service's time is between the start and the end of the request.
    private func clock(
        _ response: HTTPTransportResponse,
        _ span: ClosedRange<Date>,
        _ tokens: TokenProvider,
        _ journey: JourneyID
    ) async -> Check {
        guard let date = HTTPDate.timeOfSending(date: response.header("date"), age: response.header("age")) else {
            return Check(.clock, .skipped, localizer(.doctorNoDate))
        }
        if let cache = CacheEvidence(response.headers) {
            return Check(
                .clock,
                .skipped,
                localizer(.doctorCached(headers: Reporter.sanitized(cache.text, limit: 200)))
            )
        }
        let nearest = min(max(date, span.lowerBound), span.upperBound)
        let offset = date.timeIntervalSince(nearest)
        let agreement = Check(.clock, .passed, localizer(.doctorClocksAgree))
        guard abs(offset) > Self.clockTolerance else { return agreement }
        // The token endpoint's clock decides which of the other two clocks is wrong. The token itself is not needed here.
        _ = try? await tokens.token(for: .journey(journey))
        let difference = Duration(clampedSeconds: offset)
        let endpoint = tokens.status(of: .journey(journey)).sourceClockOffset
        let isInjected = response.exchange?.fault?.changesClock ?? false
        let verdict = isInjected ? .injected(difference) : ClockVerdict(endpoint: endpoint, service: difference)
        guard let sentence = UserMessage(verdict, localizer: localizer) else { return agreement }
        return Check(
            .clock,
            abs(offset) > Self.clockLimit ? .failed : .warned,
            sentence,
            exit: .badConfiguration,
            localizer: localizer
        )
    }
}
