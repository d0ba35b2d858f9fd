import FleetWire
import GRPCCore
import Runtime
import SwiftProtobuf

/// The REST request for a gRPC call.
struct RESTRequest: Sendable {
    /// The HTTP method.
    let method: String
    /// The path and the query, percent-encoded.
    private(set) var target: String
    /// The JSON body; empty for none.
    private(set) var body: [UInt8] = []

    /// A request for no method: the service answers 404, unless it refuses the token or a fault applies.
    static let ofNoMethod = RESTRequest(target: "/v1")

    private init(target: String) { (method, self.target) = ("GET", target) }

    /// Creates the request for a call with a message.
    ///
    /// Throws `INVALID_ARGUMENT` for a name of another form, and for a value that has no form in JSON.
    init(_ method: RESTMethod, _ message: any Message) throws(RPCError) {
        let parts = RequestParts(of: message, for: method)
        let verb = method.verb.split(separator: ":")
        self.method = String(verb[0])
        target = "/v1/" + (try Self.path(parts.name, of: method)) + verb.dropFirst().map { ":" + $0 }.joined()
        do {
            if let message = parts.body { body = try message.jsonUTF8Bytes() }
        } catch {
            // For example a timestamp out of range, which has no JSON form.
            throw RPCError(code: .invalidArgument, message: "The message has no valid JSON form.", cause: error)
        }
        do throws(RequestParts.InvalidValue) {
            let query = try parts.parameters().map { "\($0.name)=\(PercentEncoding.encode($0.value))" }
            if !query.isEmpty { target += "?" + query.joined(separator: "&") }
        } catch {
            throw RPCError(code: .invalidArgument, message: "Invalid value at '\(error.field)'.", cause: error.cause)
        }
    }

    /// Returns the path of a resource, such as `providers/p/trips/t`, or of the collection of a parent, such as `providers/p`.
    private static func path(_ name: String, of method: RESTMethod) throws(RPCError) -> String {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let isName =
            method.isOfResource ? parts.count == 4 && parts[2] == method.collection : parts.count == 2
        // A colon would begin a custom verb in the path.
        guard isName, parts[0] == "providers", parts.allSatisfy({ !$0.isEmpty && !$0.contains(":") }) else {
            let form = "providers/{provider}" + (method.isOfResource ? "/\(method.collection)/{id}" : "")
            let text = "Invalid name: \(name.prefix(200)) is not of the form \(form)."
            throw RPCError(code: .invalidArgument, message: text)
        }
        let path = method.isOfResource ? parts : parts + [method.collection]
        return path.map(PercentEncoding.encode).joined(separator: "/")
    }
}
