import CryptoExtras
import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TokenSigning
import TransportLive
import TripModel
import TripTestSupport

/// Scenarios, faults, the control API and the driver's side, with the real program.
@Suite("Scenarios, control, drive", .ends(within: .longTest))
struct ScenarioCommandTests {
    private static func send(
        _ method: String,
        _ url: String,
        _ body: String = "",
        headers: [(name: String, value: String)] = []
    ) async throws -> (status: Int, text: String) {
        try await withLiveHTTPTransport { transport in
            let response = try await transport.send(
                HTTPTransportRequest(
                    method: method,
                    url: url,
                    headers: [("content-type", "application/json")] + headers,
                    body: [UInt8](body.utf8),
                    timeout: .testTimeout
                )
            )
            return (response.status, String(decoding: response.body, as: UTF8.self))
        }
    }

    /// Starts an emulator with the parked taxi.
    private static func withParkedTaxi(
        _ body: (_ folder: URL, _ ready: String, _ object: [String: Any]) async throws -> Void
    ) async throws {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("parked.yaml")
            try ParkedTaxi.scenario(expecting: "NEW", within: 60).write(to: file, atomically: true, encoding: .utf8)
            try await EmulatedEngine.run(["--scenario", file.path, "--speed", "100"]) { ready, object in
                try await body(folder, ready, object)
            }
        }
    }

    /// Returns the parked taxi as its own driver sees it.
    private static func taxi(_ object: [String: Any]) async throws -> JSONValue {
        let url = try #require(object["fleetEngineURL"] as? String) + "/v1/providers/tripshare-demo/vehicles/taxi-9"
        let tokens = try #require(object["vehicleTokenURL"] as? String)
        let issued = try await send("GET", tokens.replacing("{vehicleId}", with: "taxi-9")).text
        let token = try #require(JSONValue(Array(issued.utf8))?["jwt"]?.string)
        let answer = try await send("GET", url, headers: [(name: "authorization", value: "Bearer " + token)])
        return try #require(JSONValue(Array(answer.text.utf8)), "\(answer)")
    }

    @Test func `lists scenarios, prints one, and plays one from a file`() async throws {
        let list = try await Program.run(["scenarios"])
        #expect(list.status == 0)
        #expect(list.lines.count >= 16 && list.lines.contains { $0.hasPrefix("traffic-jam ") })
        let yaml = try await Program.run(["scenarios", "rider-cancels"])
        #expect(yaml.output.contains("title: The rider cancels"))
        #expect(try await Program.run(["scenarios", "none"]).status == 66)
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("mine.yaml")
            try yaml.output.write(to: file, atomically: true, encoding: .utf8)
            let run = try await Program.run([
                "demo", "--scenario", file.path, "--speed", "60", "--token-lifetime", "3600", "--output", "json",
                "--until", "CANCELED",
            ])
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.contains(#""status":"CANCELED""#))
            try yaml.output.replacing("cancel:", with: "cancle:").write(to: file, atomically: true, encoding: .utf8)
            let broken = try await Program.run(["demo", "--scenario", file.path, "--output", "plain"])
            #expect(broken.status == 65)
            #expect(broken.errors.contains("mine.yaml:") && broken.errors.contains("cancle is unknown"))
        }
        #expect(try await Program.run(["demo", "--scenario", "none", "--output", "plain"]).status == 66)
    }

    @Test func `the control API changes trips, faults, vehicles and the clock`() async throws {
        try await EmulatedEngine.run(["--scenario", "traffic-jam", "--speed", "0.1"]) { _, object in
            let control = try #require(object["controlURL"] as? String)
            #expect(control.hasPrefix("http://127.0.0.1:"))
            #expect(try await Self.send("GET", "\(control)/trips").text.contains("trips/jam-1"))
            let fault = try await Self.send(
                "POST",
                "\(control)/faults",
                #"{"on":"engine","kind":"status","status":503,"retry-after":1,"path":"GET trips/jam-1"}"#
            )
            #expect(fault.status == 200 && fault.text.contains(#""id":1"#))
            let trip = try #require(object["fleetEngineURL"] as? String) + "/v1/providers/tripshare-demo/trips/jam-1"
            let failing = try await Self.send("GET", trip)
            #expect(failing.status == 503 && failing.text.contains("UNAVAILABLE"))
            #expect(try await Self.send("GET", "\(control)/faults").text.contains(#""status":503"#))
            #expect(try await Self.send("DELETE", "\(control)/faults/1").text == #"{"faults":[]}"#)
            #expect(try await Self.send("DELETE", "\(control)/faults/1").status == 404)
            let paused = try await Self.send("POST", "\(control)/clock", #"{"paused":true,"stepSeconds":60}"#)
            #expect(paused.text.contains(#""paused":true"#))
            let (one, two) = (
                try await Self.send("GET", "\(control)/clock"), try await Self.send("GET", "\(control)/clock")
            )
            #expect(one.text == two.text)
            let running = try await Self.send("POST", "\(control)/clock", #"{"paused":false,"speed":0.2}"#)
            #expect(running.text.contains(#""speed":0.2"#))
            #expect(try await Self.send("POST", "\(control)/vehicles/taxi-5:freeze").status == 200)
            #expect(try await Self.send("POST", "\(control)/vehicles/taxi-5:release").status == 200)
            let detour = #"{"latitude":51.06,"longitude":3.72}"#
            #expect(try await Self.send("POST", "\(control)/vehicles/taxi-5:detour", detour).status == 200)
            #expect(try await Self.send("POST", "\(control)/trips/jam-1:advance").status == 200)
            #expect(try await Self.send("POST", "\(control)/trips/jam-1:cancel").text.contains("CANCELED"))
            #expect(try await Self.send("POST", "\(control)/trips/jam-1:advance").status == 400)
            let made = try await Self.send(
                "POST",
                "\(control)/trips?tripId=new-1",
                #"{"tripType":"EXCLUSIVE","pickupPoint":{"point":{"latitude":51,"longitude":3.7}}}"#
            )
            #expect(made.status == 200 && made.text.contains("trips/new-1"))
            let named = try await Self.send(
                "POST",
                "\(control)/trips?tripId=new-2",
                #"{"pickup":"Station","stops":["hospital"],"dropoff":"Airport","numberOfPassengers":2}"#
            )
            #expect(named.status == 200 && named.text.contains(#""numberOfPassengers":2"#), "\(named.text)")
            #expect(named.text.contains("intermediateDestinations") && named.text.contains("dropoffPoint"))
            #expect(try await Self.send("GET", "\(control)/places").text.contains(#""name":"Station""#))
            let there = try await Self.send("POST", "\(control)/vehicles/taxi-5:detour", #"{"place":"Hospital"}"#)
            #expect(there.status == 200)
            let half = #"{"on":"engine","kind":"status","status":503,"count":1.5}"#
            let refusedCount = try await Self.send("POST", "\(control)/faults", half)
            #expect(refusedCount.status == 400 && refusedCount.text.contains("a number from 1"), "\(refusedCount.text)")
            for (method, path, body) in [
                ("POST", "trips?tripId=x", #"{"pickup":"Nowhere"}"#), ("POST", "trips?tripId=x", #"{"pickup":7}"#),
                ("POST", "trips?tripId=x", #"{"pickup":"Station","via":"Zoo"}"#),
                ("POST", "vehicles/taxi-5:detour", #"{"place":"Nowhere"}"#),
                ("POST", "vehicles/taxi-5:detour", #"{"place":"Station","latitude":51,"longitude":3}"#),
                ("POST", "vehicles/taxi-5:detour", #"{"place":"Station","speed":9}"#),
                ("POST", "vehicles/taxi-5:detour", #"{"latitude":95,"longitude":3}"#),
                ("POST", "faults", #"{"on":"engine","kind":"fire"}"#), ("POST", "faults", #"{"on":"x"}"#),
                ("POST", "faults", #"{"on":"engine","kind":"wrong-token"}"#),
                ("POST", "faults", "{"), ("POST", "clock", #"{"speed":0}"#), ("POST", "clock", #"{"warp":9}"#),
                ("POST", "vehicles/taxi-5:teleport", #"{"latitude":91,"longitude":0}"#), ("POST", "boats", ""),
            ] {
                let refused = try await Self.send(method, "\(control)/\(path)", body)
                #expect((400..<500).contains(refused.status), "\(path) \(body)")
            }
        }
    }

    @Test func `drives a vehicle along a file's route and serves a trip until it is OFFLINE`() async throws {
        try await Program.withFolder { folder in
            let key = folder.appendingPathComponent("key.json")
            let pair = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            let account = [
                "client_email": "operator@tripshare-demo.iam.gserviceaccount.com", "private_key_id": "k-1",
                "private_key": pair.pemRepresentation,
            ]
            let json = try JSONSerialization.data(withJSONObject: account)
            try json.write(to: key)
            let route = folder.appendingPathComponent("way.geojson")
            let line = #"{"type":"LineString","coordinates":[[3.72,51.06],[3.721,51.055],[3.715,51.05],[3.71,51.045]]}"#
            try line.write(to: route, atomically: true, encoding: .utf8)
            try await EmulatedEngine.run(["--speed", "30", "--account", "server=\(key.path)"]) { ready, object in
                let engine = try #require(object["fleetEngineURL"] as? String) + "/v1/providers/tripshare-demo"
                let signer = try await ServiceAccountKey(json: [UInt8](json))
                let clock = try #require(object["controlURL"] as? String) + "/clock"
                // Signed for each call with the emulator's time: at its speed a token lasts two real minutes.
                func call(
                    _ method: String,
                    _ path: String,
                    _ body: String = ""
                ) async throws -> (
                    status: Int, text: String
                ) {
                    let time = try await Self.send("GET", clock).text
                    let text = try #require(JSONValue(Array(time.utf8))?["now"]?.string)
                    let now = try Date(text.prefix(19) + "Z", strategy: .iso8601)
                    let token = try await signer.sign(.server, at: now).revealed
                    let header = [(name: "authorization", value: "Bearer " + token)]
                    return try await Self.send(method, engine + path, body, headers: header)
                }
                let vehicle =
                    #"{"vehicleState":"OFFLINE","supportedTripTypes":["EXCLUSIVE"],"maximumCapacity":4,"vehicleType":{"category":"AUTO"}}"#
                let made = try await call("POST", "/vehicles?vehicleId=own-1", vehicle)
                #expect(made.status == 200, "\(made.text)")
                let trip =
                    #"{"tripType":"EXCLUSIVE","pickupPoint":{"point":{"latitude":51.055,"longitude":3.721}},"dropoffPoint":{"point":{"latitude":51.045,"longitude":3.71}}}"#
                _ = try await call("POST", "/trips?tripId=own-trip", trip)
                let run = try await Program.run([
                    "drive", "own-1", "--route", route.path, "--emulator", ready, "--trip", "own-trip",
                    "--operator-account", key.path, "--pace", "8",
                ])
                #expect(run.status == 0, "\(run.errors)")
                #expect(
                    run.lines == [
                        "Vehicle ‘own-1’ is ONLINE.", "Trip ‘own-trip’ is ENROUTE_TO_PICKUP.",
                        "Trip ‘own-trip’ is ARRIVED_AT_PICKUP.", "Trip ‘own-trip’ is ENROUTE_TO_DROPOFF.",
                        "Trip ‘own-trip’ is COMPLETE.", "Vehicle ‘own-1’ has arrived and is OFFLINE.",
                    ]
                )
                let end = try await call("GET", "/trips/own-trip")
                #expect(end.text.contains(#""tripStatus":"COMPLETE""#))
                let parked = try await call("GET", "/vehicles/own-1")
                #expect(parked.text.contains(#""vehicleState":"OFFLINE""#))
                let stranger = try await Program.run([
                    "drive", "unknown-vehicle", "--route", route.path, "--emulator", ready,
                ])
                #expect(stranger.status == 66 && stranger.output.isEmpty)
                let foreign = folder.appendingPathComponent("foreign.json")
                var other = account
                other["client_email"] = "operator@another.iam.gserviceaccount.com"
                other["private_key"] = try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
                try JSONSerialization.data(withJSONObject: other).write(to: foreign)
                let untrusted = try await Program.run([
                    "drive", "own-1", "--route", route.path, "--emulator", ready, "--trip", "own-trip",
                    "--operator-account", foreign.path,
                ])
                #expect(untrusted.status == 77, "\(untrusted.errors)")
                #expect(untrusted.errors.contains("key of --operator-account"), "\(untrusted.errors)")
                #expect(!untrusted.errors.contains("token fetch --vehicle"), "\(untrusted.errors)")
                let over = try await Program.run([
                    "drive", "own-1", "--route", route.path, "--emulator", ready, "--trip", "own-trip",
                    "--operator-account", key.path,
                ])
                #expect(over.status == 65)
            }
            try "hello".write(to: route, atomically: true, encoding: .utf8)
            let broken = try await Program.run([
                "drive", "v", "--route", route.path, "--provider-id", "p", "--token-env", "X",
            ])
            #expect(broken.status == 65)
        }
    }

    @Test func `drives through the demo town to a place, from another one or from the vehicle's last position`()
        async throws
    {
        try await Self.withParkedTaxi { _, ready, object in
            let places = try await Self.send("GET", try #require(object["controlURL"] as? String) + "/places").text
            guard case .array(let list)? = JSONValue(Array(places.utf8))?["places"] else {
                Issue.record("no places: \(places)")
                return
            }
            for flags in [["--to", "station", "--from", "Hotel Terminus"], ["--to", "Concert Hall"]] {
                let run = try await Program.run(["drive", "taxi-9", "--emulator", ready, "--pace", "5"] + flags)
                #expect(run.status == 0 && run.output.contains("has arrived"), "\(run.errors)")
                let place = try #require(list.first { $0["name"]?.string?.lowercased() == flags[1].lowercased() })
                let taxi = try await Self.taxi(object)
                let location = try #require(taxi[path: "lastLocation.location"], "\(taxi)")
                for key in ["latitude", "longitude"] {
                    let difference = try #require(location[key]?.number) - (try #require(place[key]?.number))
                    #expect(abs(difference) < 1e-4, "\(flags) \(location)")
                }
            }
            let unknown = try await Program.run(["drive", "taxi-9", "--emulator", ready, "--to", "Nowhere"])
            #expect(unknown.status == 66 && unknown.errors.contains("Market Square"), "\(unknown.errors)")
        }
        for flags in [[], ["--to", "Station", "--route", "x"], ["--route", "x", "--from", "Station"]] {
            let run = try await Program.run(["drive", "v", "--provider-id", "p", "--token-env", "X"] + flags)
            #expect(run.status == 64 && run.errors.contains("--to"), "\(flags)")
        }
    }

    @Test func `Ctrl-C leaves the vehicle OFFLINE`() async throws {
        try await Program.withFolder { folder in
            let route = folder.appendingPathComponent("way.gpx")
            let gpx =
                #"<gpx version="1.1"><trk><trkseg><trkpt lat="51.06" lon="3.72"/><trkpt lat="48.0" lon="3.7"/></trkseg></trk></gpx>"#
            try gpx.write(to: route, atomically: true, encoding: .utf8)
            try await EmulatedEngine.run(["--scenario", "rider-cancels", "--speed", "60"]) { ready, _ in
                let driver = try Program.start(
                    ["drive", "taxi-9", "--route", route.path, "--emulator", ready],
                    in: folder
                )
                try await driver.outputs("is ONLINE")
                driver.interrupt()
                let run = try await driver.result()
                #expect(run.status == 130)
                #expect(run.output.contains("is OFFLINE"))
            }
        }
    }

    @Test func `a reader that closes the output takes the vehicle OFFLINE`() async throws {
        try await Self.withParkedTaxi { folder, ready, object in
            let route = folder.appendingPathComponent("way.json")
            try #"{"type":"LineString","coordinates":[[3.7,48.5],[3.7,45.0]]}"#
                .write(to: route, atomically: true, encoding: .utf8)
            let status = folder.appendingPathComponent("status")
            // The emulator's own driver gives the taxi a position and ends its work OFFLINE.
            var parked = try await Self.taxi(object)
            while parked[path: "lastLocation.location"] == nil || parked["vehicleState"]?.string != "OFFLINE" {
                try Task.checkCancellation()
                parked = try await Self.taxi(object)
            }
            // The reader ends before the program writes, and the drive takes minutes.
            let script = #"{ "$0" "$@"; echo $? > "$STATUS_FILE"; } | true"#
            let run = try await Program.run(
                executable: "/bin/sh",
                ["-c", script, Program.path, "drive", "taxi-9", "--route", route.path, "--emulator", ready],
                environment: ["STATUS_FILE": status.path]
            )
            #expect(run.errors.isEmpty)
            #expect(try String(contentsOf: status, encoding: .utf8) == "0\n")
            let taxi = try await Self.taxi(object)
            #expect(taxi["vehicleState"]?.string == "OFFLINE", "\(taxi)")
            // Far from the town, so that only this drive can have reported it.
            let latitude = try #require(taxi[path: "lastLocation.location.latitude"]?.number)
            #expect(abs(latitude - 48.5) < 0.1, "the drive did not begin: \(taxi), before \(parked)")
        }
    }
}
