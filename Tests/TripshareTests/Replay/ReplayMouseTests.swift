import Foundation
import Runtime
import Testing
import TripTestSupport

@Suite(
    "The mouse on the time line",
    .enabled(if: Tmux.isThere, Tmux.why),
    .serialized,
    .terminalTurn,
    .ends(within: .longTest)
)
struct ReplayMouseTests {
    /// The position in seconds that the time line of a paused replay shows.
    private func position(_ screen: String, of ride: UnpackedRide) -> Int? {
        guard let match = screen.firstMatch(of: /[‖■] (\d+):(\d\d) \/ (\d+:\d\d)\s/), match.3 == ride.length,
            let minutes = Int(match.1), let seconds = Int(match.2)
        else { return nil }
        return minutes * 60 + seconds
    }

    @Test func `a click, a drag and the wheel move the position in a real terminal`() async throws {
        try await Program.withFolder { folder in
            let ride = try await unpackedRide(in: folder)
            // Whether the position is that of a column of the bar, which has 80 columns, from 17 to 96.
            func isAt(_ column: Int, _ screen: String) -> Bool {
                let place = ride.seconds * (column - 17) / 79
                let width = ride.seconds / 79 + 1
                return position(screen, of: ride).map { abs($0 - place) <= width } ?? false
            }
            // The wheel moves by a hundredth.
            let wheel = ride.seconds - ride.seconds / 100
            let command = "HOME=\(folder.path) '\(Program.path)' replay '\(ride.path)' --mouse --lang en"
            try await Tmux.run(command, width: 100, height: 30, in: folder) { terminal in
                _ = try await terminal.wait { $0.contains("/ \(ride.length)") }
                try await terminal.type("p")
                _ = try await terminal.wait { position($0, of: ride) != nil }
                try await terminal.send("\u{1B}[<0;57;29M\u{1B}[<0;57;29m")
                _ = try await terminal.wait { isAt(57, $0) }
                try await terminal.send("\u{1B}[<0;57;29M\u{1B}[<32;30;29M\u{1B}[<32;21;12M\u{1B}[<0;21;12m")
                _ = try await terminal.wait { isAt(21, $0) }
                try await terminal.send("\u{1B}[<0;96;29M\u{1B}[<0;96;29m")
                _ = try await terminal.wait { position($0, of: ride) == ride.seconds }
                try await terminal.send("\u{1B}[<64;57;29M")
                _ = try await terminal.wait { position($0, of: ride).map { (wheel - 1...wheel).contains($0) } ?? false }
                try await terminal.type("q")
                _ = try await terminal.wait { $0.contains("gone=0") }
            }
        }
    }
}
