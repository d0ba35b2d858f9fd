import Failures
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import tripshare

@Suite("History of trips", .ends(within: .longTest))
struct TripHistoryTests {
    private func history(_ folder: URL, provider: String = "p") throws -> TripHistory {
        try #require(TripHistory(provider: try ProviderID(provider), environment: ["XDG_STATE_HOME": folder.path]))
    }

    @Test func `retains each trip once, newest last, readable only by its owner`() async throws {
        try await Program.withFolder { folder in
            let history = try history(folder)
            #expect(history.trips.isEmpty)
            for name in ["a", "b", "c", "a"] { try history.add(try .trip(TripID(name))) }
            try self.history(folder, provider: "other").add(try .trip(TripID("z")))
            #expect(history.trips.map(\.rawValue) == ["b", "c", "a"])
            let mode = try FileManager.default.attributesOfItem(atPath: history.path)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/tripshare")
            #expect(files == ["trips"])
        }
    }

    @Test func `retains the last 200 trips and ignores invalid lines`() async throws {
        try await Program.withFolder { folder in
            let history = try history(folder)
            for number in 0..<230 { try history.add(try .trip(TripID("t\(number)"))) }
            #expect(history.trips.count == 200 && history.trips.last?.rawValue == "t229")
            try Data("providers/p/trips/\nproviders/p/trips/a/b\nnonsense\u{1B}[2J\nproviders/p/trips/good\n".utf8)
                .write(
                    to: URL(filePath: history.path)
                )
            #expect(history.trips.map(\.rawValue) == ["good"])
            try Data(repeating: 0xFF, count: 1 << 20).write(to: URL(filePath: history.path))
            #expect(history.trips.isEmpty)
            try history.add(try .trip(TripID("again")))
            #expect(history.trips.map(\.rawValue) == ["again"])
        }
    }

    @Test func `is in the folder that the XDG base directory specification defines`() throws {
        let provider = try ProviderID("p")
        let home = TripHistory(provider: provider, environment: ["HOME": "/home/x", "XDG_STATE_HOME": "relative"])
        #expect(home?.path == "/home/x/.local/state/tripshare/trips")
    }

    @Test func `is in the home of the user database if HOME is missing, and nowhere else`() throws {
        let provider = try ProviderID("p")
        for environment in [[:], ["HOME": ""], ["HOME": "relative"]] {
            let path = TripHistory(provider: provider, environment: environment)?.path
            #expect(path.map { $0.hasPrefix("/") } ?? true)
        }
    }

    @Test func `neither reads nor replaces a pipe in its place`() async throws {
        try await Program.withFolder { folder in
            let history = try history(folder)
            try FileManager.default.createDirectory(
                atPath: folder.path + "/tripshare",
                withIntermediateDirectories: true
            )
            #expect(unsafe mkfifo(history.path, 0o600) == 0)
            #expect(history.trips.isEmpty)
            #expect(throws: TripHistory.Failure.self) { try history.add(try .trip(TripID("a"))) }
            let type = try FileManager.default.attributesOfItem(atPath: history.path)[.type] as? FileAttributeType
            #expect(type != .typeRegular)
        }
    }

    @Test func `retains only trips that were seen, and reports a write error once`() async throws {
        try await Program.withFolder { folder in
            var recorder = TripHistoryRecorder(history: try history(folder))
            func poll(_ name: String, _ outcome: (Journey) -> Result<Journey, Failure>) throws -> [JourneyChange] {
                let trip = Trip(id: try TripID(name), provider: try ProviderID("p"), status: .new)
                let moment = Moment(wall: Date(timeIntervalSince1970: 0), steady: .zero)
                var report = PollReport(journey: .trip(trip.id), started: moment)
                report.outcome = outcome(.trip(trip))
                var table = JourneyTable()
                let schedule = PollSchedule(interval: .seconds(5), next: nil)
                let event = FeedEvent.polled(report, TripState(id: .trip(trip.id)), schedule)
                return table.apply(event, at: moment)
            }
            #expect(recorder.update(try poll("seen") { .success($0) }) == nil)
            #expect(recorder.update(try poll("wrong") { _ in .failure(.refused) }) == nil)
            #expect(try history(folder).trips.map(\.rawValue) == ["seen"])

            let file = folder.appending(path: "file")
            try Data().write(to: file)
            var failing = TripHistoryRecorder(history: try history(file))
            #expect(failing.update(try poll("seen") { .success($0) })?.contains("tripshare/trips") == true)
            #expect(failing.update(try poll("other") { .success($0) }) == nil)
        }
    }
}
