import Failures
import Runtime
import TripText

/// A program or a web service that gets notices.
struct NoticeReceiver: Sendable, Equatable {
    /// How it gets them.
    enum Action: Sendable, Equatable {
        /// These words are run as a command, without a shell.
        case command([String])
        /// They are posted to an address.
        case webhook(Webhook)
    }

    /// The events that it gets.
    let triggers: [NoticeTrigger]
    /// How it gets them.
    let action: Action
}

extension NoticeReceiver {
    /// Identifies the same receiver in a later session without its address, which may be a secret: 16 hexadecimal digits.
    var key: String {
        let parts: [String] =
            switch action {
            case .command(let words): ["command"] + words
            case .webhook(let webhook): ["webhook", webhook.url]
            }
        return NoticeID.hash(parts.map { "\($0.utf8.count):\($0)" }.joined(), bytes: 8)
    }

    /// The command without its arguments, or the host with a port of its own: what a message may show.
    var shownName: String {
        switch action {
        case .command(let words): excerpt(path: words.first ?? "")
        case .webhook(let webhook): URLOrigin(webhook.url)?.shownPlace ?? excerpt(webhook.url.asShownURL)
        }
    }

    /// The most notices of one delivery.
    var batch: Int {
        switch action {
        case .command: 1
        case .webhook(let webhook): webhook.batch
        }
    }
}

extension [NoticeReceiver] {
    /// The receivers with each command and each address once, with all its triggers.
    var combined: [NoticeReceiver] {
        var combined: [NoticeReceiver] = []
        for receiver in self {
            guard let index = combined.firstIndex(where: { $0.key == receiver.key }) else {
                combined.append(receiver)
                continue
            }
            let triggers = combined[index].triggers + receiver.triggers
            combined[index] = NoticeReceiver(triggers: triggers, action: combined[index].action)
        }
        return combined
    }
}
