import Canvas
import Runtime
import Testing
import TripFeed
import TripTestSupport
import TripText

@testable import TripScreen

@Suite("Details of a finding", .ends(within: .quickTest))
struct FindingDetailsTests {
    @Test func `the chosen finding has its events, and the list has the rules without findings`() throws {
        let ride = Ride()
        var state = try ride.screen(at: 105, width: 200, height: 60)
        let finding = Finding(
            time: Ride.moment(90).wall,
            journey: try ride.id(),
            rule: "offRoute",
            severity: .warning,
            evidence: [.init("distance", .meters(130))]
        )
        _ = state.update(.feed(.found(try ride.id(), [finding])))
        _ = state.update(.key(.character("6")))
        let text = view(state).text
        #expect(text.contains("Rules without findings") && text.contains("✓ clocks differ"))
        #expect(text.contains("! off route") && !text.contains("✓ off route"))
        #expect(text.contains(/found \d\d:\d\d:\d\d, event \d+/), "\(text)")
    }

    @Test func `many findings of a rule are listed without their events`() throws {
        let ride = Ride()
        var state = try ride.screen(at: 105, width: 120, height: 40)
        for second in 0..<30 {
            let finding = Finding(
                time: Ride.moment(60 + Double(second)).wall,
                journey: try ride.id(),
                rule: "offRoute",
                severity: .warning,
                evidence: [.init("distance", .meters(130))]
            )
            _ = state.update(.feed(.found(try ride.id(), [finding])))
        }
        _ = state.update(.key(.character("6")))
        let text = view(state).text
        #expect(text.contains("17:01:29") && text.contains("17:01:00") && !text.contains("found "))
    }
}
