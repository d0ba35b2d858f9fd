import Foundation
import TripModel

/// JSON in the format of the service.
package enum JSONBytes {
    /// Encodes a value deterministically: sorted keys, unescaped slashes.
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
            // All messages consist of optionals, numbers, strings and lists, which JSON can represent.
            preconditionFailure("a message could not be written as JSON: \(error)")
        }
    }

    /// Decodes a value with keys in camelCase or snake_case.
    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(WireError) -> Value {
        try decode(type, from: bytes, within: ElementBudget())
    }

    /// Decodes a value with an element budget.
    static func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: [UInt8],
        within budget: ElementBudget
    ) throws(WireError) -> Value {
        guard hasFewValues(bytes) else {
            throw .unexpected(path: "body", reason: "more than \(ElementLimits.maximumValues) values")
        }
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

    /// Returns whether a body has at most ``ElementLimits/maximumValues`` values, by the commas between them.
    ///
    /// A parser takes about a microsecond for each value, so that a body of 4 MB could occupy it for seconds.
    static func hasFewValues(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > ElementLimits.maximumValues else { return true }
        return unsafe bytes.withUnsafeBytes { buffer in
            guard var place = buffer.baseAddress else { return true }
            let end = unsafe place + buffer.count
            var count = 0
            while count <= ElementLimits.maximumValues, let found = unsafe memchr(place, 0x2C, end - place) {
                count += 1
                unsafe place = UnsafeRawPointer(found) + 1
            }
            return count <= ElementLimits.maximumValues
        }
    }

    private static func wireError(_ error: DecodingError) -> WireError {
        switch error {
        // The error's description may quote a long input, such as a number with a million digits.
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
