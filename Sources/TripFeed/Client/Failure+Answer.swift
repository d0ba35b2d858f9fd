package import Failures
package import FleetTokens
package import FleetWire
package import TripModel

/// The failures of an answer that is no trip.
extension Failure {
    /// The service answered with an error; `retryAfter` is the wait that it requests.
    package static func service(_ answer: ServiceAnswer, retryAfter: Duration?) -> Failure {
        Failure(answer.failureCode, answer: answer, retryAfter: retryAfter)
    }

    /// The service refused the token because it breaks a rule.
    package static func refusedToken(
        _ answer: ServiceAnswer,
        because finding: TokenFinding,
        retryAfter: Duration?
    ) -> Failure {
        let code: FailureCode = answer.httpStatus == 401 ? .unauthorized : .forbidden
        return Failure(code, answer: answer, breaking: finding, retryAfter: retryAfter)
    }

    /// A web page, so the answer is not from the service.
    package static func webPage(httpStatus: Int, title: String?) -> Failure {
        Failure(.webPage).with(.status, httpStatus).with(.said, title)
    }

    /// The service redirected the request.
    ///
    /// The client does not follow, because the token must not go to another host.
    package static func redirected(httpStatus: Int) -> Failure { Failure(.redirected).with(.status, httpStatus) }

    /// The answer could not be parsed.
    package static func unreadable(_ error: WireError) -> Failure { Failure(.unreadable).with(.said, error.place) }

    /// The answer contains another trip than the requested one.
    package static func anotherTrip(_ id: JourneyID) -> Failure {
        Failure(.anotherTrip).with(.answered, id.rawValue)
    }
}

/// What a failed call shows of its answer.
extension Failure {
    /// The HTTP status of the answer; `nil` if there was none.
    package var httpStatus: Int? {
        switch code {
        case .webPage, .redirected: self[.status]
        case .unreadable, .anotherTrip: 200
        default: answer?.httpStatus
        }
    }

    /// The status of the answer if it is the failure; `nil` if there was no answer, or if its content is the failure.
    package var status: AnswerStatus? {
        switch code {
        case .webPage, .redirected: self[.status].map(AnswerStatus.http)
        default: answer?.answerStatus
        }
    }

    /// The remote side's message with the values that were wrong, or the parser's position; untrusted text, `nil` if there is none.
    package var detail: String? {
        guard !isMissingToken else { return nil }
        return answer.map(\.explanation) ?? self[.said] ?? reason
    }
}

extension WireError {
    /// The reason with its place in the message.
    fileprivate var place: String {
        switch self {
        case .notJSON(let reason): reason
        case .unexpected(let path, let reason): path.isEmpty ? reason : "\(path): \(reason)"
        case .badName(let name), .unknownName(let name, _): name
        }
    }
}

extension ServiceAnswer {
    /// The row of the table.
    var failureCode: FailureCode {
        switch httpStatus {
        case 304: .notModified
        case 400: .badRequest
        case 401: isForeign ? .foreignUnauthorized : .unauthorized
        case 403: isForeign ? .foreignForbidden : forbiddenCode
        case 404: isForeign ? .foreignNotFound : speaksOfResource ? .notFound : .methodNotFound
        case 429: .quotaExceeded
        case 504: .deadlineExceeded
        default: isTemporary ? .serviceUnavailable : .otherStatus
        }
    }

    /// Whether NOT_FOUND is about what was asked for, not about the method or the path.
    ///
    /// Without a message it is: the status means that an entity was not found (`google.rpc.Code`).
    private var speaksOfResource: Bool {
        guard let message, !message.allSatisfy(\.isWhitespace) else {
            return status == StatusCode.notFound.name || grpcStatus == .notFound
        }
        return MissingResource.isNamed(in: message)
    }

    /// Whether a login names no project that is charged; the number is gcloud's own project, which is charged in this case.
    private var lacksQuotaProject: Bool {
        ["764086051850", "requires a quota project"].contains { message?.contains($0) == true }
    }

    /// Whether the account may not charge the quota project; the message names the permission, too.
    private var mayNotCharge: Bool {
        let permission = "serviceusage.services.use"
        return missingPermission == permission || message?.contains(permission) == true
    }

    private var forbiddenCode: FailureCode {
        switch projectProblem {
        case .apiDisabled where lacksQuotaProject: .quotaProjectMissing
        case .apiDisabled: .apiDisabled
        case .blocked: .projectBlocked
        case .unknown: .projectUnknown
        case nil where mayNotCharge: .quotaProjectForbidden
        case nil: message?.lowercased().contains("scope") == true ? .forbiddenScope : .forbidden
        }
    }
}

/// Reads from the message of a 404 whether the trip or shipment is missing, or the method, path or server that was asked.
///
/// A gateway can put its own words into Google's form of errors.
enum MissingResource {
    /// Messages of Google and of object stores, in lower case; what follows in them is an ID, which may be any words.
    private static let beginnings = ["requested entity was not found", "no entity with id ", "no such object: "]

    /// What a trip or a shipment is called.
    private static let resources: Set<Substring> = [
        "entity", "entities", "trip", "trips", "tripid", "task", "tasks", "shipment", "shipments", "tracking",
        "trackingid",
        "object", "record",
    ]

    /// What else can be missing; frameworks say `resource` of a path.
    private static let others: Set<Substring> = [
        "api", "app", "application", "backend", "cluster", "controller", "domain", "endpoint", "file", "function",
        "handler", "host", "method", "operation", "page", "path", "proxy", "route", "router", "routes", "rpc", "server",
        "service", "site", "upstream", "uri", "url", "vehicle", "vehicles", "verb", "webpage",
    ]

    /// Returns whether a message says that the resource is missing.
    static func isNamed(in message: String) -> Bool {
        let message = message.lowercased()
        if beginnings.contains(where: message.hasPrefix) { return true }
        // The path of the request names the resource, too.
        let words = message.split(whereSeparator: \.isWhitespace).filter { !isPath($0) }
        // A quoted word is a name.
        let bare = words.map { $0.trimming { ".,:;!?()".contains($0) } }
        guard !bare.contains(where: others.contains) else { return false }
        return words.contains { word in
            word.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.contains(where: resources.contains)
        }
    }

    /// Whether a word is a path or a URL; `providers/p/trips/t` is the name of a resource.
    private static func isPath(_ word: Substring) -> Bool {
        let word = word.trimming { !$0.isLetter && !$0.isNumber && $0 != "/" }
        return word.hasPrefix("/") || word.hasPrefix("v1/") || word.contains("/v1/") || word.contains("://")
    }
}

extension Substring {
    /// Returns the text without the characters at both ends that meet a condition.
    fileprivate func trimming(while condition: (Character) -> Bool) -> Substring {
        var text = drop(while: condition)
        while let last = text.last, condition(last) { text.removeLast() }
        return text
    }
}
