import Failures
import Foundation
import Testing
import TripTestSupport

/// `tripshare emulate` in a process of its own.
enum EmulatedEngine {
    /// Starts an emulator, waits until it is ready, and passes its ready file to the body.
    static func run(
        _ arguments: [String],
        body: (String, [String: Any]) async throws -> Void
    ) async throws {
        try await Program.withFolder { folder in
            let ready = folder.appendingPathComponent("ready.json")
            let emulator = try Program.start(["emulate", "--ready-file", ready.path] + arguments, in: folder)
            defer { emulator.terminate() }
            let object = try await FileArrival.wait(for: ready, from: emulator)
            try await body(ready.path, object)
            emulator.terminate()
            let run = try await emulator.result()
            #expect(run.status == 143)
            #expect(
                !FileManager.default.fileExists(atPath: ready.path),
                "a caller must not be sent to an emulator that has ended"
            )
            #expect(!run.output.contains("eyJ"))
        }
    }

    /// Starts the scenario of an emulator again by its control API.
    static func reset(_ control: String, over transport: HTTPTransport) async throws {
        try await post("reset", to: control, over: transport)
    }

    /// Sends a request to the control API of an emulator.
    static func post(
        _ path: String,
        _ body: String = "",
        to control: String,
        over transport: HTTPTransport
    ) async throws {
        let answer = try await transport.send(
            HTTPTransportRequest(
                method: "POST",
                url: "\(control)/\(path)",
                headers: [("content-type", "application/json")],
                body: Array(body.utf8),
                timeout: .testTimeout
            )
        )
        #expect(answer.status == 200)
    }
}
