import FleetEmulator
import Foundation
import Testing
import TripTestSupport

@Suite("Faults", .ends(within: .quickTest))
struct FaultTests {
    static let faults = [
        #"{"kind":"latency","on":"engine","seconds":8}"#,
        #"{"body":"no","kind":"status","on":"tokens","retry-after":3,"status":503}"#,
        #"{"kind":"status","on":"engine","status":404}"#,
        #"{"count":2,"kind":"reset","on":"engine"}"#,
        #"{"kind":"truncated","lasts":20,"on":"engine"}"#, #"{"kind":"reset","marked":false,"on":"engine"}"#,
        #"{"kind":"garbage","on":"engine","path":"GET trips"}"#,
        #"{"fields":"route,lastLocation.heading","kind":"sparse","on":"engine"}"#,
        #"{"kind":"sparse","on":"engine"}"#,
        #"{"kind":"drip","on":"tokens","seconds":1.5}"#,
        #"{"kind":"clock","on":"engine","seconds":-60}"#,
        #"{"kind":"revoked-tokens","on":"engine","path":"GET trips"}"#,
        #"{"kind":"expired-token","on":"tokens"}"#,
        #"{"kind":"wrong-token","on":"tokens"}"#,
        #"{"kind":"oversized-token","on":"tokens"}"#,
        #"{"kind":"lifetime","on":"tokens","seconds":60}"#,
        #"{"kind":"no-account","on":"credentials"}"#,
        #"{"kind":"iam-denied","on":"credentials"}"#,
        #"{"kind":"iam-disabled","on":"credentials"}"#,
        #"{"kind":"account-disabled","on":"credentials"}"#,
        #"{"kind":"key-deleted","on":"credentials"}"#,
        #"{"kind":"reauth","on":"credentials"}"#,
        #"{"kind":"narrow-scopes","on":"credentials"}"#,
        #"{"kind":"no-metadata-header","on":"credentials"}"#,
        #"{"kind":"attribute-condition","on":"credentials"}"#,
        #"{"kind":"stale-subject","on":"credentials"}"#,
    ]

    @Test(arguments: faults)
    func `is written as it was read`(text: String) throws {
        let fault = try JSONDecoder().decode(Fault.self, from: Data(text.utf8))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(fault), as: UTF8.self) == text)
    }

    @Test func `every kind is tested and documented`() throws {
        let manual = try String(contentsOf: Self.manual, encoding: .utf8)
        for kind in FaultKind.all {
            #expect(Self.faults.contains { $0.contains("\"kind\":\"\(kind.name)\"") }, "\(kind.name)")
            #expect(manual.contains("| `\(kind.name)` |"), "\(kind.name) is missing in ControlAPI.md")
        }
    }

    @Test(arguments: [
        (#"{"on":"x","kind":"reset"}"#, "on: engine, tokens or credentials is expected"),
        (#"{"on":"engine","kind":"fire"}"#, "kind: one of latency, status, "),
        (#"{"on":"engine","kind":"expired-token"}"#, "on: tokens is expected"),
        (#"{"on":"engine","kind":"wrong-token"}"#, "on: tokens is expected"),
        (#"{"on":"engine","kind":"oversized-token"}"#, "on: tokens is expected"),
        (#"{"on":"engine","kind":"lifetime","seconds":60}"#, "on: credentials or tokens is expected"),
        (#"{"on":"tokens","kind":"iam-denied"}"#, "on: credentials is expected"),
        (#"{"on":"tokens","kind":"revoked-tokens"}"#, "on: engine is expected"),
        (#"{"on":"engine","kind":"latency"}"#, "seconds: a number from 0 to 600 is expected"),
        (#"{"on":"engine","kind":"latency","seconds":601}"#, "seconds: a number from 0 to 600 is expected"),
        (#"{"on":"engine","kind":"status","status":200}"#, "status: a number from 300 to 599 is expected"),
        (#"{"on":"engine","kind":"reset","count":0}"#, "count: a number from 1 is expected"),
        (#"{"on":"engine","kind":"reset","seconds":5,"status":503}"#, "seconds: the kind reset has no such parameter"),
        (#"{"on":"engine","kind":"reset","lasts":86401}"#, "lasts: seconds up to a day are expected"),
        (
            #"{"on":"engine","kind":"reset","speed":1}"#,
            "speed is unknown; valid names: on, kind, seconds, status, "
        ),
    ])
    func `names the expected value`(text: String, message: String) {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Fault.self, from: Data(text.utf8))
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.debugDescription.hasPrefix(message), "\(context.debugDescription)")
    }

    @Test func `revoked tokens are refused until one comes that was not sent before, others until all faults end`()
        throws
    {
        let now = Date(timeIntervalSince1970: 0)
        let faults = FaultInjector()
        func status(_ token: String?, _ request: String = "GET /v1/providers/p/trips/t") -> Int? {
            faults.effects(on: .engine, request: request, authorization: token, at: now)?.error?.status
        }
        for token in ["a", "b", "driver"] { #expect(status(token) == nil) }
        faults.add(try Fault(.engine, "revoked-tokens", path: "GET trips/"), at: now)
        #expect(status("a") == 401 && status("b") == 401 && status(nil) == nil)
        #expect(status("driver", "PUT /v1/providers/p/vehicles/v") == nil)
        #expect(faults.all(at: now).count == 1)
        #expect(status("a2") == nil && faults.all(at: now).isEmpty)
        #expect(status("b") == 401)
        faults.clear()
        #expect(status("b") == nil)
        faults.add(try Fault(.engine, "revoked-tokens", count: 1), at: now)
        #expect(status("b") == 401 && status("a") == nil && faults.all(at: now).isEmpty)
    }

    private static let manual = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/tripshare/tripshare.docc/ControlAPI.md")
}
