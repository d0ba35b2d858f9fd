import Synchronization
import Testing
import TripTestSupport

@testable import tripshare

@Suite("Lines of an input", .ends(within: .longTest))
struct LineInputTests {
    private func lines(_ pieces: [String]) async -> [String] {
        let left = Mutex(pieces.map { Array($0.utf8) })
        var lines: [String] = []
        for await line in LineInput(reading: { _ in left.withLock { $0.isEmpty ? [] : $0.removeFirst() } }) {
            lines.append(line)
        }
        return lines
    }

    @Test(
        arguments: [
            ([], []), (["a\nb\n"], ["a", "b"]), (["a\nb"], ["a", "b"]),
            (["a", "b", "\n", "c\n\n", "d"], ["ab", "c", "", "d"]),
            (["\n\n"], ["", ""]), (["ü", "\r\n"], ["ü\r"]),
        ] as [([String], [String])]
    )
    func `lines are joined from any parts`(pieces: [String], expected: [String]) async {
        #expect(await lines(pieces) == expected)
    }

    @Test func `too long lines are truncated`() async {
        let long = Array(repeating: String(repeating: "x", count: 1000), count: 50)
        let lines = await lines(["a\n"] + long + ["\nb\n"])
        #expect(lines.map(\.count) == [1, LineSplitter.maximumLineBytes, 1])
        #expect(lines.last == "b")
    }

    @Test func `lines are read at most one block ahead`() async {
        let pieces = Mutex(0)
        let input = LineInput { _ in
            pieces.withLock { $0 += 1 }
            return Array("one\ntwo\n".utf8)
        }
        var taken = 0
        for await _ in input {
            taken += 1
            // The block with the current line, and the next one.
            #expect(pieces.withLock { $0 } <= (taken + 1) / 2 + 1)
            if taken == 1000 { break }
        }
        #expect(taken == 1000)
    }
}
