import Failures
import FleetTokens
import Foundation
import Recording
import Testing
import TripFeed
import TripTestSupport

/// The JSON Schema of the format has what the program writes, and nothing else.
@Suite("Schema of recordings", .ends(within: .longTest))
struct RecordingSchemaTests {
    /// A recording with every type of line and every member.
    private static let sample = Checkout.folder.appending(path: "Tests/RecordingTests/Samples/complete.ndjson")

    private static func reader() throws -> RecordingReader {
        try RecordingReader(bytes: Array(Data(contentsOf: sample)))
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `every member of the schema is written, and no other one is valid`() async throws {
        var reader = try Self.reader()
        var bytes = RecordingLine.bytes(reader.header)
        while let event = reader.next() { bytes += RecordingLine.bytes(event) }
        #expect(reader.skipped == [])
        let file = FileManager.default.temporaryDirectory.appending(path: "written-\(UUID().uuidString).ndjson")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(bytes).write(to: file)
        let result = try await RecordingSchema.check([file])
        #expect(result.invalid == [] && result.accepted == [] && result.unseen == [])
        #expect(Set(result.lines.keys) == Set(RecordedEventType.allCases.map(\.rawValue) + ["header"]))
    }

    @Test func `the members of each type of line are those of the schema`() throws {
        var reader = try Self.reader()
        let header = reader.header
        let screen = try #require(header.display.screen)
        try expect(header, at: "header", besides: ["type"])
        try expect(header.configuration, at: "header/properties/configuration")
        try expect(header.display, at: "header/properties/display")
        try expect(screen, at: "header/properties/display/properties/screen")
        try expect(header.zone, at: "header/properties/zone")
        while let event = reader.next() {
            let payload = try #require(Mirror(reflecting: event.content).children.first).value
            // A part of a line has the same name as these types.
            let isPart = [.schedule, .fault].contains(event.content.type)
            let name = event.content.type.rawValue + (isPart ? "Line" : "")
            try expect(payload, at: name, besides: ["type", "at", "time"])
            switch event.content {
            case .token(let token):
                try expect(token.state, at: "tokenState")
                try expect(token.subject, at: "subject")
                if let rejected = token.state.rejected { try expect(rejected, at: "tokenState/properties/rejected") }
                if let answer = token.state.answer { try expect(answer, at: "tokenState/properties/answer") }
                if let claims = token.inspection?.claims { try expect(claims, at: "claims") }
            case .schedule(let change): try expect(change.schedule, at: "schedule")
            default: break
            }
        }
    }

    /// Expects that a value has the properties of an object of the schema.
    private func expect(_ value: Any, at path: String, besides more: Set<String> = []) throws {
        let members = try #require(try Self.part("$defs/" + path + "/properties") as? [String: Any])
        let labels = Mirror(reflecting: value).children.compactMap(\.label)
        // The only property that has another name in the file.
        let names = labels.map { $0 == "isRequested" ? "requested" : $0 }
        #expect(Set(names).union(more) == Set(members.keys), "\(path)")
    }

    private static let closed: [(path: String, values: [String])] = [
        ("properties/type", ["header"] + RecordedEventType.allCases.map(\.rawValue)),
        ("$defs/call/properties/from", Call.Party.allCases.map(\.rawValue)),
        ("$defs/call/properties/to", Call.Party.allCases.map(\.rawValue)),
        ("$defs/call/properties/cause", Call.Cause.allCases.map(\.rawValue)),
        ("$defs/callRequest/properties/via", Exchange.Medium.allCases.map(\.rawValue)),
        ("$defs/exchange/properties/medium", Exchange.Medium.allCases.map(\.rawValue)),
        ("$defs/fault/properties/place", InjectedFault.Place.allCases.map(\.rawValue)),
        ("$defs/fault/properties/effect", InjectedFault.Effect.allCases.map(\.rawValue)),
        ("$defs/tokenFinding/properties/rule", TokenRule.allCases.map(\.rawValue)),
        ("$defs/tokenState/properties/state", TokenState.allCases.map(\.rawValue)),
        ("$defs/token/properties/reason", FetchReason.allCases.map(\.rawValue)),
        ("$defs/subject/properties/kind", AuthorizationContext.Kind.allCases.map(\.rawValue)),
        ("$defs/schedule/properties/reason", PollSchedule.Reason.allCases.map(\.rawValue)),
        ("$defs/note/properties/kind", RecordedNote.Kind.allCases.map(\.rawValue)),
        ("$defs/end/properties/kind", RecordedEnd.Kind.allCases.map(\.rawValue)),
        ("$defs/message/properties/kind", RecordedMessage.Kind.allCases.map(\.rawValue)),
        (
            "$defs/findings/properties/findings/items/properties/severity",
            Finding.Severity.allCases.map(\.rawValue)
        ),
    ]

    @Test(arguments: closed)
    func `a closed value has the cases of its type`(path: String, values: [String]) throws {
        #expect(try Self.part(path + "/enum") as? [String] == values)
    }

    @Test func `a code of a failure has the form of the schema`() throws {
        let pattern = try #require(try Self.part("$defs/failure/properties/code/pattern") as? String)
        let form = try Regex(pattern)
        for code in FailureCode.allCases { #expect(code.rawValue.firstMatch(of: form) != nil, "\(code)") }
    }

    /// Returns the part of the schema at a path.
    private static func part(_ path: String) throws -> Any? {
        path.split(separator: "/").reduce(try RecordingSchema.json()) { ($0 as? [String: Any])?[String($1)] as Any }
    }
}
