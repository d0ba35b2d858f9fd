import Foundation
import Testing
import TripTestSupport

/// Google's published Python client for deliveries, unmodified, against `tripshare emulate --grpc-port`.
@Suite("Python client for deliveries", .ends(within: .longTest))
struct PythonDeliveryClientTests {
    private struct Report: Decodable {
        var table: [String: [String: String]]
        var checks: [String: Bool]
        var errors: [String: String]
    }

    private static let allCalls: Set<String> = [
        "GetTaskTrackingInfo", "CreateTask", "BatchCreateTasks", "GetTask", "UpdateTask", "DeleteTask", "ListTasks",
        "CreateDeliveryVehicle", "GetDeliveryVehicle", "UpdateDeliveryVehicle", "DeleteDeliveryVehicle",
        "ListDeliveryVehicles",
    ]

    /// The calls that each kind of token permits, with their codes; all others are PERMISSION_DENIED.
    private static let permitted: [String: [String: String]] = [
        "server": Dictionary(uniqueKeysWithValues: allCalls.map { ($0, "OK") }),
        "consumer": ["GetTaskTrackingInfo": "OK"],
        "driver": ["GetDeliveryVehicle": "OK", "UpdateDeliveryVehicle": "OK"],
        // The server has created the vehicle and the task.
        "trusted driver": [
            "CreateDeliveryVehicle": "ALREADY_EXISTS", "GetDeliveryVehicle": "OK", "UpdateDeliveryVehicle": "OK",
            "CreateTask": "ALREADY_EXISTS", "UpdateTask": "OK",
        ],
        "fleet reader": [
            "GetTaskTrackingInfo": "OK", "GetTask": "OK", "ListTasks": "OK", "GetDeliveryVehicle": "OK",
            "ListDeliveryVehicles": "OK",
        ],
    ]

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `all calls with all kinds of tokens, and all errors, are the same over gRPC and REST`() async throws {
        try await EmulatedEngine.run(["--grpc-port", "0"]) { ready, object in
            let root = try #require(object["grpcRootCertificate"] as? String)
            let output = try await PythonProgram.run(
                "Tests/TripshareTests/Python/deliveries.py",
                [ready],
                // Without a proxy, because the emulator is on this machine.
                environment: ["GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": root, "no_proxy": "localhost,127.0.0.1"]
            )
            let reports = try JSONDecoder().decode([String: Report].self, from: output)
            #expect(Set(reports.keys) == ["grpc", "rest"])
            for (transport, report) in reports {
                #expect(Set(report.table.keys) == Set(Self.permitted.keys))
                for (kind, calls) in Self.permitted {
                    for call in Self.allCalls {
                        let expected = calls[call] ?? "PERMISSION_DENIED"
                        #expect(report.table[kind]?[call] == expected, "\(transport), \(kind), \(call)")
                    }
                }
                #expect(report.checks.count == 9 && report.checks.values.allSatisfy(\.self), "\(report.checks)")
                #expect(
                    report.errors == [
                        "an existing task": "ALREADY_EXISTS", "a changed outcome": "FAILED_PRECONDITION",
                        "a deletion while assigned": "FAILED_PRECONDITION",
                        "a vehicle with open tasks": "FAILED_PRECONDITION",
                        "another shipment": "PERMISSION_DENIED", "an unknown shipment": "NOT_FOUND",
                        "another vehicle": "PERMISSION_DENIED", "stops of an untrusted driver": "PERMISSION_DENIED",
                        "an unknown task in a stop": "NOT_FOUND", "no mask": "INVALID_ARGUMENT",
                        "a bad filter": "INVALID_ARGUMENT", "a batch with another claim": "PERMISSION_DENIED",
                    ],
                    "\(transport)"
                )
            }
        }
    }
}
