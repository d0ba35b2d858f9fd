import Testing
import TripFeed
import TripModel

/// A rule, the severity of its finding, and a session that causes it.
struct FindingCase: Sendable, CustomTestStringConvertible {
    let rule: FindingRule
    let severity: Finding.Severity
    /// Returns the findings of the session.
    let findings: @Sendable () throws -> [Finding]

    var testDescription: String { rule.id }

    /// A change to the second answer about a healthy trip.
    init(
        _ rule: FindingRule,
        _ severity: Finding.Severity,
        _ change: @escaping @Sendable (inout Trip, FindingScene) throws -> Void
    ) {
        self.init(rule: rule, severity: severity) {
            var scene = try FindingScene()
            #expect(scene.answer().isEmpty)
            let before = scene
            return scene.answer { trip in try? change(&trip, before) }
        }
    }

    private init(
        rule: FindingRule,
        severity: Finding.Severity,
        findings: @escaping @Sendable () throws -> [Finding]
    ) {
        (self.rule, self.severity, self.findings) = (rule, severity, findings)
    }

    /// Several answers about a trip, or failed polls.
    static func session(
        _ rule: FindingRule,
        _ severity: Finding.Severity,
        _ run: @escaping @Sendable (inout FindingScene) throws -> [Finding]
    ) -> FindingCase {
        FindingCase(rule: rule, severity: severity) {
            var scene = try FindingScene()
            return try run(&scene)
        }
    }

    /// Answers about a shipment.
    static func shipment(
        _ rule: FindingRule,
        _ severity: Finding.Severity,
        _ run: @escaping @Sendable (inout ShipmentScene) throws -> [Finding]
    ) -> FindingCase {
        FindingCase(rule: rule, severity: severity) {
            var scene = try ShipmentScene()
            return try run(&scene)
        }
    }
}
