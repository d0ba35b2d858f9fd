import Testing
import TripTestSupport

@testable import Terminal

/// Which bytes a program that replaces this one gets.
@Suite("Unhandled input", .ends(within: .quickTest))
struct InputLogTests {
    private func log(_ chunks: String...) -> InputLog {
        var (log, decoder) = (InputLog(), InputDecoder())
        for chunk in chunks {
            let bytes = Array(chunk.utf8)
            log.add(bytes, events: decoder.feed(bytes).count)
        }
        return log
    }

    private func rest(_ log: InputLog, _ handled: Int) -> String {
        String(decoding: log.bytes(after: handled, InputDecoder()), as: UTF8.self)
    }

    @Test func `the rest begins after the last handled event, also inside a chunk`() {
        let log = log("ab", "c\u{1B}[Ad", "e")
        #expect(rest(log, 0) == "abc\u{1B}[Ade")
        #expect(rest(log, 1) == "bc\u{1B}[Ade")
        #expect(rest(log, 2) == "c\u{1B}[Ade")
        #expect(rest(log, 3) == "\u{1B}[Ade")
        #expect(rest(log, 4) == "de")
        #expect(rest(log, 6).isEmpty)
    }

    @Test func `characters of several bytes stay whole`() {
        #expect(rest(log("é日x"), 1) == "日x")
        #expect(rest(log("é日x"), 2) == "x")
    }

    @Test func `old bytes are dropped, and the newest retained`() {
        var log = InputLog()
        for _ in 0..<100 { log.add(Array(repeating: 97, count: 1000), events: 1000) }
        let rest = log.bytes(after: 0, InputDecoder())
        #expect(rest.count <= InputLog.maximumBytes && rest.count > 10_000)
    }
}
