import FleetEmulator
import TripFeed
import TripModel

extension SceneCaption.Validity {
    /// The conditions in the words of a scenario, such as `status ENROUTE_TO_PICKUP`; empty without any.
    var words: String {
        let statuses = conditions.statuses.map(\.name).joined(separator: "|")
        let parts: [String?] = [
            statuses.isEmpty ? nil : "status \(statuses)",
            conditions.isFailing.map { "failing \($0)" },
            fault.map { "fault \($0)" },
            seconds.map { "seconds \(Int($0.rounded()))" },
        ]
        return (parts.compactMap(\.self) + conditions.checks.map(\.words)).joined(separator: ", ")
    }
}
