package import Failures
package import FleetTokens
import Foundation
import Runtime
package import TripFeed
import TripModel

/// Describes a call: its name, why it failed, and all that is known about it.
package struct CallWords {
    private let listed: ListedCall
    private let host: String
    private let localizer: Localizer

    /// Creates the words for a call of a session with a host.
    package init(_ listed: ListedCall, host: String, localizer: Localizer) {
        (self.listed, self.host, self.localizer) = (listed, host, localizer)
    }

    private var call: Call { listed.call }

    /// The party that the program called, or the party that called another one.
    package var party: String { localizer(call.party.word) }

    /// The method of the service, or why the token was fetched; sanitized.
    package var name: String {
        guard call.operation == .fetchToken else { return Printable.clean(call.operation.rawValue, limit: 60) }
        let reason = call.cause.flatMap { FetchReason(rawValue: $0.rawValue) }
        return reason.map {
            localizer(.labelled(label: localizer(.viewToken), value: localizer(Self.phrase($0))))
        } ?? path
    }

    /// The path of the URL, or the name of the source; sanitized.
    package var path: String {
        let request = call.request
        guard request.url.contains("://") else { return Reporter.sanitized(request.url, limit: 300) }
        return Reporter.sanitized(request.path.isEmpty ? "/" : request.path, limit: 300)
    }

    /// The message about its failure; `nil` if it succeeded.
    package var message: UserMessage? {
        guard let failure = call.failure else { return nil }
        if let status = listed.tokenStatus {
            return UserMessage(noToken: failure, status, for: subject, localizer: localizer)
        }
        guard call.asker == .program else {
            let reason = failure.detail ?? failure.nameInJSON
            return UserMessage(failure.nameInJSON, localizer(.callReportFailed(reason: reason)))
        }
        if let project { return UserMessage(failure, searching: project, host: host, localizer: localizer) }
        return UserMessage(failure, name: call.subject, host: host, localizer: localizer)
    }

    /// The project whose trips a search asked for; `nil` for another call.
    private var project: ProviderID? {
        guard call.operation == .searchTrips else { return nil }
        // The path of the method over gRPC names no project.
        let place = call.request.header("x-goog-request-params") ?? call.request.path
        let name = place.split(separator: "providers/", maxSplits: 1).last?.prefix { $0 != "/" }
        // Only an edited file has an invalid ID.
        return name.flatMap { PercentEncoding.decode($0) }.flatMap { try? ProviderID($0) }
    }

    /// Why it failed, in one line; `nil` if it succeeded.
    ///
    /// For a call of this program it is the message; for another call, what the answer says, and the rule that the token breaks.
    package var reason: String? {
        guard let failure = call.failure, call.asker != .program else { return message?.what }
        let said = failure.answer?.message ?? failure.exchange?.answer?.body?.message ?? failure.answer?.status
        let rule = failure.brokenRule.map { UserMessage($0, localizer: localizer).what }
        let parts = [said, rule].compactMap(\.self).map { $0.trimmingSuffix { $0 == "." } }
        guard !parts.isEmpty else { return UserMessage(failure, localizer: localizer).short }
        return Reporter.sanitized(parts.joined(separator: "; "), limit: 500)
    }

    /// The trip or the shipment that the call was for, in words.
    private var subject: String {
        let journey = JourneyName(call.subject, as: .trip)
        return localizer.about(journey.kind)(.tripSubject(trip: Reporter.sanitized(journey.id, limit: 64)))
    }

    /// Why a fetch was begun, in a word or two.
    package static func phrase(_ reason: FetchReason) -> Text {
        switch reason {
        case .needed: .whyNeeded
        case .ahead: .whyAhead
        case .rejected: .whyRejected
        case .requested: .whyRequested
        case .retry: .whyRetry
        }
    }

    // MARK: Details

    /// Returns labelled texts in the order in which they are read: the request with a command that sends it again, the token,
    /// the answer and the failure.
    ///
    /// - Parameters:
    ///   - zone: The time zone.
    ///   - command: The command; `nil` if there is none.
    ///   - isWhole: Whether the query, the headers of the request and the bodies are among them.
    /// - Returns: The rows.
    package func rows(_ zone: Zone, command: String?, isWhole: Bool = false) -> [FailureDetails.Row] {
        let isFetch = call.answerer == .tokens
        let isForToken = isFetch || call.answerer == .credentials
        var rows = [row(.callsTime, zone.clock(call.ended.wall)), row(.failureSent, sent(isWhole))]
        if isFetch, let reason = call.cause.flatMap({ FetchReason(rawValue: $0.rawValue) }) {
            rows.append(row(.columnWhy, localizer(Self.phrase(reason))))
        }
        if isForToken || isWhole { rows += headersOfRequest(areValues: isWhole && !isForToken) }
        if isWhole || call.asker == .driver { rows += body(call.request.body) }
        if let command { rows.append(row(.requestTitle, Reporter.sanitized(command, limit: 1000))) }
        if let connection = call.connection { rows.append(row(.failureConnection, localizer.words(connection))) }
        if !isFetch, let number = call.token {
            rows.append(row(.viewToken, localizer(.callToken(number: String(number)))))
        }
        rows.append(row(.failureAnswer, answer))
        rows += call.answer.map(words) ?? []
        if isWhole { rows += body(call.answer?.body) }
        if isFetch, call.failure == nil { rows.append(row(.viewToken, token(zone))) }
        if let message {
            rows.append(row(.failureWhat, message.what + localizer(.fullStop)))
            if let remedy = message.remedy { rows.append(row(.failureNext, remedy)) }
        }
        return rows
    }

    private func row(_ label: Text, _ value: String) -> FailureDetails.Row {
        let name = localizer(label)
        return FailureDetails.Row(label: name.prefix(1).uppercased() + name.dropFirst(), value: value)
    }

    /// The method and the URL, with its query if the whole request is shown.
    private func sent(_ isWhole: Bool) -> String {
        let url = isWhole ? call.request.url : call.request.target
        return Reporter.sanitized([call.request.method, url].compactMap(\.self).joined(separator: " "), limit: 700)
    }

    private func headersOfRequest(areValues: Bool) -> [FailureDetails.Row] {
        let headers = call.request.headers
        guard !headers.isEmpty else { return [] }
        let texts = headers.map { areValues ? "\($0.name): \($0.value)" : $0.name }
        return [row(.callHeaders, Reporter.sanitized(texts.joined(separator: localizer(.listComma)), limit: 600))]
    }

    /// The text of a body, a line to a row; none if it is empty or was not stored.
    private func body(_ body: StoredBody?) -> [FailureDetails.Row] {
        guard let body, !body.bytes.isEmpty else { return [] }
        let lines = body.indented(mostLines: Self.mostLines)
        let rows = lines.enumerated().map { index, line in
            let text = Reporter.sanitized(line, limit: 700)
            return index == 0 ? row(.callBody, text) : FailureDetails.Row(label: "", value: text)
        }
        return body.isCut || lines.count == Self.mostLines ? rows + [.init(label: "", value: "…")] : rows
    }

    private func words(_ answer: Call.Answer) -> [FailureDetails.Row] {
        var rows = answer.headers.prefix(Self.mostHeaders).map { header in
            FailureDetails.Row(label: "", value: Reporter.sanitized("\(header.name): \(header.value)", limit: 300))
        }
        let age = Duration.seconds(HTTPDate.seconds(ofAge: answer.header("age")))
        if age > .zero, call.answerer == .service {
            rows.append(.init(label: "", value: localizer(.callFromCache(age: localizer.age(age)))))
        }
        if !listed.leftOut.isEmpty {
            let parts = GuardedPart.allCases.filter(listed.leftOut.contains).map { localizer(Self.name(of: $0)) }
            let text = localizer(.callLeftOut(parts: parts.joined(separator: localizer(.listComma))))
            rows.append(.init(label: "", value: text))
        }
        return rows
    }

    /// The number of the received token and its end.
    private func token(_ zone: Zone) -> String {
        let number = call.token.map { localizer(.callToken(number: String($0))) } ?? localizer(.callSameToken)
        let end = listed.tokenStatus?.expiresAt.map {
            localizer(.callTokenEnds(time: zone.clock($0, now: call.ended.wall)))
        }
        return [number, end].compactMap(\.self).joined(separator: " · ")
    }

    /// Returns `HTTP 200 · 1.2 kB · 31 ms`, or why there is no answer.
    private var answer: String {
        [
            call.status?.label ?? (call.failure == nil ? localizer(.callReceived) : message?.short),
            (call.answer?.bytes).map(localizer.bytes), call.duration.map(localizer.latency),
        ].compactMap(\.self).joined(separator: " · ")
    }

    private static let mostHeaders = 12
    /// The maximum number of lines of a body.
    private static let mostLines = 400

    private static func name(of part: GuardedPart) -> Text {
        switch part {
        case .route: .partRoute
        case .traffic: .partTraffic
        case .waypointRoutes: .partWaypointRoutes
        }
    }
}

extension Call.Party {
    /// The name in lists.
    package var word: Text {
        switch self {
        case .program, .client: .callsClient
        case .rider: .callsRider
        case .driver: .callsDriver
        case .backend: .callsBackend
        case .service: .callsService
        case .tokens: .callsTokens
        case .credentials: .callsCredentials
        }
    }
}
