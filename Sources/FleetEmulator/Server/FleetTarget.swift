import FleetWire
import TripModel

/// The method of a request, and the collection or the resource that it is about.
struct FleetTarget: Sendable {
    /// The collection, such as `trips`.
    let collection: String
    /// The ID of the resource; `nil` for a call of the collection.
    let id: String?
    /// The HTTP method and the custom verb, such as `POST:search`.
    let verb: String
    /// The method; `nil` if the service has no such one.
    let method: RESTMethod?

    /// Reads the path of a request; throws NOT_FOUND and INVALID_ARGUMENT.
    init(_ request: PlainRequest, of provider: ProviderID) throws(ServiceError) {
        let parts = request.segments
        guard parts.count == 4 || parts.count == 5, parts[0] == "v1", parts[1] == "providers" else {
            throw .noSuchMethod
        }
        guard parts[2].utf8.elementsEqual(provider.rawValue.utf8) else {
            throw .invalidArgument("The provider is not \(provider), the project of this service.")
        }
        // IDs contain no colon: the text after it is a custom verb.
        let last = parts[parts.count - 1].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(last[0])
        verb = request.method + (last.count == 2 ? ":" + last[1] : "")
        (collection, id) = parts.count == 4 ? (name, nil) : (parts[3], name)
        method = RESTMethod("\(verb) \(collection)\(id == nil ? "" : "/*")")
    }
}
