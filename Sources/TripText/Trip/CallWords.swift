import Failures
package import FleetTokens
import Foundation
import Runtime
package import TripFeed
import TripModel

/// Describes a call: its name, why it failed, and all that is known about it.
package struct CallWords {
    private let call: CallRecord
    private let host: String
    private let localizer: Localizer

    /// Creates the words for a call of a session with a host.
    package init(_ call: CallRecord, host: String, localizer: Localizer) {
        (self.call, self.host, self.localizer) = (call, host, localizer)
    }

    /// Whom the program called, or the driver who called.
    package var party: String {
        switch call.party {
        case .service: localizer(.callsService)
        case .tokens: localizer(.callsTokens)
        case .driver: localizer(.callsDriver)
        }
    }

    /// The method of the service, or why the token was fetched; sanitized.
    package var name: String {
        switch call.details {
        case .poll(let poll)?: poll.call.rawValue
        case .fetch(let fetch)?:
            fetch.reason.map {
                localizer(.labelled(label: localizer(.viewToken), value: localizer(Self.phrase($0))))
            } ?? path
        case .report?: Self.driverCall
        case nil: path
        }
    }

    /// The path of the URL, or the name of the source; sanitized.
    package var path: String {
        let text = call.target
        guard let scheme = text.range(of: "://") else { return Reporter.sanitized(text, limit: 300) }
        let path = text[scheme.upperBound...].drop { $0 != "/" }
        return Reporter.sanitized(path.isEmpty ? "/" : String(path), limit: 300)
    }

    /// The message about its failure; `nil` if it succeeded.
    package var message: UserMessage? {
        switch call.failure {
        case .poll(let failure)?: UserMessage(failure, name: call.subject, host: host, localizer: localizer)
        case .fetch(let failure, let status)?:
            UserMessage(noToken: failure, status, for: subject, localizer: localizer)
        case .report(let failure)?: message(of: failure)
        case nil: nil
        }
    }

    private func message(of failure: DriverCall.Failure) -> UserMessage {
        let reason = failure.message ?? failure.code
        return UserMessage(failure.code, localizer(.callReportFailed(reason: reason)))
    }

    /// The trip or the shipment that the call was for, in words.
    private var subject: String {
        let journey = JourneyName(call.subject, as: .trip)
        return localizer.about(journey.kind)(.tripSubject(trip: Reporter.sanitized(journey.id, limit: 64)))
    }

    /// The method of the service that a driver calls.
    private static let driverCall = "UpdateVehicle"

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

    /// Returns labelled texts in the order in which they are read: request, token, answer, failure, and a command that sends
    /// the request again.
    package func rows(_ zone: Zone, command: String?) -> [FailureDetails.Row] {
        var rows = [row(.callsTime, zone.clock(call.time)), row(.failureSent, sent)]
        switch call.details {
        case .poll(let poll)?: rows += words(poll)
        case .fetch(let fetch)?: rows += words(fetch, zone)
        case .report(let report)?: rows += words(report)
        case nil: break
        }
        if let message {
            rows.append(row(.failureWhat, message.what + localizer(.fullStop)))
            if let remedy = message.remedy { rows.append(row(.failureNext, remedy)) }
        }
        if let command { rows.append(row(.requestTitle, Reporter.sanitized(command, limit: 1000))) }
        return rows
    }

    private func row(_ label: Text, _ value: String) -> FailureDetails.Row {
        let name = localizer(label)
        return FailureDetails.Row(label: name.prefix(1).uppercased() + name.dropFirst(), value: value)
    }

    private var sent: String {
        Reporter.sanitized([call.method, call.target].compactMap(\.self).joined(separator: " "), limit: 700)
    }

    private func words(_ poll: CallRecord.Poll) -> [FailureDetails.Row] {
        var rows: [FailureDetails.Row] = []
        if let number = call.token { rows.append(row(.viewToken, localizer(.callToken(number: String(number))))) }
        rows.append(row(.failureAnswer, answer))
        for header in poll.headers.prefix(Self.mostHeaders) {
            rows.append(.init(label: "", value: Reporter.sanitized("\(header.name): \(header.value)", limit: 300)))
        }
        if poll.cacheAge > .zero {
            rows.append(.init(label: "", value: localizer(.callFromCache(age: localizer.age(poll.cacheAge)))))
        }
        if !poll.leftOut.isEmpty {
            let parts = GuardedPart.allCases.filter(poll.leftOut.contains).map { localizer(Self.name(of: $0)) }
            let text = localizer(.callLeftOut(parts: parts.joined(separator: localizer(.listComma))))
            rows.append(.init(label: "", value: text))
        }
        return rows
    }

    private func words(_ report: CallRecord.Report) -> [FailureDetails.Row] {
        [
            row(.callBody, Reporter.sanitized(report.body, limit: 700)),
            row(.failureAnswer, answer),
        ]
    }

    private func words(_ fetch: CallRecord.Fetch, _ zone: Zone) -> [FailureDetails.Row] {
        var rows: [FailureDetails.Row] = []
        if let reason = fetch.reason { rows.append(row(.columnWhy, localizer(Self.phrase(reason)))) }
        if let names = fetch.exchange?.request.headerNames, !names.isEmpty {
            let text = names.joined(separator: localizer(.listComma))
            rows.append(row(.callHeaders, Reporter.sanitized(text, limit: 300)))
        }
        if let connection = fetch.exchange?.connection {
            rows.append(row(.failureConnection, localizer.words(connection)))
        }
        rows.append(row(.failureAnswer, answer))
        for header in (fetch.exchange?.answer?.headers ?? []).prefix(Self.mostHeaders) {
            rows.append(.init(label: "", value: Reporter.sanitized("\(header.name): \(header.value)", limit: 300)))
        }
        guard call.failure == nil else { return rows }
        let number = call.token.map { localizer(.callToken(number: String($0))) } ?? localizer(.callSameToken)
        let end = fetch.endsAt.map { localizer(.callTokenEnds(time: zone.clock($0, now: call.time))) }
        rows.append(row(.viewToken, [number, end].compactMap(\.self).joined(separator: " · ")))
        return rows
    }

    /// Returns `HTTP 200 · 1.2 kB · 31 ms`, or why there is no answer.
    private var answer: String {
        [
            call.status?.label ?? (call.failure == nil ? localizer(.callReceived) : message?.short),
            call.bytes.map(localizer.bytes), call.duration.map(localizer.latency),
        ].compactMap(\.self).joined(separator: " · ")
    }

    private static let mostHeaders = 12

    private static func name(of part: GuardedPart) -> Text {
        switch part {
        case .route: .partRoute
        case .traffic: .partTraffic
        case .waypointRoutes: .partWaypointRoutes
        }
    }
}
