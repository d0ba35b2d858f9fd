import Runtime
import Testing
import TripTestSupport

@Suite("Secret values", .ends(within: .quickTest))
struct SecretValueTests {
    @Test(arguments: [
        (#"{"access_token":"abc","expires_in":3600}"#, #"{"access_token":"<hidden>","expires_in":3600}"#),
        (#"{"token": null, "id_token" : "a\"b" }"#, #"{"token": null, "id_token" : "<hidden>" }"#),
        (#"{"body":"{\"jwt\":\"abc\"}"}"#, #"{"body":"{\"jwt\":\"<hidden>\"}"}"#),
        ("GET /a?key=abc&sig=def&name=x", "GET /a?key=<hidden>&sig=<hidden>&name=x"),
        ("Authorization: Bearer abc def\nHost: h", "Authorization: <hidden>\nHost: h"),
        ("set-cookie: a=b; Path=/", "set-cookie: <hidden>"),
        ("password='a b' next", "password='<hidden>' next"),
        (#""token":"cut"#, #""token":"<hidden>"#),
        (#"x-goog-signature=abc\u0026a=1"#, #"x-goog-signature=<hidden>\u0026a=1"#),
    ])
    func `hides the values of secret names`(_ example: (text: String, shown: String)) {
        #expect(example.text.withoutSecretValues == example.shown)
        #expect(example.shown.withoutSecretValues == example.shown)
    }

    @Test(arguments: [
        "invalid_token: the token has expired", #"{"token_type":"Bearer","expires_in":3600}"#, "the key is a value",
        #"{"message":"no token"}"#, "token:", #"{"tokens":[1,2]}"#, "monkey=banana", "",
    ])
    func `retains texts without secrets`(_ text: String) {
        #expect(text.withoutSecretValues == text)
    }

    @Test func `makes control characters visible and retains lines`() {
        #expect("a\u{1B}[1m\tb\nc\u{202E}d\u{200B}e\u{9B}".withVisibleControls == "a␛[1m b\nc\\u{202E}de\\u{9B}")
    }
}
