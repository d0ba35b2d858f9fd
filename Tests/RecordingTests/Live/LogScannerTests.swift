import Foundation
import Testing
import TripTestSupport

@testable import Recording

@Suite("Objects in a stream of log entries", .ends(within: .quickTest))
struct LogScannerTests {
    /// The objects as text without white space, or `bad N` for invalid bytes from line N on.
    private func read(_ text: String, chunk: Int = .max) -> [String] {
        var scanner = LogScanner()
        var items: [LogScanner.Item] = []
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            items += scanner.consume(bytes.prefix(chunk))
            bytes = bytes.dropFirst(chunk)
        }
        return (items + scanner.finish()).map { item in
            switch item {
            case .object(let bytes, _): String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
            case .invalid(let line): "bad \(line)"
            }
        }
    }

    @Test(arguments: [
        // One object per line, the last without a line feed.
        "{\"a\":1}\n{\"b\":\"}{\\\"\"}",
        // A list, as gcloud prints it.
        "[\n  {\n    \"a\": 1\n  },\n  {\n    \"b\": \"}{\\\"\"\n  }\n]\n",
        // Objects over several lines, as jq prints them.
        "{\n  \"a\": 1\n}\n{\n  \"b\": \"}{\\\"\"\n}\n",
        // A file of Fleet Debugger, on one line and with one entry per line.
        #"{"solutionType":"ODRD","rawLogs":[{"a":1},{"b":"}{\""}],"more":[{"c":1}]}"#,
        "{\"solutionType\":\"ODRD\",\"rawLogs\":[\n{\"a\":1},\n{\"b\":\"}{\\\"\"}\n]}\n",
        // Answers of entries:tail.
        "[{\"entries\": [{\"a\":1}]}\n,{\"entries\": [{\"b\":\"}{\\\"\"}]}\n]",
        "[{\"entries\":[{\"a\":1}],\"next\":\"]}\"},{\"entries\":[{\"b\":\"}{\\\"\"}]}]",
        "{\n  \"entries\": [\n    {\"a\":1},\n    {\"b\":\"}{\\\"\"}\n  ],\n  \"nextPageToken\": \"x\"\n}\n",
        // Windows lines, and a byte order mark.
        "\u{FEFF}{\"a\":1}\r\n\r\n{\"b\":\"}{\\\"\"}\r\n",
    ])
    func `finds the objects in every form, whatever the chunks`(_ text: String) {
        for chunk in [1, 2, 3, 7, Int.max] { #expect(read(text, chunk: chunk) == [#"{"a":1}"#, #"{"b":"}{\""}"#]) }
    }

    @Test(arguments: [
        // Words, a number, a torn line, a torn string, a wrong bracket.
        ("hello\n{\"a\":1}\n", ["bad 1", #"{"a":1}"#]),
        ("{\"a\":1}\n17 {\"b\":1}\n{\"c\":1}\n", [#"{"a":1}"#, "bad 2", #"{"c":1}"#]),
        ("{\"a\":{\"b\":1\n{\"c\":1}\n", ["bad 1", #"{"c":1}"#]),
        ("{\n{\"c\":1}\n", ["bad 1", #"{"c":1}"#]),
        ("{\"a\":\"b\n{\"c\":1}\n", ["bad 1", #"{"c":1}"#]),
        ("{\"a\":[1}\n{\"c\":1}\n", ["bad 1", #"{"c":1}"#]),
        // The stream ends within an object.
        ("{\"c\":1}\n{\"a\":\n", [#"{"c":1}"#, "bad 2"]),
        // gcloud was restarted while it printed an entry.
        ("[\n  {\n    \"a\": {\n[\n  {\n    \"c\": 1\n  }\n]", ["bad 2", #"{"c":1}"#]),
    ])
    func `goes on after damaged lines and gives their number`(text: String, expected: [String]) {
        for chunk in [1, 5, Int.max] { #expect(read(text, chunk: chunk) == expected) }
    }

    @Test func `drops an object that is too long or too deep, in bounded memory`() {
        let long = #"{"a":""# + String(repeating: "x", count: LogScanner.maximumBytes) + "\"}\n{\"b\":1}\n"
        #expect(read(long, chunk: 1 << 16) == ["bad 1", #"{"b":1}"#])
        let deep = #"{"a":"# + String(repeating: "[", count: 100_000) + "\n{\"b\":1}\n"
        #expect(read(deep) == ["bad 1", #"{"b":1}"#])
    }

    @Test func `an object of white space is dropped at the limit, in time that grows with its size`() {
        var scanner = LogScanner()
        var items = scanner.consume(Array("{".utf8))
        items += scanner.consume(repeatElement(0x0A, count: LogScanner.maximumBytes + 2))
        #expect(items == [.invalid(line: 1)])
        // Each line looks for the content of the object; a search through the white space would take minutes.
        items = scanner.consume(Array("{".utf8))
        items += scanner.consume(repeatElement(0x20, count: 500_000))
        for _ in 0..<100_000 { items += scanner.consume(Array("\n1".utf8)) }
        #expect(items.isEmpty)
    }
}
