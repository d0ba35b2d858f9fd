import Canvas
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport
import TripText

@testable import TripScreen

@Suite("Custom key bindings", .ends(within: .quickTest))
struct KeyBindingTests {
    private func screen(_ changes: [String: [String]], width: Int = 80) throws -> State {
        var state = try Ride().screen(at: 60, width: width, height: 24)
        let keys = try KeyMap.bindings(changing: changes)
        let settings = State.Settings(host: "host", keys: keys)
        state = State(trips: state.trips.map(\.id), settings: settings, now: state.now, width: width, height: 24)
        return state
    }

    private func problem(_ changes: [String: [String]]) -> KeyMap.Problem? {
        do throws(KeyMap.Problem) {
            _ = try KeyMap.bindings(changing: changes)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a bound key triggers its command and the default key no longer does`() throws {
        var state = try screen(["presenter": ["F", "c-r"], "quit": ["Q"]])
        #expect(state.update(.key(.character("q"))).isEmpty)
        #expect(state.update(.key(.character("P"))).isEmpty && !state.settings.isPresenter)
        #expect(state.update(.key(.character("F"))).isEmpty && state.settings.isPresenter)
        #expect(state.update(.key(.control("r"))).isEmpty && !state.settings.isPresenter)
        #expect(state.update(.key(.character("Q"))) == [.quit])
    }

    @Test func `Ctrl-C ends the program with any bindings`() throws {
        var state = try screen(["quit": []])
        #expect(state.update(.key(.control("c"))) == [.quit])
    }

    @Test func `the key line, the help and the command line show the custom keys`() throws {
        var state = try screen(["quit": ["Q", "V"], "pollNow": ["u"], "palette": ["C-p"], "back": ["Backspace"]])
        #expect(view(state).text.contains(" Q quit "))
        #expect(view(state).text.contains(" C-p command "))
        #expect(state.update(.key(.character("?"))).isEmpty)
        #expect(view(state).text.contains("Backspace closes"))
        #expect(state.update(.key(.pageDown)).isEmpty)
        #expect(view(state).text.contains("u      Poll the trip at once"))
        #expect(state.update(.key(.backspace)).isEmpty && state.overlay == nil)
        #expect(state.update(.key(.control("p"))).isEmpty && state.prompt != nil)
    }

    @Test func `two commands can swap their keys`() throws {
        var state = try screen(["palette": ["?"], "help": [":"]])
        #expect(state.update(.key(.character(":"))).isEmpty)
        #expect(state.overlay == .help(row: 0))
    }

    @Test func `explains why a binding is invalid`() {
        #expect(problem(["folow": ["F"]]) == .unknownCommand("folow", nearest: "follow"))
        #expect(problem(["abrakadabra": ["F"]]) == .unknownCommand("abrakadabra", nearest: nil))
        #expect(problem(["pan": ["F"]]) == .fixed("pan"))
        for name in ["FF", "", " ", "C-c", "C-i", "C-1", "\u{1B}", "F13"] {
            #expect(problem(["follow": [name]]) == .unknownKey(name, "follow"))
        }
        #expect(problem(["follow": ["b"]]) == .taken(.character("b"), "follow", "largeMap", .trip))
        #expect(problem(["quit": ["/"]]) == .taken(.character("/"), "quit", "filter", .trips))
        #expect(problem(["follow": ["d"], "fit": ["PgUp"], "olderEvents": []]) == nil)
    }

    @Test func `the key that saves a recording exists only where one is stored`() throws {
        for isRecorded in [false, true] {
            var state = State(
                trips: [try .trip(TripID("t"))],
                settings: State.Settings(host: "h", isRecorded: isRecorded),
                now: Moment(wall: Date(timeIntervalSince1970: 0), steady: .zero),
                width: 80,
                height: 24
            )
            #expect(state.update(.key(.character("w"))).isEmpty)
            #expect(state.update(.key(.character("y"))) == (isRecorded ? [.saveRecording] : []))
        }
    }

    @Test func `no key writes a file without a question that only y confirms`() throws {
        for key in KeyMap.bindings.flatMap(\.keys) {
            var state = State(
                trips: [try .trip(TripID("t"))],
                settings: State.Settings(host: "h", isRecorded: true, exportFormats: ["har"]),
                now: Moment(wall: Date(timeIntervalSince1970: 0), steady: .zero),
                width: 80,
                height: 24
            )
            let effects = state.update(.key(key)) + state.update(.key(.enter)) + state.update(.key(.character("q")))
            let files = effects.filter {
                switch $0 {
                case .saveRecording, .saveBugReport, .export, .save: true
                default: false
                }
            }
            #expect(files.isEmpty, "\(key.name)")
        }
    }

    @Test func `a key asks for the format of an export, and the command line checks it`() throws {
        func state(_ formats: [String]) throws -> State {
            State(
                trips: [try .trip(TripID("t"))],
                settings: State.Settings(host: "h", exportFormats: formats),
                now: Moment(wall: Date(timeIntervalSince1970: 0), steady: .zero),
                width: 80,
                height: 24
            )
        }
        var none = try state([])
        #expect(none.update(.key(.character("X"))).isEmpty && none.prompt == nil)
        var state = try state(["har", "gpx"])
        func type(_ text: String) -> [Effect] {
            for character in text { #expect(state.update(.key(.character(character))).isEmpty) }
            return state.update(.key(.enter))
        }
        #expect(state.update(.key(.character("X"))).isEmpty && state.prompt?.line.text == "export ")
        #expect(view(state).text.contains("har"))
        #expect(type("gpx") == [.export("gpx", to: nil)] && state.prompt == nil)
        #expect(type(":export har  a ride.har ") == [.export("har", to: "a ride.har")])
        #expect(type(":export pdf").isEmpty && state.message?.contains("har, gpx") == true)
    }

    @Test func `every key name parses to its key`() {
        let keys = KeyMap.bindings.flatMap(\.keys)
        for key in keys { #expect(Key(named: key.name) == key, "\(key)") }
    }

    @Test(arguments: [
        ("intervall", "interval"), ("token-url", "tokenUrl"), ("KEYS", "keys"), ("colour", nil), ("x", nil), ("", nil),
    ])
    func `suggests the nearest known name`(_ example: (word: String, meant: String?)) {
        let known = ["interval", "tokenUrl", "tokenKey", "keys", "theme"]
        #expect(Spelling.nearest(to: example.word, among: known) == example.meant)
    }
}

@Suite("Help overlay", .ends(within: .quickTest))
struct HelpTests {
    @Test(arguments: [(80, 24), (30, 6), (120, 40), (62, 17)])
    func `scrolling shows every key of the view, and the overlay counts hidden rows`(_ size: (Int, Int)) throws {
        var state = try Ride().screen(at: 60, width: size.0, height: size.1)
        #expect(state.update(.key(.character("?"))).isEmpty)
        var seen = view(state).text
        var rows = 0
        while seen.isEmpty || view(state).text.contains("more below") {
            #expect(state.update(.key(rows % 2 == 0 ? .down : .character("j"))).isEmpty)
            seen += "\n" + view(state).text
            rows += 1
            try #require(rows < 300)
        }
        for binding in state.settings.keys where binding.views.isEmpty || binding.views.contains(.trip) {
            let rows = RideControl.keys + ExpectationsPanel.keys + FaultsPanel.keys + KeyMap.replay
            let optional = Set(rows.map(\.command)).union(["showSides", "saveRecording", "export"])
            guard !optional.contains(binding.command) else { continue }
            let word = try #require(binding.help(.english).split(separator: " ").first)
            #expect(seen.contains(binding.name) && seen.contains(word), "\(binding.name)")
        }
        #expect(seen.contains("dotted"))
        if rows > 0 { #expect(view(state).text.contains("\(rows) above")) }
        #expect(state.update(.key(.down)).isEmpty && state.overlay == .help(row: rows))
        #expect(state.update(.key(.home)).isEmpty && state.overlay == .help(row: 0))
        #expect(state.update(.key(.pageDown)).isEmpty && state.overlay == .help(row: min(rows, max(1, size.1 - 8))))
        #expect(state.update(.key(.end)).isEmpty && state.overlay == .help(row: rows))
    }

    @Test func `starts at the top each time, and the wheel scrolls it`() throws {
        var state = try Ride().screen(at: 60, width: 80, height: 24)
        #expect(state.update(.key(.character("?"))).isEmpty)
        #expect(state.update(.pointer(Pointer(.wheelDown, x: 40, y: 12))).isEmpty && state.overlay == .help(row: 3))
        for _ in 0..<2 { #expect(state.update(.key(.character("?"))).isEmpty) }
        #expect(state.overlay == .help(row: 0))
    }
}
