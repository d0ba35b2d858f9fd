import Failures
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// Who talks to whom about a trip: the token source, this program, Fleet Engine and the driver, with the calls between them.
struct Talk {
    /// The calls between two parties.
    struct Edge: Equatable {
        /// How many there were and how long the last one took, or how old the last one is.
        var label: String
        /// The label with a word for what is counted, where there is room; `nil` if nothing is counted.
        var words: String?
        /// What is counted alone, where there is room for no more; `nil` if nothing is counted.
        var count: Int?
        /// The names of the token that they carry, the longest first, before the label where there is room; empty if they
        /// carry none, or if it is unknown.
        var keys: [String] = []
        /// The number of that token, which the dot carries.
        var keyNumber: Int?
        /// Why the last one failed, in a few words; `nil` if it did not.
        var cause: String?
        /// Why the last one failed in fewer words, where there is no room for ``cause``.
        var shortCause: String?
        /// Whether a call is in flight or has just ended.
        var isActive: Bool
        /// Where the dot is that travels with the call: the fraction of the way from the caller; `nil` for none.
        var travel: Double?
    }

    /// The name of the token source.
    let source: Text
    /// Fetches of tokens by this program.
    let tokens: Edge
    /// Polls by this program.
    let polls: Edge
    /// Reports of the driver to Fleet Engine, as far as the answers show them.
    let reports: Edge

    /// Describes the calls about the shown trip.
    init(of view: TripView) {
        let trip = view.trip
        let localizer = view.localizer
        // An event is seen for a second of real time, however fast the ride is.
        let moment = Duration.seconds(max(1, view.state.settings.speed))
        source = Self.name(of: trip.token?.source)
        let motion = TalkMotion(of: trip, at: view.now, speed: view.state.settings.speed)
        var edges = [
            Self.tokens(trip, view, localizer, moment), Self.polls(trip, view, localizer, moment),
            Self.reports(trip, view, localizer, moment),
        ]
        // Both tokens have a number of their own: the name says whose it is.
        if let use = trip.keys.use {
            edges[1].carries(use.token, .talkAppToken(number: String(use.token)), localizer)
        }
        if let use = trip.keys.driver?.use {
            edges[2].carries(use.token, .talkDriverToken(number: String(use.token)), localizer)
        }
        (edges[0].travel, edges[1].travel, edges[2].travel) = (motion.tokens, motion.polls, motion.reports)
        (tokens, polls, reports) = (edges[0], edges[1], edges[2])
    }

    private static func tokens(
        _ trip: FollowedTrip,
        _ view: TripView,
        _ localizer: Localizer,
        _ moment: Duration
    ) -> Edge {
        guard let token = trip.token else {
            return Edge(label: localizer(.talkNothing), cause: nil, isActive: false)
        }
        let isFetching = token.state == .fetching || token.state == .refreshingAhead
        let last = trip.tokenHistory.entries.last?.time ?? .distantPast
        return Edge(
            label: label(token.fetches, token.lastFetchDuration, localizer),
            words: words(token.fetches, token.lastFetchDuration, localizer),
            count: token.fetches,
            // A refusal of the service is no failure of the source, which has given the token.
            cause: token.lastError.flatMap { $0.failure.rejection == nil ? $0 : nil }.map { error in
                // An audience reads what is missing; the other views say why.
                view.state.settings.isPresenter
                    ? localizer(.connectionNoToken) : cause(of: error.failure, token, trip.id, localizer)
            },
            shortCause: localizer(.callsFailed),
            isActive: isFetching || view.now.wall.timeIntervalSince(last) < moment.seconds
        )
    }

    private static func cause(
        of failure: Failure,
        _ token: TokenStatus,
        _ journey: JourneyID,
        _ localizer: Localizer
    ) -> String {
        UserMessage(noToken: failure, token, journey: journey, localizer: localizer).short
    }

    private static func polls(
        _ trip: FollowedTrip,
        _ view: TripView,
        _ localizer: Localizer,
        _ moment: Duration
    ) -> Edge {
        let report = trip.lastReport
        // Without a token, nothing was sent; the service has refused the token if that is why there is none.
        let failed = trip.failedPoll.flatMap { poll in
            !poll.failure.isMissingToken || poll.failure.rejection != nil ? poll : nil
        }
        let hasEnded = report.map { view.now.steady - $0.finished.steady < moment && $0.isSent }
        let latency = report?.isSent ?? true ? report?.latency : nil
        return Edge(
            label: label(trip.history.polls, latency, localizer),
            words: words(trip.history.polls, latency, localizer),
            count: trip.history.polls,
            cause: failed.map { poll in
                view.state.settings.isPresenter
                    ? localizer(.shortNoReport) : poll.message(about: trip.id, view.state.settings).short
            },
            shortCause: report?.status?.label ?? localizer(.callsFailed),
            isActive: trip.isPolling || hasEnded ?? false
        )
    }

    private static func reports(
        _ trip: FollowedTrip,
        _ view: TripView,
        _ localizer: Localizer,
        _ moment: Duration
    ) -> Edge {
        let age = trip.state.receivedAge(at: view.now) ?? trip.state.measuredAge(at: view.now)
        let isOld = trip.end == nil && PositionAge(of: trip, at: view.now)?.reason != nil
        guard isAnswered(trip) else {
            // Without answers it is not known whether the driver reports, except by its own calls.
            guard let last = trip.keys.driver?.use.last else {
                return Edge(label: localizer(.notKnown), cause: nil, isActive: false)
            }
            let age = view.now.steady - last.received.steady
            return Edge(
                label: localizer(.talkAgo(age: localizer.age(age))),
                cause: nil,
                isActive: age >= .zero && age < moment
            )
        }
        let words = age.map { localizer(.talkAgo(age: localizer.age($0))) }
        return Edge(
            label: words ?? localizer(.talkNothing),
            cause: isOld ? words : nil,
            isActive: trip.end == nil && age.map { $0 < moment } ?? false
        )
    }

    /// Whether the last poll was answered, or the trip is over.
    private static func isAnswered(_ trip: FollowedTrip) -> Bool { trip.lastReport?.failure == nil || trip.end != nil }

    /// Returns `18 · 5.4 ms`.
    private static func label(_ count: Int, _ latency: Duration?, _ localizer: Localizer) -> String {
        guard count > 0 else { return localizer(.talkNothing) }
        return "\(count)" + (latency.map { " · \(localizer.latency($0))" } ?? "")
    }

    /// Returns `18 calls · 5.4 ms`; `nil` before the first call.
    private static func words(_ count: Int, _ latency: Duration?, _ localizer: Localizer) -> String? {
        guard count > 0 else { return nil }
        return localizer(.callCount(count: count)) + (latency.map { " · \(localizer.latency($0))" } ?? "")
    }

    /// Returns the name of a kind of token source.
    static func name(of source: String?) -> Text {
        switch source {
        case "command": .talkCommand
        case "file": .talkFile
        case "environment": .talkVariable
        case "service account key": .talkKey
        case "credentials": .talkCredentials
        default: .talkEndpoint
        }
    }
}

extension Talk.Edge {
    /// Records which token the calls carry.
    fileprivate mutating func carries(_ token: Int, _ name: Text, _ localizer: Localizer) {
        keys = [name, .talkToken(number: String(token))].map { localizer($0) }
        keyNumber = token
    }

    /// Returns why the last call failed, in fewer words if a number of columns has no room for all; `nil` if it did not fail.
    func cause(in columns: Int) -> String? {
        cause.map { TextWidth.of($0) <= columns ? $0 : shortCause ?? $0 }
    }

    /// Returns the longest label that fits a number of columns: with a name of the token and with words, as far as possible.
    func label(in columns: Int) -> String {
        let labels = [words, label].compactMap(\.self)
        let named = labels.flatMap { label in keys.map { "\($0) · \(label)" } }
        let short = count.map { $0 > 0 ? [String($0)] : [] } ?? []
        return (named + labels + short).first { TextWidth.of($0) <= columns } ?? label
    }
}
