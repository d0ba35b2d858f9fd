import Failures
import Foundation
import Runtime
import Testing
import TripTestSupport

@Suite("One record of each call", .ends(within: .quickTest))
struct CallTests {
    private let moment = Moment(wall: Date(timeIntervalSince1970: 1_767_348_367.25), steady: .milliseconds(12_345))
    private let jwt = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.dW5pcXVlLXNpZ25hdHVyZS1vZi1jYWxscw"

    private func call(_ request: Call.Request, _ answer: Call.Answer? = nil) -> Call {
        Call(
            .getTrip,
            about: "airport-1",
            request,
            answer,
            started: moment,
            // Exact in binary, so that the time is the same after it was written.
            ended: moment.advanced(by: .microseconds(31_250)),
            duration: .microseconds(31_250)
        )
    }

    private func coded(_ call: Call) throws -> (text: String, call: Call) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes = try encoder.encode(call)
        return (String(decoding: bytes, as: UTF8.self), try JSONDecoder().decode(Call.self, from: bytes))
    }

    @Test func `holds no token of what was sent and answered`() throws {
        let call = call(
            Call.Request(
                "PUT",
                "https://example.com/v1/trips/a?access=\(jwt)",
                headers: [("Authorization", "Bearer \(jwt)"), ("X-Api-Key", "hunter2hunter2"), ("Accept", "*/*")],
                body: Array(#"{"token":"\#(jwt)"}"#.utf8)
            ),
            Call.Answer(
                status: 403,
                headers: [("Server", "ESF"), ("Set-Cookie", "session=hunter2hunter2"), ("Via", jwt)],
                body: Array("refused: Bearer \(jwt)".utf8)
            )
        )
        let text = try coded(call).text
        #expect(!text.contains("eyJ"))
        #expect(!text.contains("hunter2"))
        let sent = call.request.headers.map { "\($0.name): \($0.value)" }
        #expect(sent == ["authorization: Bearer <token>", "x-api-key: <hidden>", "accept: */*"])
        #expect(call.answer?.headers.map(\.name) == ["server", "via"])
        let body = String(decoding: call.answer?.body?.bytes ?? [], as: UTF8.self)
        #expect(body.hasPrefix("refused: Bearer <token>"), "\(body)")
    }

    @Test func `bounds what comes from outside`() {
        let long = String(repeating: "x", count: 100_000)
        let call = Call(
            Call.Operation(rawValue: long),
            from: .client,
            about: long,
            Call.Request("GET", "https://example.com/\(long)", headers: Array(repeating: ("a", long), count: 500)),
            Call.Answer(status: 200, headers: Array(repeating: ("server", long), count: 500), body: Array(long.utf8)),
            started: moment,
            ended: moment
        )
        #expect(call.operation.rawValue.count <= 61)
        #expect(call.subject.count <= 201)
        #expect(call.request.url.count <= 4000)
        #expect(call.request.headers.count == 40)
        #expect(call.answer?.headers.count == 32)
        #expect(call.answer?.headers.allSatisfy { $0.value.count <= 201 } == true)
        #expect(call.answer?.body?.bytes.count == 64 << 10)
        #expect(call.answer?.body?.isCut == true)
        #expect(call.answer?.bytes == 100_000)
    }

    @Test func `is the same after it was written and read`() throws {
        var full = Call(
            Call.Operation(rawValue: "UpdateVehicle"),
            from: .driver,
            about: "airport-1",
            Call.Request(
                "PUT",
                "http://127.0.0.1:8080/v1/providers/p/vehicles/v?updateMask=lastLocation",
                headers: [("content-type", "application/json"), ("authorization", "Bearer abc")],
                body: Array(#"{"lastLocation":{}}"#.utf8)
            ),
            Call.Answer(status: 503, headers: [("retry-after", "3")], body: Array("later".utf8)),
            started: moment,
            ended: moment.advanced(by: .seconds(2)),
            duration: .nanoseconds(123_456_789),
            token: 3,
            fault: InjectedFault(["503"], .emulator, .replaced)
        )
        full.cause = .retry
        #expect(try coded(full).call == full)
        let remote = call(
            Call.Request("POST", "https://example.com/a.b.C/GetTrip", over: .grpc, body: Array("{}".utf8)),
            Call.Answer(status: 404, grpcStatus: 5, body: [])
        )
        #expect(try coded(remote).call == remote)
    }

    @Test func `writes no member that has its default`() throws {
        let request = Call.Request(
            "GET",
            "https://example.com/v1/providers/p/trips/airport-1",
            headers: [("accept", "application/json"), ("authorization", "Bearer abc")]
        )
        let (text, read) = try coded(call(request, Call.Answer(status: 200, body: Array("{}".utf8))))
        #expect(
            text == """
                {"about":"airport-1","ans":{"body":"{}","status":200},\
                "end":[12.37625,"2026-01-02T10:06:07.281250Z"],\
                "req":{"url":"https://example.com/v1/providers/p/trips/airport-1"},\
                "start":[12.345,"2026-01-02T10:06:07.250Z"],"took":0.03125}
                """
        )
        #expect(read.request == request)
    }

    @Test func `takes the request and the answer of an exchange`() {
        let exchange = Exchange(
            .http,
            Exchange.Request(
                method: "POST",
                url: "https://user:pass@example.com/token?key=hunter2",
                headerNames: ["Accept", "X-Api-Key"],
                bytes: 12
            ),
            answer: Exchange.Answer(status: 500, headers: [("Server", "nginx")], body: Array("broken".utf8)),
            duration: .milliseconds(5),
            ending: .complete
        )
        let request = Call.Request(exchange)
        #expect(request.method == "POST")
        #expect(request.url == "https://<user>@example.com/token?key")
        #expect(request.headers.map(\.value) == ["<hidden>", "<hidden>"])
        #expect(request.body?.size == 12)
        let answer = exchange.answer.map { Call.Answer($0) }
        #expect(answer?.status == 500)
        #expect(answer?.body.map { String(decoding: $0.bytes, as: UTF8.self) } == "broken")
        #expect(answer?.header("server") == "nginx")
    }
}
