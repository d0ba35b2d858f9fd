package import Failures
package import FleetTokens
package import Foundation
import Runtime
import TripFeed
package import TripModel

/// All that is known about a failed poll: what happened, since when, the evidence, the suspects, the next step.
package struct FailureDetails {
    /// A labelled text of one or more lines.
    package struct Row: Sendable, Equatable {
        /// What the text is.
        package var label: String
        /// The sanitized text.
        package var value: String
    }

    private let failure: Failure
    private let message: UserMessage
    private let localizer: Localizer
    private let zone: Zone

    /// Collects what is known about a failure.
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - token: The status of the trip's token that explains it; `nil` if none does.
    ///   - journey: The journey.
    ///   - host: The host of the service.
    ///   - zone: The time zone.
    ///   - localizer: The language.
    package init(
        _ failure: Failure,
        _ token: TokenStatus?,
        journey: JourneyID,
        host: String,
        zone: Zone,
        localizer: Localizer
    ) {
        self.failure = failure
        (self.localizer, self.zone) = (localizer, zone)
        message = UserMessage(failure, token, journey: journey, host: host, localizer: localizer)
    }

    /// Returns the rows in the order in which they are read.
    ///
    /// - Parameters:
    ///   - end: When it was over; `nil` if it lasts.
    ///   - now: The present.
    /// - Returns: What happened, since when, the evidence, the suspects and the next step.
    package func rows(until end: Date?, now: Date) -> [Row] {
        var rows = [Row(label: localizer(.failureWhat), value: message.what + localizer(.fullStop))]
        if let streak = failure.history.streak { rows.append(row(.failureSince, since(streak, until: end, now))) }
        if let answer = failure.history.lastAnswer {
            let token = answer.token.map { localizer(.tokenNumberAlso(number: String($0))) } ?? ""
            rows.append(row(.failureLastAnswer, zone.clock(answer.at) + token))
        }
        // The cause shows more than what followed from it.
        if let exchange = failure.origin.exchange ?? failure.exchange { rows += evidence(exchange) }
        let isHidden = localizer.hidesFaults && failure.injected != nil
        for (index, suspect) in (isHidden ? [] : message.suspects).enumerated() {
            rows.append(Row(label: index == 0 ? localizer(.failureSuspects) : "", value: words(suspect)))
        }
        if message.suspects.isEmpty, let unknown = message.blame { rows.append(row(.failureSuspects, unknown)) }
        if let advice = message.advice { rows.append(row(.failureNext, advice)) }
        return rows
    }

    private func row(_ label: Text, _ value: String) -> Row { Row(label: localizer(label), value: value) }

    /// Returns `14:02:31 · 42 s · failed polls in a row: 7`, and when it was over.
    private func since(_ streak: History.Streak, until end: Date?, _ now: Date) -> String {
        let length = Duration(clampedSeconds: max(0, (end ?? now).timeIntervalSince(streak.since).rounded()))
        var parts = [zone.clock(streak.since), localizer.span(length)]
        parts.append(localizer(.pollsInARow(number: String(streak.count))))
        if let end { parts.append(localizer(.failureOver(time: zone.clock(end)))) }
        return parts.joined(separator: " · ")
    }

    private func words(_ suspect: Diagnosis.Suspect) -> String {
        let strength: Text =
            switch suspect.strength {
            case .proven: .strengthProven
            case .likely: .strengthLikely
            case .possible: .strengthPossible
            }
        let party = localizer(suspect.party.phrase)
        let reason = suspect.clue.map {
            localizer(.suspectBecause(party: party, reason: localizer.text($0.reason)))
        }
        return localizer(.labelled(label: localizer(strength), value: reason ?? party))
    }

    // MARK: Evidence

    private func evidence(_ exchange: Exchange) -> [Row] {
        // There is no connection and no answer.
        if exchange.fault?.isSent == false, !localizer.hidesFaults {
            return [row(.callsHeldBack, shown(exchange.request.line))]
        }
        var rows = [row(.failureSent, shown(exchange.request.line))]
        if let connection = exchange.connection { rows.append(row(.failureConnection, localizer.words(connection))) }
        guard let answer = exchange.answer else {
            return rows + [row(.failureAnswer, "\(message.short) · \(localizer.latency(exchange.duration))")]
        }
        rows.append(row(.failureAnswer, words(answer, of: exchange)))
        for header in answer.headers.prefix(Self.mostHeaders) {
            rows.append(Row(label: "", value: shown("\(header.name): \(header.value)")))
        }
        switch answer.body?.content {
        case .text(let text)?: rows.append(row(.failureBody, shown(text)))
        case .binary?: rows.append(row(.failureBody, shown(answer.body?.summary ?? "")))
        case .empty?, nil: break
        }
        return rows
    }

    private static let mostHeaders = 12

    private func shown(_ text: String) -> String { Reporter.sanitized(text, limit: 700) }

    /// Returns `HTTP 403 · 1.2 kB · text/html · 31 ms`.
    private func words(_ answer: Exchange.Answer, of exchange: Exchange) -> String {
        var parts: [String] = []
        if let number = answer.grpcStatus {
            parts.append("gRPC \(AnswerStatus.grpc(number).name)")
        } else if let status = answer.status {
            parts.append("HTTP \(status)")
        }
        parts.append(answer.bytes == 0 ? localizer(.endpointBodyEmpty) : localizer.bytes(answer.bytes))
        parts += [answer.mediaType, answer.encoding].compactMap(\.self).map(shown)
        parts.append(localizer.latency(exchange.duration))
        if case .failed = exchange.ending { parts.append(message.short) }
        return parts.joined(separator: " · ")
    }
}

extension Localizer {
    /// Returns `HTTP/2 · TLS 1.3 · *.example.org · proxy p.example:3128`, sanitized.
    func words(_ connection: Exchange.Connection) -> String {
        var parts = [connection.httpVersion.map { "HTTP/\($0)" }].compactMap(\.self)
        if let version = connection.tlsVersion {
            parts.append("TLS \(version)")
        } else {
            parts.append(connection.isEncrypted ? "TLS" : self(.failureNotEncrypted))
        }
        if let certificate = connection.certificate {
            parts += [certificate.names.first, certificate.issuer].compactMap(\.self)
        }
        if let proxy = connection.proxy { parts.append(self(.failureProxy(proxy: proxy))) }
        return parts.map { Reporter.sanitized($0, limit: 700) }.joined(separator: " · ")
    }
}
