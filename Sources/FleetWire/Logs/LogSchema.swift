import FleetEngineProtos
import SwiftProtobuf
import TripModel

/// The fields of a message by the keys of a log, which are in lower case without `_`.
///
/// The keys are derived from the schema. A log leaves out the first word of the field of an enum, or shortens it to three
/// letters: `status` is `tripStatus`, and `locsensor` is `locationSensor`.
///
/// A class for the reason of ``LogEnum``.
final class LogSchema: Sendable {
    /// The messages of the schema by their full names.
    static let all: [String: LogSchema] = {
        let enums = Dictionary(uniqueKeysWithValues: Schema.service.enums.map { ($0, LogEnum($1, named: $0)) })
        return Schema.service.messages.mapValues { LogSchema($0, enums) }
    }()

    /// The fields by their keys.
    let fields: [String: Field]
    /// The only field in front, whose object a log may leave out: a place is an object with a point, or the point itself.
    let wrapper: Field?

    private init(_ message: MessageSchema, _ enums: [String: LogEnum]) {
        let own = Dictionary(message.fields.values.map { ($0.number, $0) }) { first, _ in first }.values
            .sorted { $0.number < $1.number }
        var fields: [String: Field] = [:]
        var wrapper: Field?
        var bits: [Int32: UInt64] = [:]
        var next: UInt64 = 1
        for field in own {
            guard let kind = Kind(field, enums) else { continue }
            let bit = field.oneof.flatMap { bits[$0] } ?? next
            if let oneof = field.oneof { bits[oneof] = bit }
            if bit == next { next <<= 1 }
            let schema = Field(field, kind, bit: bit)
            fields[field.name.lowercased()] = schema
            if field.number == 1, !field.isList, kind.isObject { wrapper = schema }
        }
        for field in own where field.name.words.count > 1 {
            guard let schema = fields[field.name.lowercased()], case .enumeration = schema.kind else { continue }
            let words = field.name.words.map { $0.lowercased() }
            let rest = words.dropFirst().joined()
            for key in [rest, words[0].prefix(3) + rest] where fields[key] == nil { fields[key] = schema }
        }
        (self.fields, self.wrapper) = (fields, wrapper)
    }

    /// A field of a message.
    struct Field: Sendable {
        /// The key of ProtoJSON as bytes, with quotation marks and the colon.
        let key: [UInt8]
        /// What its value is, or each element of a list.
        let kind: Kind
        /// Whether it is a list.
        let isList: Bool
        /// What its elements are, for their limit; `nil` for a list without one.
        let elements: ElementKind?
        /// Its bit in a set of fields; the fields of a oneof have the same.
        let bit: UInt64

        fileprivate init(_ field: MessageSchema.Field, _ kind: Kind, bit: UInt64) {
            key = Array("\"\(field.name)\":".utf8)
            (self.kind, isList, elements) = (kind, field.isList, ElementLimits.lists[field.name])
            self.bit = bit
        }
    }

    /// How a value is read.
    enum Kind: Sendable {
        case text, flag, number, integer, timestamp, duration
        /// A whole number of degrees from 0 to 359.
        case heading
        case tripID, vehicleID
        /// A `LatLng`.
        case point
        case enumeration(LogEnum)
        /// The message with this full name.
        case message(String)

        /// Whether it is an object in JSON.
        fileprivate var isObject: Bool {
            switch self {
            case .point, .message: true
            default: false
            }
        }

        /// Derives how a field is read; `nil` for a field that no log has in a form that can be read.
        fileprivate init?(_ field: MessageSchema.Field, _ enums: [String: LogEnum]) {
            switch field.kind {
            case .message(LatLngMessage.protoMessageName): self = .point
            case .message(let name): self = .message(name)
            case .enumeration(let name):
                guard let values = enums[name] else { return nil }
                self = .enumeration(values)
            case .scalar(.text) where !field.isBytes:
                self = field.name == "tripId" ? .tripID : field.name == "vehicleId" ? .vehicleID : .text
            case .scalar(.flag): self = .flag
            case .scalar(.number): self = .number
            case .scalar(.integer):
                self = ["heading", "flpHeadingDegrees"].contains(field.name) ? .heading : .integer
            case .scalar(.timestamp): self = .timestamp
            case .scalar(.duration): self = .duration
            case .scalar, .map: return nil
            }
        }
    }
}
