package import FleetTokens
package import TripFeed
package import TripModel

/// Turns events into lines for logs and screen readers: one sentence each, with the time, without any escape sequence.
package struct PlainOutput: Sendable {
    private var reporter: Reporter
    /// The host of the service.
    package let host: String
    private let zone: Zone
    private let say: Wording

    /// Output about trips at a host; with several trips each line names its own.
    package init(host: String, zone: Zone, say: Wording = .english, namesTrips: Bool) {
        reporter = Reporter(host: host, zone: zone, say: say, namesTrips: namesTrips)
        self.host = host
        self.zone = zone
        self.say = say
    }

    /// How many trips something is remembered of, so that it is not told twice.
    package var keptTrips: Int { reporter.keptTrips }

    /// The lines for news of a trip; none where nothing has changed that a person would want to know.
    package mutating func lines(for event: FeedEvent, now: Moment) -> [String] {
        reporter.news(of: event, at: now).map(line)
    }

    /// The lines for news of a token.
    package mutating func lines(for event: TokenEvent) -> [String] {
        reporter.news(of: event).map(line)
    }

    private func line(_ news: News) -> String {
        let text = news.advice.map { say(.sentenceAndAdvice, news.text, $0) } ?? news.text + say(.fullStop)
        return "\(zone.clock(news.time))  \(text)"
    }
}
