import Foundation
import Runtime
import Testing
import TripTestSupport

@testable import tripshare

/// What a post has besides its events: the body of a batch, the headers and the signature.
@Suite("Posts of notices", .ends(within: .quickTest))
struct WebhookTests {
    /// The example of the test suites of Standard Webhooks, which have the same one in each language.
    private enum Example {
        static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        static let id = "msg_p5jXN8AQM9LWM0D4loKWxJek"
        static let time = Date(timeIntervalSince1970: 1_614_265_330)
        static let body = Array(#"{"test": 2432232314}"#.utf8)
        static let signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    }

    private static func notice(_ number: Int) -> StoredNotice {
        let time = Date(timeIntervalSince1970: 1_614_265_330)
        return StoredNotice(
            id: NoticeID(text: String(repeating: "0", count: 31) + String(number)),
            session: "s",
            sequence: number,
            journey: "t",
            event: "status",
            body: Array("{\"sequence\":\(number)}\n".utf8),
            created: time,
            due: time
        )
    }

    @Test func `signs as the example of Standard Webhooks`() throws {
        let secret = try #require(WebhookSecret(Example.secret))
        let headers = secret.headers(of: Example.body, id: Example.id, at: Example.time.addingTimeInterval(0.9))
        #expect(headers.map(\.0) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
        #expect(headers.map(\.1) == [Example.id, "1614265330", Example.signature])
    }

    @Test func `a post with a secret has the same ID in all headers`() throws {
        let secret = try #require(WebhookSecret(Example.secret))
        let hook = Webhook(url: "https://h/", secret: secret)
        let notices = [Self.notice(5)]
        let body = hook.body(of: notices)
        #expect(body == Array("{\"sequence\":5}\n".utf8))
        let headers = Dictionary(uniqueKeysWithValues: hook.headers(of: notices, body: body, at: Example.time))
        #expect(headers["content-type"] == "application/json")
        #expect(headers["Tripshare-Event-ID"] == notices[0].id.text && headers["webhook-id"] == notices[0].id.text)
        #expect(headers["Tripshare-Sequence"] == "5" && headers["webhook-timestamp"] == "1614265330")
        // The code of `printf '%s' ID.1614265330.BODY | openssl dgst -sha256 -mac HMAC -macopt hexkey:KEY -binary | base64`.
        #expect(headers["webhook-signature"] == "v1,urQ6OnDBYL7UjbQpH4Ala+AC2uH5VOu/f5zJujb0E84=")
    }

    @Test func `a post without a secret has no signature`() {
        let hook = Webhook(url: "https://h/")
        let headers = hook.headers(of: [Self.notice(1)], body: [], at: Example.time)
        #expect(headers.map(\.0) == ["content-type", "Tripshare-Event-ID", "Tripshare-Sequence"])
    }

    @Test func `a batch is an array, and its ID is another one with other events`() throws {
        let hook = Webhook(url: "https://h/", batch: 3)
        let notices = (5...7).map(Self.notice)
        let body = try JSONDecoder().decode([[String: Int]].self, from: Data(hook.body(of: notices)))
        #expect(body == [["sequence": 5], ["sequence": 6], ["sequence": 7]])
        func id(_ notices: [StoredNotice]) -> String { hook.headers(of: notices, body: [], at: Example.time)[1].1 }
        #expect(id(notices).hasPrefix("\(notices[0].id.text)-3-") && id(notices) == id(notices))
        #expect(id(notices) != id([notices[0], notices[2], notices[1]]))
        #expect(!id(notices).contains("."), "a full stop separates the ID from the time in what is signed")
        #expect(hook.headers(of: notices, body: [], at: Example.time)[2].1 == "5-7")
        // One event that is posted alone is an array, too.
        #expect(hook.body(of: [notices[0]]) == Array("[{\"sequence\":5}]\n".utf8))
        #expect(id([notices[0]]) == notices[0].id.text)
    }

    @Test(arguments: [
        ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", true), ("sixteen letters.", true), ("fifteen letters", false),
        ("whsec_", false), ("whsec_MfKQ9r8G", false), ("whsec_no base64 in these words", false), ("", false),
        // Without the padding of base64.
        ("whsec_MDEyMzQ1Njc4OWFiY2RlZg", true), ("whsec_MDEyMzQ1Njc4OWFiY2RlZg==", true),
    ])
    func `a secret has at least 16 bytes`(text: String, isSecret: Bool) {
        #expect((WebhookSecret(text) != nil) == isSecret)
    }

    @Test func `a secret with and without padding is the same`() {
        #expect(WebhookSecret("whsec_MDEyMzQ1Njc4OWFiY2RlZg") == WebhookSecret("whsec_MDEyMzQ1Njc4OWFiY2RlZg=="))
        #expect(WebhookSecret("whsec_MDEyMzQ1Njc4OWFiY2RlZg") == WebhookSecret("0123456789abcdef"))
    }

    @Test func `neither a description nor a dump has the secret, and texts are cleaned of it`() throws {
        let text = "whsec_TripshareNeverShowsThisSecretAnywhere1234567"
        let secret = try #require(WebhookSecret(text))
        let hook = Webhook(url: "https://h/", secret: secret)
        var dumped = ""
        dump(hook, to: &dumped)
        for shown in ["\(secret)", String(reflecting: secret), "\(hook)", dumped] {
            #expect(!shown.contains("TripshareNever") && !shown.contains("[78, "), "\(shown)")
        }
        #expect("a server says \(text)".withoutTokens == "a server says <token>")
    }
}
