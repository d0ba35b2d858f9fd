import Testing
import TripTestSupport
import TripText

@testable import TripScreen

@Suite("Panels", .ends(within: .quickTest))
struct PanelTests {
    /// What the panels store, but for the one of a view.
    private static func stored(besides kind: ViewKind, in state: State) -> [ObjectIdentifier: String] {
        state.panels.stored.filter { $0.key != ObjectIdentifier(kind.panel) }.mapValues { String(describing: $0) }
    }

    @Test(arguments: ViewKind.allCases)
    func `a key of a view changes the panel of no other view`(_ kind: ViewKind) throws {
        var opened = try Ride().screen(at: 105)
        #expect(opened.update(.key(.character(Character("\(kind.number)")))).isEmpty && opened.view == kind)
        let before = Self.stored(besides: kind, in: opened)
        #expect(before.count == opened.panels.stored.count - 1)
        for key in kind.keys.flatMap(\.keys) {
            var state = opened
            _ = state.update(.key(key))
            #expect(Self.stored(besides: kind, in: state) == before, "\(key.name)")
        }
    }

    @Test func `the number keys of the views have no gap, and the views of logs come last`() {
        #expect(ViewKind.allCases.map(\.number) == Array(1...ViewKind.allCases.count))
        #expect(Set(ViewKind.all.map(\.name)).count == ViewKind.all.count)
        #expect(Set(ViewKind.all) == Set(ViewKind.allCases).union(ViewKind.ofLogs))
    }

    @Test func `every command of the command line has one row`() {
        let names = CommandRow.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(CommandRow.all.allSatisfy { $0.help(.english).hasSuffix(".") })
    }
}
