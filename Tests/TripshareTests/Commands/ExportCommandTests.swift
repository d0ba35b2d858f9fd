import Foundation
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import Recording
@testable import tripshare

@Suite("Export and comparison", .ends(within: .longTest))
struct ExportCommandTests {
    private static let ride = Checkout.folder.appending(path: "Tests/RecordingTests/Samples/ride.ndjson").path

    @Test(arguments: ExportFormat.allCases)
    func `each format goes to standard output or the same to a file`(format: ExportFormat) async throws {
        try await Program.withFolder { folder in
            let arguments = ["export", Self.ride, "--format", format.rawValue]
            let run = try await Program.runInProcess(arguments)
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect(run.output.contains("tr-1") || run.output.contains("engine.example"))
            let file = folder.appendingPathComponent("export").path
            #expect(try await Program.runInProcess(arguments + ["--output-file", file]).status == 0)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == run.output)
        }
    }

    @Test func `an existing file is replaced only on request`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("ride.gpx").path
            try Data("mine".utf8).write(to: URL(filePath: file))
            let arguments = ["export", Self.ride, "--format", "gpx", "--output-file", file]
            let refused = try await Program.runInProcess(arguments)
            #expect(refused.status == 74 && refused.errors.contains("--overwrite"), "\(refused.errors)")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
            #expect(try await Program.runInProcess(arguments + ["--overwrite"]).status == 0)
            #expect(try String(contentsOfFile: file, encoding: .utf8).hasSuffix("</gpx>\n"))
            // The recording itself is never replaced, by whatever name.
            let ride = folder.appendingPathComponent("ride.ndjson").path
            try FileManager.default.copyItem(atPath: Self.ride, toPath: ride)
            let link = folder.appendingPathComponent("link").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: ride)
            for name in [ride, folder.path + "/./ride.ndjson", link] {
                let itself = ["export", ride, "--format", "csv", "--output-file", name, "--overwrite"]
                let run = try await Program.runInProcess(itself)
                #expect(run.status == 74 && run.errors.contains("is the recording"), "\(run.errors)")
            }
            #expect(FileManager.default.contentsEqual(atPath: ride, andPath: Self.ride))
            let missing = folder.appendingPathComponent("none/ride.gpx").path
            let run = try await Program.runInProcess(["export", Self.ride, "--format", "gpx", "--output-file", missing])
            #expect(run.status == 74 && run.errors.contains(missing), "\(run.errors)")
        }
    }

    @Test func `files that are no recordings, newer, older or damaged are refused with a reason`() async throws {
        try await Program.withFolder { folder in
            let newer = #"{"type":"header","format":"tripshare-recording","version":{"major":9,"minor":3}}"#
            let older = #"{"type":"header","format":"tripshare-recording","version":{"major":2,"minor":0}}"#
            let damaged = #"{"type":"header","format":"tripshare-recording","version":{"major":3,"minor":0}}"#
            let examples = [
                ("", "empty"), ("no", "not JSON"), (newer, "9.3"), (damaged, "damaged"),
                (older, "format 2.0"),
            ]
            for (text, words) in examples {
                let file = folder.appendingPathComponent("file").path
                try Data(text.utf8).write(to: URL(filePath: file))
                for arguments in [["export", file, "--format", "har"], ["compare", Self.ride, file]] {
                    let run = try await Program.runInProcess(arguments)
                    #expect(run.status == 65 && run.errors.contains(words), "\(run.errors)")
                    #expect(run.output.isEmpty && run.errors.split(separator: "\n").count <= 3)
                }
            }
            #expect(try await Program.runInProcess(["export", "/no/such", "--format", "har"]).status == 66)
            #expect(try await Program.runInProcess(["export", Self.ride, "--format", "pdf"]).status == 64)
            #expect(
                try await Program.runInProcess(["compare", Self.ride, Self.ride, "--tolerance", "-1"]).status == 64
            )
        }
    }

    @Test func `equal recordings end with 0, others with 1 and the differences in words and JSON`() async throws {
        try await Program.withFolder { folder in
            let equal = try await Program.run(["compare", Self.ride, Self.ride])
            let compared =
                "vehicleId, tripType, tripStatus, pickupPoint, pickupTime, dropoffPoint, dropoffTime, lastLocation, "
                + "remainingWaypoints, remainingDistanceMeters, actualDropoffPoint, polls, errors, findings"
            #expect(equal.status == 0)
            #expect(equal.output == "No difference in \(compared); times may differ by 5 s\n")
            // Without the error 503, which is one poll in a line of its own, and with a torn last line.
            let lines = try String(contentsOfFile: Self.ride, encoding: .utf8).split(separator: "\n")
            let other = folder.appendingPathComponent("other").path
            let text = lines.filter { !$0.contains("\"status\":503") }.joined(separator: "\n")
            try Data((text + "\n{\"type\":").utf8).write(to: URL(filePath: other))
            let words = try await Program.run(["compare", Self.ride, other])
            #expect(words.status == 1 && words.lines.count == 2, "\(words.output)")
            #expect(words.lines.first?.hasPrefix("A is ") == true, "\(words.output)")
            #expect(words.lines.first?.hasSuffix("ride.ndjson, B is \(other).") == true, "\(words.output)")
            #expect(words.output.hasSuffix(": 1 in A, 0 in B\n") && words.lines[1].hasPrefix("tr-1, error "))
            #expect(words.errors.contains("left out: 1"), "\(words.errors)")
            let german = try await Program.run(["compare", Self.ride, other], environment: ["TRIPSHARE_LANG": "de"])
            #expect(german.output.contains("\ntr-1, Fehler "), "\(german.output)")
            let json = try await Program.run(["compare", Self.ride, other, "--output", "json"])
            let objects = try json.lines.map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
            #expect(json.status == 1 && objects.count == 2)
            #expect(objects.first?["type"] as? String == "errors" && objects.first?["a"] as? Int == 1)
            #expect(
                (objects.last?["compared"] as? [String])?.joined(separator: ", ") == compared,
                "\(json.output)"
            )
            #expect(objects.last?["isEqual"] as? Bool == false && objects.last?["differences"] as? Int == 1)
        }
    }

    @Test func `times that differ by less than a second are shown exactly`() throws {
        let trip = try TripID("t")
        func text(_ kind: SessionDifference.Kind) -> String {
            SessionDifference(journey: .trip(trip), kind: kind).text(Localizer(.english))
        }
        #expect(text(.status(.trip(.new), a: 70, b: 75)) == "t: NEW after 1 min 10 s in A, after 1 min 15 s in B")
        #expect(text(.status(.trip(.new), a: 70.1, b: 70.25)) == "t: NEW after 70.1 s in A, after 70.25 s in B")
        let arrival = text(.arrival(.pickup, at: 30, a: 70.1, b: 70.25))
        let exact = text(.status(.trip(.new), a: 6565.878234148025, b: 6565.8))
        #expect(exact == "t: NEW after 6565.878 s in A, after 6565.8 s in B")
        let distance = text(.values(.remainingDistanceMeters, a: ["777"], b: []))
        #expect(distance == "t, remainingDistanceMeters: 777 m in A, – in B")
        #expect(text(.measure(.speed, at: 30, a: 10, b: 20)).contains("36 km/h in A, 72 km/h in B"))
        #expect(arrival.hasSuffix("the prediction 30 s after the start is 70.1 s in A, 70.25 s in B"), "\(arrival)")
    }
}
