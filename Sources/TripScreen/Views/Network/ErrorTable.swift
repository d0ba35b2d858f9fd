import TripText

/// The service's errors for a watched trip: what they mean and how to fix them.
enum ErrorTable {
    /// One error.
    struct Row: Sendable {
        /// The HTTP status; `nil` for a request without an answer.
        var status: Int?
        var meaning: Text
        var remedy: Text
    }

    static let rows: [Row] = [
        Row(status: 400, meaning: .error400, remedy: .error400Remedy),
        Row(status: 401, meaning: .error401, remedy: .error401Remedy),
        Row(status: 403, meaning: .error403, remedy: .error403Remedy),
        Row(status: 404, meaning: .error404, remedy: .error404Remedy),
        Row(status: 429, meaning: .error429, remedy: .error429Remedy),
        Row(status: 503, meaning: .error503, remedy: .error503Remedy),
        Row(status: 504, meaning: .error504, remedy: .error504Remedy),
        Row(status: nil, meaning: .errorNone, remedy: .errorNoneRemedy),
    ]
}
