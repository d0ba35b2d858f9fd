/// What the service's errors mean when a trip is watched, and what helps (reference/features.md, table A0).
enum ErrorTable {
    /// One error.
    struct Row: Sendable {
        /// The HTTP status, or a word where no answer came.
        var code: String
        var meaning: String
        var remedy: String
    }

    static let rows: [Row] = [
        Row(
            code: "400",
            meaning: "The trip's name is not well formed, or the provider is not its owner.",
            remedy: "Check --provider-id and the trip's ID; asking again never helps."
        ),
        Row(
            code: "401",
            meaning: "The token was missing, expired, or signed without a trip.",
            remedy: "One new token is fetched at once; then look at the verdict in the Token view."
        ),
        Row(
            code: "403",
            meaning: "The token is for another trip, its role is too weak, or the API is not enabled.",
            remedy: "Compare the claims in the Token view with the trip; check roles and the API."
        ),
        Row(
            code: "404",
            meaning: "There is no such trip: not created yet, or deleted.",
            remedy: "Waited for a while at first; check the ID."
        ),
        Row(
            code: "429",
            meaning: "The quota is used up.",
            remedy: "The pauses grow by themselves; ask less often, or for more quota."
        ),
        Row(
            code: "503",
            meaning: "The service is down for the moment.",
            remedy: "The pauses grow by themselves; the last answer stays, with its age."
        ),
        Row(code: "504", meaning: "The service was too slow.", remedy: "Tried again by itself."),
        Row(
            code: "none",
            meaning: "No connection, no name, no TLS, or no whole answer.",
            remedy: "Check the network and --fleet-engine-url; tried again by itself."
        ),
    ]
}
