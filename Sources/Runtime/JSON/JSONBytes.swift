import Foundation

/// JSON in the format of the service.
package enum JSONBytes {
    /// Encodes a value deterministically: sorted keys, unescaped slashes.
    ///
    /// For a file that people read, `isIndented` puts each value on a line of its own.
    package static func encode(_ value: some Encodable, isIndented: Bool = false) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isIndented { encoder.outputFormatting.insert(.prettyPrinted) }
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

    /// The maximum number of values in a body: several times as many as a message with lists at their limits has.
    package static let maximumValues = 150_000

    /// Returns whether a body has at most ``maximumValues`` values, by the commas between them.
    ///
    /// A parser takes about a microsecond for each value, so that a body of 4 MB could occupy it for seconds.
    package static func hasFewValues(_ bytes: [UInt8]) -> Bool {
        has(UInt8(ascii: ","), atMost: maximumValues, bytes)
    }

    /// Returns whether a body has at most 10,000 escape sequences, as all answers of the service have.
    package static func hasFewEscapes(_ bytes: [UInt8]) -> Bool { has(UInt8(ascii: "\\"), atMost: 10_000, bytes) }

    private static func has(_ byte: UInt8, atMost limit: Int, _ bytes: [UInt8]) -> Bool {
        guard bytes.count > limit else { return true }
        return unsafe bytes.withUnsafeBytes { buffer in
            guard var place = buffer.baseAddress else { return true }
            let end = unsafe place + buffer.count
            var count = 0
            while count <= limit, let found = unsafe memchr(place, Int32(byte), end - place) {
                count += 1
                unsafe place = UnsafeRawPointer(found) + 1
            }
            return count <= limit
        }
    }

    /// Returns whether bytes from a place on have a quotation mark or a backslash.
    package static func needsEscapes(_ bytes: [UInt8], from start: Int) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress, start < buffer.count else { return false }
            let (first, count) = unsafe (base + start, buffer.count - start)
            return unsafe memchr(first, Int32(UInt8(ascii: "\"")), count) != nil
                || memchr(first, Int32(UInt8(ascii: "\\")), count) != nil
        }
    }

    /// Returns whether a text is not one JSON value.
    package static func hasSyntaxProblem(_ bytes: [UInt8]) -> Bool { JSONValue(bytes) == nil }

    /// Returns where a text is not JSON.
    package static func syntaxProblem(in bytes: [UInt8]) -> String {
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
}
