import Failures
package import FleetTokens
import FleetWire
import Runtime
package import TripFeed
package import TripModel

/// Converts the events of a recording to the events of a live session; without side effects.
///
/// Answers are decoded and merged by the code that polls use, so that a replay shows what this program makes of them. The
/// schedule, the state of tokens and the findings come from the recording.
package struct RecordingPlayer: Sendable {
    /// What a session receives.
    package enum Item: Sendable {
        /// An event of a trip.
        case feed(FeedEvent)
        /// An event of a token, with the inspection of a stored token.
        case token(TokenEvent, RecordedToken.Inspection?)
        /// A page of a search, or a failed one.
        case search(SearchEvent)
        /// A note, a mark, a caption or a switched fault.
        case remark(SessionRemark)
        /// What a call in a log has changed for the sides of a trip.
        case side(LiveLog.Step)

        /// The event that the mailbox of a live session received; `nil` for what it does not receive.
        package var received: FeedMailbox.Item? {
            switch self {
            case .feed(let event): .feed(event)
            case .token(let event, _): .token(event)
            case .search(let event): .search(event)
            case .remark, .side: nil
            }
        }
    }

    /// What is known about a trip.
    private struct Track: Sendable {
        var state: TripState
        var chain = FailureChain()
        var failure: Failure?
        var details = TripDetails()
    }

    private let provider: ProviderID
    private let trailLength: Int
    /// What is known about each trip; a keyframe shares what has not changed since the previous keyframe.
    private var tracks: SharedArray<Track> = []
    private var places: [JourneyID: Int] = [:]
    /// Why the fetches in flight were begun, which the lines of their ends do not repeat.
    private var reasons: [AuthorizationContext: FetchReason] = [:]

    /// Creates a player at the start of a recording.
    ///
    /// - Parameters:
    ///   - provider: The project that owns the trips.
    ///   - trailLength: The maximum number of stored positions per trip.
    package init(provider: ProviderID, trailLength: Int = TripState.longestTrail) {
        self.provider = provider
        self.trailLength = trailLength
    }

    /// The trips that have appeared.
    package var trips: Set<JourneyID> { Set(places.keys) }

    /// Returns the approximate number of bytes besides those that it shares with another player.
    ///
    /// The states are counted without their lists, which the played events share.
    func unsharedBytes(with other: RecordingPlayer?) -> Int {
        tracks.unsharedBytes(with: other?.tracks) + (places.count == other?.places.count ? 0 : places.count * 48)
    }

    /// Returns what the session received; `nil` for inputs of other kinds and for events with invalid names.
    package mutating func item(of event: RecordedEvent) -> Item? {
        switch event.content {
        case .request(let request): Self.trip(request.trip).map { .feed(.polling($0, request.schedule.schedule)) }
        case .poll(let poll): polled(poll).map(Item.feed)
        case .search(let search): .search(search)
        case .schedule(let change): Self.trip(change.trip).map { .feed(.scheduled($0, change.schedule.schedule)) }
        case .findings(let findings):
            Self.trip(findings.trip).flatMap { trip in
                let known = findings.findings(of: trip)
                return known.isEmpty ? nil : .feed(.found(trip, known))
            }
        case .omission(let omission): Self.item(of: omission, at: event.moment)
        case .end(let end): Self.trip(end.trip).map { .feed(.ended($0, self.finish($0, end))) }
        case .driver(let driver): Self.trip(driver.trip).map { .feed(.driver($0, Self.call(of: driver))) }
        case .token(let token): tokenEvent(of: token).map { .token($0, token.inspection) }
        case .fault, .note: SessionRemark(event).map(Item.remark)
        case .key, .size, .clock, .screen, .message: nil
        }
    }

    /// Returns the ID; `nil` for an invalid one.
    private static func trip(_ text: String) -> JourneyID? {
        // Only an edited file has an invalid ID. The other events of the recording are still played.
        try? JourneyID(named: text)
    }

    private static func call(of driver: RecordedDriver) -> Call {
        var call = driver.call
        (call.subject, call.failure) = (driver.trip, driver.failure)
        return call
    }

    private mutating func tokenEvent(of token: RecordedToken) -> TokenEvent? {
        guard let event = token.tokenEvent(because: { reasons[$0] }) else { return nil }
        if case .fetching(let reason) = event.kind {
            reasons[event.context] = reason
        } else if event.calls.last?.operation == .fetchToken {
            reasons[event.context] = nil
        }
        return event
    }

    private static func item(of omission: RecordedOmission, at moment: Moment) -> Item? {
        guard let context = omission.subject.context else { return nil }
        if omission.of == "poll", let trip = context.journey { return .feed(.omitted(trip, omission.omission)) }
        return .token(
            TokenEvent(
                context: context,
                at: moment,
                kind: .omitted(omission.omission),
                status: TokenStatus(source: "")
            ),
            nil
        )
    }

    private func track(of journey: JourneyID) -> Track {
        Track(state: TripState(id: journey, trailLength: trailLength))
    }

    // MARK: Polls

    private mutating func polled(_ poll: RecordedPoll) -> FeedEvent? {
        guard let trip = Self.trip(poll.trip), let started = poll.call?.started ?? poll.started?.moment,
            let finished = poll.call?.ended ?? poll.finished?.moment
        else { return nil }
        var report = PollReport(journey: trip, started: poll.started?.moment ?? started)
        report.finished = poll.finished?.moment ?? finished
        report.call = poll.call
        report.call?.subject = trip.name
        report.isByServer = poll.server ?? false
        report.readTimes()
        let place = places[trip] ?? tracks.count
        if place == tracks.count {
            places[trip] = place
            tracks.append(track(of: trip))
        }
        switch outcome(of: poll, report).mapError({
            $0.with(poll.failure?.exchange).with(History(tokens: poll.failure?.history.tokens ?? 0))
        }) {
        case .success(let answer):
            report.outcome = .success(answer)
            report.leftOut = GuardedPart.leftOut(of: answer, for: request(of: poll, trip))
            var shown = answer
            if report.operation != .searchTrips {
                tracks[place].details.receive(at: report.finished.steady)
            } else if case .trip(let found) = answer {
                let known = tracks[place].state.journey?.trip
                shown = .trip(tracks[place].details.completed(found, known: known, at: report.finished.steady))
            }
            tracks[place].state.merge(shown, of: report)
            tracks[place].chain.answered(at: report.finished.wall, token: report.call?.token)
        case .failure(let symptom):
            let failure = tracks[place].chain.linked(symptom, at: finished.wall)
            report.outcome = .failure(failure)
            tracks[place].failure = failure
        }
        return .polled(report, tracks[place].state, poll.schedule.schedule)
    }

    private func outcome(of poll: RecordedPoll, _ report: PollReport) -> Result<Journey, Failure> {
        if let failure = poll.failure, failure.isMissingToken || failure.code.family == "transport" {
            return .failure(failure)
        }
        guard let answer = poll.call?.answer, let status = answer.status,
            let body = poll.listed.map({ Array($0.utf8) }) ?? answer.body?.bytes
        else {
            return .failure(poll.failure ?? .other(reason: "the answer is not in the recording"))
        }
        let response = HTTPTransportResponse(
            status: status,
            headers: answer.headers.map { ($0.name, $0.value) },
            body: body
        )
        let code = answer.grpcStatus.map { StatusCode(rawValue: $0) ?? .unknown }
        var received = FleetAnswer(response, remote: code.map { .init(status: $0, messageBytes: answer.bytes) })
        if body.isEmpty, status == 200 { received.remote?.problem = poll.failure?.detail }
        let request = request(of: poll, report.journey)
        let now = report.serverDate ?? report.finished.wall
        let outcome = FleetClient.outcome(of: received, for: request, now: now)
        guard case .failure(var failure) = outcome, let error = failure.answer else { return outcome }
        guard let rule = poll.failure?.brokenRule else {
            failure.satisfiedRules = poll.failure?.satisfiedRules
            return .failure(failure)
        }
        return .failure(.refusedToken(error, because: rule, retryAfter: failure.retryAfter))
    }

    private func request(of poll: RecordedPoll, _ journey: JourneyID) -> JourneyRequest {
        var request = JourneyRequest(provider: provider, journey: journey)
        if let sent = poll.call?.request { request.readVersions(of: sent) }
        return request
    }

    /// Returns the end of a trip; if the trip is added again, nothing is known of it, as in the session.
    private mutating func finish(_ journey: JourneyID, _ end: RecordedEnd) -> FeedEnd {
        defer { if let place = places[journey] { tracks[place] = track(of: journey) } }
        return self.end(of: journey, end)
    }

    private func end(of journey: JourneyID, _ end: RecordedEnd) -> FeedEnd {
        switch end.kind {
        case .left: return .left
        case .reached: return .reached(JourneyStatus(journey.kind, name: end.status ?? ""))
        case .failed:
            return .failed(places[journey].flatMap { tracks[$0].failure } ?? end.failure ?? .other(reason: ""))
        }
    }
}

extension PollReport {
    /// Sets what the headers of the answer say about its time.
    fileprivate mutating func readTimes() {
        guard let answer else { return }
        serverDate = HTTPDate.timeOfSending(date: answer.header("date"), age: answer.header("age"))
        cacheAge = .seconds(HTTPDate.seconds(ofAge: answer.header("age")))
        cache = CacheEvidence(answer.headers.map { ($0.name, $0.value) })
    }
}
