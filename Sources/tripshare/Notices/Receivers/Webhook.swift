import Foundation

/// An address to which notices are posted, and how it wants them.
struct Webhook: Sendable, Equatable {
    /// The URL: with https, or with http on this machine.
    ///
    /// It is often a secret, so that only its host is shown.
    var url: String
    /// What signs each post; `nil` for posts without a signature.
    var secret: WebhookSecret?
    /// The most notices of a post; if it is more than 1, the body is a JSON array.
    var batch = 1

    /// Returns the body of a post: the line of one notice, or an array of the notices.
    func body(of notices: [StoredNotice]) -> [UInt8] {
        guard batch > 1 else { return notices.flatMap(\.body) }
        let lines = notices.map { $0.body.last == UInt8(ascii: "\n") ? $0.body.dropLast() : $0.body[...] }
        return Array("[".utf8) + lines.joined(separator: Array(",\n".utf8)) + Array("]\n".utf8)
    }

    /// Returns the headers of a post.
    ///
    /// - Parameters:
    ///   - notices: What is posted; not empty.
    ///   - body: The body that ``body(of:)`` has returned.
    ///   - now: The time of this attempt.
    /// - Returns: The type of the body, the ID and the sequence numbers, and the signature if there is a secret.
    func headers(of notices: [StoredNotice], body: [UInt8], at now: Date) -> [(String, String)] {
        let id = Self.id(of: notices)
        let headers = [
            ("content-type", "application/json"), ("Tripshare-Event-ID", id),
            ("Tripshare-Sequence", Self.sequence(of: notices)),
        ]
        return headers + (secret?.headers(of: body, id: id, at: now) ?? [])
    }

    /// The ID of a post: that of its only notice, else the first one, the number of notices, and a check sum of all IDs.
    ///
    /// A receiver drops a post whose ID it knows. The check sum makes the ID of a post with other notices another one.
    private static func id(of notices: [StoredNotice]) -> String {
        let ids = notices.map(\.id.text)
        guard ids.count > 1 else { return ids.first ?? "" }
        return "\(ids[0])-\(ids.count)-\(NoticeID.hash(ids.joined(separator: ","), bytes: 4))"
    }

    /// The sequence numbers: `5`, or `5-9` for the first and the last notice of a post.
    private static func sequence(of notices: [StoredNotice]) -> String {
        let numbers = [notices.first, notices.count > 1 ? notices.last : nil].compactMap { $0?.sequence }
        return numbers.map(String.init).joined(separator: "-")
    }
}
