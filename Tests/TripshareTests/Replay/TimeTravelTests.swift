import Canvas
import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

@testable import tripshare

@Suite("Time travel in a session", .ends(within: .longTest))
struct TimeTravelTests {
    /// A session after four minutes of a recording, and what it keeps in memory.
    private func session() async throws -> (live: State, recorded: [UInt8]) {
        var replay = try await RecordedReplay("airport-pickup", width: 160)
        replay.seek(.seconds(240))
        var live = replay.state
        _ = live.update(.timeLine(nil))
        let reader = try await RecordedReplay.reader("airport-pickup")
        let end = replay.index.start.steady + .seconds(240)
        return (live, reader.excerpt(before: end))
    }

    @Test func `begins at the present moment and moves in the past`() async throws {
        let (live, recorded) = try await session()
        var travel = try #require(TimeTravel(recorded, from: live, trailLength: 500, at: .zero))
        func show() -> String {
            _ = travel.advance(live, at: .zero) { false }
            return view(travel.state).text
        }
        let first = show()
        #expect(first.contains("Past: ") && first.contains("Status and arrival as now"), "\(first)")
        travel.perform(.seek(.start), at: .zero)
        let start = show()
        #expect(start.contains("Past: ") && start.contains("ago; v returns, C shows now."), "\(start)")
        #expect(start.contains("Status: "), "\(start)")
        travel.perform(.seek(.end), at: .zero)
        #expect(show() == first)
    }

    @Test func `a wide screen shows the past beside the present, and what differs`() async throws {
        var (live, recorded) = try await session()
        _ = live.update(.resized(width: 200, height: 60))
        var travel = try #require(TimeTravel(recorded, from: live, trailLength: 500, at: .zero))
        travel.perform(.seek(.time(.seconds(100))), at: .zero)
        _ = travel.advance(live, at: .zero) { false }
        let both = try #require(SideBySide(travel.state, beside: live.snapshot))
        var canvas = view(travel.state)
        let height = canvas.height
        both.draw(on: &canvas)
        let rows = canvas.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(rows.count == height && rows.allSatisfy { $0.count <= 200 })
        let words = Localizer.english
        #expect(rows[0].contains(words(.connectionPast)) && rows[0].contains(words(.connectionHeld)), "\(rows[0])")
        #expect(canvas.text.contains("Past: "), "the time line is below both")
        let status = try #require(rows.firstIndex { $0.contains("Driver is") && !$0.contains("Past: ") })
        #expect((0..<canvas.width).contains { canvas[$0, status]?.role == .warning }, "\(rows[status])")
        let panels = rows.filter { $0.contains("╭─ Token") }
        #expect(
            !panels.isEmpty && panels.allSatisfy { $0.components(separatedBy: "╭─ Token").count == 3 },
            "the panels are beside each other:\n\(canvas.text)"
        )

        _ = travel.state.update(.resized(width: 120, height: 40))
        #expect(SideBySide(travel.state, beside: live.snapshot) == nil)
        _ = travel.state.update(.resized(width: 200, height: 60))
        travel.compare(at: .zero)
        _ = travel.advance(live, at: .zero) { false }
        #expect(SideBySide(travel.state, beside: live.snapshot) == nil, "the present is on the whole screen")
    }

    @Test func `comparing shows the present in the same view, and a move shows the past again`() async throws {
        let (live, recorded) = try await session()
        var travel = try #require(TimeTravel(recorded, from: live, trailLength: 500, at: .zero))
        func show() -> String {
            _ = travel.advance(live, at: .zero) { false }
            return view(travel.state).text
        }
        travel.perform(.seek(.time(.seconds(30))), at: .zero)
        _ = travel.state.update(.key(.character("7")))
        let past = show()
        travel.compare(at: .zero)
        let present = show()
        #expect(travel.showsPresent && travel.state.view == .log)
        #expect(present.contains("Now; C shows ") && past.contains("Past: "))
        #expect(travel.state.trip?.state == live.trip?.state)
        travel.compare(at: .zero)
        #expect(show() == past)
        travel.compare(at: .zero)
        travel.perform(.seek(.offset(.seconds(5))), at: .zero)
        #expect(!travel.showsPresent && show().contains("Past: "))
    }

    @Test func `nothing is shown of a recording without events`() async throws {
        let (live, recorded) = try await session()
        let header = Array(recorded.prefix { $0 != UInt8(ascii: "\n") }) + [UInt8(ascii: "\n")]
        #expect(TimeTravel(header, from: live, trailLength: 500, at: .zero) == nil)
    }

    @Test func `the session goes on meanwhile, and its recording is verified`() async throws {
        try await Program.withFolder { folder in
            let script = folder.appending(path: "script")
            try Data(
                """
                wait km/h
                key v
                wait Past:
                key 7
                key ( ,
                wait ago; v returns
                key C
                wait Now; C shows
                pause 2
                key v
                wait Esc back
                key 1
                wait Driver is at the pickup
                key q

                """.utf8
            ).write(to: script)
            let ride = folder.appending(path: "ride.ndjson").path
            let run = try await Program.run([
                "demo", "--seed", "1", "--speed", "20", "--script", script.path, "--record", ride, "--lang", "en",
            ])
            #expect(run.status == 0, "\(run.errors)")
            let verified = try await Program.run(["verify", ride])
            #expect(verified.status == 0, "\(verified.output)")
            var reader = try RecordingReader(bytes: Array(try Data(contentsOf: URL(filePath: ride))))
            var times: [Duration] = []
            while let event = reader.next() {
                if case .poll(let poll) = event.content, poll.failure == nil { times.append(event.at) }
            }
            // Polls of the demo are 5 s apart, at 20 times the real speed every quarter of a second.
            let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
            #expect(times.count > 5 && gaps.allSatisfy { $0 < .seconds(60) }, "\(gaps)")
        }
    }
}
