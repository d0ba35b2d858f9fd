import Failures
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

/// Exchanges in recordings.
@Suite("Coding of exchanges", .ends(within: .quickTest))
struct ExchangeCodingTests {
    private static let request = Exchange.Request(
        method: "GET",
        url: "https://user:secret@h.example/t?key=value",
        headerNames: ["Accept", "Authorization"],
        bytes: 12
    )

    private static let exchanges: [Exchange] = [
        Exchange(
            .http,
            request,
            connection: Exchange.Connection(
                isEncrypted: true,
                proxy: "proxy.example:3128",
                httpVersion: "1.1",
                tlsVersion: "1.3",
                certificate: Exchange.Certificate(names: ["h.example"], issuer: "CA", notBefore: 1, notAfter: 2)
            ),
            answer: Exchange.Answer(
                status: 403,
                headers: [("Content-Type", "text/html"), ("Server", "cloudflare"), ("X-Unknown", "1")],
                body: Array("<html><title>No</title>\(String(repeating: "ü", count: 3000))</html>".utf8)
            ),
            duration: .milliseconds(1250),
            ending: .complete
        ),
        Exchange(
            .http,
            request,
            answer: Exchange.Answer(status: 500, headers: [], body: [0x1F, 0x8B, 0, 1]),
            duration: .zero,
            ending: .failed(.cutOff)
        ),
        Exchange(.command, Exchange.Request("gcloud auth"), duration: .seconds(2), ending: .exited(3)),
        Exchange(.command, Exchange.Request("sleep"), duration: .seconds(2), ending: .killed(signal: 9)),
        Exchange(
            .file,
            Exchange.Request("token.txt"),
            answer: Exchange.Answer(content: [], isUsable: false),
            duration: .zero,
            ending: .unavailable
        ),
    ]

    @Test(arguments: exchanges)
    func `an exchange is the same after JSON`(exchange: Exchange) throws {
        let data = try JSONEncoder().encode(exchange)
        let read = try JSONDecoder().decode(Exchange.self, from: data)
        #expect(read == exchange && read.duration == exchange.duration)
        #expect(!String(decoding: data, as: UTF8.self).contains("secret"))
    }

    @Test func `what is read is bounded and redacted as what is made`() throws {
        let signature = String(repeating: "b", count: 342)
        let token = "eyJhbGciOiJSUzI1NiJ9.eyJ\(String(repeating: "a", count: 40)).\(signature)"
        let text = "\(token) \(String(repeating: "x", count: 9000))"
        let type = String(repeating: "m", count: 500)
        let json = """
            {"medium":"http","seconds":-1e300,"ending":{"how":"nonsense","number":9},
             "request":{"line":"GET https://h/\(token)\\u001B[31m","headerNames":["a\\u0007"],"bytes":-5},
             "answer":{"status":200,"bytes":9223372036854775807,"mediaType":"\(type)",
              "headers":[{"name":"server","value":"\(token)"},{"name":"x-unknown","value":"1"}],
              "body":{"content":{"text":"\(text)"},"bytes":9223372036854775807}
             }}
            """
        let exchange = try JSONDecoder().decode(Exchange.self, from: Data(json.utf8))
        let written = String(decoding: try JSONEncoder().encode(exchange), as: UTF8.self)
        #expect(!written.contains("bbbbbbbb") && !written.contains("\\u001B"), "\(written)")
        #expect(written.utf8.count < 4000, "\(written)")
        #expect(exchange.duration == .zero && exchange.ending == .unavailable && exchange.request.bytes == 0)
        #expect(exchange.answer?.headers.map(\.name) == ["server"] && (exchange.answer?.bytes ?? 0) < 1 << 51)
        #expect(exchange.answer?.body?.summary == nil && exchange.quotation != nil)
    }
}
