import FleetEngineProtos
import GRPCCore
import Runtime
import SwiftProtobuf

/// The REST request for a gRPC call.
struct RESTRequest: Sendable, Equatable {
    /// The HTTP method.
    var method: String
    /// The path, percent-encoded.
    var path: String
    /// The query, percent-encoded.
    private(set) var query = ""
    /// The JSON body; empty for none.
    var body: [UInt8] = []

    /// The path and the query.
    var target: String { query.isEmpty ? path : "\(path)?\(query)" }

    /// A request for no method: the service answers 404, unless it refuses the token or a fault applies.
    static let ofNoMethod = RESTRequest(path: "/v1")

    private init(path: String) { (method, self.path) = ("GET", path) }

    /// Creates a request for a resource, such as `providers/p/trips/t`.
    ///
    /// Throws `INVALID_ARGUMENT` for a name of another form.
    init(
        _ method: String,
        resource name: String,
        in collection: String,
        verb: String = "",
        body: (some Message)? = Google_Protobuf_Empty?.none
    ) throws(RPCError) {
        let parts = try Self.parts(name, "providers/{provider}/\(collection)/{id}")
        guard parts.count == 4, parts[2] == collection else {
            throw Self.invalid(name, "providers/{provider}/\(collection)/{id}")
        }
        try self.init(method, parts, verb, body)
    }

    /// Creates a request for a collection of a parent, such as `providers/p`.
    ///
    /// Throws `INVALID_ARGUMENT` for a parent of another form.
    init(
        _ method: String,
        collection: String,
        of parent: String,
        verb: String = "",
        body: (some Message)? = Google_Protobuf_Empty?.none
    ) throws(RPCError) {
        let parts = try Self.parts(parent, "providers/{provider}")
        guard parts.count == 2 else { throw Self.invalid(parent, "providers/{provider}") }
        try self.init(method, parts + [collection], verb, body)
    }

    private init(_ method: String, _ parts: [String], _ verb: String, _ body: (some Message)?) throws(RPCError) {
        self.method = method
        path = "/v1/" + parts.map(PercentEncoding.encode).joined(separator: "/") + verb
        guard let body else { return }
        do {
            self.body = try body.jsonUTF8Bytes()
        } catch {
            // For example a timestamp out of range, which has no JSON form.
            throw RPCError(code: .invalidArgument, message: "The message has no valid JSON form.", cause: error)
        }
    }

    private static func parts(_ name: String, _ form: String) throws(RPCError) -> [String] {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        // A colon would begin a custom verb in the path.
        guard parts.first == "providers", parts.allSatisfy({ !$0.isEmpty && !$0.contains(":") }) else {
            throw invalid(name, form)
        }
        return parts
    }

    private static func invalid(_ name: String, _ form: String) -> RPCError {
        RPCError(code: .invalidArgument, message: "Invalid name: \(name.prefix(200)) is not of the form \(form).")
    }
}

/// Query parameters; default values are omitted, as in JSON.
extension RESTRequest {
    mutating func add(_ name: String, _ value: String) {
        guard !value.isEmpty else { return }
        query += (query.isEmpty ? "" : "&") + name + "=" + PercentEncoding.encode(value)
    }

    mutating func add(_ name: String, _ number: Int32) {
        if number != 0 { add(name, String(number)) }
    }

    mutating func add(_ name: String, _ value: some SwiftProtobuf.Enum) {
        if value.rawValue != 0 { add(name, String(value.rawValue)) }
    }

    /// Adds a value whose JSON form is a string, such as a timestamp or a duration; throws `INVALID_ARGUMENT`.
    mutating func add(_ name: String, text message: (some Message)?) throws(RPCError) {
        guard let message else { return }
        do {
            add(name, try message.jsonString().trimmingPrefix("\"").split(separator: "\"").joined())
        } catch {
            throw RPCError(code: .invalidArgument, message: "Invalid value at '\(name)'.", cause: error)
        }
    }

    /// Adds a map rectangle.
    mutating func add(_ viewport: Google_Geo_Type_Viewport) {
        // All four numbers, because a viewport of zeros is set, too.
        add("viewport.low.latitude", String(viewport.low.latitude))
        add("viewport.low.longitude", String(viewport.low.longitude))
        add("viewport.high.latitude", String(viewport.high.latitude))
        add("viewport.high.longitude", String(viewport.high.longitude))
    }

    /// Adds the paths of a field mask; the service accepts them in camelCase and in snake_case.
    mutating func add(_ name: String, _ mask: Google_Protobuf_FieldMask) {
        add(name, mask.paths.joined(separator: ","))
    }
}
