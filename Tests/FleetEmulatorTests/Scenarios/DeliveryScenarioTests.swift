import FleetEmulator
import Foundation
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Scenarios of deliveries", .ends(within: .quickTest))
struct DeliveryScenarioTests {
    private static let yaml = """
        title: T
        about: A
        vans:
          - id: van
            at: Station
            pace: 0.5
            steps:
              - assign: [load, [one, two]]
              - visit: load
              - round: {}
        tasks:
          - {id: load, type: SCHEDULED_STOP, at: Tram Depot, takes: 60}
          - {id: one, tracking: s-1, at: Forge Close 9, window: [0, 600]}
          - {id: two, tracking: s-2, at: Forge Close 9, outcome: FAILED, view: {stops: always, location: {meters: 500}}}
        followed: [s-2, s-1]
        expect:
          - {tracking: s-1, outcome: SUCCEEDED, within: 900}
        """

    private static func scenario(_ yaml: String = yaml) throws -> Scenario {
        try Scenario(yaml: yaml, name: "x", file: "x.yaml")
    }

    @Test func `the embedded ones are those in Assets`() throws {
        let folder = Checkout.assets.appending(path: "Scenarios/Deliveries")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
        #expect(files.map { String($0.dropLast(5)) }.sorted() == Scenario.deliveryNames)
        for name in Scenario.deliveryNames {
            let file = try String(contentsOf: folder.appending(path: "\(name).yaml"), encoding: .utf8)
            #expect(Scenario.yaml(of: name) == file, "\(name)")
            #expect(!Scenario.names.contains(name))
        }
    }

    @Test func `tasks, stops and visits are read`() throws {
        let scenario = try Self.scenario()
        #expect(scenario.followed.isEmpty && scenario.shipments.map(\.rawValue) == ["s-2", "s-1"])
        let van = try #require(scenario.drivers.first)
        #expect(van.vehicle == .ofDeliveries(try DeliveryVehicleID("van")) && van.tasks.count == 3)
        let load = try #require(van.tasks.first)
        #expect(load.kind == .scheduledStop && load.trackingID == nil && load.outcome == nil && load.duration == 60)
        let two = van.tasks[2]
        #expect(two.outcome == .failed && two.view?.remainingStopCount == .always)
        #expect(two.view?.vehicleLocation == .remainingDistance(500) && two.view?.route == nil)
        #expect(van.tasks[1].outcome == .succeeded && van.tasks[1].window == 0...600)
        var visits: [[String]] = []
        for case .visit(let visit) in van.steps { visits.append(visit.tasks.map(\.rawValue)) }
        #expect(visits == [["load"], ["one", "two"]])
    }

    @Test func `a scenario can be played from a second on, which its times know`() throws {
        let text = Self.yaml.replacing("about: A", with: "about: A\nbegins: 2026-03-17T07:00:00Z\nstarts: 300")
        let whole = try Self.scenario(text)
        #expect(whole.starts == 300 && whole.passed == 0 && whole.drivers.allSatisfy { $0.passed == 0 })
        let late = whole.fromItsStart
        #expect(late.passed == 300 && late.drivers.allSatisfy { $0.passed == 300 })
        #expect(late.begins == whole.begins.map { $0 + 300 } && late.expectations.map(\.within) == [600])
        #expect(late.fromItsStart.passed == 300)
        #expect(try Self.scenario().fromItsStart.passed == 0)
        #expect {
            _ = try Self.scenario(text.replacing("starts: 300", with: "starts: -1"))
        } throws: { error in
            (error as? YAMLFileError)?.line == 4
        }
    }

    @Test func `a drive takes longer at a lower pace and ends early if the van stops`() throws {
        func leg(_ change: (String) -> String) throws -> (leg: RidePlan.Leg, manner: DriveManner) {
            let drives = try Self.scenario(change(Self.yaml)).drivers[0].steps.compactMap { step in
                if case .visit(let visit) = step { visit.drive } else { nil }
            }
            let first = try #require(drives.first)
            return (first.leg, first.manner)
        }
        let slow = try leg { $0 }
        let fast = try leg { $0.replacing("pace: 0.5", with: "pace: 1") }
        #expect(abs(slow.leg.duration - 2 * fast.leg.duration) < 1)
        let stopped = try leg { $0.replacing("visit: load", with: "visit: {to: load, stops-at: 0.4}") }
        #expect(slow.manner.stopsAt == nil && stopped.manner.stopsAt == 0.4)
    }

    @Test func `errors name the file, the line and what was expected`() throws {
        let cases: [(String, String, Int, String)] = [
            ("visit: load", "visit: lod", 9, "unknown task lod"), ("visit: load", "vist: load", 9, "vist is unknown"),
            ("[load, [one, two]]", "[load, [one]]\n      - visit: two", 9, "the task two is in no stop"),
            ("[load, [one, two]]", "[load, load]", 8, "named twice"),
            ("round: {}", "round: {until: load}", 10, "there is no such stop"),
            ("type: SCHEDULED_STOP", "type: DEPOT", 12, "PICKUP, DELIVERY, SCHEDULED_STOP, UNAVAILABLE"),
            ("tracking: s-1, at", "at", 13, "have a tracking ID"),
            ("window: [0, 600]", "window: [600, 0]", 13, "two times in seconds"),
            ("stops: always", "stops: often", 14, "always, never"),
            ("{meters: 500}", "{miles: 5}", 14, "{stops: N}, {seconds: N} or {meters: N}"),
            ("outcome: FAILED, view", "outcome: LOST, view", 14, "SUCCEEDED or FAILED"),
            ("[s-2, s-1]", "[s-3]", 15, "no task has the tracking ID s-3"),
            ("followed: [s-2, s-1]", "followed: []", 15, "a list of tracking IDs"),
            ("outcome: SUCCEEDED, within", "within", 17, "tracking needs an outcome"),
            ("at: Station", "at: Forge Close 9000", 5, "Forge Close 9000"),
        ]
        let many = (0...500).map { "\n  - {id: t\($0), tracking: t, at: Station}" }.joined()
        for (old, new, line, words) in cases + [("tasks:", "tasks:\(many)", 11, "at most 500")] {
            #expect(Self.yaml.contains(old), "\(old)")
            do throws(YAMLFileError) {
                _ = try Scenario(yaml: Self.yaml.replacing(old, with: new), name: "x", file: "x.yaml")
                Issue.record("\(words): it was taken")
            } catch {
                #expect(error.message.contains(words), "\(error)")
                #expect(error.file == "x.yaml" && error.line == line, "\(error)")
            }
        }
    }
}
