import FleetEmulator
import Foundation
import Runtime
import Synchronization
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import tripshare

/// Plays every scenario to the real feed on a virtual clock and compares what a rider sees with the captions and
/// expectations.
@Suite("Scenario stories", .serialized, .ends(within: .longTest))
struct ScenarioStoryTests {
    @Test(arguments: ["ride"] + Scenario.names)
    func `each caption and expectation is true when it is shown`(name: String) async throws {
        let violations = try await Self.story(of: name).violations
        #expect(violations.isEmpty, "\(violations.map { "\($0.time): \($0.text)" }.joined(separator: "\n"))")
    }

    @Test(arguments: Scenario.names)
    func `each caption has an expectation`(name: String) throws {
        let scenario = try #require(try Scenario.named(name))
        let own = scenario.drivers.flatMap(\.steps).compactMap {
            if case .caption(let caption) = $0 { caption } else { nil }
        }
        let reported = scenario.events.compactMap { if case .caption(let caption) = $0.action { caption } else { nil } }
        for caption in own + reported { #expect(caption.expectation != nil, "\(caption.text)") }
    }

    @Test func `each kind of condition can be violated`() async throws {
        let cases = [
            "status: [ARRIVED_AT_PICKUP]", "overdue: 10", "delay: [500, 900]", "finding: offRoute", "position-age: 300",
            "others-ahead: 1", "failing: true",
        ]
        for condition in cases {
            let yaml = """
                title: T
                about: A
                vehicles:
                  - id: v
                    at: [51.0, 3.7]
                    steps:
                      - assign: t
                      - drive: {to: t pickup}
                        caption: It comes.
                        expect: {\(condition)}
                      - drive: {to: t dropoff}
                trips:
                  - {id: t, pickup: [51.01, 3.7], dropoff: [51.02, 3.7]}
                expect: []
                """
            let violations = try await Self.violations(of: try Scenario(yaml: yaml, name: "t", file: "t.yaml"))
            #expect(violations.count == 1, "\(condition): \(violations)")
            let violation = try #require(violations.first)
            #expect(violation.text.contains("It comes.") && violation.time > 15, "\(violation)")
        }
    }

    @Test func `a status that is reached late or never is a violation`() async throws {
        for (status, within) in [("COMPLETE", 30), ("COMPLETE", 900), ("CANCELED", 900)] {
            let end = status == "COMPLETE" && within == 900 ? "cancel: t" : "drive: {to: t dropoff}"
            let yaml = """
                title: T
                about: A
                vehicles:
                  - id: v
                    at: [51.0, 3.7]
                    steps:
                      - assign: t
                      - drive: {to: t pickup}
                      - \(end)
                trips:
                  - {id: t, pickup: [51.01, 3.7], dropoff: [51.02, 3.7]}
                expect: [{trip: t, status: \(status), within: \(within)}]
                """
            let violations = try await Self.violations(of: try Scenario(yaml: yaml, name: "t", file: "t.yaml"))
            #expect(violations.count == 1 && violations.first?.text.contains(status) == true, "\(violations)")
        }
    }

    /// The speeds: those at which an audience watches, a fast one, and that of the tour's chapter.
    private static func speeds(_ name: String) -> [Double] {
        Set([1, 2, 5, 6, 10, 60] + Tour.embedded.stages.filter { $0.scenario == name }.map(\.speed)).sorted()
    }

    /// What the captions of a scenario must have told.
    private static let reported: [String: Set<String>] = [
        "token-life": ["rejection over", "newToken over"],
        "token-trouble": ["noToken", "noToken over", "rejection over", "newToken over"],
        "traffic-jam": ["standstill", "standstill over"],
        "silent-vehicle": ["silence", "silence over"],
        "off-route": ["detour", "newRoute over"],
    ]

    @Test(arguments: ["ride"] + Scenario.names)
    func `no caption contradicts what the screen shows`(name: String) async throws {
        let story = try await Self.story(of: name)
        #expect(story.failures == [])
        for screen in story.screens {
            #expect(screen.broken == [], "at x\(screen.speed)")
            #expect(screen.captions.count >= 2, "\(screen.captions)")
            let missing = Self.reported[name, default: []].subtracting(screen.reported)
            #expect(missing == [], "at x\(screen.speed)")
        }
    }

    @Test(arguments: ["ride"] + Scenario.names)
    func `no sentence for an audience is shown for 30 s, and none is missing for as long`(name: String) async throws {
        for screen in try await Self.story(of: name).screens {
            #expect(screen.stood == [], "\(name) at x\(screen.speed): \(screen.stood.joined(separator: "\n"))")
        }
    }

    // A van's day takes hours at the speeds of a ride: its recipients are watched at that of the tour, as long as its chapter.
    @Test(arguments: Tour.embedded.stages.filter { Scenario.deliveryNames.contains($0.scenario) }.map(\.scenario))
    func `no sentence of a chapter about a parcel is shown for 30 s, and none is missing for as long`(
        name: String
    ) async throws {
        let stage = try #require(Tour.embedded.stages.first { $0.scenario == name })
        let scenario = try #require(try Scenario.named(name)).fromItsStart
        let story = try await Self.play(scenario, speeds: [stage.speed], limit: .seconds(stage.seconds))
        for screen in story.screens {
            #expect(screen.captions.count >= 2, "\(screen.captions)")
            #expect(screen.stood == [], "\(name) at x\(screen.speed): \(screen.stood.joined(separator: "\n"))")
        }
    }

    /// What a screen showed of a scenario that was played to its end.
    private struct Seen: Sendable {
        var speed: Double
        var broken: [String]
        var captions: Set<String>
        var reported: Set<String>
        /// The sentences that stood for too long, each with its seconds.
        var stood: [String]

        init(_ screen: CaptionScreen) {
            (speed, broken, captions, reported) = (screen.speed, screen.broken, screen.captions, screen.reported)
            var times = screen.times
            times.end()
            stood = times.violations
        }
    }

    /// What came of a scenario that was played to its end.
    private struct Story: Sendable {
        var violations: [Violation]
        var screens: [Seen]
        var failures: [String]
    }

    /// Each scenario is played once for the tests that look at it, each of which awaits the task.
    private static let stories = Mutex<[String: Task<Story, any Error>]>([:])

    private static func story(of name: String) async throws -> Story {
        let task = stories.withLock { stories in
            if let known = stories[name] { return known }
            let task = Task {
                let scenario = try #require(name == "ride" ? Scenario.plainRide(seed: 1) : Scenario.named(name))
                return try await play(scenario, speeds: speeds(name))
            }
            stories[name] = task
            return task
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// An expectation that was violated, or an error.
    private struct Violation: Sendable {
        /// Seconds since the start of the scenario.
        var time: Double
        var text: String
    }

    /// Plays a scenario until all of its trips have ended.
    private static func violations(of scenario: Scenario) async throws -> [Violation] {
        try await play(scenario, speeds: []).violations
    }

    /// Plays a scenario until all of its trips have ended or until a limit, to screens with these speeds, too.
    private static func play(
        _ scenario: Scenario,
        speeds: [Double],
        limit: Duration = ScenarioRun.limit
    ) async throws -> Story {
        let clock = VirtualClock(start: scenario.begins ?? VirtualClock.start)
        let screens = speeds.map { CaptionScreen(scenario, at: clock.now(), speed: $0) }
        let known = Mutex(screens)
        // The captions have one observer, which passes them on.
        let (captions, watched) = (SceneCaptions(), SceneCaptions())
        let watch = SceneWatch(scenario, captions: watched, clock: clock, lateness: 0)
        captions.observe { caption in
            watched.show(caption)
            let now = clock.now()
            known.withLock { for index in $0.indices { $0[index].handle(caption, at: now) } }
        }
        let observers = ObserverGroup([watch])
        let failures = try await ScenarioRun.play(
            scenario,
            clock: clock,
            captions: captions,
            limit: limit,
            feed: { event in
                let now = clock.now()
                observers.receive(SessionItem(.feed(event), at: now))
                known.withLock { for index in $0.indices { $0[index].handle(event, at: now) } }
            },
            token: { event in known.withLock { for index in $0.indices { $0[index].handle(event) } } }
        )
        let violations = watch.violations.map {
            Violation(time: $0.seconds ?? 0, text: "\($0.expectation.name): \($0.reason)")
        }
        return Story(
            violations: violations + failures.map { Violation(time: clock.now().steady.seconds, text: $0) },
            screens: known.withLock { $0 }.map(Seen.init),
            failures: failures
        )
    }
}
