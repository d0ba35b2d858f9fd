import Foundation
import Testing
import TripTestSupport

/// The scripts that create the pictures and the recording of the README run to their last steps.
@Suite("Pictures", .serialized, .terminalTurn, .ends(within: .longTest))
struct PicturesTests {
    @Test(arguments: ["tour", "demo"])
    func `the scripts create every picture`(_ name: String) async throws {
        let url = Checkout.assets.appendingPathComponent("Scripts/\(name).txt")
        let script = try String(contentsOf: url, encoding: .utf8)
        try await Program.withFolder { folder in
            let steps = script.replacing("Assets/Pictures", with: folder.path)
                .replacing(/(?m)^pause .*$/, with: "pause 0.01")
            let file = folder.appendingPathComponent("script")
            try Data(steps.utf8).write(to: file)
            let run = try await Program.run(["demo", "--speed", "5", "--seed", "1", "--script", file.path])
            #expect(run.status == 0, "\(run.errors)")
            let verbs = ["dump ", "svg ", "film "]
            for step in steps.split(separator: "\n") where verbs.contains(where: step.hasPrefix) {
                let path = String(step.split(separator: " ", maxSplits: 1)[1])
                let picture = try String(contentsOfFile: path, encoding: .utf8)
                // A drawn picture has each word by itself.
                let words = step.hasPrefix("dump ") ? "until the" : "until"
                #expect(picture.contains("trip-1") || picture.contains(words), "\(path)")
                #expect(step.hasPrefix("dump ") || picture.hasPrefix("<svg "))
            }
        }
    }

    @Test func `the recording is an asciicast of a whole ride`() throws {
        let recording = Checkout.assets.appendingPathComponent("demo.cast")
        let lines = try String(contentsOf: recording, encoding: .utf8).split(separator: "\n")
        let header = try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any]
        #expect(header?["version"] as? Int == 2)
        #expect(lines.count > 50)
        #expect(lines.contains { $0.contains("omplete") })
        #expect(!lines.contains { $0.contains("eyJ") })
    }
}
