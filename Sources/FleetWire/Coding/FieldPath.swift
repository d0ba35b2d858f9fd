package import TripModel

/// The path of a field of a trip as JSON, such as `remainingWaypoints[0].eta` or `vehicleWaypoints.size`.
package struct FieldPath: Sendable, Equatable {
    private enum Step: Equatable {
        case member(String)
        case element(Int)
        /// The number of elements of a list, of members of an object or of characters of a text.
        case size
    }

    private let steps: [Step]

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
        guard Self.isKnown(steps) else { return nil }
        self.steps = steps
    }

    /// Returns whether trips have such a field.
    private static func isKnown(_ steps: [Step]) -> Bool {
        var message: MessageSchema? = MessageSchema(TripMessage.self)
        var field: MessageSchema.Field?
        for step in steps {
            switch step {
            case .member(let name): field = message?[name]
            case .element: field = field.flatMap { $0.isList ? $0.element : nil }
            case .size: break
            }
            guard let field else { return false }
            message = field.message
        }
        return true
    }

    /// Returns the value of the field of a trip as JSON; a field with the default value has none.
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
        case .null, .array, .object: .missing
        case .bool(let flag): .flag(flag)
        case .number(let number): .number(number)
        // Numbers of 64 bits are texts in ProtoJSON.
        case .string(let text): Double(text).map { .number($0) } ?? .text(text)
        }
    }
}
