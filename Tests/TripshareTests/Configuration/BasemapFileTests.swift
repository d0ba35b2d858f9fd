import Foundation
import Testing
import TripTestSupport

@Suite("Base map from a file", .ends(within: .longTest))
struct BasemapFileTests {
    /// Plays a script on a screen without a terminal, with a base map of this text.
    private func run(_ map: String?, script: String, flag: Bool = true) async throws -> Program.Run {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("streets.geojson")
            if let map { try Data(map.utf8).write(to: file) }
            let steps = folder.appendingPathComponent("steps")
            try Data(script.replacing("FILE", with: file.path).utf8).write(to: steps)
            return try await Program.run(
                ["demo", "--seed", "1", "--script", steps.path] + (flag ? ["--basemap", file.path] : [])
            )
        }
    }

    private static let line = #"{"type":"LineString","coordinates":[[3.6,51.0],[3.8,51.1]]}"#

    @Test func `reads streets before the screen opens`() async throws {
        let run = try await run(Self.line, script: "wait 127.0.0.1\nkey q")
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test func `names a file that is missing or not a base map`() async throws {
        let missing = try await run(nil, script: "key q")
        #expect(missing.status == 66 && missing.errors.contains("streets.geojson’"), "\(missing.errors)")
        let recording = try await run(#"{"type":"Topology"}"#, script: "key q")
        #expect(recording.status == 65 && recording.errors.contains("‘Topology’"), "\(recording.errors)")
    }

    /// The first 127 bytes of a PMTiles archive of the world without sections.
    private static func header(version: UInt8 = 3, compression: UInt8 = 1, tiles: UInt8 = 1) -> [UInt8] {
        var bytes = Array("PMTiles".utf8) + [version] + [UInt8](repeating: 0, count: 119)
        bytes.replaceSubrange(97...101, with: [compression, compression, tiles, 0, 14])
        return bytes
    }

    @Test(arguments: [
        (header(version: 2), "version 2"), (header(tiles: 2), "‘PNG’"), (header(compression: 3), "Brotli"),
        (Array(header().prefix(100)), "damaged"), (header(), "damaged"),
        (Array("SQLite format 3\0 and nothing else".utf8), "damaged"),
    ])
    func `says what is wrong with an archive`(_ example: (bytes: [UInt8], reason: String)) async throws {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("archive")
            try Data(example.bytes).write(to: file)
            let steps = folder.appendingPathComponent("steps")
            try Data("key q".utf8).write(to: steps)
            let run = try await Program.runInProcess(["demo", "--script", steps.path, "--basemap", file.path])
            #expect(run.status == 65, "\(run.errors)")
            #expect(run.errors.contains("archive’") && run.errors.contains(example.reason), "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count <= 3, "\(run.errors)")
        }
    }

    @Test func `the command line of the screen reads a base map and reports what is wrong with it`() async throws {
        let script = "wait 127.0.0.1\ntype :basemap FILE.not\nkey Enter\nwait There is no base map\nkey q"
        let run = try await run(Self.line, script: script, flag: false)
        #expect(run.status == 0, "\(run.errors)")
        let good = "wait 127.0.0.1\ntype :basemap FILE\nkey Enter\ntype :basemap o\nwait basemap off\nkey Esc q"
        let second = try await self.run(Self.line, script: good, flag: false)
        #expect(second.status == 0, "\(second.errors)")
    }

    @Test func `draws the demo town around a ride in it, until it is turned off`() async throws {
        // `off` is offered only while a map is drawn.
        let script =
            """
            wait at the pickup
            type :basemap o
            wait basemap off
            key Esc
            type :basemap off
            key Enter
            pause 1
            type :basemap o
            pause 1
            dump FILE.txt
            key Esc q
            """
        try await Program.withFolder { folder in
            let (steps, picture) = (folder.appendingPathComponent("steps"), folder.appendingPathComponent("FILE.txt"))
            try Data(script.replacing("FILE.txt", with: picture.path).utf8).write(to: steps)
            let run = try await Program.run(["demo", "--speed", "20", "--script", steps.path])
            #expect(run.status == 0, "\(run.errors)")
            #expect(try String(contentsOf: picture, encoding: .utf8).contains("basemap off") == false)
        }
    }

    @Test func `requires a valid cell shape`() async throws {
        let run = try await Program.run(["demo", "--cell-aspect", "9"])
        #expect(run.status == 64 && run.errors.contains("1 to 4"))
    }
}
