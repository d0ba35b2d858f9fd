import Canvas
import Recording
import Testing
import TripModel
import TripScreen
import TripTestSupport
import TripText

@Suite("Time line", .ends(within: .quickTest))
struct TimeLineTests {
    private static let marks = [
        ReplayMark(.status, at: .seconds(0), "ENROUTE_TO_PICKUP"), ReplayMark(.finding, at: .seconds(40)),
        ReplayMark(.error, at: .seconds(60), "DEADLINE_EXCEEDED"), ReplayMark(.status, at: .seconds(60)),
        ReplayMark(.note, at: .seconds(80), "look"),
    ]

    private func line(
        at seconds: Double,
        _ scene: TimeLine.Scene = .recording,
        isLooping: Bool = false
    ) -> TimeLine {
        let clock = ReplayClock(
            length: .seconds(100),
            speed: 20,
            isLooping: isLooping,
            position: .seconds(seconds),
            at: .zero
        )
        return TimeLine(scene, clock: clock, at: .zero, marks: TimeLineMarks(Self.marks))
    }

    private func screen(
        _ line: TimeLine,
        width: Int = 80,
        height: Int = 24,
        glyphs: GlyphSet = GlyphSet()
    ) throws -> State {
        var state = try Ride().screen(at: 60, width: width, height: height, glyphs: glyphs)
        #expect(state.update(.timeLine(line)).isEmpty)
        return state
    }

    private func row(_ state: State) -> String {
        let rows = view(state).text.split(separator: "\n", omittingEmptySubsequences: false)
        return String(rows[state.height - 2])
    }

    @Test func `shows the time, the marks with different signs, and the speed`() throws {
        let row = row(try screen(line(at: 30)))
        #expect(row.hasPrefix(" ▸ 0:30 / 1:40 ◆"), "\(row)")
        #expect(row.hasSuffix(" ×20"), "\(row)")
        let signs = row.filter { "◆!✗¶●".contains($0) }
        #expect(signs == "◆●!✗¶")
        let ascii = self.row(try screen(line(at: 30, isLooping: true), glyphs: GlyphSet(.ascii)))
        #expect(ascii.hasPrefix(" > 0:30 / 1:40 S="), "\(ascii)")
        #expect(ascii.hasSuffix("loop x20"), "\(ascii)")
        #expect(ascii.dropFirst(15).filter { "S!xN*".contains($0) }.hasPrefix("S*!xN"), "\(ascii)")
    }

    @Test func `a command of the present says that it is not available in the past`() throws {
        var state = try Ride().screen(at: 60)
        state.offer([FaultChoice(id: "slow", title: .fault401)])
        _ = state.update(.timeLine(line(at: 30, .past)))
        for character in ":fault slow" { _ = state.update(.key(.character(character))) }
        #expect(state.update(.key(.enter)).isEmpty)
        #expect(state.message == "not in the past: v returns")
        #expect(state.update(.key(.character("i"))).isEmpty)
        #expect(state.message == "not in the past: v returns" && state.overlay == nil)
    }

    @Test func `every size has a row for it, and the rest retains its room`() throws {
        for (width, height) in [(30, 6), (46, 12), (80, 24), (120, 40), (200, 60)] {
            var state = try screen(line(at: 100), width: width, height: height)
            let row = row(state)
            #expect(row.contains("■ 1:40"), "\(width)x\(height): \(row)")
            #expect(row.contains("●"), "\(width)x\(height): \(row)")
            #expect(state.update(.timeLine(nil)).isEmpty)
            #expect(!view(state).text.contains("■ 1:40"))
        }
    }

    @Test func `keys control the replay, and those of polls are gone`() throws {
        var state = try screen(line(at: 30))
        let actions: [(Key, ReplayAction)] = [
            (.character(" "), .togglePause), (.character("p"), .togglePause),
            (.character("."), .seek(.poll(forward: true))), (.character(","), .seek(.poll(forward: false))),
            (.character("+"), .seek(.event(forward: true))), (.character("-"), .seek(.event(forward: false))),
            (.character(")"), .seek(.mark(forward: true))), (.character("("), .seek(.mark(forward: false))),
            (.character("}"), .changeSpeed(faster: true)), (.character("{"), .changeSpeed(faster: false)),
            (.character("^"), .seek(.start)), (.character("$"), .seek(.end)), (.character("L"), .toggleLoop),
        ]
        for (key, action) in actions { #expect(state.update(.key(key)) == [.replay(action)], "\(key)") }
        for key in ["r", "t", "v", "C"] { #expect(state.update(.key(.character(Character(key)))).isEmpty) }
        #expect(state.update(.key(.escape)).isEmpty)
        #expect(view(state).text.contains(" space pause "))
        #expect(state.update(.timeLine(nil)).isEmpty)
        #expect(state.update(.key(.character(")"))).isEmpty)
        #expect(state.update(.key(.character("r"))).count == 1)
    }

    @Test func `the command line goes to a time and sets the speed`() throws {
        var state = try screen(line(at: 30))
        func run(_ text: String) -> [Effect] {
            for character in ":\(text)" { #expect(state.update(.key(.character(character))).isEmpty) }
            return state.update(.key(.enter))
        }
        #expect(run("seek 1:10") == [.replay(.seek(.time(.seconds(70))))])
        #expect(run("seek -60") == [.replay(.seek(.offset(.seconds(-60))))])
        #expect(run("seek soon").isEmpty && state.message?.contains("12:30") == true)
        #expect(run("speed 600") == [.replay(.setSpeed(600))])
        #expect(run("speed 0").isEmpty && state.message?.contains("600") == true)
        #expect(run("next-mark") == [.replay(.seek(.mark(forward: true)))])
        #expect(run("watch other").isEmpty && state.message?.contains("watch") == true)
    }

    @Test func `a click, a drag and the wheel on the bar move the position`() throws {
        var state = try screen(line(at: 30))
        let y = state.height - 2
        func time(_ pointer: Pointer) -> Duration? {
            guard case .replay(.seek(.time(let time)))? = state.update(.pointer(pointer)).first else { return nil }
            return time
        }
        #expect(time(Pointer(.press, x: 79, y: y)) == .seconds(100))
        #expect(time(Pointer(.drag, x: 0, y: y)) == .zero)
        // The pointer may leave the row while it drags.
        let middle = try #require(time(Pointer(.drag, x: 45, y: 3)))
        #expect(middle > .seconds(30) && middle < .seconds(70))
        #expect(state.update(.pointer(Pointer(.release, x: 45, y: 3))).isEmpty)
        #expect(time(Pointer(.drag, x: 45, y: y)) == nil)
        #expect(state.update(.pointer(Pointer(.wheelDown, x: 45, y: y))) == [.replay(.seek(.offset(.seconds(1))))])
    }

    @Test func `the help has the keys and the signs`() throws {
        var state = try screen(line(at: 30))
        #expect(state.update(.key(.character("?"))).isEmpty)
        var seen = ""
        for _ in 0..<60 {
            seen += view(state).text
            #expect(state.update(.key(.down)).isEmpty)
        }
        for text in ["Go to the next mark", "✗  error", "◆  status change", "¶  note, mark or fault", "!  finding"] {
            #expect(seen.contains(text), "\(text)")
        }
        #expect(!seen.contains("Poll the trip at once"))
    }

    @Test func `the past has a banner that says how to return, and what differs`() throws {
        var past = line(at: 30, .past)
        (past.age, past.differences) = (.seconds(95), "Status and arrival as now")
        var state = try screen(past, width: 140)
        #expect(
            view(state).text.contains("Past: 17:01:02, 1:35 ago; v returns, C shows now. Status and arrival as now")
        )
        #expect(state.update(.key(.character("C"))) == [.travel(.compare)])
        #expect(state.update(.key(.character("v"))) == [.travel(.toggle)])
        #expect(state.update(.key(.character("m"))).isEmpty && state.prompt == nil)
        past.scene = .present
        #expect(state.update(.timeLine(past)).isEmpty)
        #expect(view(state).text.contains("Now; C shows 16:59:27 again, v ends it."))
    }

    @Test func `what differs is the status and the arrival`() throws {
        let ride = Ride()
        let past = try ride.screen(at: 50)
        let now = try ride.screen(at: 110)
        let text = now.differences(from: past.snapshot, to: now.snapshot)
        #expect(text.contains("Status: Driver is on the way to the pickup > On the way to the drop-off"), "\(text)")
        #expect(text.contains("Arrival: "), "\(text)")
        #expect(now.differences(from: now.snapshot, to: now.snapshot) == "Status and arrival as now")
    }

    @Test func `another moment is shown in the same view`() throws {
        let ride = Ride()
        let past = try ride.screen(at: 50)
        var state = try ride.screen(at: 110)
        #expect(state.update(.key(.character("4"))).isEmpty)
        let present = state.snapshot
        let picture = view(state).text
        state.restore(past.snapshot)
        var other = past
        #expect(other.update(.key(.character("4"))).isEmpty)
        #expect(view(state).text == view(other).text && view(state).text != picture)
        state.restore(present)
        #expect(view(state).text == picture)
    }

    @Test(arguments: [(80, 24), (120, 40), (200, 60)])
    func `is drawn as expected`(_ size: (Int, Int)) throws {
        let state = try screen(line(at: 62), width: size.0, height: size.1)
        try ScreenFile(name: "replay-\(size.0)x\(size.1)").expect(view(state))
    }
}
