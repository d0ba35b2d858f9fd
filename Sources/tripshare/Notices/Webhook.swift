import Foundation

/// An address to which notices are posted.
struct Webhook: Sendable, Equatable {
    /// The URL: with https, or with http on this machine.
    var url: String
    /// The most notices of a post; with more than one, the body is a JSON array.
    var batch = 1

    /// Returns the headers of a post.
    func headers(of notices: [StoredNotice], body: [UInt8], at now: Date) -> [(String, String)] {
        let sequences = [notices.first?.sequence, notices.last?.sequence].compactMap(\.self).map(String.init)
        let id = notices.first.map { notices.count == 1 ? $0.id.text : "\($0.id.text)-\(notices.count)" }
        return [
            ("content-type", "application/json"), ("Tripshare-Event-ID", id ?? ""),
            ("Tripshare-Sequence", notices.count == 1 ? sequences[0] : sequences.joined(separator: "-")),
        ]
    }

    /// Returns the body of a post: the line of one notice, or an array.
    func body(of notices: [StoredNotice]) -> [UInt8] {
        guard batch > 1 else { return notices.flatMap(\.body) }
        let lines = notices.map { $0.body.last == UInt8(ascii: "\n") ? $0.body.dropLast() : $0.body[...] }
        return Array("[".utf8) + lines.joined(separator: Array(",\n".utf8)) + Array("]\n".utf8)
    }
}

extension NoticeReceiver {
    /// Takes over a rule of the command line.
    init(_ rule: NoticeRule) {
        switch rule.action {
        case .command(let words): self.init(triggers: rule.triggers, action: .command(words))
        case .webhook(let url): self.init(triggers: rule.triggers, action: .webhook(Webhook(url: url)))
        }
    }
}
