import FleetWire
import Foundation
import Runtime
import TripModel

/// The values of a log's answer that cannot be read, so that they are missing on the screen.
///
/// A path that cannot be decoded is not among them, because its encoding is not documented.
struct UnreadableLogValues {
    /// How the value of a field is read.
    private enum Kind {
        case time
        case number
        case heading
        case point
        case trip
        case vehicle
    }

    /// The fields that are read, by their keys, which the parser has normalized.
    private static let kinds: [String: Kind] = [
        "pickuptime": .time, "dropofftime": .time, "etatofirstwaypoint": .time, "timestamp": .time, "stoptime": .time,
        "updatetime": .time, "servertime": .time, "rawlocationtime": .time, "eta": .time,
        "remainingdistancemeters": .number, "distancemeters": .number, "speed": .number, "speedkmph": .number,
        "latlngaccuracy": .number, "horizontalaccuracy": .number, "numberofpassengers": .number,
        "intermediatedestinationindex": .number, "heading": .heading,
        "point": .point, "location": .point, "rawlocation": .point,
        "tripid": .trip, "vehicleid": .vehicle,
    ]
    /// The maximum depth of the values that are read.
    private static let depth = 6

    private var fields: [UnknownField] = []

    /// Returns the values of an answer that cannot be read, at most ``UnknownField/mostUnreadable``.
    static func fields(of answer: JSONValue) -> [UnknownField] {
        var values = UnreadableLogValues()
        values.examine(answer, at: "", depth: 0)
        return values.fields
    }

    private mutating func examine(_ value: JSONValue, at path: String, depth: Int) {
        guard depth < Self.depth, fields.count < UnknownField.mostUnreadable else { return }
        switch value {
        case .object(let members):
            for member in members {
                // The speed of a stretch of traffic is a name, not a number.
                if member.key == "speedreadinginterval" { continue }
                let name = path.isEmpty ? member.key : "\(path).\(member.key)"
                if let kind = Self.kinds[member.key], let text = Self.unreadable(member.value, kind) {
                    guard fields.count < UnknownField.mostUnreadable else { return }
                    fields.append(UnknownField(name: name, text: text))
                } else {
                    examine(member.value, at: name, depth: depth + 1)
                }
            }
        case .array(let elements):
            for (index, element) in elements.prefix(ElementLimits.maximum(of: .stops)).enumerated() {
                examine(element, at: "\(path)[\(index)]", depth: depth + 1)
            }
        default: return
        }
    }

    /// Returns the text of a value that cannot be read; `nil` if it can, or if there is none.
    private static func unreadable(_ value: JSONValue, _ kind: Kind) -> String? {
        switch value {
        case .null, .string(""): return nil
        case .object where kind == .number || kind == .heading: return nil
        default: break
        }
        let isReadable =
            switch kind {
            case .time: LogFields.date(value) != nil
            case .number: value.logNumber != nil
            case .heading: value.integer.map { (0..<360).contains($0) } ?? false
            case .point: isPoint(value)
            case .trip: value.string.map { (try? TripID($0)) != nil } ?? false
            case .vehicle: value.string.map { (try? VehicleID($0)) != nil } ?? false
            }
        return isReadable ? nil : text(value)
    }

    private static func isPoint(_ value: JSONValue) -> Bool {
        guard let members = value.members else { return false }
        // Two names of one message: a position, and the place of a stop.
        if members.isEmpty || value["point"] != nil { return true }
        return LogFields.coordinate(value) != nil || (value["latitude"] == nil && value["longitude"] == nil)
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .number(let number): "\(number)"
        case .bool(let bool): "\(bool)"
        case .object: coordinateText(value)
        case .array: "[…]"
        case .null: "null"
        }
    }

    private static func coordinateText(_ value: JSONValue) -> String {
        let numbers = ["latitude", "longitude"].compactMap { value[$0] }.map(text)
        return numbers.isEmpty ? "{…}" : numbers.joined(separator: ", ")
    }
}
