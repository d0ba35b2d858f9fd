import FleetEngineProtos
import Foundation
import SwiftProtobuf

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
