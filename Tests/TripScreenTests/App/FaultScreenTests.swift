import Canvas
import Testing
import TripScreen
import TripTestSupport
import TripText

/// The menu and the banner of injected faults.
@Suite("Faults on the screen", .ends(within: .quickTest))
struct FaultScreenTests {
    private static func screen(_ size: (Int, Int) = (80, 24)) throws -> State {
        var state = try Ride().screen(at: 65, width: size.0, height: size.1)
        state.offer([
            FaultChoice(id: "401", title: .fault401), FaultChoice(id: "latency", title: .faultLatency),
            FaultChoice(id: "frozen", title: .faultFrozen),
        ])
        return state
    }

    @Test func `keys choose a fault, switch it and clear all`() throws {
        var state = try Self.screen()
        #expect(state.update(.key(.character("I"))) == [])
        _ = state.update(.key(.character("i")))
        #expect(state.overlay == .faults && view(state).text.contains("polls get 401 UNAUTHENTICATED"))
        _ = state.update(.key(.down))
        #expect(state.update(.key(.enter)) == [.fault(.toggle("latency"))])
        _ = state.update(.faults(["latency"]))
        #expect(state.update(.key(.character("I"))) == [.fault(.clear)])
        _ = state.update(.key(.character("i")))
        #expect(state.overlay == nil)
        #expect(state.update(.key(.character("I"))) == [.fault(.clear)])
    }

    @Test func `every view and the presenter show what is active`() throws {
        var state = try Self.screen()
        _ = state.update(.faults(["401", "frozen"]))
        let banner = "Faults (I clears): polls get 401 UNAUTHENTICATED, vehicle is frozen"
        for kind in ViewKind.allCases {
            _ = state.update(.key(.character(Character(String(kind.number)))))
            #expect(view(state).text.contains(banner), "\(kind)")
        }
        _ = state.update(.key(.character("P")))
        #expect(view(state).text.contains(banner))
        _ = state.update(.faults([]))
        #expect(!view(state).text.contains("Faults"))
    }

    @Test func `no view mentions what is active if a presenter's console shows it`() throws {
        for size in [(80, 24), (200, 60)] {
            var state = try Self.screen(size)
            state.hideFaults()
            let before = ViewKind.allCases.map { kind in
                _ = state.update(.key(.character(Character(String(kind.number)))))
                return view(state)
            }
            _ = state.update(.faults(["401", "frozen"]))
            for kind in ViewKind.allCases {
                _ = state.update(.key(.character(Character(String(kind.number)))))
                #expect(view(state) == before[kind.number - 1], "\(kind)")
            }
            #expect(state.activeFaults == ["401", "frozen"])
            #expect(state.update(.key(.character("I"))) == [.fault(.clear)])
        }
    }

    @Test func `the command line switches a fault by name`() throws {
        var state = try Self.screen()
        func type(_ line: String) -> [Effect] {
            _ = state.update(.key(.character(":")))
            for character in line { _ = state.update(.key(.character(character))) }
            return state.update(.key(.enter))
        }
        #expect(type("fault frozen") == [.fault(.toggle("frozen"))])
        #expect(type("fault fire") == [])
        #expect(state.message?.contains("fire") == true)
    }

    @Test(arguments: [(30, 6), (45, 12), (200, 60)])
    func `the menu shows the chosen fault at every size`(_ size: (Int, Int)) throws {
        var state = try Self.screen(size)
        _ = state.update(.key(.character("i")))
        _ = state.update(.key(.end))
        #expect(view(state).text.contains("vehicle is frozen"))
    }

    @Test func `without faults to offer there is neither key nor command`() throws {
        var state = try Ride().screen(at: 65)
        _ = state.update(.key(.character("i")))
        #expect(state.overlay == nil)
    }
}
