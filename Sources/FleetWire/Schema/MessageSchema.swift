import FleetEngineProtos
import Foundation
import SwiftProtobuf

/// The fields of a message.
struct MessageSchema: Sendable {
    /// The fields by their names in camelCase and in snake_case; ProtoJSON accepts both.
    private(set) var fields: [String: Field] = [:]
    /// The fields in the order of their numbers.
    let ordered: [Field]

    /// Finds the schema of a message; a message that the `.proto` files do not contain has no fields.
    init(_ type: any Message.Type) {
        let schema = Schema.service.messages[type.protoMessageName]
        (fields, ordered) = (schema?.fields ?? [:], schema?.ordered ?? [])
    }

    /// Creates the schema of the message with a full name.
    init(_ message: Google_Protobuf_DescriptorProto, named name: String) {
        let maps = message.nestedType.filter(\.options.mapEntry).map { ".\(name).\($0.name)" }
        var ordered: [Field] = []
        for field in message.field.sorted(by: { $0.number < $1.number }) {
            let isMap = maps.contains(field.typeName)
            let schema = Field(
                name: field.jsonName,
                number: Int(field.number),
                kind: isMap ? .map : Kind(field),
                oneof: field.hasOneofIndex ? field.oneofIndex : nil,
                isBytes: field.type == .bytes,
                isList: field.label == .repeated && !isMap
            )
            fields[field.jsonName] = schema
            fields[field.name] = schema
            ordered.append(schema)
        }
        self.ordered = ordered
    }

    /// Returns the field with a name in camelCase or snake_case; `nil` if it is unknown.
    ///
    /// Texts are equal if their characters are: KELVIN SIGN is a K. Names of fields are ASCII.
    subscript(name: String) -> Field? { name.utf8.allSatisfy { $0 < 0x80 } ? fields[name] : nil }
}

extension MessageSchema {
    /// A field of a message.
    struct Field: Sendable {
        /// The name in camelCase.
        let name: String
        /// The number in the binary form.
        let number: Int
        /// What its value is, or each element of a list.
        let kind: Kind
        /// The oneof that it is in, by its place in the message; `nil` for none.
        let oneof: Int32?
        /// Whether it is bytes, which are base64 in JSON.
        let isBytes: Bool
        /// Whether it is a list.
        private(set) var isList: Bool

        /// One element of the list, as a field.
        var element: Field {
            var element = self
            element.isList = false
            return element
        }

        /// The schema of the value; `nil` if it is not a message.
        var message: MessageSchema? {
            guard !isList, case .message(let name) = kind else { return nil }
            return Schema.service.messages[name]
        }

        /// Whether the value is a message of a type.
        func isMessage(of type: any Message.Type) -> Bool {
            guard !isList, case .message(let name) = kind else { return false }
            return name == type.protoMessageName
        }

        /// The values of the enum; `nil` if it is none.
        var enumNames: EnumNames? {
            guard !isList, case .enumeration(let name) = kind else { return nil }
            return Schema.service.enums[name]
        }

        /// What the value is in JSON.
        var expected: ExpectedValue {
            if isList { return .list }
            return switch kind {
            case .scalar(let expected): expected
            case .enumeration: .enumeration
            case .message, .map: .object
            }
        }
    }

    /// What a value is.
    enum Kind: Sendable {
        /// A value without fields; messages of `google.protobuf` are such values in JSON.
        case scalar(ExpectedValue)
        /// A value of the enum with this full name.
        case enumeration(String)
        /// The message with this full name.
        case message(String)
        /// An object whose keys are not names of fields.
        case map

        /// The messages of `google.protobuf` that are not objects in JSON.
        private static let wellKnown: [String: ExpectedValue] = [
            "BoolValue": .flag, "BytesValue": .text, "DoubleValue": .number, "Duration": .duration, "FieldMask": .text,
            "FloatValue": .number, "Int32Value": .integer, "Int64Value": .integer, "ListValue": .list,
            "StringValue": .text, "Timestamp": .timestamp, "UInt32Value": .integer, "UInt64Value": .integer,
        ]

        fileprivate init(_ field: Google_Protobuf_FieldDescriptorProto) {
            // Full names begin with a dot.
            let name = String(field.typeName.dropFirst())
            switch field.type {
            case .message, .group:
                let package = "google.protobuf."
                self =
                    name.hasPrefix(package)
                    ? .scalar(Self.wellKnown[String(name.dropFirst(package.count))] ?? .object) : .message(name)
            case .enum: self = .enumeration(name)
            case .string, .bytes: self = .scalar(.text)
            case .bool: self = .scalar(.flag)
            case .double, .float: self = .scalar(.number)
            case .int32, .int64, .uint32, .uint64, .sint32, .sint64, .fixed32, .fixed64, .sfixed32, .sfixed64:
                self = .scalar(.integer)
            }
        }
    }
}

/// The messages, enums and services by their full names, such as `maps.fleetengine.v1.Trip`.
struct Schema: Sendable {
    /// The schema of the `.proto` files, decoded when it is first used.
    static let service = Schema(base64: Descriptors.base64)

    /// The messages, except the messages of `google.protobuf`, which have JSON forms of their own.
    private(set) var messages: [String: MessageSchema] = [:]
    /// The names of the values of enums.
    private(set) var enums: [String: EnumNames] = [:]
    /// The gRPC services by the full names of the requests of their methods; no request has two methods.
    private(set) var services: [String: String] = [:]

    /// Decodes a `google.protobuf.FileDescriptorSet`.
    private init(base64: String) {
        guard let bytes = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) else {
            preconditionFailure("the descriptors are not base64")
        }
        do {
            for file in try Google_Protobuf_FileDescriptorSet(serializedBytes: bytes).file {
                for type in file.enumType { add(type, in: file.package) }
                for type in file.messageType { add(type, in: file.package) }
                for service in file.service {
                    // Full names of types begin with a dot.
                    let requests = service.method.map { String($0.inputType.dropFirst()) }
                    for request in requests { services[request] = "\(file.package).\(service.name)" }
                }
            }
        } catch {
            preconditionFailure("the descriptors could not be decoded: \(error)")
        }
    }

    private mutating func add(_ type: Google_Protobuf_EnumDescriptorProto, in scope: String) {
        enums["\(scope).\(type.name)"] = EnumNames(type)
    }

    private mutating func add(_ type: Google_Protobuf_DescriptorProto, in scope: String) {
        let name = "\(scope).\(type.name)"
        messages[name] = MessageSchema(type, named: name)
        for inner in type.enumType { add(inner, in: name) }
        for inner in type.nestedType { add(inner, in: name) }
    }
}
