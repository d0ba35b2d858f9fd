package import Failures
import Foundation
import Runtime
import Synchronization
import TripModel

/// The last answer of a token endpoint, redacted for display.
package struct TokenSourceAnswer: Sendable, Equatable {
    /// The HTTP status.
    package var status: Int
    /// The headers that identify the server, the content and caches.
    package var headers: [HeaderField]
    /// The beginning of the body as text: tokens are replaced by `<token>`, other secrets by `<hidden>`.
    package var body: String
    /// The size of the complete body in bytes.
    package var bytes: Int
    /// The endpoint's error message from the body; `nil` if there is none.
    package var message: String?

    /// The maximum number of stored characters of a body.
    package static let maximumBody = 1000
    /// The maximum number of stored characters of a header's value.
    static let maximumHeader = 200
    /// The names of the stored headers.
    static let relevantHeaders = Set<String>([
        "allow", "cache-control", "content-type", "date", "etag", "expires", "location", "retry-after", "server",
        "vary",
        "www-authenticate", "x-request-id", "cf-ray",
    ]).union(CacheEvidence.headerNames)

    /// The headers of the cache that sent the answer; `nil` if it is not known to come from a cache.
    package var cache: CacheEvidence? { CacheEvidence(headers.map { ($0.name, $0.value) }) }

    private static func message(in json: JSONValue) -> String? {
        let paths = [
            "error.message", "error_description", "errorMessage", "message", "msg", "error", "detail", "title",
            "reason",
        ]
        let text = paths.lazy.compactMap { json[path: $0]?.string }.first { !$0.isEmpty }
        return text.map { String($0.withoutPossibleSecrets.prefix(300)) }
    }
}

extension TokenSourceAnswer {
    /// Creates a redacted answer; `tokenKey` is the key of the token.
    package init(status: Int, headers: [(name: String, value: String)], body: [UInt8], tokenKey: String) {
        self.status = status
        self.headers = headers.filter { Self.relevantHeaders.contains($0.name.lowercased()) }.prefix(20).map {
            HeaderField(name: $0.name, value: String($0.value.withoutPossibleSecrets.prefix(Self.maximumHeader)))
        }
        bytes = body.count
        // The rest is never shown. A secret that is truncated here would be longer than the part that is inspected.
        let beginning = Array(body.prefix(16 * Self.maximumBody))
        if body.count <= beginning.count, let json = JSONValue(body) {
            let isError = !(200...299).contains(status)
            message = isError || json[path: tokenKey] == nil ? Self.message(in: json) : nil
            let secretKeys = Set(tokenKey.split(separator: ".").map(String.init).suffix(1))
            // A token may also be split over several members.
            self.body = String(json.redacted(secretKeys).withoutPossibleSecrets.prefix(Self.maximumBody))
        } else {
            let text = String(decoding: beginning, as: UTF8.self).withoutPossibleSecrets
            self.body = String(text.trimmingCharacters(in: .whitespacesAndNewlines).prefix(Self.maximumBody))
            let isPage = self.body.hasPrefix("<")
            message = self.body.isEmpty || isPage ? nil : String(self.body.prefix(200))
        }
    }
}

extension JSONValue {
    /// Returns JSON on one line with secrets redacted; the values of `tokenKeys` are always redacted.
    fileprivate func redacted(_ tokenKeys: Set<String>) -> String {
        switch self {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .number(let number):
            number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
        case .string(let string):
            Self.quoted(Self.encoded(in: string)?.redacted(tokenKeys) ?? string.withoutPossibleSecrets)
        case .array(let items): "[" + items.map { $0.redacted(tokenKeys) }.joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.redacted($0, tokenKeys) }.joined(separator: ",") + "}"
        }
    }

    /// Returns the object or the list that a text encodes, whose secrets are known by their names.
    private static func encoded(in text: String) -> JSONValue? {
        guard text.contains("{") || text.contains("[") else { return nil }
        switch JSONValue(Array(text.utf8)) {
        case .object(let members): return .object(members)
        case .array(let items): return .array(items)
        default: return nil
        }
    }

    private static func redacted(_ member: Member, _ tokenKeys: Set<String>) -> String {
        let key = quoted(member.key.withoutPossibleSecrets) + ":"
        guard let text = member.value.string, !text.isEmpty else { return key + member.value.redacted(tokenKeys) }
        if tokenKeys.contains(member.key) { return key + quoted("<token>") }
        return key + (member.key.isSecretName ? quoted("<hidden>") : member.value.redacted(tokenKeys))
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
    }
}

/// Records the answer of one fetch, the exchange with the source, and the calls that granted credentials for it.
package final class TokenAnswerRecorder: Sendable {
    /// The maximum number of stored grants.
    package static let mostGrants = 8

    private let recorded = Locked<TokenSourceAnswer?>(nil)
    private let recordedExchange = Locked<Exchange?>(nil)
    private let recordedGrants = Locked<[Call]>([])

    /// Creates an empty recorder.
    package init() {}

    /// The last answer; `nil` if there was none or the source is not an endpoint.
    package var answer: TokenSourceAnswer? { recorded.withLock { $0 } }

    /// What was sent and what came back; `nil` if the source does not describe it.
    package var exchange: Exchange? { recordedExchange.withLock { $0 } }

    func record(_ answer: TokenSourceAnswer) { recorded.withLock { $0 = answer } }

    /// Records what was sent to the source and what came back.
    package func record(_ exchange: Exchange?) { recordedExchange.withLock { $0 = exchange } }

    /// The last calls that granted credentials, or refused them, in order.
    package var grants: [Call] { recordedGrants.withLock { $0 } }

    /// Adds calls that granted credentials, or refused them; only the last ones are stored.
    package func add(grants: [Call]) {
        recordedGrants.withLock { $0 = Array(($0 + grants).suffix(Self.mostGrants)) }
    }

    /// Removes and returns the grants.
    package func takeGrants() -> [Call] {
        recordedGrants.withLock { grants in
            defer { grants = [] }
            return grants
        }
    }

    /// Records why the answer of the last grant is of no use, unless that is known.
    package func refuseLastGrant(_ failure: Failure) {
        recordedGrants.withLock { grants in
            guard let last = grants.indices.last, grants[last].failure == nil else { return }
            grants[last].failure = failure
        }
    }
}
