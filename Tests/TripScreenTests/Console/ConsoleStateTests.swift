import Canvas
import Foundation
import Testing
import TripTestSupport

@testable import TripScreen

@Suite("Presenter's console", .ends(within: .quickTest))
struct ConsoleStateTests {
    private func effects(_ key: Key, _ change: (inout PresenterReport) -> Void = { _ in }) -> [ConsoleState.Effect] {
        var (state, report) = (ConsoleScene.joining(), ConsoleScene.report)
        change(&report)
        _ = state.update(.report(report))
        return state.update(.key(key))
    }

    @Test func `letters switch the faults in their order`() {
        #expect(effects(.character("a")) == [.request(.fault(.toggle("expired")))])
        #expect(effects(.character("h")) == [.request(.fault(.toggle("503")))])
        #expect(effects(.character("m")) == [.request(.fault(.toggle("clock")))])
        #expect(effects(.character("o")) == [])
        #expect(effects(.character("x")) == [.request(.fault(.clear))])
    }

    @Test func `keys change the speed in the steps of the demo, and pause the ride`() {
        #expect(effects(.character("+")) == [.ride(RideChange(speed: 10))])
        #expect(effects(.character("-")) == [.ride(RideChange(speed: 5))])
        #expect(effects(.character("+")) { $0.ride.speed = 600 } == [])
        #expect(effects(.character("-")) { $0.ride.speed = 0.1 } == [])
        #expect(effects(.character("=")) { $0.ride.speed = 50 } == [.ride(RideChange(isPaused: false, speed: 6))])
        #expect(effects(.character("p")) == [.ride(RideChange(isPaused: true))])
        #expect(effects(.character(" ")) { $0.ride.isPaused = true } == [.ride(RideChange(isPaused: false))])
    }

    @Test func `keys start the next chapter, the ride again, or leave`() {
        #expect(effects(.character("n")) == [.request(.nextChapter)])
        #expect(effects(.character("r")) == [.request(.restart)])
        #expect(effects(.character("q")) == [.leave])
        #expect(effects(.control("c")) == [.leave])
    }

    @Test func `says that there is no next chapter`() {
        var (state, report) = (ConsoleScene.joining(), ConsoleScene.report)
        report.chapter?.next = nil
        _ = state.update(.report(report))
        #expect(state.update(.key(.character("n"))) == [])
        #expect(state.message == "There is no next chapter.")
        _ = state.update(.key(.down))
        #expect(state.message == nil)
    }

    @Test func `plays the scenario that is chosen in the list`() {
        var state = ConsoleScene.joined()
        #expect(state.update(.key(.character("s"))) == [])
        #expect(state.chosenScenario == 2)
        #expect(state.update(.key(.down)) == [] && state.update(.key(.down)) == [])
        #expect(state.update(.key(.enter)) == [.request(.play("traffic-jam"))])
        #expect(state.chosenScenario == nil)
        _ = state.update(.key(.character("s")))
        #expect(state.update(.key(.character("a"))) == [], "a letter switches no fault while the list is open")
        _ = state.update(.key(.escape))
        #expect(state.chosenScenario == nil)
    }

    @Test func `a fault is explained in a sentence when it is switched on, until the next key`() {
        var (state, report) = (ConsoleScene.joined(), ConsoleScene.report)
        #expect(state.update(.key(.character("a"))) == [.request(.fault(.toggle("expired")))])
        #expect(consoleView(state).text.contains("the app must fetch a"))
        _ = state.update(.key(.up))
        #expect(state.message == nil)
        report.activeFaults = ["expired"]
        _ = state.update(.report(report))
        _ = state.update(.key(.character("a")))
        #expect(state.message == nil, "switching it off needs no explanation")
    }

    @Test(arguments: [(80, 24), (120, 40)])
    func `an explanation leaves the keys where they are`(_ size: (Int, Int)) {
        var state = ConsoleScene.joined(size.0, size.1)
        let keys = ConsoleLayout(state).buttons
        _ = state.update(.key(.character("a")))
        let text = consoleView(state).text
        #expect(text.contains("clear faults") && text.contains("leave") && text.contains("the app must fetch a"))
        #expect(ConsoleLayout(state).buttons == keys)
    }

    @Test func `a question mark explains the keys`() {
        var state = ConsoleScene.joined()
        #expect(state.update(.key(.character("?"))) == [])
        let text = consoleView(state).text
        #expect(text.contains("The letter in front of a fault") && text.contains("restart"))
    }

    @Test func `a demo without a tour has no next chapter`() {
        var (state, report) = (ConsoleScene.joined(), ConsoleScene.report)
        #expect(consoleView(state).text.contains("next chapter"))
        report.chapter = nil
        _ = state.update(.report(report))
        #expect(!consoleView(state).text.contains("next chapter"))
    }

    @Test func `names the faults that stay on when the presenter leaves`() {
        #expect(ConsoleScene.joining().activeFaults == [])
        #expect(ConsoleScene.joined().activeFaults == ["polls get 503 UNAVAILABLE"])
    }

    @Test func `the list of scenarios tells what the chosen one shows`() {
        var state = ConsoleScene.joined()
        for key in [Key.character("s"), .end] { _ = state.update(.key(key)) }
        #expect(consoleView(state).text.contains("Traffic stops, and the arrival slips with every report."))
        _ = state.update(.key(.up))
        #expect(!consoleView(state).text.contains("Traffic stops"))
    }

    @Test func `asks for nothing before the first report and while the demo starts again`() {
        var state = ConsoleScene.joining()
        for key in "anrsp+-=x" { #expect(state.update(.key(.character(key))) == []) }
        #expect(state.update(.noAnswer) == [] && state.link == .joining)
        _ = state.update(.report(ConsoleScene.report))
        _ = state.update(.noAnswer)
        #expect(state.link == .restarting(ConsoleScene.report))
        for key in "anrp+-=x" { #expect(state.update(.key(.character(key))) == []) }
        #expect(state.update(.key(.character("q"))) == [.leave])
    }

    @Test func `shows a problem once, until the next key`() {
        var (state, report) = (ConsoleScene.joined(), ConsoleScene.report)
        report.problem = "The emulator is gone.\u{1B}[2J"
        _ = state.update(.report(report))
        #expect(state.message?.contains("\u{1B}") == false && state.message?.hasPrefix("The emulator") == true)
        _ = state.update(.key(.up))
        _ = state.update(.report(report))
        #expect(state.message == nil)
        _ = state.update(.problem("no answer"))
        #expect(state.message == "no answer")
    }

    @Test func `scrolls the notes within their length, and to the top with another scenario`() {
        var state = ConsoleScene.joined(notes: (1...40).map { "line \($0)" }.joined(separator: "\n"))
        _ = state.update(.key(.down))
        #expect(state.notesRow == 1)
        _ = state.update(.key(.end))
        let last = state.notesRow
        _ = state.update(.key(.pageDown))
        #expect(state.notesRow == last && last > 20 && consoleView(state).text.contains("line 40"))
        var report = ConsoleScene.report
        report.scenario = "tunnel"
        _ = state.update(.report(report))
        #expect(state.notesRow == 0)
    }

    @Test(arguments: [(80, 24), (120, 40), (69, 40)])
    func `the mouse presses what it points at`(_ size: (Int, Int)) throws {
        var state = ConsoleScene.joined(size.0, size.1)
        let lines = consoleView(state).text.split(separator: "\n", omittingEmptySubsequences: false)
        func press(_ text: String) throws -> [ConsoleState.Effect] {
            let row = try #require(lines.firstIndex { $0.contains(text) })
            let range = try #require(lines[row].range(of: text))
            let column = lines[row].distance(from: lines[row].startIndex, to: range.lowerBound)
            return state.update(.pointer(Pointer(.press, x: column + 1, y: row)))
        }
        #expect(try press("token expires now") == [.request(.fault(.toggle("expired")))])
        #expect(try press("polls get 401") == [.request(.fault(.toggle("401")))])
        #expect(try press("next chapter") == [.request(.nextChapter)])
        #expect(try press("faster") == [.ride(RideChange(speed: 10))])
        #expect(try press("leave") == [.leave])
        #expect(state.update(.pointer(Pointer(.press, x: 3, y: 0))) == [])
    }
}
