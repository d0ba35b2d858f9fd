import Foundation
import Recording
import Testing
import TripModel
import TripTestSupport

/// Exports are read by programs that are not this project's.
@Suite("Exports in other programs", .ends(within: .longTest))
struct ExportReaderTests {
    /// Exports the sample ride and returns what the reader found.
    private static func read<Facts: Decodable>(
        _ format: String,
        _ exporter: (RecordedSession) -> some RecordingExporter
    ) async throws -> Facts {
        let session = try SampleRide.session
        let file = FileManager.default.temporaryDirectory.appending(path: "tripshare-\(UUID().uuidString)")
        try Data(session.export(with: exporter(session))).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let output = try await PythonProgram.run("Tests/RecordingTests/Python/exports.py", [format, file.path])
        return try JSONDecoder().decode(Facts.self, from: output)
    }

    private struct HAR: Decodable {
        struct Entry: Decodable, Equatable {
            var method: String
            var status: Int
            init(from decoder: any Decoder) throws {
                var values = try decoder.unkeyedContainer()
                method = try values.decode(String.self)
                status = try values.decode(Int.self)
            }
        }
        var version: String
        var creator: String
        var pages: Int
        var entries: [Entry]
        var areTimesZoned: Bool
        var areTimingsComplete: Bool
        var authorizations: [String]
        var bytes: Int
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `haralyzer reads all requests, with complete timings and without tokens`() async throws {
        let facts: HAR = try await Self.read("har") { HARExport($0) }
        #expect(facts.version == "1.2" && facts.creator == "tripshare" && facts.pages == 1)
        #expect(facts.entries.map(\.status) == [200, 200, 200, 200, 503, 0] + Array(repeating: 200, count: 13))
        #expect(facts.entries.allSatisfy { $0.method == "GET" })
        #expect(facts.areTimesZoned && facts.areTimingsComplete)
        #expect(facts.authorizations == ["Bearer <token>"])
        #expect(facts.bytes > 5000)
    }

    private struct GeoJSON: Decodable {
        var isValid: Bool
        var errors: String
        var kinds: [String: Int]
        var points: Int
        var times: Int
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `the GeoJSON is valid and has track, routes and stops`() async throws {
        let facts: GeoJSON = try await Self.read("geojson") { _ in GeoJSONExport() }
        #expect(facts.isValid, "\(facts.errors)")
        #expect(facts.kinds == ["track": 1, "route": 3, "stop": 3])
        #expect(facts.points == 15 && facts.times == 15)
    }

    private struct GPX: Decodable {
        var version: String
        var tracks: [String]
        var points: Int
        var haveTimes: Bool
        var areInOrder: Bool
        var routes: Int
        var waypoints: [String]
        var meters: Double
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `gpxpy reads the track with times, the routes and the stops`() async throws {
        let facts: GPX = try await Self.read("gpx") { _ in GPXExport() }
        #expect(facts.version == "1.1" && facts.tracks == ["tr-1"])
        #expect(facts.points == 15 && facts.haveTimes && facts.areInOrder)
        #expect(facts.routes == 3 && facts.waypoints == ["pickup", "dropoff", "actual dropoff"])
        #expect((2000...4000).contains(facts.meters), "\(facts.meters)")
    }

    private struct Table: Decodable {
        var rows: [[String: String]]
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `Python's csv module reads the polls, and a spreadsheet finds no formula`() async throws {
        let rows = (try await Self.read("csv") { _ in PollTableExport() } as Table).rows
        #expect(rows.count == 19 && rows.allSatisfy { $0.count == 17 })
        #expect(rows[4]["httpStatus"] == "503" && rows[4]["error"] == "HTTP_503")
        #expect(rows[5]["httpStatus"] == "" && rows[5]["error"] == "TRANSPORT_TIMED_OUT")
        #expect(rows[18]["tripStatus"] == "COMPLETE" && rows[18]["latencySeconds"] == "0.125")
        #expect(rows.allSatisfy { row in row.values.allSatisfy { $0.first.map { !"=+-@".contains($0) } ?? true } })
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `Python's csv module reads the positions`() async throws {
        let rows = (try await Self.read("csv") { _ in PositionTableExport() } as Table).rows
        #expect(rows.count == 15)
        #expect(rows[0]["trip"] == "tr-1" && rows[0]["heading"] == "45" && rows[0]["vehicle"] == "v1")
        #expect(rows.allSatisfy { $0["measured"]?.hasSuffix("Z") == true && $0["latitude"]?.hasPrefix("51.0") == true })
    }
}
