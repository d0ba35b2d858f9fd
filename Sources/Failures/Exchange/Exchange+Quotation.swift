extension Exchange {
    /// The maximum number of quoted headers.
    private static let mostQuoted = 3

    /// The headers that say who answered and what it wants, in the order in which they are quoted.
    private static let telling = [
        "location", "www-authenticate", "proxy-authenticate", "allow", "cf-mitigated", "x-amzn-errortype",
        "x-amzn-waf-action", "x-goog-iap-generated-response", "content-encoding", "server", "via", "x-powered-by",
    ]

    /// What the answer shows besides its status, in its own words: its message, its kind if it is no text, and the headers that
    /// say who sent it; `nil` if it shows nothing.
    package var quotation: String? { quotation(hasMessage: true) }

    /// What the answer shows besides its status; without its message for a sentence that has it already.
    package func quotation(hasMessage: Bool) -> String? {
        guard let answer else { return nil }
        let isEmpty = answer.body.map { $0.content == .empty } ?? true
        var parts = isEmpty || !hasMessage ? [] : [answer.body?.message ?? answer.body?.summary].compactMap(\.self)
        if answer.mediaType == "text/html" { parts.append("text/html") }
        let headers = Self.telling.compactMap { name in answer.header(name).map { "\(name): \($0)" } }
        parts += headers.prefix(Self.mostQuoted)
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }
}
