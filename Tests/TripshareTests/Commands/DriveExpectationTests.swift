import Foundation
import Testing
import TripTestSupport
import _CryptoExtras

/// `drive --expect` with the built program.
@Suite("Expectations of a drive", .ends(within: .longTest))
struct DriveExpectationTests {
    private static func file(_ last: String) -> String {
        """
        expect:
          - name: The ride goes its way
            order: [NEW, COMPLETE]
          - name: Polls are answered
            failing: false
            always: true
          - name: The end
            status: \(last)

        """
    }

    @Test func `drive judges the trip that it serves, and writes a report`() async throws {
        try await Program.withFolder { folder in
            let key = folder.appending(path: "key.json")
            let account = [
                "client_email": "operator@tripshare-demo.iam.gserviceaccount.com", "private_key_id": "k-1",
                "private_key": try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation,
            ]
            try JSONSerialization.data(withJSONObject: account).write(to: key)
            let scenario = folder.appending(path: "parked.yaml")
            try Data(ParkedTaxi.scenario(expecting: "NEW", within: 60).utf8).write(to: scenario)
            let file = folder.appending(path: "expect.yaml")
            let report = folder.appending(path: "report.xml")
            for (end, status) in [("COMPLETE", Int32(0)), ("CANCELED", 1)] {
                try Data(Self.file(end).utf8).write(to: file)
                let engine = ["--scenario", scenario.path, "--speed", "20", "--account", "server=\(key.path)"]
                try await EmulatedEngine.run(engine) { ready, _ in
                    let run = try await Program.run([
                        "drive", "taxi-9", "--emulator", ready, "--to", "Brewery", "--trip", "ride-9", "--pace", "8",
                        "--operator-account", key.path, "--expect", file.path, "--report", report.path,
                    ])
                    #expect(run.status == status, "\(run.output) \(run.errors)")
                    #expect(run.output.contains("Trip ‘ride-9’ is COMPLETE."), "\(run.output)")
                    #expect(run.output.contains("The ride goes its way"), "\(run.output)")
                    #expect(run.errors.contains("The end") == (status == 1), "\(run.errors)")
                    let xml = try String(contentsOf: report, encoding: .utf8)
                    #expect(xml.contains("tests=\"3\"") && xml.contains("failures=\"\(status)\""), "\(xml)")
                    #expect(!xml.contains("eyJ") && !run.output.contains("eyJ"))
                    try FileManager.default.removeItem(at: report)
                }
            }
            try Data("expect:\n  - statsu: NEW\n".utf8).write(to: file)
            let broken = try await Program.run([
                "drive", "v", "--provider-id", "p", "--to", "Brewery", "--trip", "t", "--operator-account", key.path,
                "--expect", file.path,
            ])
            #expect(broken.status == 65 && broken.errors.contains("status"), "\(broken.errors)")
        }
    }

    @Test func `--expect needs a trip`() async throws {
        let run = try await Program.runInProcess(["drive", "v", "--to", "Station", "--expect", "f.yaml"])
        #expect(run.status == 64 && run.errors.contains("so it needs --trip"), "\(run.errors)")
    }
}
