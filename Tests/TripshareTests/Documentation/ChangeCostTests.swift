import Failures
import FleetEmulator
import Foundation
import Testing
import TripFeed
import TripTestSupport
import TripText

@testable import tripshare

/// Keeps the table of CONTRIBUTING.md that says in how many source files one failure code, finding, fault, … occurs.
@Suite("What one change touches", .ends(within: .minutes(10)))
struct ChangeCostTests {
    /// The names of each source file: members such as `.name`, and literals such as `"name"`.
    private static let files = Result {
        let folder = Checkout.folder.appending(path: "Sources")
        let paths = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        return
            try paths
            // Readers of old formats need no new entries.
            .filter { $0.hasSuffix(".swift") && !$0.contains("+1_1") }.map { path in
                (path, names(in: Array(try Data(contentsOf: folder.appending(path: path)))))
            }
    }

    private static func names(in text: [UInt8]) -> Set<String> {
        let (dot, quote) = (UInt8(ascii: "."), UInt8(ascii: "\""))
        func isPart(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
            default: false
            }
        }
        var names: Set<String> = []
        var index = 0
        while index < text.count {
            let first = text[index]
            index += 1
            guard first == dot || first == quote else { continue }
            let start = index
            while index < text.count, isPart(text[index]) { index += 1 }
            let name = String(decoding: text[start..<index], as: UTF8.self)
            if first == dot { names.insert(".\(name)") }
            if first == quote, index < text.count, text[index] == quote { names.insert("\"\(name)\"") }
        }
        return names
    }

    /// Returns the median number of files that contain one of the spellings of a thing.
    private static func median(_ things: [[String]], in folder: String = "") throws -> Int {
        let files = try files.get().filter { $0.0.hasPrefix(folder) }.map(\.1)
        let counts = things.map { spellings in files.count { !$0.isDisjoint(with: spellings) } }
        return counts.sorted()[counts.count / 2]
    }

    private static func quoted(_ names: [String]) -> [[String]] { names.map { ["\"\($0)\""] } }

    private static func measured() throws -> [String: Int] {
        [
            "a failure code": try median(FailureCode.allCases.map { [".\($0)"] }),
            "a finding": try median(FindingRule.all.map { ["\"\($0.id)\"", ".\($0.id)"] }),
            // English is also the language of everything for programs.
            "a language": try median(Language.allCases.filter { $0 != .english }.map { [".\($0)"] }),
            "a kind of fault": try median(quoted(FaultKind.all.map(\.name))),
            "an entry of the fault menu": try median(quoted(TestFault.all.map(\.id))),
            "an export format": try median(ExportFormat.allCases.map { [".\($0)"] }, in: "tripshare"),
            "a scenario": try median(quoted(Scenario.names)),
        ]
    }

    @Test func `the table of CONTRIBUTING has the numbers of this source`() throws {
        let page = try String(contentsOf: Checkout.folder.appending(path: ".github/CONTRIBUTING.md"), encoding: .utf8)
        let measured = try Self.measured()
        for (thing, count) in measured.sorted(by: { $0.key < $1.key }) {
            let row = page.split(separator: "\n").first { $0.hasPrefix("| \(thing) |") }
            #expect(row?.hasSuffix("| \(count) |") == true, "| \(thing) | … | \(count) |")
        }
    }
}
