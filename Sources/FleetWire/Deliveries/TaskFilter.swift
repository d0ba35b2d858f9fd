import Foundation
import Runtime
package import TripModel

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
    package func matches(_ task: DeliveryTask) -> Bool { filter.matches { Self.isMet($0, by: task) } }

    /// How the values of a property are compared.
    private enum Property {
        /// A text; a property that is not set is a text without characters.
        case text(@Sendable (DeliveryTask) -> String)
        /// A value of an enum.
        case name(EnumNames, @Sendable (DeliveryTask) -> String?)
        /// A time.
        case time(@Sendable (DeliveryTask) -> Date?)
    }

    private static let properties: [String: Property] = [
        "type": .name(EnumNames.taskType) { $0.kind.name },
        "state": .name(EnumNames.taskState) { $0.state.name },
        "taskOutcome": .name(EnumNames.taskOutcome) { $0.outcome?.name },
        "taskOutcomeLocationSource": .name(EnumNames.outcomeLocationSource) { $0.outcomeLocationSource },
        "trackingId": .text { $0.trackingID?.rawValue ?? "" },
        "deliveryVehicleId": .text { $0.vehicleID?.rawValue ?? "" },
        "taskOutcomeTime": .time { $0.outcomeTime },
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

    private static func isMet(_ restriction: ListFilter.Restriction, by task: DeliveryTask) -> Bool {
        if let key = restriction.attributeKey {
            let value = task.attributes.first { $0.key == key }?.value.text
            return (value == restriction.value) == (restriction.comparison == .equal)
        }
        switch properties[FieldMask.camelCase(restriction.path)] {
        case .text(let value): return (value(task) == restriction.value) == (restriction.comparison == .equal)
        case .name(let names, let value):
            // A value that is not set is the first one of its enum.
            return ((value(task) ?? names.all.first) == restriction.value) == (restriction.comparison == .equal)
        case .time(let value):
            guard let left = value(task), let right = Timestamp.date(restriction.value) else {
                return restriction.comparison == .notEqual
            }
            return restriction.comparison.holds(left, right)
        case nil: return false
        }
    }
}
