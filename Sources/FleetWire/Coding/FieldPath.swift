package import Runtime
package import TripModel

/// The path of a field of a trip as JSON, such as `remainingWaypoints[0].eta` or `vehicleWaypoints.size`.
package struct FieldPath: Sendable, Equatable {
    private enum Step: Equatable {
        case member(String)
        case element(Int)
        /// The number of elements of a list, of members of an object or of characters of a text.
        case size
    }

    /// What a value at the path can be compared with.
    package enum Kind: Sendable, Equatable {
        /// A number; one of 64 bits is a text in JSON.
        case number
        case flag
        case text
        /// An object or a list, compared as JSON.
        case json
    }

    private let steps: [Step]
    /// What a value at the path can be compared with, by the schema of the service.
    package let kind: Kind

    /// Parses a path; `nil` if a trip has no such field.
    package init?(_ text: String) {
        var steps: [Step] = []
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
            // A name that could end its own quotation marks is not the name of a field.
            guard let name = pieces.first, !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
            else { return nil }
            if index > 0, index == parts.count - 1, part == "size" {
                steps.append(.size)
                continue
            }
            steps.append(.member(FieldMask.camelCase(name)))
            for piece in pieces.dropFirst() {
                guard piece.last == "]", let element = Int(piece.dropLast()), element >= 0 else { return nil }
                steps.append(.element(element))
            }
        }
        guard let kind = Self.kind(of: steps) else { return nil }
        (self.steps, self.kind) = (steps, kind)
    }

    /// Returns what the values at a path are; `nil` if trips have no such field.
    private static func kind(of steps: [Step]) -> Kind? {
        var message: MessageSchema? = MessageSchema(TripMessage.self)
        var field: MessageSchema.Field?
        for step in steps {
            switch step {
            case .member(let name): field = message?[name]
            case .element: field = field.flatMap { $0.isList ? $0.element : nil }
            case .size: break
            }
            guard let field else { return nil }
            message = field.message
        }
        guard steps.last != .size else { return .number }
        return switch field?.expected {
        case .number, .integer: .number
        case .flag: .flag
        case .object, .list: .json
        case .text, .enumeration, .timestamp, .duration: .text
        case nil: nil
        }
    }

    /// Returns the value of the field of a trip as JSON.
    ///
    /// It is missing if it is absent or null. The service omits default values, such as 0 and empty lists.
    package func value(in trip: JSONValue) -> MeasuredValue {
        var value = trip
        for step in steps {
            switch (step, value) {
            case (.member(let name), _):
                guard let next = value[name] else { return steps.last == .size ? .number(0) : .missing }
                value = next
            case (.element(let index), .array(let elements)):
                guard elements.indices.contains(index) else { return steps.last == .size ? .number(0) : .missing }
                value = elements[index]
            case (.size, .array(let elements)): return .number(Double(elements.count))
            case (.size, .object(let members)): return .number(Double(members.count))
            case (.size, .string(let text)): return .number(Double(text.count))
            case (.element, _), (.size, _): return .missing
            }
        }
        return switch value {
        case .null: .missing
        case .array, .object: .json(value.canonicalText)
        case .bool(let flag): .flag(flag)
        case .number(let number): .number(number)
        // Numbers of 64 bits are texts in ProtoJSON; other texts with digits, such as IDs, are no numbers.
        case .string(let text): (kind == .number ? Double(decimal: text) : nil).map { .number($0) } ?? .text(text)
        }
    }
}

extension JSONValue {
    /// The value as JSON with sorted keys and without white space: equal for values that differ only in these.
    package var canonicalText: String { String(decoding: JSONBytes.encode(self), as: UTF8.self) }
}
