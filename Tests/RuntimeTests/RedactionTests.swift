import Runtime
import Testing
import TripTestSupport

@Suite("Redaction", .ends(within: .quickTest))
struct RedactionTests {
    @Test(arguments: [
        ("at https://joe:hunter2@b.example/x", "at https://<user>@b.example/x"),
        ("https://joe:hun/ter2@b.example", "https://<hidden>@b.example"),
        ("https://b.example/a and joe@b.example", "https://b.example/a and joe@b.example"),
        (
            #"{"url":"https://b.example/x","who":"joe@b.example"}"#,
            #"{"url":"https://b.example/x","who":"joe@b.example"}"#
        ),
        ("https://iam.example/v1/x@p.iam.example:signJwt ok", "https://iam.example/v1/x@p.iam.example:signJwt ok"),
        ("https://first.last:12/pw@b.example", "https://<hidden>@b.example"),
        ("https://a:b@c@d/", "https://<user>@d/"), ("joe@b.example://x", "joe@b.example://x"), ("@", "@"),
    ])
    func `shows a URL without user and password`(text: String, shown: String) {
        #expect(text.withoutTokens == shown)
    }

    @Test(arguments: [
        ("https://u:p@b.example/{tripId}", "https://<hidden>@b.example/{tripId}"),
        ("https://u:p?\"<> /@b.example/x?key=1", "https://<hidden>@b.example/x?…"),
        (
            "https://iam.example/v1/projects/-/serviceAccounts/x@p.iam.example:signJwt?key=1",
            "https://iam.example/v1/projects/-/serviceAccounts/x@p.iam.example:signJwt?…"
        ),
        ("http://127.0.0.1:8080/v1/x@p.example", "http://127.0.0.1:8080/v1/x@p.example"),
        ("https://user/pass@b.example/x", "https://<hidden>@b.example/x"),
        ("https://u:p@iam.example/v1/x@p.example", "https://<hidden>@p.example"),
        ("u:p@b.example/x?next=https://y", "<hidden>@b.example/x?…"), ("b.example?key=1", "b.example?…"), ("b", "b"),
    ])
    func `hides more of a text that was meant to be a URL`(text: String, shown: String) {
        #expect(text.asShownURL == shown)
    }

    @Test(arguments: [
        (#"{"message":"db at https:\/\/user:pss8@host\/a"}"#, #"{"message":"db at https:\/\/<user>@host\/a"}"#),
        (#"{"m":"{\"u\":\"https:\\\/\\\/user:pss8@host\"}"}"#, #"{"m":"{\"u\":\"https:\\\/\\\/<user>@host\"}"}"#),
        (#"{"m":"https:\u002f\u002Fuser:pss8@host"}"#, #"{"m":"https:\u002f\u002F<user>@host"}"#),
        (#"https\u003A\\u002F\\u002Fu\u003Apss8\u0040host"#, #"https\u003A\\u002F\\u002F<user>\u0040host"#),
        ("https%3A%2F%2Fuser%3Apss8%40host%2Fa", "https%3A%2F%2F<user>%40host%2Fa"),
        ("to=https%253a%252f%252fu%253apss8%2540host", "to=https%253a%252f%252f<user>%2540host"),
        ("at //user:pss8@host/a", "at //<user>@host/a"), ("HTTPS://User:pss8@HOST/", "HTTPS://<user>@HOST/"),
        (#"https:\/\/joe:hun\/pss8@b.example"#, #"https:\/\/<hidden>@b.example"#),
        ("https://r.example/?to=https://u:pss8@h.example/", "https://r.example/?to=https://<user>@h.example/"),
        ("https://u:pss8@iam.example/v1/x@p", "https://<user>@iam.example/v1/x@p"),
    ])
    func `finds a login however the slashes are spelled`(text: String, shown: String) {
        for redacted in [text.withoutTokens, text.withoutSecrets] {
            #expect(redacted == shown)
            #expect(!redacted.contains("pss8"))
        }
        #expect(shown.withoutTokens == shown)
    }

    @Test(arguments: [
        "https://iam.internal:8443/v1/serviceAccounts/a@p.iam.example:signJwt", "https://iam/v1/accounts/a@p.example",
        "https://iam:8443/v1/accounts/a@p.example", "https://10.0.0.5:8443/a@p.example", "https://10.0.0.5/a@p.example",
        "https://[fd00::1]:8443/a@p.example", "https://b.example?user=joe@x.example", "https://b:80?user=joe@x.example",
        "https://b.example#joe@x.example", #"https:\/\/iam:8443\/v1\/accounts\/a@p.example"#,
        "https%3A%2F%2Fiam%2Fv1%2Faccounts%2Fa%40p.example", #"{"url":"https://b.example","who":"joe@x.example"}"#,
        #"{\"url\":\"https:\\/\\/b\",\"who\":\"joe@x.example\"}"#, "file:///home/joe@x/y", "see // joe@x.example",
        "dir//joe@x",
    ])
    func `what is after the name of a host is no login`(text: String) {
        #expect(text.withoutTokens == text)
        #expect(text.withoutSecrets == text)
    }

    @Test(arguments: [
        "@" + String(repeating: "://", count: 100_000), String(repeating: "a://b.example/", count: 50_000) + "@x",
        "//" + String(repeating: "\\", count: 200_000) + "@", String(repeating: "//%2f%2fa/", count: 30_000) + "@",
    ])
    func `scans a long text with many separators only once`(text: String) {
        #expect(text.withoutTokens == text)
    }
}
