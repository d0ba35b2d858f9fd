import TripFeed

extension FollowedTrip {
    /// The last request as a shell command with the variable `TOKEN` instead of the token; `nil` before the first.
    package var curlCommand: String? { lastReport?.url.map(Self.curl) }

    private static func curl(_ url: String) -> String {
        let quoted = url.replacing("'", with: "'\\''")
        return "curl -sS -H \"Authorization: Bearer $TOKEN\" -H 'Accept: application/json' '\(quoted)'"
    }
}
