import Foundation
import Runtime
package import SwiftProtobuf
import TripModel

/// How the values of enums are written.
package enum EnumFormat: Sendable {
    /// Names, also those that the schema does not have.
    case names
    /// Numbers, as `$alt=json;enum-encoding=int` requests; values without a number are omitted.
    case numbers
}

/// Messages as ProtoJSON, by SwiftProtobuf.
package enum MessageBytes {
    /// Encodes a message whose enums have known names; default values are omitted.
    package static func encode(_ message: some Message, enums: EnumFormat = .names) -> [UInt8] {
        encode(enums) { _ in message }
    }

    /// Encodes a message; default values are omitted.
    static func encode(_ enums: EnumFormat = .names, _ message: (inout MessageWriter) -> some Message) -> [UInt8] {
        var writer = MessageWriter()
        writer.unknown.isKept = enums == .names
        var options = JSONEncodingOptions()
        options.alwaysPrintEnumsAsInts = enums == .numbers
        do {
            let bytes: [UInt8] = try message(&writer).jsonUTF8Bytes(options: options)
            return writer.unknown.isEmpty ? bytes : named(bytes, writer.unknown)
        } catch {
            // The writer limits times and durations to their ranges; everything else has a JSON form.
            preconditionFailure("a message could not be written as JSON: \(error)")
        }
    }

    /// Replaces the numbers of unknown names by the names.
    private static func named(_ bytes: [UInt8], _ unknown: UnknownNames) -> [UInt8] {
        func named(_ value: JSONValue) -> JSONValue {
            switch value {
            case .number(let number):
                Int(exactly: number).flatMap(unknown.name).map(JSONValue.string) ?? value
            case .array(let values): .array(values.map(named))
            case .object(let members): .object(members.map { .init(key: $0.key, value: named($0.value)) })
            case .null, .bool, .string: value
            }
        }
        return JSONValue(bytes).map { JSONBytes.encode(named($0)) } ?? bytes
    }
}
