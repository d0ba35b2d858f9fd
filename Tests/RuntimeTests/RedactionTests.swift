import Runtime
import Testing
import TripTestSupport

@Suite("Redaction", .ends(within: .minutes(10)))
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

    @Test func `scans a long text with many separators only once`() {
        let text = "@" + String(repeating: "://", count: 100_000)
        #expect(text.withoutTokens == text)
    }
}
