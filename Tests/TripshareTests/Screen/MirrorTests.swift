import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

/// After any keys, clicks and sizes the terminal shows exactly what the view draws, cell by cell.
@Suite(
    "The terminal mirrors the view",
    .enabled(if: Tmux.isThere, Tmux.why),
    .serialized,
    .terminalTurn,
    .ends(within: .longTest)
)
struct MirrorTests {
    static let keys = [
        "1", "2", "3", "4", "5", "6", "7", "Tab", "BTab", "Up", "Down", "Left", "Right", "PPage", "NPage", "Home",
        "End",
        "z", "Z", "f", "0", "b", "s", "S", "d", "n", "M", "T", "P", "j", "k", "h", "l", "Enter",
    ]
    static let sizes = [(80, 24), (100, 30), (120, 40), (60, 16), (45, 10), (20, 5), (132, 43)]

    @Test(arguments: [
        ("TERM=tmux-256color", 1), ("TERM=screen-256color", 2), ("TERM=xterm-256color COLORTERM=truecolor", 3),
        ("TERM=vt100", 4), ("TERM=linux", 5), ("TERM=xterm NO_COLOR=1", 6),
    ])
    func `the terminal equals the view after random input`(_ environment: String, _ seed: UInt64) async throws {
        var random = SeededGenerator(
            seed: ProcessInfo.processInfo.environment["TRIPSHARE_SEED"].flatMap(UInt64.init) ?? seed
        )
        try await Program.withFolder { folder in
            let command = "\(environment) HOME=\(folder.path) '\(Program.path)' demo --speed 0.2 --mouse"
            try await Tmux.run(command, width: 100, height: 30, in: folder) { terminal in
                _ = try await terminal.wait { $0.contains(" live ") }
                // Paused, so that time changes nothing between drawing and comparing.
                try await terminal.type("Space")
                _ = try await terminal.wait { $0.contains("paused") }
                var (width, height) = (100, 30)
                var done: [String] = []
                for round in 0..<12 {
                    let keys = try (0..<Int.random(in: 1...4, using: &random)).map { _ in
                        try #require(Self.keys.randomElement(using: &random))
                    }
                    done += keys
                    try await terminal.typeAtOnce(keys)
                    if round % 3 == 1 {
                        (width, height) = try #require(Self.sizes.randomElement(using: &random))
                        done.append("\(width)x\(height)")
                        try await terminal.resize(width: width, height: height)
                    }
                    // The last row is left out: clicking a key there triggers it, and one of them ends the program.
                    let (x, y) = (Int.random(in: 1...width, using: &random), Int.random(in: 1..<height, using: &random))
                    done.append("click \(x),\(y)")
                    try await terminal.send("\u{1B}[<0;\(x);\(y)M\u{1B}[<0;\(x);\(y)m")
                    try await compare(terminal, height: height, in: folder, round, done)
                }
                // Before an audience the first one only asks.
                try await terminal.typeAtOnce(["q", "q"])
                _ = try await terminal.wait { $0.contains("gone=0") }
            }
        }
    }

    @Test func `the terminal equals the view after many sizes, down to a single cell`() async throws {
        var random = SeededGenerator(seed: 7)
        try await Program.withFolder { folder in
            let command = "HOME=\(folder.path) '\(Program.path)' demo --speed 0.2"
            try await Tmux.run(command, width: 100, height: 30, in: folder) { terminal in
                _ = try await terminal.wait { $0.contains(" live ") }
                try await terminal.type("Space")
                _ = try await terminal.wait { $0.contains("paused") }
                var done: [String] = []
                var sizes: [(Int, Int)] = []
                for round in 0..<60 {
                    let (width, height) =
                        round % 10 == 9
                        ? (1, 1) : (Int.random(in: 1...200, using: &random), Int.random(in: 1...60, using: &random))
                    done.append("\(width)x\(height)")
                    sizes.append((width, height))
                }
                try await terminal.resize(through: sizes + [(110, 35)])
                try await compare(terminal, height: 35, in: folder, 0, done)
                try await terminal.type("q")
                _ = try await terminal.wait { $0.contains("gone=0") }
            }
        }
    }

    /// Saves the program's screen and compares it with the terminal.
    ///
    /// The frame may arrive a moment after the file.
    private func compare(
        _ terminal: Tmux,
        height: Int,
        in folder: URL,
        _ round: Int,
        _ done: [String]
    ) async throws {
        var drawn = ""
        var shown = ""
        for attempt in 0..<5 {
            let file = folder.appendingPathComponent("picture-\(round)-\(attempt)")
            try await terminal.enter(":picture \(file.path)")
            drawn = Self.trimmed(try await FileArrival.text(of: file) { false }, height: height)
            for _ in 0..<20 {
                shown = Self.trimmed(try await terminal.screen(), height: height)
                if shown == drawn { return }
            }
        }
        Issue.record("after \(done.joined(separator: " ")) the terminal shows\n\(shown)\nand the view is\n\(drawn)")
    }

    /// The rows without trailing blanks and trailing empty rows.
    ///
    /// The last row is removed, because it then says that the screen was saved.
    private static func trimmed(_ text: String, height: Int) -> String {
        var rows = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(height - 1).map { row in
            String(row.reversed().drop { $0 == " " }.reversed())
        }
        while rows.last?.isEmpty == true { rows.removeLast() }
        return rows.joined(separator: "\n")
    }
}
