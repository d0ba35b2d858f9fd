import Foundation
import Testing
import TripTestSupport
import TripText

/// Compares the names in calls such as `localizer(.delayed, ["time": time])` with the placeholders of the texts.
@Suite("Calls with texts", .ends(within: .minutes(10)))
struct TextCallTests {
    /// Keys of texts with placeholders whose names other types have, too, so that a mention alone proves nothing.
    private static let shared: Set<String> = [
        "failed", "nextPoll", "redirected", "waypoints",
        "webPage",
        "within",
    ]
    /// The texts that a table names and one function fills.
    private static let inTables: Set<String> = ["helpViews"]

    /// What is called with a key and values.
    private static let callees = [
        "localizer", "self", "$0", "ofProcess", "english", "CommandText", "CommandFailure", "ValidationError",
        "warning", "spans",
    ]

    private static let english = Catalogue.file(.english)
    /// The placeholders of the English text by key.
    private static let placeholders = Dictionary(
        uniqueKeysWithValues: (StringKey.allCases.map(\.rawValue) + CommandKey.allCases.map(\.rawValue)).map { key in
            (key, CatalogueTests.placeholders(english[key] ?? english[key + "_other"] ?? ""))
        }
    )

    /// What is wrong in a source, and what was found in it.
    private struct Report {
        var problems: [String] = []
        var checked = 0
        /// The keys in ``shared`` and ``inTables`` that are mentioned without values.
        var exceptions: Set<String> = []
    }

    private static func check(_ source: String, file: String, _ report: inout Report) {
        let calls = SourceCalls(source)
        var checked: Set<Int> = []
        func complain(_ place: Range<Int>, _ text: String) {
            report.problems.append("\(file):\(calls.line(place)): \(text)")
        }
        for call in calls.calls {
            if let last = call.arguments.last, isCount(call) {
                for member in calls.choices(last) where placeholders[member.name] != nil {
                    if english[member.name + "_other"] != nil { checked.insert(member.place.lowerBound) }
                }
            }
            guard let index = call.arguments.firstIndex(where: { calls.names($0) != nil }), index > 0,
                let names = calls.names(call.arguments[index])
            else { continue }
            let before = call.arguments[..<index]
            // A message is made of several texts, which get the same values.
            let isMessage = calls.text(before[0]) == "localizer"
            let keys = isMessage ? before.dropFirst().filter { calls.text($0) != "nil" } : [before[index - 1]]
            // A dictionary after a text or a label belongs to something else.
            guard let key = keys.last, !calls.text(key).hasPrefix("\"") else { continue }
            report.checked += 1
            let members = keys.map { calls.choices($0).filter { placeholders[$0.name] != nil } }
            guard members.allSatisfy({ !$0.isEmpty }) else {
                complain(key, "the keys of \(names) are not literals")
                continue
            }
            let texts = members.joined().map { placeholders[$0.name] ?? [] }
            for member in members.joined() where english[member.name] == nil {
                complain(member.place, "\(member.name) depends on a number")
            }
            let isRight =
                isMessage
                ? texts.reduce([]) { $0.union($1) } == Set(names) : texts.allSatisfy { $0 == Set(names) }
            if !isRight || Set(names).count < names.count {
                complain(key, "\(members.joined().map(\.name)) have \(texts), not \(names)")
            }
            checked.formUnion(members.joined().map(\.place.lowerBound))
        }
        // The calls without values.
        let plain = calls.calls.filter { call in callees.contains { call.callee.hasSuffix($0) } }.flatMap { call in
            // The first argument of a failure is its exit status.
            call.arguments.dropFirst(call.callee == "CommandFailure" ? 1 : 0).first.map(calls.choices) ?? []
        }
        let called = Set(plain.map(\.place.lowerBound))
        for member in calls.members where !checked.contains(member.place.lowerBound) {
            guard placeholders[member.name]?.isEmpty == false else { continue }
            let isException = shared.union(inTables).contains(member.name)
            if isException { report.exceptions.insert(member.name) }
            if !isException || called.contains(member.place.lowerBound) {
                complain(member.place, "\(member.name) has placeholders, but no values")
            }
        }
    }

    private static func isCount(_ call: SourceCalls.Call) -> Bool {
        call.arguments.count == 2 && (call.callee == "count" || call.callee.hasSuffix(".count"))
    }

    private static func problems(_ source: String) -> [String] {
        var report = Report()
        check(source, file: "x", &report)
        return report.problems
    }

    @Test func `name exactly the placeholders of their texts`() throws {
        let sources = Checkout.folder.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var report = Report()
        for case let file as URL in files where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8)
            // Other modules have no texts, but cases with the same names.
            guard source.contains("import TripText") || file.path.contains("/TripText/") || source.contains("localizer")
            else { continue }
            Self.check(source, file: file.lastPathComponent, &report)
        }
        #expect(report.problems == [])
        #expect(report.checked > 400)
        #expect(report.exceptions == Self.shared.union(Self.inTables))
    }

    @Test(arguments: [
        #"localizer(.expectedAt, ["time": clock(a, b)])"#,
        #"CommandFailure(.failed, .compareStatus, ["trip": t, "status": s, "a": "\(x ? "[" : ")")", "b": b])"#,
        #"self(later ? .arrivalLater : .arrivalEarlier, ["place": p, "time": "\(t, "x")", "difference": d])"#,
        ##"text(#"\#(localizer(.expectedAt, ["time": "x"]))"#)"##,
        #"UserMessage(localizer, .notAURL, .notAURLWhat, .notAURLAdvice, ["url": u, "example": e])"#,
        #"Fault(.tokens, "latency", ["seconds": 1])"#,
        "localizer.count(polls, .polls)",
        "localizer(.decimalPoint) // .expectedAt",
    ])
    func `accepts a call with the right names`(_ source: String) {
        #expect(Self.problems(source) == [])
    }

    @Test(arguments: [
        #"localizer(.expectedAt, ["clock": time])"#,
        #"localizer(.expectedAt, ["time": time, "trip": trip])"#,
        #"localizer(.expectedAt, ["time": time, "time": time])"#,
        #"localizer(.compareOrder, ["trip": trip, "a": a])"#,
        #""\(localizer(.expectedAt, ["clock": time]))""#,
        #"localizer(isPast ? .wasAt : .hereFor, ["time": time])"#,
        #"localizer(key, ["time": time])"#,
        #"localizer(first ?? .expectedAt, ["time": time])"#,
        #"UserMessage(localizer, .notAURL, .notAURLWhat, .notAURLAdvice, ["url": u])"#,
        #"UserMessage(localizer, .notAURL, what, .notAURLAdvice, ["url": u, "example": e])"#,
        "localizer(.expectedAt)",
        "localizer(.expectedAt, values)",
        "localizer(.within)",
        "let key: StringKey = .expectedAt",
        #"localizer(.polls, ["count": n])"#,
        "localizer.count(n, .expectedAt)",
    ])
    func `finds a call with other names`(_ source: String) {
        #expect(Self.problems(source) != [])
    }
}
