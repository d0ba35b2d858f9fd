/// What the headers of an answer say about a cache that has answered in place of the server.
///
/// Such an answer says nothing about the present: neither about the clock of the server, nor about a token, nor about how long a
/// position is unchanged. The `Date` of a cached answer comes from the server's own answer (RFC 9111, section 5.1).
package struct CacheEvidence: Sendable, Equatable {
    /// The headers as text, such as `Age: 120, X-Cache: HIT`; untrusted text of bounded length.
    package let text: String

    /// The maximum number of characters of a value.
    private static let longestValue = 60

    /// The headers in which caches say whether they had the answer, in lower case.
    private static let verdicts: Set<String> = [
        "x-cache", "x-cache-status", "x-proxy-cache", "cache-status", "cf-cache-status", "cdn-cache", "x-vercel-cache",
    ]

    /// The names of all headers that are read, in lower case.
    package static let headerNames = verdicts.union(["age", "via", "warning"])

    /// Reads the headers of an answer; `nil` if they do not say that it comes from a cache.
    ///
    /// An `Age` above 0 and a hit say so. `Via` alone does not, because every proxy adds it.
    package init?(_ headers: some Sequence<(name: String, value: String)>) {
        let known = headers.filter { Self.headerNames.contains($0.name.lowercased()) }
        let decisive = known.contains { name, value in
            switch name.lowercased() {
            case "age": Int(value) ?? 0 > 0
            case "via": false
            // 110 is a stale answer; 113 is an old answer whose freshness lifetime a cache has guessed.
            case "warning": value.hasPrefix("110") || value.hasPrefix("113")
            default: Self.isHit(value)
            }
        }
        guard decisive else { return nil }
        text = known.map { "\($0.name): \($0.value.prefix(Self.longestValue))" }.joined(separator: ", ")
    }

    /// Whether a value names a hit, such as `HIT`, `TCP_MEM_HIT`, `Hit from cloudfront` and `edge; hit` (RFC 9211).
    private static func isHit(_ value: String) -> Bool {
        let words = value.lowercased().split { !$0.isLetter }
        return words.contains { $0 == "hit" || $0 == "stale" || $0 == "refreshhit" }
    }
}

extension Exchange.Answer {
    /// The cache that sent the answer; `nil` if its headers do not name one.
    package var cache: CacheEvidence? { CacheEvidence(headers.map { ($0.name, $0.value) }) }
}

extension Failure {
    /// The cache whose answer explains the failure; `nil` if it does not come from a cache, or if an old answer explains nothing.
    package var cache: CacheEvidence? {
        guard row.traits.contains(.mayBeOld) || ![.token, .provider].contains(row.stage) && !isOtherContent else {
            return nil
        }
        return exchange?.answer?.cache
    }

    /// Whether the answer is a success with another content than a token or a trip, which it also was when the cache stored it.
    private var isOtherContent: Bool {
        let codes: Set<FailureCode> = [
            .sourceHTML, .sourceNotJSON, .sourceMissingKey, .sourceMissingKeyAmong, .sourceEncodedJSON,
            .sourceEncodedKey, .sourceWrongType, .sourceEmpty, .webPage, .unreadable,
        ]
        return (200..<300).contains(exchange?.answer?.status ?? 0) && codes.contains(code)
    }
}
