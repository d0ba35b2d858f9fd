import Foundation
import Testing
import TripTestSupport

/// `drive --delivery` with the built program.
@Suite("Drives of delivery vehicles", .ends(within: .longTest))
struct DeliveryDriveTests {
    @Test func `drive --delivery visits the stops, sets outcomes and removes each stop`() async throws {
        try await ParkedVan.run { ready, object in
            let run = try await Program.run([
                "drive", "own", "--delivery", "--emulator", ready, "--fail", "three",
            ])
            #expect(run.status == 0, "\(run.errors)")
            #expect(
                run.lines == [
                    "Delivery vehicle ‘own’ reports its position.", "Stop ‘one’ is ENROUTE.", "Stop ‘one’ is ARRIVED.",
                    "Task ‘one’ has the outcome SUCCEEDED.", "Stop ‘two’, ‘three’ is ENROUTE.",
                    "Stop ‘two’, ‘three’ is ARRIVED.", "Task ‘two’ has the outcome SUCCEEDED.",
                    "Task ‘three’ has the outcome FAILED.", "Delivery vehicle ‘own’ has arrived.",
                ]
            )
            for (id, outcome) in [("s-1", "SUCCEEDED"), ("s-2", "SUCCEEDED"), ("s-3", "FAILED")] {
                let info = try await ParkedVan.tracking(id, object)
                #expect(info.state == "CLOSED" && info.taskOutcome == outcome, "\(id)")
            }
            let again = try await Program.run(["drive", "own", "--delivery", "--emulator", ready])
            #expect(again.status == 65 && again.errors.contains("has no stops left"), "\(again.errors)")
        }
    }

    @Test func `an untrusted driver reports positions, and its error for stops says so`() async throws {
        try await ParkedVan.run { ready, object in
            let untrusted = try #require(object["deliveryVehicleTokenURL"] as? String)
            let drive = [
                "drive", "own", "--delivery", "--emulator", ready, "--token-url", untrusted, "--token-key", "token",
                "--token-expiration-key", "expiration_timestamp_ms",
            ]
            let stops = try await Program.run(drive)
            #expect(stops.status == 77, "\(stops.output)")
            #expect(stops.errors.contains("UpdateDeliveryVehicle was rejected with 403"), "\(stops.errors)")
            #expect(stops.errors.contains("An untrusted driver may report locations only"), "\(stops.errors)")
            let way = try await Program.run(drive + ["--from", "Museum", "--to", "Theatre"])
            #expect(way.status == 0 && way.output.contains("has arrived"), "\(way.errors)")
            // Its tasks are still there.
            let info = try await ParkedVan.tracking("s-1", object)
            #expect(info.state == "OPEN" && info.remainingStopCount == 1)
        }
    }

    @Test func `drive --delivery names an unknown task, and for an unknown vehicle the command that checks it`()
        async throws
    {
        try await ParkedVan.run { ready, _ in
            let task = try await Program.run(["drive", "own", "--delivery", "--emulator", ready, "--fail", "four"])
            #expect(task.status == 65 && task.errors.contains("‘four’") && task.errors.contains("‘two’, ‘three’"))
            let run = try await Program.run(["drive", "other", "--delivery", "--emulator", ready])
            #expect(run.status == 66, "\(run.output)")
            #expect(run.errors.contains("GetDeliveryVehicle was rejected with 404"), "\(run.errors)")
            #expect(run.errors.contains("tripshare token fetch --delivery-vehicle"), "\(run.errors)")
        }
    }

    @Test(arguments: [
        ["--delivery", "--trip", "t", "--operator-account", "f"], ["--delivery", "--route", "f", "--as-recorded"],
        ["--delivery", "--to", "Station", "--fail", "t"], ["--to", "Station", "--fail", "t"],
    ])
    func `options of trips and of deliveries do not mix`(arguments: [String]) async throws {
        let run = try await Program.runInProcess(["drive", "v"] + arguments)
        #expect(run.status == 64 && run.errors.contains("--delivery"), "\(run.errors)")
    }
}
