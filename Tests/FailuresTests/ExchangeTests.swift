import Failures
import Foundation
import Runtime
import Testing
import TripTestSupport

@Suite("Exchanges", .ends(within: .quickTest))
struct ExchangeTests {
    private static func answer(
        _ body: String,
        status: Int = 500,
        _ headers: [(name: String, value: String)] = []
    ) -> Exchange.Answer {
        Exchange.Answer(status: status, headers: headers, body: Array(body.utf8))
    }

    private static func text(_ answer: Exchange.Answer) -> String? {
        if case .text(let text)? = answer.body?.content { text } else { nil }
    }

    // MARK: Requests

    @Test func `a request has no values of its query and no values of headers`() {
        let request = Exchange.Request(
            method: "GET",
            url: "https://user:password@host.example/v1/trips/t1?sig=abcdef&mode=x#part",
            headerNames: ["Authorization", "Accept"],
            bytes: 7
        )
        #expect(request.line == "GET https://<user>@host.example/v1/trips/t1?sig&mode")
        #expect(request.headerNames == ["authorization", "accept"])
        #expect(request.bytes == 7)
    }

    // MARK: Headers

    @Test func `retains the headers that say who answered, and of a location only the place`() {
        let answer = Self.answer(
            "",
            [
                ("Server", "nginx"), ("Set-Cookie", "session=abcdef"),
                ("Location", "https://login.example/in?next=%2F#x"),
                ("X-Amzn-ErrorType", "AccessDenied"), ("x-envoy-upstream-service-time", "3"), ("CF-RAY", "8a1"),
                ("X-Unknown", "1"), ("Via", "1.1 proxy\u{1B}[31m"), ("X-Goog-Api-Key", "AIzaSyA-0123456789"),
                ("Content-Type", "Text/HTML; charset=utf-8"), ("Content-Encoding", "gzip"),
            ]
        )
        #expect(
            answer.headers.map(\.name) == [
                "server", "location", "x-amzn-errortype", "x-envoy-upstream-service-time", "cf-ray", "via",
                "x-goog-api-key", "content-type", "content-encoding",
            ]
        )
        #expect(answer.header("location") == "https://login.example/in")
        #expect(answer.header("via") == "1.1 proxy␛[31m")
        #expect(answer.header("x-goog-api-key") == "<hidden>")
        #expect(answer.mediaType == "text/html")
        #expect(answer.encoding == "gzip")
    }

    @Test func `bounds the number and the length of headers`() {
        let headers = (0..<500).map { (name: "x-amz-\($0)", value: String(repeating: "a ", count: 5000)) }
        let answer = Self.answer("", headers)
        #expect(answer.headers.count == 32)
        #expect(answer.headers.allSatisfy { $0.value.count <= 201 })
    }

    // MARK: Messages

    @Test(arguments: [
        (#"{"error":{"code":403,"message":"It lacks a role.","status":"PERMISSION_DENIED"}}"#, "It lacks a role."),
        (#"[{"error":{"message":"in a list"}}]"#, "in a list"),
        (#"{"error":"invalid_grant","error_description":"Bad JWT"}"#, "invalid_grant: Bad JWT"),
        (#"{"error":"unauthorized"}"#, "unauthorized"), (#"{"message":"Forbidden"}"#, "Forbidden"),
        (#"{"Message":"User is not authorized"}"#, "User is not authorized"),
        (#"{"title":"Out of credit","detail":"30 are needed","status":403}"#, "Out of credit: 30 are needed"),
        (#"{"title":"Not Found","status":404}"#, "Not Found"),
        (#"{"errors":[{"message":"first"},{"message":"second"}]}"#, "first; second"),
        (#"{"detail":[{"loc":["path",0],"msg":"no integer"}]}"#, "path.0: no integer"),
        (
            #"{"message":"The data is invalid.","errors":{"tripId":["It is required."]}}"#,
            "The data is invalid. · tripId: It is required."
        ),
        (
            #"{"title":"Invalid","errors":[{"pointer":"/trip","detail":"too long"},{"field":"a","message":"no"}]}"#,
            "Invalid · /trip: too long; a: no"
        ),
        (
            #"{"error":{"message":"Bad","details":[{"fieldViolations":[{"field":"name","description":"empty"}]}]}}"#,
            "Bad · name: empty"
        ),
        (#"{"fault":{"faultstring":"Rate limit","detail":{"errorcode":"policies"}}}"#, "Rate limit"),
        (#""just a text""#, "just a text"), ("\u{FEFF}{\"message\":\"after a mark\"}", "after a mark"),
        ("\n\n  upstream connect error \nmore", "upstream connect error"),
    ])
    func `finds the message in JSON and in text`(_ example: (body: String, message: String)) {
        #expect(Self.answer(example.body).body?.message == example.message)
    }

    @Test(arguments: [
        (
            "<html><title>502 Bad Gateway</title><body><h1>nginx</h1> is down. Try.</body>",
            "502 Bad Gateway: nginx is down."
        ),
        ("<!DOCTYPE html><style>p{}</style><script>var a='<p>';</script><p>Log in &amp; go</p>", "Log in & go"),
        ("<html><title>Error</title><body>Error while loading. More</body></html>", "Error while loading."),
        ("<?xml version='1.0'?><Error><Code>Denied</Code><Message>No.</Message></Error>", "Denied: No."),
    ])
    func `finds the message in markup`(_ example: (body: String, message: String)) {
        #expect(Self.answer(example.body).body?.message == example.message)
    }

    @Test(arguments: ["", "{}", "[]", "{\"error\":{", "null", "<html></html>", "   "])
    func `a body without a message has none`(_ body: String) {
        #expect(Self.answer(body).body?.message == nil)
    }

    @Test func `names the kind and the size of data that is not text`() {
        func summary(_ bytes: [UInt8], _ type: String? = nil) -> String? {
            Exchange.Answer(
                status: 500,
                headers: type.map { [("content-type", $0)] } ?? [],
                body: bytes
            ).body?.summary
        }
        #expect(summary([0x1F, 0x8B] + [UInt8](repeating: 7, count: 1198)) == "1.2 kB of gzip")
        #expect(summary([0x89, 0x50, 0x4E, 0x47, 1, 2]) == "6 B of PNG")
        #expect(summary([0xC3, 0x28, 0xFF, 0x01], "application/x-protobuf") == "4 B of application/x-protobuf")
        #expect(summary([UInt8](repeating: 0, count: 2_500_000), "application/json") == "2.5 MB of binary data")
        #expect(summary([]) == "nothing")
        #expect(summary(Array("text".utf8)) == nil)
    }

    @Test func `a text whose last character is cut off is a text`() {
        let body = String(repeating: "ä", count: 4000)
        let answer = Exchange.Answer(status: 500, headers: [], body: Array(("x" + body).utf8))
        #expect(Self.text(answer)?.hasPrefix("xää") == true)
    }

    // MARK: Bodies of successful answers

    @Test func `describes the body of a successful answer only when it turns out to be unusable`() throws {
        let answer = Self.answer(#"{"message":"no token"}"#, status: 200)
        #expect(answer.body == nil && answer.bytes == 22)
        let exchange = Exchange(
            .http,
            Exchange.Request(method: "GET", url: "http://h/", headerNames: [], bytes: 0),
            answer: answer,
            duration: .seconds(1),
            ending: .complete
        )
        let described = exchange.describing(body: Array(#"{"message":"no token"}"#.utf8))
        #expect(described.answer?.body?.message == "no token")
        #expect(described != exchange)
        #expect(described.describing(body: Array("other".utf8)) == described)
    }

    @Test func `exchanges that differ only in their duration are equal`() {
        func exchange(_ duration: Duration, _ ending: Exchange.Ending = .exited(1)) -> Exchange {
            Exchange(.command, Exchange.Request("gcloud"), duration: duration, ending: ending)
        }
        #expect(exchange(.seconds(1)) == exchange(.seconds(2)))
        #expect(exchange(.seconds(1)) != exchange(.seconds(1), .exited(2)))
    }
}
