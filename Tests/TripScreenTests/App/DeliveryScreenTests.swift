import Canvas
import Testing
import TripScreen
import TripTestSupport
import TripText

/// What the screen says about notices that are not delivered yet.
@Suite("Notices that wait, on the screen", .ends(within: .quickTest))
struct DeliveryScreenTests {
    private static let backlog = "12 notices wait for ops.example"

    private static func screen(_ size: (Int, Int) = (80, 24)) throws -> State {
        try Ride().screen(at: 65, width: size.0, height: size.1)
    }

    /// The row with a text; `nil` if no row has it.
    private static func row(of text: String, in state: State) -> Int? {
        view(state).text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains(text) }
    }

    @Test func `a backlog has a line below the tabs in every view, and none when it is empty`() throws {
        var state = try Self.screen()
        _ = state.update(.key(.character("1")))
        let before = view(state)
        #expect(state.update(.delivery(Self.backlog)) == [])
        for kind in ViewKind.allCases {
            _ = state.update(.key(.character(Character(String(kind.number)))))
            #expect(Self.row(of: Self.backlog, in: state) == 2, "\(kind)")
        }
        _ = state.update(.key(.character("1")))
        _ = state.update(.delivery(""))
        #expect(view(state) == before)
    }

    @Test(arguments: [(30, 6), (45, 12), (80, 24), (120, 40), (200, 60)])
    func `every size has the line`(_ size: (Int, Int)) throws {
        var state = try Self.screen(size)
        _ = state.update(.delivery("2 notices are being delivered"))
        #expect(Self.row(of: "2 notices are being", in: state) != nil, "\(view(state).text)")
    }

    @Test func `a backlog is beside the faults`() throws {
        var state = try Self.screen()
        state.offer([FaultChoice(id: "frozen", title: .faultFrozen)])
        _ = state.update(.faults(["frozen"]))
        _ = state.update(.delivery("3 notices wait for h"))
        let line = view(state).text.split(separator: "\n")[2]
        #expect(line.contains("3 notices wait for h") && line.contains("vehicle is frozen"), "\(line)")
    }

    @Test func `text from outside cannot move the cursor`() throws {
        var state = try Self.screen()
        _ = state.update(.delivery("1 notice waits for \u{1B}[2Jhost\u{202E}"))
        #expect(!view(state).text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
    }

    @Test func `the program ends at the second key while notices are delivered`() throws {
        var state = try Self.screen()
        #expect(state.update(.key(.character("q"))) == [.quit])
        _ = state.update(.delivery("2 notices are being delivered (at most 10 s); q again leaves them for later"))
        #expect(Self.row(of: "q again leaves them for later", in: state) == 2)
        #expect(state.update(.key(.character("q"))) == [.quit])
    }
}
