import Canvas
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import TripScreen

@Suite("Command line, mouse and paste", .ends(within: .quickTest))
struct PaletteTests {
    private func fleet() throws -> State {
        try Self.themed(Fleet.screen(width: 100, height: 30))
    }

    private static func themed(_ state: State) throws -> State {
        var settings = state.settings
        settings.themes = ["dark", "light"]
        var themed = State(
            trips: state.trips.map(\.id),
            settings: settings,
            now: Ride.moment(0),
            width: state.width,
            height: state.height
        )
        for name in Fleet.names {
            var ride = Ride()
            ride.name = name
            for message in try ride.messages(until: 30) { _ = themed.update(message) }
        }
        return themed
    }

    private func type(_ text: String, _ state: inout State) -> [Effect] {
        var effects: [Effect] = []
        for character in text { effects += state.update(.key(.character(character))) }
        return effects
    }

    private func run(_ line: String, _ state: inout State) -> [Effect] {
        type(":" + line, &state) + state.update(.key(.enter))
    }

    @Test func `runs commands by name`() throws {
        var state = try fleet()
        let trip = try #require(state.trip).id
        #expect(run("poll-now", &state) == [.feed(.pollNow, trip)])
        #expect(run("new-token", &state) == [.refreshToken(trip)])
        #expect(run("quit", &state) == [.quit])
        #expect(run("share ride.html", &state) == [.share("ride.html")])
        #expect(run("share", &state) == [.share(nil)])
        #expect(run("help", &state).isEmpty)
        #expect(state.overlay == .help(row: 0))
    }

    @Test func `the help is searched with a slash, and a match is shown before it is performed`() throws {
        var state = try fleet()
        _ = state.update(.key(.function(1)))
        #expect(state.overlay == .help(row: 0))
        #expect(type("/middle of the map", &state).isEmpty)
        #expect(Palette.completions(of: "middle of the map", in: state).map(\.line) == ["follow"])
        #expect(state.update(.key(.enter)).isEmpty)
        #expect(state.prompt?.line.text == "follow" && state.panels.trip.map.mode == .fit)
        #expect(state.update(.key(.enter)).isEmpty)
        #expect(state.overlay == nil && state.prompt == nil && state.panels.trip.map.mode == .follow)
    }

    @Test func `several descriptions are listed, and none is performed`() throws {
        var state = try fleet()
        #expect(Palette.completions(of: "token", in: state).count > 1)
        #expect(run("token", &state).isEmpty)
        #expect(state.message?.contains("token") == true)
    }

    @Test func `a key without a meaning answers`() throws {
        var state = try fleet()
        #expect(state.update(.key(.character("Y"))).isEmpty)
        #expect(state.message == "Y does nothing here; ? lists the keys")
        #expect(state.update(.key(.function(9))).isEmpty)
        #expect(state.message == "F9 does nothing here; ? lists the keys")
        #expect(state.update(.key(.escape)).isEmpty)
        #expect(state.message == nil)
    }

    @Test func `accepts arguments of a command`() throws {
        var state = try fleet()
        #expect(run("view network", &state).isEmpty)
        #expect(state.view == .network)
        #expect(run("trip \(Fleet.names[2])", &state).isEmpty)
        #expect(state.view == .trip && state.trip?.id.rawValue == Fleet.names[2])
        #expect(run("theme light", &state) == [.theme("light")])
        #expect(run("mouse on", &state) == [.mouse(true)])
        #expect(run("glyphs ascii", &state).isEmpty)
        #expect(state.settings.glyphs.level == .ascii)
        let orders = run("interval 7.5", &state)
        #expect(orders.first == .feed(.setInterval(.seconds(7.5)), try .trip(TripID(Fleet.names[0]))))
    }

    @Test(arguments: [
        "", "nonsense", "view", "view nothing", "trip x", "interval -1", "interval x", "theme pink", "mouse",
        "interval nan", "interval inf", "interval 1e308", "interval 1e999", "interval 0x1p3", "speed nan", "seek nan",
    ])
    func `explains an invalid command and does nothing`(_ line: String) throws {
        var state = try fleet()
        let before = state.view
        #expect(run(line, &state).isEmpty)
        #expect(state.view == before)
        #expect(line.isEmpty || state.message != nil)
        if let message = state.message { #expect(view(state).text.contains(message)) }
        #expect(state.update(.key(.character("1"))).isEmpty)
        #expect(state.message == nil)
    }

    @Test func `completes a unique word, and otherwise the common beginning`() throws {
        var state = try fleet()
        #expect(type(":vi", &state).isEmpty)
        #expect(state.update(.key(.tab)).isEmpty)
        #expect(state.prompt?.line.text == "view ")
        #expect(type("in", &state).isEmpty)
        #expect(state.update(.key(.tab)).isEmpty)
        #expect(state.prompt?.line.text == "view inspector")
        #expect(state.update(.key(.control("u"))).isEmpty)
        #expect(type("trip tri", &state).isEmpty)
        for expected in ["trip-", "trip-7f3a", "trip-not-there", "trip-7f3a"] {
            #expect(state.update(.key(.tab)).isEmpty)
            #expect(state.prompt?.line.text == "trip \(expected)")
            #expect(view(state).text.contains("trip-not-there"))
        }
        #expect(view(state).roleMap.contains("LLLLLLLL"))
    }

    @Test func `recalls earlier commands`() throws {
        var state = try fleet()
        _ = run("view log", &state)
        _ = run("view token", &state)
        #expect(type(":", &state).isEmpty)
        for expected in ["view token", "view log", "view log"] {
            #expect(state.update(.key(.up)).isEmpty)
            #expect(state.prompt?.line.text == expected)
        }
        #expect(state.update(.key(.down)).isEmpty)
        #expect(state.prompt?.line.text == "view token")
    }

    @Test func `the command line of each view has every command that does not need a key`() throws {
        var state = try Ride().screen(at: 105)
        for kind in ViewKind.allCases {
            #expect(state.update(.key(.character(Character("\(kind.number)")))).isEmpty)
            #expect(type(":", &state).isEmpty)
            for binding in KeyMap.valid(in: state) where !binding.needsKey && binding.command != .palette {
                #expect(type(binding.commandName, &state).isEmpty)
                #expect(!Palette.completions(of: binding.commandName, in: state).isEmpty, "\(binding.commandName)")
                #expect(state.update(.key(.control("u"))).isEmpty)
            }
            #expect(state.update(.key(.escape)).isEmpty)
        }
    }

    @Test func `a paste of 100 kB never runs a command`() throws {
        var state = try fleet()
        let text = String(repeating: "q\n:quit\n\u{1B}[2J", count: 9000)
        #expect(state.update(.paste(text)).isEmpty)
        #expect(type(":", &state).isEmpty)
        #expect(state.update(.paste(text)).isEmpty)
        #expect(state.prompt?.line.characters.count == 500)
        #expect(!view(state).text.contains("\u{1B}"))
    }

    @Test func `a pasted resource name shows that trip`() throws {
        var state = try fleet()
        #expect(state.update(.paste(" providers/demo/trips/\(Fleet.names[3])\n")).isEmpty)
        #expect(state.trip?.id.rawValue == Fleet.names[3] && state.view == .trip)
        #expect(state.update(.paste("who?")).isEmpty)
        #expect(state.message != nil)
        #expect(state.update(.paste("providers/demo/trips/another")).isEmpty)
        #expect(state.prompt?.line.text == "watch providers/demo/trips/another")
    }

    @Test func `adds a trip and removes one`() throws {
        var state = try fleet()
        let new = try TripID("brand-new")
        #expect(run("watch providers/demo/trips/brand-new", &state) == [.watch(.trip(new))])
        #expect(state.trip?.id == .trip(new) && state.view == .trip)
        #expect(run("watch brand-new", &state).isEmpty)
        #expect(run("watch a/b?c", &state).isEmpty)
        #expect(state.message?.contains("b?c") == true)
        #expect(run("leave brand-new", &state).isEmpty)
        #expect(state.update(.key(.character("y"))) == [.remove(.trip(new))])
        #expect(state.update(.feed(.ended(.trip(new), .left))).isEmpty)
        #expect(run("watch brand-new", &state) == [.watch(.trip(new))])
        #expect(state.trips.count == 6)
    }

    @Test func `the command line searches the trips of the project and offers them`() throws {
        var settings = State.Settings(host: "host")
        settings.findsTrips = true
        settings.pastTrips = try [.trip(TripID("old")), .trip(TripID("new"))]
        var state = State(
            trips: [try .trip(TripID("here"))],
            settings: settings,
            now: Ride.moment(0),
            width: 80,
            height: 24
        )
        #expect(state.update(.key(.character(":"))) == [.findTrips])
        _ = state.update(.found(try ["here", "new"].map { try .trip(TripID($0)) }))
        #expect(Palette.completions(of: "watch ", in: state).map(\.line) == ["watch new", "watch old"])
        _ = state.update(.key(.escape))
        #expect(state.update(.key(.character(":"))).isEmpty, "it was searched a moment ago")
        _ = state.update(.key(.escape))
        _ = state.update(.tick(Ride.moment(11)))
        #expect(state.update(.key(.character(":"))) == [.findTrips])
    }

    @Test func `completes past trips and recognizes a trip of another project`() throws {
        var settings = State.Settings(host: "host")
        settings.provider = "mine"
        settings.pastTrips = try ["old", "older", "here"].map { try JourneyID(named: $0) }.reversed()
        var state = State(
            trips: [try .trip(TripID("here"))],
            settings: settings,
            now: Ride.moment(0),
            width: 80,
            height: 24
        )
        #expect(Palette.completions(of: "watch ", in: state).map(\.line) == ["watch old", "watch older"])
        #expect(run("watch providers/theirs/trips/old", &state).isEmpty)
        #expect(state.message?.contains("theirs") == true && state.trips.count == 1)
        #expect(run("watch providers/mine/trips/old", &state) == [.watch(try .trip(TripID("old")))])
    }

    // MARK: Mouse

    private func click(_ x: Int, _ y: Int, _ state: inout State) -> [Effect] {
        state.update(.pointer(Pointer(.press, x: x, y: y))) + state.update(.pointer(Pointer(.release, x: x, y: y)))
    }

    /// The column and row of a text on the screen.
    private func place(of text: String, in state: State) throws -> (x: Int, y: Int) {
        let rows = view(state).text.split(separator: "\n", omittingEmptySubsequences: false)
        let y = try #require(rows.firstIndex { $0.contains(text) })
        let range = try #require(rows[y].range(of: text))
        return (TextWidth.of(String(rows[y][..<range.lowerBound])), y)
    }

    @Test func `a click on a tab, a panel, a row or a key triggers it`() throws {
        var state = try fleet()
        var spot = try place(of: "2 Trips", in: state)
        #expect(click(spot.x, spot.y, &state).isEmpty)
        #expect(state.view == .trips)
        spot = try place(of: Fleet.names[3], in: state)
        #expect(click(spot.x, spot.y, &state).isEmpty)
        #expect(state.trip?.id.rawValue == Fleet.names[3] && state.view == .trips)
        #expect(click(spot.x, spot.y, &state).isEmpty)
        #expect(state.view == .trip)
        spot = try place(of: " Token ─", in: state)
        #expect(click(spot.x, spot.y, &state).isEmpty)
        #expect(state.view == .token)
        spot = try place(of: "q quit", in: state)
        #expect(click(spot.x, spot.y, &state) == [.quit])
    }

    @Test func `the wheel zooms the map at the pointer, and dragging moves the map`() throws {
        var state = try Ride().screen(at: 105)
        let spot = try place(of: "⚑", in: state)
        #expect(state.update(.pointer(Pointer(.wheelUp, x: spot.x, y: spot.y))).isEmpty)
        #expect(state.panels.trip.map.mode == .free)
        let zoomed = try place(of: "⚑", in: state)
        #expect(abs(zoomed.x - spot.x) <= 1 && abs(zoomed.y - spot.y) <= 1)
        #expect(state.update(.pointer(Pointer(.press, x: spot.x, y: spot.y))).isEmpty)
        #expect(state.update(.pointer(Pointer(.drag, x: spot.x - 6, y: spot.y + 2))).isEmpty)
        #expect(state.update(.pointer(Pointer(.release, x: spot.x - 6, y: spot.y + 2))).isEmpty)
        let moved = try place(of: "⚑", in: state)
        #expect((moved.x - zoomed.x, moved.y - zoomed.y) == (-6, 2))
    }

    @Test func `survives any pointer event at any position`() throws {
        var random = SeededGenerator(seed: 3)
        var state = try fleet()
        let actions: [Pointer.Action] = [.press, .drag, .release, .wheelUp, .wheelDown]
        for _ in 0..<4000 {
            let action = actions[Int.random(in: 0..<5, using: &random)]
            let pointer = Pointer(
                action,
                x: .random(in: -5..<130, using: &random),
                y: .random(in: -5..<45, using: &random)
            )
            _ = state.update(.pointer(pointer))
            if Int.random(in: 0..<50, using: &random) == 0 { #expect(view(state).width == 100) }
        }
    }
}
