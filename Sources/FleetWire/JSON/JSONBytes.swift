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
        } catch let error as WireError {
            throw error
        } catch let error as DecodingError {
            throw Self.wireError(error, bytes)
        } catch {
            // The parser's own errors describe types of this program, not the body.
            throw .notJSON(reason: Self.syntaxProblem(in: bytes))
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

    /// Describes the error with the words of JSON, because the decoder's texts name its types and methods.
    private static func wireError(_ error: DecodingError, _ bytes: [UInt8]) -> WireError {
        switch error {
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            .notJSON(reason: syntaxProblem(in: bytes))
        case .dataCorrupted(let context):
            .unexpected(path: path(context.codingPath), reason: "a value out of range")
        case .typeMismatch(let type, let context):
            .unexpected(path: path(context.codingPath), reason: "\(name(of: type)) is expected")
        case .valueNotFound(let type, let context):
            .unexpected(path: path(context.codingPath), reason: "null where \(name(of: type)) is expected")
        case .keyNotFound(let key, let context):
            .unexpected(path: path(context.codingPath + [key]), reason: "missing")
        @unknown default:
            .notJSON(reason: syntaxProblem(in: bytes))
        }
    }

    /// Returns the JSON name of a type.
    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type, is EnumName.Type, is EncodedPath.Type: "a string"
        case is Bool.Type: "a boolean"
        case is any Numeric.Type: "a number"
        case is any ListType.Type: "a list"
        default: "an object"
        }
    }

    /// Returns where a text is not JSON.
    private static func syntaxProblem(in bytes: [UInt8]) -> String {
        var parser = JSONParser(bytes)
        do throws(JSONParser.Failure) {
            guard try parser.next() != nil else { return "it is empty" }
            return parser.isAtEnd ? "it has a number that is out of range" : "text follows the JSON value"
        } catch {
            return switch error {
            case .truncated: "it ends within a value"
            case .invalid(let offset): "byte \(offset) is not valid in JSON"
            case .tooDeep: "it nests too deeply"
            case .tooManyValues: "it has too many values"
            }
        }
    }

    private static let longestReason = 300

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            path += key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? "" : ".") + key.stringValue
        }.bounded(to: longestReason)
    }
}

/// A type that is decoded from a JSON list.
private protocol ListType {}

extension Array: ListType {}
extension BoundedList: ListType {}
