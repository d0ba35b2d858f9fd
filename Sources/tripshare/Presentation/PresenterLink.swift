import FleetEmulator
import Foundation
import Synchronization
import TripModel
import TripScreen
import TripText

/// The demo's side of the connection with a presenter's console.
///
/// The screen publishes reports after each change and performs the requests. The listener of the control API reads and posts
/// them from other threads.
final class PresenterLink: Sendable {
    /// What does not change while a scenario is played.
    struct Program: Sendable {
        /// The name of the scenario, or of its file.
        var scenario: String
        /// The stage of the tour; `nil` without a tour.
        var chapter: PresenterReport.Chapter?
        /// The scenarios that can be played.
        var scenarios: [String]
        /// When the demo began, in real time.
        var began: Date
        /// The ride's seconds per real second at the start.
        var speed: Double
    }

    private struct State {
        var report: PresenterReport?
        var captions: CaptionQueue
        /// When the scenario began, in real time and in the ride's time.
        var start: ScaledClock.Anchor
        /// Why the last request was not performed.
        var problem: String?
    }

    /// The requests of the console, for one reader.
    let requests: AsyncStream<PresenterRequest>
    private let continuation: AsyncStream<PresenterRequest>.Continuation
    private let program: Program
    private let state: Mutex<State>

    /// The maximum number of requests that wait to be performed; more are dropped.
    private static let mostRequests = 100

    /// Creates a connection without a report, for a scenario that begins now.
    init(_ program: Program, captions: CaptionQueue, start: ScaledClock.Anchor) {
        self.program = program
        state = Mutex(State(captions: captions, start: start))
        (requests, continuation) = AsyncStream.makeStream(
            of: PresenterRequest.self,
            bufferingPolicy: .bufferingOldest(Self.mostRequests)
        )
    }

    /// The scenarios that can be played.
    var scenarios: [String] { program.scenarios }

    /// The endpoint of the control API, with a new secret.
    func endpoint() -> PresenterEndpoint {
        PresenterEndpoint(
            report: { [self] in
                guard let report = state.withLock(\.report) else { return nil }
                // Texts and checked numbers can be encoded.
                return (try? JSONEncoder().encode(report)).map(Array.init)
            },
            accept: { [self] body in
                guard let request = PresenterRequest(json: body) else { return false }
                continuation.yield(request)
                return true
            }
        )
    }

    /// Records that the scenario begins only now.
    func start(at anchor: ScaledClock.Anchor) { state.withLock { $0.start = anchor } }

    /// Records that a caption is shown from now on, in the language of the screen.
    func show(caption: String) { state.withLock { $0.captions.show(caption) } }

    /// Records whether a request was performed; the text says why it was not.
    func finish(_ problem: String?) { state.withLock { $0.problem = problem } }

    /// Publishes what the audience sees.
    func publish(_ screen: TripScreen.State, faults: [String], at clock: ScaledClock.Anchor) {
        state.withLock { state in
            state.report = PresenterReport(
                scenario: program.scenario,
                chapter: program.chapter,
                trip: screen.presenterTrip,
                token: screen.presenterToken,
                caption: screen.presenterCaption,
                nextCaption: state.captions.next.map { next in
                    let start = state.start.virtual.timeIntervalSince1970
                    return PresenterReport.NextCaption(next.text, due: next.time.map { start + $0 })
                },
                began: program.began.timeIntervalSince1970,
                chapterBegan: state.start.real.timeIntervalSince1970,
                ride: PresenterReport.RideClock(
                    real: clock.real.timeIntervalSince1970,
                    virtual: clock.virtual.timeIntervalSince1970,
                    speed: clock.speed,
                    isPaused: clock.isPaused,
                    firstSpeed: program.speed
                ),
                activeFaults: faults,
                scenarios: program.scenarios,
                problem: state.problem
            )
        }
    }
}
