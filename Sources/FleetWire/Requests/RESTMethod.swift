package import Runtime
package import SwiftProtobuf
import TripModel

/// A method of the service: how it is called over REST, and its messages, whose fields are the names of parameters and of
/// selected fields.
///
/// Over gRPC, the method has the name and the service that the descriptors give it.
package struct RESTMethod: Sendable {
    /// The HTTP method, and the custom verb after a colon, such as `POST:search`.
    package let verb: String
    /// The collection, such as `trips`.
    package let collection: String
    /// Whether it is about one resource of the collection.
    package let isOfResource: Bool
    /// The type of the request.
    package let request: any Message.Type
    /// The type of the answer.
    package let answer: any Message.Type
    /// The name of the gRPC service, such as `maps.fleetengine.v1.TripService`.
    package let service: String
    /// The field of the request that is the body: the resource to create or to update; `nil` for none.
    let resource: MessageSchema.Field?

    /// Whether the whole request is the body; otherwise its fields are query parameters.
    package var isBody: Bool { verb.contains(":") }

    /// The name of the method, such as `UpdateVehicle`.
    package var name: String {
        let message = request.protoMessageName.split(separator: ".").last ?? ""
        return String(message.hasSuffix("Request") ? message.dropLast("Request".count) : message)
    }

    /// The fields of locations that exist over REST only.
    private static let unpublished: Set<String> = ["place", "pointLocationSource"]

    private static let named = Dictionary(
        uniqueKeysWithValues: all.map { method in
            ("\(method.verb) \(method.collection)\(method.isOfResource ? "/*" : "")", method)
        }
    )

    /// Creates a method.
    ///
    /// - Parameters:
    ///   - name: The verb and the collection, such as `POST:search trips`; `/*` is one resource of it.
    ///   - request: The type of the request.
    ///   - answer: The type of the answer.
    init(_ name: String, _ request: any Message.Type, _ answer: any Message.Type) {
        let parts = name.split(separator: " ")
        verb = String(parts[0])
        collection = String(parts[1].prefix { $0 != "/" })
        isOfResource = parts[1].hasSuffix("/*")
        (self.request, self.answer) = (request, answer)
        service = Schema.service.services[request.protoMessageName] ?? ""
        resource = MessageSchema(request).ordered.first { $0.isMessage(of: answer) }
    }

    /// Finds a method, such as `GET trips/*` or `POST:search trips`; `nil` if it does not exist.
    package init?(_ name: String) {
        guard let method = Self.named[name] else { return nil }
        self = method
    }

    /// Whether a field of the request is in the path or in the body.
    func isElsewhere(_ field: String) -> Bool { ["name", "parent", resource?.name].contains(field) }

    /// Returns a request with the names of the API: in camelCase, and with names in place of the numbers of enum values.
    ///
    /// A request that is not valid stays as it is. Fields that the message does not have are left out.
    package func canonical(_ request: JSONValue) -> JSONValue {
        var options = JSONDecodingOptions()
        options.ignoreUnknownFields = true
        // A request that the service refuses is shown as it was sent.
        guard let message = try? self.request.init(jsonUTF8Bytes: JSONBytes.encode(request), options: options),
            let bytes: [UInt8] = try? message.jsonUTF8Bytes(), let value = JSONValue(bytes)
        else { return request }
        return value
    }

    /// Returns why a query parameter that is no system parameter is refused, in the words of Google's front end; `nil` if it is
    /// accepted.
    package func refusal(ofParameter name: String) -> String? {
        let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let shown = name.bounded(to: 200)
        let start = "Invalid JSON payload received. Unknown name \"\(shown)\": Cannot bind query parameter."
        guard !isBody, path.count < 10, !isElsewhere(FieldMask.camelCase(path[0])),
            let field = field(at: path)
        else { return "\(start) Field '\(shown)' could not be found in request message." }
        guard field.expected != .object else {
            return "\(start) '\(shown)' is a message type. Parameters can only be bound to primitive types."
        }
        return nil
    }

    /// Returns the field of the request at a path; `nil` if it does not exist.
    private func field(at path: [String]) -> MessageSchema.Field? {
        path.dropLast().reduce(MessageSchema(request)) { $0?[$1]?.message }?[path.last ?? ""]
    }

    /// Returns the first path of a selection that is no field of the answer; `nil` if all are.
    package func unknownPath(in selection: FieldSelection) -> String? {
        Self.unknownPath(in: selection, MessageSchema(answer), "")
    }

    private static func unknownPath(
        in selection: FieldSelection,
        _ message: MessageSchema?,
        _ path: String
    ) -> String? {
        for (name, inner) in selection.fields.sorted(by: { $0.key < $1.key }) where name != "*" {
            let place = path.isEmpty ? name : "\(path).\(name)"
            guard let field = message?[name] else {
                if unpublished.contains(name), inner.fields.isEmpty, !path.isEmpty { continue }
                return place
            }
            // The parts of a list are the parts of its elements.
            if let unknown = unknownPath(in: inner, field.element.message, place) { return unknown }
        }
        return nil
    }
}
