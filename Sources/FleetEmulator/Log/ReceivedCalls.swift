import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import TripFeed
import TripModel

/// Describes the calls that an emulator receives, those without a valid token, too, as its clients would have seen them.
struct ReceivedCalls: Sendable {
    private let provider: ProviderID
    private let accounts: ServiceAccounts
    private let report: @Sendable (Call) -> Void

    /// Creates a describer.
    ///
    /// - Parameters:
    ///   - provider: The project of the service.
    ///   - accounts: The accounts that sign tokens.
    ///   - report: Gets each answered call; it must not block.
    init(provider: ProviderID, accounts: ServiceAccounts, report: @escaping @Sendable (Call) -> Void) {
        (self.provider, self.accounts, self.report) = (provider, accounts, report)
    }

    /// Describes an answered request.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint that answered.
    ///   - request: The request.
    ///   - response: The answer; what a fault made of it included.
    ///   - started: When the request was received.
    ///   - ended: When the answer was complete.
    ///   - duration: The real time between the two; `nil` if nothing answered.
    func add(
        _ endpoint: AnsweredRequest.Endpoint,
        _ request: PlainRequest,
        _ response: PlainResponse,
        started: Moment,
        ended: Moment,
        duration: Duration?
    ) {
        // The service has checked the token of a call over gRPC whose message it does not understand.
        let refusal = response.status == 404 ? request.remote?.refusal : nil
        let response = refusal.map { PlainResponse.error(.invalidArgument($0)) } ?? response
        let sent = SentToken(request.authorization, at: endpoint)
        let matter = matter(of: request, at: endpoint, sent)
        let answer = response.delivery.share == nil ? nil : Self.answer(response, over: request.remote)
        var call = Call(
            matter.operation,
            from: matter.asker,
            to: endpoint.party,
            about: matter.subject,
            Self.request(request, at: endpoint),
            answer,
            started: started,
            ended: ended,
            duration: duration,
            failure: failure(at: endpoint, request, response, sent, started.wall, duration),
            fault: response.fault
        )
        call.credential = Self.issued(at: endpoint, response) ?? sent?.credential
        report(call)
    }

    // MARK: Who asked for what

    /// Who asked for what.
    private struct Matter {
        var asker = Call.Party.client
        var operation = Call.Operation.unknown
        var subject = ""
    }

    private func matter(
        of request: PlainRequest,
        at endpoint: AnsweredRequest.Endpoint,
        _ sent: SentToken?
    ) -> Matter {
        switch endpoint {
        case .fleetEngine:
            var matter = Matter(asker: sent?.asker ?? .client)
            if let target = try? FleetTarget(request, of: provider) {
                matter.operation = target.method.map { Call.Operation(rawValue: $0.name) } ?? .unknown
                let id = target.id ?? request.idOfNewResource
                matter.subject =
                    target.collection == "taskTrackingInfo"
                    ? id.flatMap { try? TrackingID($0) }.map { JourneyID.shipment($0).name } ?? id ?? "" : id ?? ""
            }
            if let remote = request.remote { matter.operation = Call.Operation(rawValue: remote.methodName) }
            return matter
        case .tokens:
            // The paths of Google's samples name who needs the token.
            let parts = request.segments.map { $0.lowercased() }
            guard parts.count >= 2, parts[0] == "token" else { return Matter() }
            let asker: Call.Party =
                switch parts[1] {
                case "consumer", "delivery_consumer": .rider
                case "driver", "delivery_driver", "trusted_delivery_driver": .driver
                default: parts.count == 2 ? .backend : .client
                }
            let id = request.segments.dropFirst(2).first ?? ""
            let tracking = parts[1] == "delivery_consumer" ? try? TrackingID(id) : nil
            return Matter(
                asker: asker,
                operation: .fetchToken,
                subject: tracking.map { JourneyID.shipment($0).name } ?? id
            )
        case .credentials:
            return Matter(asker: .backend, operation: GoogleRoutes.operation(of: request))
        }
    }

    // MARK: What was sent and answered

    private static func request(_ request: PlainRequest, at endpoint: AnsweredRequest.Endpoint) -> Call.Request {
        // Requests for tokens and credentials contain secrets, in their queries, too.
        let isSecret = endpoint != .fleetEngine
        let host = request.headers["host"] ?? ""
        let headers =
            request.headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
            + (request.authorization.map { [(name: "authorization", value: $0)] } ?? [])
        if let remote = request.remote {
            return Call.Request("POST", "/\(remote.method)", over: .grpc, headers: headers, body: request.body)
        }
        let query = request.query.map { name, value in
            let isHidden = isSecret || name.isSecretName || Self.secretParameters.contains(name)
            return isHidden ? name : "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"
        }
        return Call.Request(
            request.method,
            "http://\(host)\(request.path)" + (query.isEmpty ? "" : "?\(query.joined(separator: "&"))"),
            headers: headers,
            body: isSecret ? [] : request.body
        )
    }

    /// The parameters of Google's front end that hold a token or a key.
    private static let secretParameters: Set<String> = ["access_token", "oauth_token", "key", "apiKey"]

    /// The body of a successful answer is not stored: redacting it would take longer than the call, and nothing shows it.
    private static func answer(_ response: PlainResponse, over remote: PlainRequest.Remote?) -> Call.Answer {
        let isSuccess = (200..<300).contains(response.status)
        return Call.Answer(
            status: response.status,
            grpcStatus: remote == nil ? nil : StatusCode(of: response).rawValue,
            headers: response.allHeaders,
            body: isSuccess ? [] : response.body,
            bytes: response.body.count
        )
    }

    /// Returns the token in the answer of an endpoint that issues tokens; `nil` without one.
    private static func issued(at endpoint: AnsweredRequest.Endpoint, _ response: PlainResponse) -> Call.Credential? {
        guard endpoint != .fleetEngine, response.status == 200 else { return nil }
        return JSONValue(response.body)?.firstToken.map { Call.Credential(issued: $0) }
    }

    // MARK: Why it was refused

    private func failure(
        at endpoint: AnsweredRequest.Endpoint,
        _ request: PlainRequest,
        _ response: PlainResponse,
        _ sent: SentToken?,
        _ now: Date,
        _ duration: Duration?
    ) -> Failure? {
        guard response.delivery.share != 1 || !(200..<300).contains(response.status) else { return nil }
        let evidence = Exchange(
            request.remote == nil ? .http : .grpc,
            Exchange.Request(method: request.method, url: request.path, headerNames: [], bytes: request.body.count),
            answer: response.delivery.share == nil
                ? nil
                : Exchange.Answer(status: response.status, headers: response.allHeaders, body: response.body),
            duration: duration ?? .zero,
            ending: .complete,
            fault: response.fault
        )
        guard let share = response.delivery.share else { return Failure.connectionLost.with(evidence) }
        guard share == 1 else { return Failure.cutOff.with(evidence) }
        let delay = response.headers.first { $0.name == "retry-after" }.flatMap { Int($0.value) }.map(Duration.seconds)
        guard endpoint == .fleetEngine else {
            return Failure.sourceStatus(response.status, retryAfter: delay).with(evidence)
        }
        var answer = ServiceAnswer(httpStatus: response.status, body: response.body)
        if request.remote != nil { answer.grpcStatus = StatusCode(of: response) }
        let wait = delay ?? answer.retryDelay
        // A fault or the project refuses the call, whatever the token is.
        let refusesToken = response.fault?.explainsFailure != true && answer.projectProblem == nil
        guard refusesToken, let sent,
            let rule = sent.rule(explaining: answer, of: request, in: provider, accounts, at: response.date ?? now)
        else { return Failure.service(answer, retryAfter: wait).with(evidence) }
        return Failure.refusedToken(answer, because: rule, retryAfter: wait).with(evidence)
    }
}

extension StatusCode {
    /// The code of an answer over REST.
    fileprivate init(of response: PlainResponse) {
        self =
            ErrorAnswer(response.body)?.status.flatMap(StatusCode.init(name:))
            ?? StatusCode(httpStatus: response.status)
    }
}

extension JSONValue {
    /// The first text in it that has the form of a token; `nil` without one.
    fileprivate var firstToken: String? {
        switch self {
        case .string(let text):
            text.hasPrefix("ya29.") || text.hasPrefix("eyJ") && text.count(where: { $0 == "." }) == 2 ? text : nil
        case .array(let elements): elements.lazy.compactMap(\.firstToken).first
        case .object(let members): members.lazy.compactMap(\.value.firstToken).first
        default: nil
        }
    }
}

extension PlainRequest {
    /// The ID that a request to create a resource gives it; `nil` for another request.
    fileprivate var idOfNewResource: String? {
        ["tripId", "vehicleId", "taskId", "deliveryVehicleId"].lazy.compactMap { self.parameter($0) }.first
    }
}
