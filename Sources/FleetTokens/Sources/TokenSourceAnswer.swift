import FleetWire
import Foundation
import Synchronization
import TripModel

/// What a token endpoint answered last, as it may be shown: without any token.
public struct TokenSourceAnswer: Sendable, Equatable {
    /// One header.
    public struct Header: Sendable, Equatable {
        /// Its name, as it came.
        public var name: String
        /// Its value, without anything that could be a token.
        public var value: String
    }

    /// The HTTP status.
    public var status: Int
    /// The headers that tell what answered, how and whether from a cache.
    public var headers: [Header]
    /// The body as text, or its beginning: tokens in it are replaced by `<token>`, other secrets by `<hidden>`.
    public var body: String
    /// The size of the whole body in bytes.
    public var bytes: Int
    /// What the endpoint says about an error in its own words, taken from the body; `nil` where it says nothing.
    public var message: String?

    /// The most of a body that is kept, in characters.
    public static let longestBody = 1000
    /// The most of a header's value that is kept, in characters.
    static let longestHeader = 200
    /// The headers that are kept.
    static let relevantHeaders: Set<String> = [
        "age", "allow", "cache-control", "content-type", "date", "etag", "expires", "location", "retry-after", "server",
        "vary", "via", "warning", "www-authenticate", "x-cache", "x-request-id", "cf-ray",
    ]

    /// An answer with these parts, of which secrets are taken out; `tokenKey` names the key of the token.
    package init(status: Int, headers: [(name: String, value: String)], body: [UInt8], tokenKey: String) {
        self.status = status
        self.headers = headers.filter { Self.relevantHeaders.contains($0.name.lowercased()) }.prefix(20).map {
            Header(name: $0.name, value: String(SecretText.hiding($0.value).prefix(Self.longestHeader)))
        }
        bytes = body.count
        // What lies beyond is never shown; a secret that is cut there is longer than the rest of what is looked at.
        let beginning = Array(body.prefix(16 * Self.longestBody))
        if body.count <= beginning.count, let json = JSONValue(body) {
            let isError = !(200...299).contains(status)
            message = isError || json[path: tokenKey] == nil ? Self.message(in: json) : nil
            let secretKeys = Set(tokenKey.split(separator: ".").map(String.init).suffix(1))
            self.body = String(SecretText.hiding(json, secretKeys).prefix(Self.longestBody))
        } else {
            let text = SecretText.hiding(String(decoding: beginning, as: UTF8.self))
            self.body = String(text.trimmingCharacters(in: .whitespacesAndNewlines).prefix(Self.longestBody))
            let isPage = self.body.hasPrefix("<")
            message = self.body.isEmpty || isPage ? nil : String(self.body.prefix(200))
        }
    }

    /// The words of an error, where people write them.
    private static func message(in json: JSONValue) -> String? {
        let paths = ["error.message", "error_description", "message", "error", "detail", "title", "reason"]
        let text = paths.lazy.compactMap { json[path: $0]?.string }.first { !$0.isEmpty }
        return text.map { String(SecretText.hiding($0).prefix(300)) }
    }
}

/// Keeps what came while one token was fetched.
public final class TokenAnswerRecorder: Sendable {
    private let recorded = Locked<TokenSourceAnswer?>(nil)

    /// A recorder that has nothing yet.
    public init() {}

    /// What came last; `nil` where nothing did, or the source is no endpoint.
    public var answer: TokenSourceAnswer? { recorded.withLock { $0 } }

    func record(_ answer: TokenSourceAnswer) { recorded.withLock { $0 = answer } }
}
