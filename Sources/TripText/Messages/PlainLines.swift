import Canvas
package import Failures
package import Runtime
package import TripFeed
package import TripModel

/// Converts events to lines for logs and screen readers: one message each, with the time, without escape sequences.
package struct PlainLines: Sendable {
    private var reporter: Reporter
    /// The host of the service.
    package let host: String
    private let zone: Zone
    private let localizer: Localizer
    private let namesTrips: Bool

    /// Creates output about the trips of a service.
    ///
    /// `namesTrips` adds the trip's ID to each message. With `pollsOnce` no message promises a retry.
    package init(
        host: String,
        zone: Zone,
        localizer: Localizer = .english,
        namesTrips: Bool,
        pollsOnce: Bool = false
    ) {
        reporter = Reporter(host: host, zone: zone, localizer: localizer, namesTrips: namesTrips)
        reporter.pollsOnce = pollsOnce
        self.host = host
        self.zone = zone
        (self.localizer, self.namesTrips) = (localizer, namesTrips)
    }

    /// Returns the lines for what an event has changed; empty if nothing relevant has.
    package mutating func lines(for changes: [JourneyChange], _ table: JourneyTable) -> [String] {
        reporter.messages(of: changes, table).map(line)
    }

    /// Returns the last state of a trip or a shipment with the age of its position, without a time and a full stop.
    package func summary(of state: TripState, now: Moment) -> String {
        let status = reporter.status(of: state, at: now)
        guard let age = state.receivedAge(at: now) else { return status }
        return "\(status) (\(localizer(.positionOld(age: localizer.age(age)))))"
    }

    /// Returns the line of a sentence about a trip, without its full stop.
    package func line(_ sentence: String, of journey: JourneyID, at now: Moment) -> String {
        let named =
            namesTrips
            ? localizer(.labelled(label: journey.rawValue.sanitized(limit: 64), value: sentence)) : sentence
        return "\(zone.clock(now.wall))  \(named)\(localizer(.fullStop))"
    }

    /// Returns a sentence of an answer, which has no time, as a line.
    package func sentence(_ text: String) -> String {
        text.last.map { ".!?…。！？".contains($0) } ?? true ? text : text + localizer(.fullStop)
    }

    /// Returns the answers about a journey, from its facts and the name of the street at its position.
    package func answers(_ facts: JourneyFacts, street: String?, at now: Moment) -> SpokenAnswers {
        SpokenAnswers(facts, street: street, host: host, zone: zone, localizer: localizer, at: now)
    }

    /// Returns the line for a decided expectation.
    package func line(for result: ExpectationResult, now: Moment) -> String {
        "\(zone.clock(now.wall))  \(localizer.sentence(about: result, in: zone))\(localizer(.fullStop))"
    }

    /// Returns the line for a note, a mark, a caption or a switched fault; `faultName` translates the name of a fault.
    package func line(for remark: SessionRemark, faultName: (String, Localizer) -> String) -> String {
        let text = localizer.sentence(about: remark) { faultName($0, localizer) }
        // Captions are whole sentences, and notes may be.
        let isSentence = text.last.map { ".!?…。！？".contains($0) } ?? false
        return "\(zone.clock(remark.time))  \(text)\(isSentence ? "" : localizer(.fullStop))"
    }

    /// Returns the lines of a receipt.
    package func lines(for receipt: TripReceipt, now: Moment) -> [String] {
        localizer.sentences(about: receipt, in: zone).map { "\(zone.clock(now.wall))  \($0)\(localizer(.fullStop))" }
    }

    private func line(_ message: EventMessage) -> String {
        let text =
            message.advice.map { localizer(.sentenceAndAdvice(sentence: message.text, advice: $0)) } ?? message.text
            + localizer(.fullStop)
        return "\(zone.clock(message.time))  \(text)"
    }
}

/// The texts of notes, marks and switched faults.
extension Localizer {
    /// Describes a remark in one sentence without a full stop; `faultName` translates the name of a fault.
    package func sentence(about remark: SessionRemark, faultName: (String) -> String) -> String {
        switch remark.content {
        case .note(let text): self(.noteTaken(text: text.sanitized(limit: 500)))
        case .mark: self(.markTaken)
        case .fault(let name, let isActive):
            self(isActive ? .faultOn(name: faultName(name)) : .faultOff(name: faultName(name)))
        case .caption(let text, _): text.sanitized(limit: 300)
        }
    }
}

extension Party {
    /// The name in a sentence.
    package var phrase: Text {
        switch self {
        case .tokenEndpoint: .partyTokenEndpoint
        case .serviceAccount: .partyServiceAccount
        case .clockHere: .partyClockHere
        case .endpointClock: .partyEndpointClock
        case .serviceClock: .partyServiceClock
        case .serviceConfiguration: .partyServiceConfiguration
        case .service: .partyService
        case .gateway: .partyGateway
        case .network: .partyNetwork
        case .commandLine: .partyCommandLine
        case .injectedFault: .partyInjectedFault
        }
    }
}
