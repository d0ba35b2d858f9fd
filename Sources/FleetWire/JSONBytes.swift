import Foundation
import TripModel

/// JSON as the service writes and reads it.
package enum JSONBytes {
    /// Bytes of a value: keys sorted so that the same value always gives the same bytes, slashes as they are.
    package static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity",
            negativeInfinity: "-Infinity",
            nan: "NaN"
        )
        do {
            return [UInt8](try encoder.encode(value))
        } catch {
            // Every message here is made of optionals, numbers, strings and lists: nothing that JSON can't say.
            preconditionFailure("a message could not be written as JSON: \(error)")
        }
    }

    /// A value from bytes, with keys in camelCase or in the original snake_case.
    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(WireError) -> Value {
        try decode(type, from: bytes, within: ElementBudget())
    }

    /// The same, with what its lists may still hold.
    static func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: [UInt8],
        within budget: ElementBudget
    ) throws(WireError) -> Value {
        let decoder = JSONDecoder()
        decoder.userInfo[ElementBudget.key] = budget
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "Infinity",
            negativeInfinity: "-Infinity",
            nan: "NaN"
        )
        do {
            return try decoder.decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw Self.wireError(error)
        } catch {
            throw .notJSON(reason: "\(error)".bounded(to: longestReason))
        }
    }

    private static func wireError(_ error: DecodingError) -> WireError {
        switch error {
        // What is wrong may be quoted as a whole, such as a number of a million digits.
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            .notJSON(reason: context.debugDescription.bounded(to: longestReason))
        case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
            .unexpected(
                path: path(context.codingPath),
                reason: context.debugDescription.bounded(to: longestReason)
            )
        case .keyNotFound(let key, let context):
            .unexpected(path: path(context.codingPath + [key]), reason: "missing")
        @unknown default:
            .notJSON(reason: "\(error)".bounded(to: longestReason))
        }
    }

    private static let longestReason = 300

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".").bounded(to: longestReason)
    }
}
