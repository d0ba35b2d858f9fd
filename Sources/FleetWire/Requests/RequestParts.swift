import Foundation
package import SwiftProtobuf

/// The parts of a request over gRPC in which it is sent over REST.
package struct RequestParts {
    /// A value without a form in JSON, such as a time out of range.
    package struct InvalidValue: Error {
        /// The field with the value.
        package let field: String
        /// The error of the encoder.
        package let cause: any Error
    }

    private let method: RESTMethod
    private let schema: MessageSchema
    private let message: any Message
    private let fields: SetFields

    /// Takes a request apart.
    ///
    /// - Parameters:
    ///   - message: The request; its type is that of the method.
    ///   - method: The method.
    package init(of message: any Message, for method: RESTMethod) {
        (self.message, self.method) = (message, method)
        (schema, fields) = (MessageSchema(method.request), SetFields(of: message))
    }

    /// The name of the resource, or of the parent of the collection; empty if it is missing.
    package var name: String {
        if let field = schema["name"] ?? schema["parent"] { return fields.text(field) }
        // An update without a name of its own has that of its resource.
        guard let resource, let field = MessageSchema(method.answer)["name"] else { return "" }
        return SetFields(of: resource).text(field)
    }

    /// The message in the body; `nil` for none.
    package var body: (any Message)? { method.isBody ? message : resource }

    /// The resource to create or to update, which may be missing in the request; `nil` for other methods.
    private var resource: (any Message)? { method.resource.map { fields.messages[$0.number] ?? method.answer.init() } }

    /// Returns the query parameters of the fields that are set.
    ///
    /// The header of a request is no parameter: it describes the client.
    ///
    /// - Throws: ``InvalidValue``.
    package func parameters() throws(InvalidValue) -> [(name: String, value: String)] {
        guard !method.isBody else { return [] }
        var all: [(name: String, value: String)] = []
        for field in schema.ordered where field.name != "header" && !method.isElsewhere(field.name) {
            all += try Self.parameters(of: field, in: fields)
        }
        // Default values are omitted, as in JSON.
        return all.filter { !$0.value.isEmpty }
    }

    private static func parameters(
        of field: MessageSchema.Field,
        in fields: SetFields
    ) throws(InvalidValue) -> [(name: String, value: String)] {
        guard let message = fields.messages[field.number] else {
            return (fields.texts[field.number] ?? []).map { (field.name, $0) }
        }
        guard let schema = field.message else { return [(field.name, try text(message, of: field))] }
        return numbers(of: SetFields(of: message), schema).map { ("\(field.name).\($0.path)", $0.value) }
    }

    /// Returns all numbers in a message, because a rectangle of zeros is one, too.
    private static func numbers(of fields: SetFields, _ schema: MessageSchema) -> [(path: String, value: String)] {
        schema.ordered.flatMap { field -> [(path: String, value: String)] in
            guard let inner = field.message else { return [(field.name, fields.texts[field.number]?.last ?? "0.0")] }
            let part = fields.messages[field.number].map { SetFields(of: $0) } ?? SetFields()
            return numbers(of: part, inner).map { ("\(field.name).\($0.path)", $0.value) }
        }
    }

    /// Returns a message whose form in JSON is a text or a number.
    private static func text(_ message: any Message, of field: MessageSchema.Field) throws(InvalidValue) -> String {
        // In JSON, the paths of a mask have one spelling only. The service accepts more.
        if let mask = message as? Google_Protobuf_FieldMask { return mask.paths.joined(separator: ",") }
        do {
            return try message.jsonString().filter { $0 != "\"" }
        } catch {
            throw InvalidValue(field: field.name, cause: error)
        }
    }
}

/// The fields of a message that are set, by their numbers; of a list of messages the last one, and no maps.
private struct SetFields: Visitor {
    /// The values that are no messages; several of a list.
    private(set) var texts: [Int: [String]] = [:]
    private(set) var messages: [Int: any Message] = [:]

    /// Creates the fields of an empty message.
    init() {}

    init(of message: any Message) {
        // No function below throws.
        try? message.traverse(visitor: &self)
    }

    func text(_ field: MessageSchema.Field) -> String { texts[field.number]?.last ?? "" }

    mutating func visitSingularDoubleField(value: Double, fieldNumber: Int) { add("\(value)", fieldNumber) }

    mutating func visitSingularInt64Field(value: Int64, fieldNumber: Int) { add("\(value)", fieldNumber) }

    mutating func visitSingularUInt64Field(value: UInt64, fieldNumber: Int) { add("\(value)", fieldNumber) }

    mutating func visitSingularBoolField(value: Bool, fieldNumber: Int) { add("\(value)", fieldNumber) }

    mutating func visitSingularStringField(value: String, fieldNumber: Int) { add(value, fieldNumber) }

    mutating func visitSingularBytesField(value: Data, fieldNumber: Int) {
        add(value.base64EncodedString(), fieldNumber)
    }

    mutating func visitSingularEnumField<Value: Enum>(value: Value, fieldNumber: Int) {
        add("\(value.rawValue)", fieldNumber)
    }

    mutating func visitSingularMessageField<Value: Message>(value: Value, fieldNumber: Int) {
        messages[fieldNumber] = value
    }

    mutating func visitMapField<Key, Value: MapValueType>(
        fieldType: _ProtobufMap<Key, Value>.Type,
        value: _ProtobufMap<Key, Value>.BaseType,
        fieldNumber: Int
    ) {}

    mutating func visitMapField<Key, Value>(
        fieldType: _ProtobufEnumMap<Key, Value>.Type,
        value: _ProtobufEnumMap<Key, Value>.BaseType,
        fieldNumber: Int
    ) {}

    mutating func visitMapField<Key, Value>(
        fieldType: _ProtobufMessageMap<Key, Value>.Type,
        value: _ProtobufMessageMap<Key, Value>.BaseType,
        fieldNumber: Int
    ) {}

    mutating func visitUnknown(bytes: Data) {}

    private mutating func add(_ text: String, _ number: Int) { texts[number, default: []].append(text) }
}
