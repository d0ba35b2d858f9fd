/// Why bytes could not be turned into a resource.
package enum WireError: Error, Sendable, Equatable {
    /// Not JSON, or cut off; the reason is the parser's.
    case notJSON(reason: String)
    /// JSON, but not of the shape that the resource has; the path says where.
    case unexpected(path: String, reason: String)
    /// A resource name that is not `providers/{provider}/trips/{trip}` or the like.
    case badName(String)
    /// A field of a request that its message does not have; the path is that of the message, empty for the body itself.
    case unknownName(String, path: String)
}
