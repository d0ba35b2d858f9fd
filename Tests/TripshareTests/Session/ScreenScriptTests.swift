import Canvas
import Foundation
import Terminal
import Testing
import TripTestSupport

@testable import tripshare

@Suite("Screen script", .ends(within: .longTest))
struct ScreenScriptTests {
    @Test func `parses every kind of step`() throws {
        let script = try ScreenScript(
            """
            # a comment

            wait Driver is at the pickup
            pause 0.5
            key q Tab S-Tab C-c
            type ab
            paste some text
            size 120x40
            dump a b.txt
            svg c.svg
            film d.svg
            """
        )
        #expect(
            script.steps == [
                .wait("Driver is at the pickup"), .pause(0.5), .send(.key(Key("q"))), .send(.key(Key(.tab))),
                .send(.key(Key(.tab, [.shift]))), .send(.key(Key("c", [.control]))), .send(.key(Key("a"))),
                .send(.key(Key("b"))), .send(.paste("some text")), .send(.resized(width: 120, height: 40)),
                .dump("a b.txt"), .draw("c.svg"),
                .film("d.svg"),
            ]
        )
    }

    @Test func `parses key names in any case, and characters as they are`() {
        for (name, key) in [
            ("space", Key(" ")), ("PGUP", Key(.pageUp)), ("c-c", Key("c", [.control])), ("G", Key("G")),
        ] {
            #expect(ScreenScript.key(name) == key, "\(name)")
        }
    }

    @Test(arguments: [
        "wait", "jump 3", "key Hyper", "pause soon", "pause -1", "pause nan", "pause inf", "pause 1e308", "pause 0x1p3",
        "size 80", "size axb", "size 5000x2",
    ])
    func `reports the line of an invalid step`(_ line: String) {
        #expect(throws: ScreenScript.Problem.self) { try ScreenScript("key q\n\(line)") }
        do {
            _ = try ScreenScript("key q\n\(line)")
        } catch {
            #expect(error.line == 2)
        }
    }

    @Test func `waits for a text and times out`() throws {
        var player = ScriptPlayer(script: try ScreenScript("wait here\nkey q\nwait never"))
        var canvas = Canvas(width: 20, height: 2)
        #expect(player.next(on: canvas) == .sleep(ScriptPlayer.waitTimeout))
        #expect(player.next(on: canvas) == .wait)
        canvas.put("it is here", x: 0, y: 1)
        #expect(player.next(on: canvas) == .send(.key(Key("q"))))
        #expect(player.next(on: canvas) == .sleep(ScriptPlayer.waitTimeout))
        #expect(player.timeIsUp(of: 0) == nil)
        #expect(player.timeIsUp(of: 2) == "never")
    }

    @Test func `a pause continues when its time is over`() throws {
        var player = ScriptPlayer(script: try ScreenScript("pause 2\nkey q"))
        let canvas = Canvas(width: 2, height: 2)
        #expect(player.next(on: canvas) == .sleep(2))
        #expect(player.timeIsUp(of: 0) == nil)
        #expect(player.next(on: canvas) == .send(.key(Key("q"))))
        #expect(player.next(on: canvas) == .end)
    }
}

@Suite("A session played by a script", .serialized, .terminalTurn, .ends(within: .longTest))
struct ScriptedSessionTests {
    private func play(_ script: String) async throws -> (run: Program.Run, pictures: [String: String]) {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("script.txt")
            try Data(script.replacing("DIR", with: folder.path).utf8).write(to: file)
            let run = try await Program.run(["demo", "--speed", "4", "--script", file.path])
            var pictures: [String: String] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix("dump") {
                pictures[name] = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            }
            return (run, pictures)
        }
    }

    @Test func `plays the demo from the first view to the last without a terminal`() async throws {
        let (run, pictures) = try await play(
            """
            size 100x30
            wait on the way to the pickup
            dump DIR/dump-trip
            key 3
            wait no rule broken
            dump DIR/dump-token
            key 5
            wait tripStatus
            type /eta
            key Enter
            dump DIR/dump-inspector
            type :view network
            key Enter
            wait p95
            dump DIR/dump-network
            type :picture DIR/dump-own
            key Enter
            wait Saved as
            key q
            """
        )
        #expect(run.status == 0, "\(run.errors)")
        #expect(pictures.count == 5)
        #expect(pictures["dump-token"]?.contains("RS256") == true)
        #expect(pictures["dump-network"]?.contains("200 ×") == true)
        for picture in pictures.values {
            #expect(picture.split(separator: "\n").count >= 29)
            #expect(!picture.contains("eyJ"))
        }
    }

    @Test func `a file that was asked for is written although the program is ended at once`() async throws {
        let (run, pictures) = try await play(
            """
            wait on the way to the pickup
            type :export csv DIR/dump-polls
            key Enter
            key q
            """
        )
        #expect(run.status == 0 && run.errors.contains("dump-polls"), "\(run.errors)")
        #expect(pictures["dump-polls"]?.contains(",") == true)
    }

    @Test func `an invalid step exits with 65 before anything is played`() async throws {
        let (run, _) = try await play("key q\nfly away")
        #expect(run.status == 65)
        #expect(run.errors.contains("Line 2"))
        #expect(run.errors.contains("no step ‘fly’; there are wait, pause, key"))
    }
}
