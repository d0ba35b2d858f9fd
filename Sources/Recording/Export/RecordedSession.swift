package import Failures
package import FleetTokens
package import Foundation
import Runtime
package import TripFeed
package import TripModel

/// A recording or a log as input of exports and comparisons: its events in order of time.
///
/// Events are decoded one after another, so that the memory does not grow with the number of polls.
package struct RecordedSession: Sendable {
    /// Why a file cannot be read.
    package enum Failure: Error, Sendable, Equatable {
        /// It begins like a recording of this program, but cannot be read.
        case recording(RecordingReader.Failure)
        /// It is no log of Fleet Engine either.
        case log(RecordingError)
    }

    /// A completed poll.
    package struct Poll: Sendable {
        /// Its report.
        package var report: PollReport
        /// The schedule after it.
        package var schedule: PollSchedule
        /// Virtual seconds per real second; 0 while the clock is paused.
        package var speed: Double
        /// What is known about the trip after the poll.
        package var state: TripState
    }

    /// What was known about a trip after an answer.
    package struct Observation: Sendable, Equatable {
        /// The service's time of the answer.
        package var time: Date
        /// The journey.
        package var journey: Journey
    }

    /// What happened.
    package enum Event: Sendable {
        /// A poll is complete; an ``observation(_:)`` follows if it succeeded.
        case poll(Poll)
        /// A trip was observed, by a poll or in a log.
        case observation(Observation)
        /// The rules reported findings.
        case findings(JourneyID, [Finding])
        /// The driver of a trip has called the service.
        case driver(JourneyID, Call)
        /// A page of a search, or a failed one, at a number of virtual seconds per real second; 0 while the clock is paused.
        case search(SearchEvent, speed: Double)
        /// A token event, with the inspection of a stored token.
        case token(TokenEvent, RecordedToken.Inspection?)
        /// A fault was injected or cleared.
        case fault(RecordedFault, at: Date)
        /// A note, a mark or a caption.
        case note(RecordedNote, at: Date)
    }

    private enum Source: Sendable {
        case recording(RecordingReader)
        /// The trips of a log, and its bytes.
        case log(RecordedTrips, [UInt8])
    }

    /// The project that owns the trips.
    package let provider: ProviderID
    /// The first line of a recording; `nil` for a log.
    package let header: RecordingHeader?
    private let source: Source

    /// The maximum size of a file in bytes: 512 MiB, more than 100,000 polls.
    package static let maximumBytes = 512 << 20

    /// Reads a recording of this program, or a log that ``RecordedTrips`` reads; both may be packed.
    package init(bytes packed: [UInt8]) throws(Failure) {
        let bytes: [UInt8]
        do throws(RecordingError) {
            bytes = try PackedFile.unpacked(packed, limit: Self.maximumBytes)
        } catch {
            throw .log(error)
        }
        guard RecordingReader.isRecording(bytes) else {
            do throws(RecordingError) {
                let log = try RecordedTrips(bytes: bytes)
                (provider, header, source) = (log.provider, nil, .log(log, bytes))
            } catch {
                throw .log(error)
            }
            return
        }
        let reader: RecordingReader
        do throws(RecordingReader.Failure) {
            reader = try RecordingReader(bytes: bytes)
        } catch {
            throw .recording(error)
        }
        // An invalid project occurs only in an edited file.
        guard let provider = try? ProviderID(reader.header.configuration.provider) else {
            throw .recording(.notRecording)
        }
        (self.provider, header, source) = (provider, reader.header, .recording(reader))
    }

    /// A reader of the lines of a recording; `nil` for a log.
    package var reader: RecordingReader? { if case .recording(let reader) = source { reader } else { nil } }

    /// Whether the file contains polls; a log contains only their results.
    package var hasPolls: Bool { header != nil }

    /// The lines of a log that were skipped; the skipped lines of a recording are known after ``read(_:)``.
    package var skippedInLog: SkippedLines? { if case .log(let log, _) = source { log.skipped } else { nil } }

    /// The trips of a log; `nil` for a recording.
    package var loggedTrips: RecordedTrips? { if case .log(let log, _) = source { log } else { nil } }

    /// The calls of a log, in order of time; `nil` for a recording.
    package var loggedCalls: [Call]? { logBytes.map { LoggedCalls($0).calls } }

    /// The bytes of a log; `nil` for a recording.
    var logBytes: [UInt8]? { if case .log(_, let bytes) = source { bytes } else { nil } }

    /// Calls a function with each event.
    ///
    /// - Returns: The number of lines that were skipped because they are torn or unknown.
    @discardableResult
    package func read(_ body: (Event) -> Void) -> Int {
        switch source {
        case .log(let log, _):
            for observation in Self.observations(of: log) { body(.observation(observation)) }
            return log.skipped?.count ?? 0
        case .recording(var reader):
            var player = RecordingPlayer(provider: provider, trailLength: 1)
            var speed = reader.header.speed
            while let event = reader.next() {
                if case .clock(let clock) = event.content { speed = clock.speed }
                Self.events(of: event, &player, speed).forEach(body)
            }
            return reader.skippedCount
        }
    }

    /// Returns the calls in the order in which they ended, and the number of lines that were skipped.
    ///
    /// A poll without a token made no call; the failed fetch is a call. A request that an injected fault prevented is no call. A page
    /// of a search is one call, whatever trips it lists.
    package func calls() -> (calls: [ListedCall], skipped: Int) {
        var found: [ListedCall] = []
        let skipped = read { event in
            switch event {
            case .poll(let poll): if let call = ListedCall(poll.report) { found.append(call) }
            case .token(let event, _): found += ListedCall.calls(of: event)
            case .driver(_, let call): found.append(ListedCall(call))
            case .search(let search, _): if let call = search.call { found.append(ListedCall(call)) }
            case .observation, .findings, .fault, .note: break
            }
        }
        // Polls and tokens are recorded by tasks of their own, so that their order is not the order of their times.
        let order = found.enumerated().sorted {
            ($0.element.call.ended.wall, $0.offset) < ($1.element.call.ended.wall, $1.offset)
        }
        return (order.map(\.element), skipped)
    }

    private static func observations(of log: RecordedTrips) -> [Observation] {
        log.timelines.flatMap { timeline in
            timeline.snapshots.map { Observation(time: $0.time, journey: $0.journey) }
        }.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }

    private static func events(
        of event: RecordedEvent,
        _ player: inout RecordingPlayer,
        _ speed: Double
    ) -> [Event] {
        switch event.content {
        case .fault(let fault): return [.fault(fault, at: event.time)]
        case .note(let note): return [.note(note, at: event.time)]
        default: break
        }
        switch player.item(of: event) {
        case .token(let token, let inspection)?: return [.token(token, inspection)]
        case .search(let search)?: return [.search(search, speed: speed)]
        case .feed(.driver(let trip, let call))?: return [.driver(trip, call)]
        case .feed(.found(let trip, let findings))?: return [.findings(trip, findings)]
        case .feed(.polled(let report, let state, let schedule))?:
            let poll = Poll(report: report, schedule: schedule, speed: speed, state: state)
            guard report.failure == nil, let trip = state.journey else { return [.poll(poll)] }
            let time = state.serviceTime(report.finished)
            return [.poll(poll), .observation(Observation(time: time, journey: trip))]
        case .feed, .remark, .side, nil: return []
        }
    }
}
