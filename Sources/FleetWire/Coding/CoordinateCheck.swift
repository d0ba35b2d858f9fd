import FleetEngineProtos
import Foundation
import Runtime
import SwiftProtobuf
import TripModel

/// Finds out whether any coordinate in a message is out of range, or any number not finite; SwiftProtobuf visits all fields of
/// the schema.
struct CoordinateCheck: Visitor {
    private(set) var hasInvalid = false

    mutating func visitSingularMessageField<Inner: Message>(value: Inner, fieldNumber: Int) throws {
        guard let place = value as? LatLngMessage else { return try value.traverse(visitor: &self) }
        if place.coordinate == nil { hasInvalid = true }
    }

    /// The texts that ProtoJSON has for numbers that are not finite.
    private static let unlimited = ["NaN", "Infinity", "-Infinity"]

    /// Returns the paths and the texts of such values of a body, at most `limit`.
    static func invalid(in body: [UInt8], of schema: MessageSchema, limit: Int) -> [UnknownField] {
        var found: [UnknownField] = []
        func examine(_ value: JSONValue, at path: MessagePath, as message: MessageSchema?) {
            guard found.count < limit else { return }
            switch value {
            case .object(let members):
                let (latitude, longitude) = (value["latitude"]?.coordinate, value["longitude"]?.coordinate)
                if latitude != nil || longitude != nil {
                    let place = Coordinate(latitude: latitude ?? 0, longitude: longitude ?? 0)
                    if !place.isValid {
                        let text = "\(place.latitude), \(place.longitude)"
                        found.append(UnknownField(name: path.text, text: text))
                    }
                }
                for member in members {
                    let field = message?[member.key]
                    let inner = path.member(FieldMask.camelCase(member.key.prefix(200)))
                    if case .string(let text) = member.value, field?.expected == .number, unlimited.contains(text),
                        found.count < limit
                    {
                        found.append(UnknownField(name: inner.text, text: text))
                    }
                    examine(member.value, at: inner, as: field?.element.message)
                }
            case .array(let elements):
                for (index, element) in elements.enumerated() {
                    examine(element, at: path.element(index), as: message)
                }
            case .null, .bool, .number, .string: break
            }
        }
        if let value = JSONValue(body) { examine(value, at: MessagePath(), as: schema) }
        return found
    }

    mutating func visitSingularDoubleField(value: Double, fieldNumber: Int) {
        if !value.isFinite { hasInvalid = true }
    }

    // MARK: Fields without coordinates

    mutating func visitSingularInt64Field(value: Int64, fieldNumber: Int) {}
    mutating func visitSingularUInt64Field(value: UInt64, fieldNumber: Int) {}
    mutating func visitSingularBoolField(value: Bool, fieldNumber: Int) {}
    mutating func visitSingularStringField(value: String, fieldNumber: Int) {}
    mutating func visitSingularBytesField(value: Data, fieldNumber: Int) {}
    mutating func visitSingularEnumField<Value: Enum>(value: Value, fieldNumber: Int) {}
    mutating func visitUnknown(bytes: Data) {}
    mutating func visitMapField<Key, Value: MapValueType>(
        fieldType: _ProtobufMap<Key, Value>.Type,
        value: _ProtobufMap<Key, Value>.BaseType,
        fieldNumber: Int
    ) {}
    mutating func visitMapField<Key, Value: Enum>(
        fieldType: _ProtobufEnumMap<Key, Value>.Type,
        value: _ProtobufEnumMap<Key, Value>.BaseType,
        fieldNumber: Int
    ) where Value.RawValue == Int {}
    mutating func visitMapField<Key, Value: Message & Hashable>(
        fieldType: _ProtobufMessageMap<Key, Value>.Type,
        value: _ProtobufMessageMap<Key, Value>.BaseType,
        fieldNumber: Int
    ) {}
}

extension JSONValue {
    /// The number, also one that is written as a text, as ProtoJSON allows.
    fileprivate var coordinate: Double? {
        switch self {
        case .number(let number): number
        case .string(let text): Double(decimal: text)
        default: nil
        }
    }
}
