/// The reason why bytes could not be decoded.
package enum WireError: Error, Sendable, Equatable {
    /// Invalid or truncated JSON; the reason comes from the parser.
    case notJSON(reason: String)
    /// JSON with an unexpected structure; the path gives the location.
    case unexpected(path: String, reason: String)
    /// A resource name that does not have a form such as `providers/{provider}/trips/{trip}`.
    case badName(String)
    /// An unknown field in a request; the path is the path of the message, empty for the body itself.
    case unknownName(String, path: String)
}
