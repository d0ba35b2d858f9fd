import TripFeed

extension FollowedTrip {
    /// The last request as a command for a shell, with the variable `TOKEN` in the token's place; `nil` before the first.
    var curlCommand: String? { lastReport?.url.map(Self.curl) }

    private static func curl(_ url: String) -> String {
        let quoted = url.replacing("'", with: "'\\''")
        return "curl -sS -H \"Authorization: Bearer $TOKEN\" -H 'Accept: application/json' '\(quoted)'"
    }
}
