import Foundation
import Runtime
package import SwiftProtobuf
import TripModel

/// A message in ProtoJSON from outside, decoded by SwiftProtobuf.
///
/// Nearly all bodies are decoded at once. If SwiftProtobuf refuses one, ``BodyExamination`` finds out why: what a newer service
/// may have added is stored separately, anything else is an error with the path of the value.
struct MessageAnswer<Body: Message> {
    /// The message.
    let message: Body
    /// The unknown fields of the resources in the message by their paths, such as `trips[3]`; empty for the message itself.
    private(set) var unknownFields: [String: [UnknownField]] = [:]
    /// The values that count as missing because they have a form that their field cannot have, by their paths.
    private(set) var unreadable: [UnknownField] = []
    private var names = UnknownNames()
    private var omitted: [ElementKind: Int] = [:]

    /// Decodes an answer; throws ``WireError``.
    init(_ body: [UInt8]) throws(WireError) {
        guard JSONBytes.hasFewValues(body) else {
            throw .unexpected(path: "body", reason: "more than \(JSONBytes.maximumValues) values")
        }
        // The filter shortens long texts with escapes, which SwiftProtobuf reads slowly.
        var isRefused = false
        if JSONBytes.hasFewEscapes(body) {
            do {
                message = try Body(jsonUTF8Bytes: body)
                unreadable = Self.coordinates(of: message, in: body)
                return
            } catch {
                isRefused = true
            }
        }
        // Either there are only unknown fields, or the examination finds the reason again, with its place.
        let filter = try FieldFilter(body, of: MessageSchema(Body.self))
        (unknownFields, omitted) = (filter.unknownFields, filter.omitted)
        // An unchanged body would be refused again.
        if filter.isChanged || !isRefused {
            do {
                message = try Body(jsonUTF8Bytes: filter.copied)
                unreadable = Self.coordinates(of: message, in: filter.copied)
                return
            } catch {}
        }
        var examination = BodyExamination<Body>(filter.copied, of: body, .answer)
        try examination.run()
        (names, unreadable) = (examination.names, examination.unreadable)
        do {
            message = try Body(jsonUTF8Bytes: examination.repaired, options: .lenient)
        } catch {
            throw JSONBytes.hasSyntaxProblem(body)
                ? .notJSON(reason: JSONBytes.syntaxProblem(in: body))
                : .unexpected(path: "", reason: "\(error)".bounded(to: 300))
        }
        unreadable += Self.coordinates(of: message, in: filter.copied)
    }

    /// Returns the coordinates of an answer that are out of range, and the numbers that are not finite.
    private static func coordinates(of message: Body, in body: [UInt8]) -> [UnknownField] {
        var check = CoordinateCheck()
        // The check throws no error.
        try? message.traverse(visitor: &check)
        guard check.hasInvalid else { return [] }
        return CoordinateCheck.invalid(in: body, of: MessageSchema(Body.self), limit: UnknownField.mostUnreadable)
    }

    /// Converts the message to the model.
    var reader: MessageReader { MessageReader(budget: ElementBudget(omitted: omitted), unknown: names) }
}

/// The body of a request, decoded as Google's servers do.
///
/// Names may be in camelCase or snake_case, enums may be names or numbers, numbers may be strings, and `null` means "not set".
/// Unknown fields are rejected.
package enum RequestBody {
    /// Decodes a body; throws ``WireError`` with the path of the first error.
    package static func decode<Body: Message>(_ type: Body.Type, from body: [UInt8]) throws(WireError) -> Body {
        guard JSONBytes.hasFewValues(body) else {
            throw .unexpected(path: "body", reason: "more than \(JSONBytes.maximumValues) values")
        }
        do {
            return try Body(jsonUTF8Bytes: body)
        } catch {
            // The examination finds the reason again, with its place.
            var examination = BodyExamination<Body>(body, of: body, .request)
            try examination.run()
            throw .notJSON(reason: "\(error)".bounded(to: 300))
        }
    }

    /// Converts the parts of a request to the model.
    ///
    /// Throws ``WireError`` if a list exceeds ``ElementLimits``, too.
    static func read<Model>(
        _ parts: (inout MessageReader) throws(WireError) -> Model
    ) throws(WireError) -> Model {
        var reader = MessageReader()
        reader.normalizesIDs = true
        let model = try parts(&reader)
        if let kind = reader.budget.omittedElements.first?.kind {
            throw .unexpected(path: kind.rawValue, reason: "more than \(ElementLimits.maximum(of: kind))")
        }
        return model
    }
}

extension JSONDecodingOptions {
    /// Options to ignore names of fields and enum values that are unknown.
    static var lenient: JSONDecodingOptions {
        var options = JSONDecodingOptions()
        options.ignoreUnknownFields = true
        return options
    }
}

extension [UnknownField] {
    /// Returns the fields below a path, by the rest of their paths.
    func within(_ path: String) -> [UnknownField] {
        compactMap { field in
            guard field.name.hasPrefix(path) else { return nil }
            return UnknownField(name: String(field.name.dropFirst(path.count)), text: field.text)
        }
    }
}

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
        writer.unknown.isRetained = enums == .names
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
