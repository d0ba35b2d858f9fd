import FleetEngineProtos
import Foundation
import Runtime
import TripModel

/// The filter of ListTasks: restrictions on properties of tasks, combined as ``ListFilter`` describes.
///
/// | property | comparisons |
/// |---|---|
/// | `type`, `state`, `task_outcome`, `task_outcome_location_source` | `=` and `!=` with a name |
/// | `tracking_id`, `delivery_vehicle_id`, `attributes.KEY` | `=` and `!=` with a text |
/// | `task_outcome_time` | all, with a timestamp of RFC 3339 in quotation marks |
package struct TaskFilter: Sendable, Equatable {
    /// The text of the filter.
    package let text: String
    private let filter: ListFilter

    /// Parses a filter; throws ``WireError`` for another property, comparison or value.
    package init(_ text: String) throws(WireError) {
        self.text = text
        filter = try ListFilter(text)
        for restriction in filter.restrictions { try Self.check(restriction) }
    }

    /// Returns whether a task matches.
    package func matches(_ task: TaskMessage) -> Bool { filter.matches { Self.isMet($0, by: task) } }

    /// How the values of a property are compared.
    private enum Property {
        /// A text; a property that is not set is a text without characters.
        case text(@Sendable (TaskMessage) -> String)
        /// A value of an enum.
        case name(EnumNames, @Sendable (TaskMessage) -> String)
        /// A time.
        case time(@Sendable (TaskMessage) -> Date?)
    }

    private static let properties: [String: Property] = [
        "type": .name(EnumNames.taskType) { EnumNames.taskType.name($0.type) },
        "state": .name(EnumNames.taskState) { EnumNames.taskState.name($0.state) },
        "taskOutcome": .name(EnumNames.taskOutcome) { $0.outcomeName },
        "taskOutcomeLocationSource": .name(EnumNames.outcomeLocationSource) {
            EnumNames.outcomeLocationSource.name($0.taskOutcomeLocationSource)
        },
        "trackingId": .text { $0.trackingID },
        "deliveryVehicleId": .text { $0.deliveryVehicleID },
        "taskOutcomeTime": .time { $0.hasTaskOutcomeTime ? $0.taskOutcomeTime.time : nil },
    ]

    private static func check(_ restriction: ListFilter.Restriction) throws(WireError) {
        let isEquality = [.equal, .notEqual].contains(restriction.comparison)
        if restriction.attributeKey != nil {
            guard isEquality else {
                throw .unexpected(path: "filter", reason: "= or != is expected after an attribute")
            }
            return
        }
        guard let property = properties[FieldMask.camelCase(restriction.path)] else {
            let name = restriction.path.bounded(to: 64)
            throw .unexpected(path: "filter", reason: "tasks can't be filtered by \(name)")
        }
        switch property {
        case .time:
            guard Timestamp.date(restriction.value) != nil else {
                throw .unexpected(path: "filter", reason: "a timestamp is expected after \(restriction.path)")
            }
        case .name(let names, _):
            guard isEquality, names.all.contains(restriction.value) else {
                let all = names.all.joined(separator: ", ")
                throw .unexpected(path: "filter", reason: "= and one of \(all) are expected after \(restriction.path)")
            }
        case .text:
            guard isEquality else {
                throw .unexpected(path: "filter", reason: "= or != is expected after \(restriction.path)")
            }
        }
    }

    private static func isMet(_ restriction: ListFilter.Restriction, by task: TaskMessage) -> Bool {
        if let key = restriction.attributeKey {
            let value = task.attributes.first { $0.key == key }?.content?.text
            return (value == restriction.value) == (restriction.comparison == .equal)
        }
        switch properties[FieldMask.camelCase(restriction.path)] {
        case .text(let value), .name(_, let value):
            return (value(task) == restriction.value) == (restriction.comparison == .equal)
        case .time(let value):
            guard let left = value(task), let right = Timestamp.date(restriction.value) else {
                return restriction.comparison == .notEqual
            }
            return restriction.comparison.holds(left, right)
        case nil: return false
        }
    }
}
