import Foundation

/// A notice as it is stored for a receiver until it is delivered, refused or expired.
struct StoredNotice: Sendable, Equatable {
    /// The ID, which a receiver can use to recognize a notice that it got before.
    var id: NoticeID
    /// The session that noticed it: random hexadecimal digits.
    var session: String
    /// The position in its session, from 1.
    var sequence: Int
    /// The journey; the notices of one journey are delivered in order.
    var journey: String
    /// The event as on the command line without its number, such as `arrival`.
    var event: String
    /// One line of JSON with its line break; without tokens.
    var body: [UInt8]
    /// When it was noticed, by the clock that ``due`` is compared with.
    var created: Date
    /// How often it was sent without success.
    var attempts = 0
    /// When it may be sent, or sent again.
    var due: Date
    /// Why it is not sent any more, in the language of the session that decided it; `nil` while it waits.
    ///
    /// It is stored before it is reported. A session that takes it over reports it and does not send it.
    var conclusion: String?
}

/// A notice that waits for a receiver, as `tripshare notices` shows it.
struct WaitingNotice: Sendable, Equatable {
    /// The notice.
    var notice: StoredNotice
    /// The ``NoticeReceiver/key`` of the receiver.
    var receiver: String
    /// The ``NoticeReceiver/shownName`` of the receiver.
    var receiverName: String
    /// The session that delivers it, or has left it.
    var owner = ""
    /// Whether that session has ended, so that nothing delivers it now.
    var isLeft = false
}
