import FleetTokens
import Foundation
import Testing
import TripModel
import TripTestSupport

/// Profiles of the configuration file, and messages about settings, with the program.
@Suite("Profiles", .ends(within: .longTest))
struct ProfileTests {
    /// Passes the environment with a configuration file of this text to the body.
    private func withFile(_ text: String, _ body: ([String: String]) async throws -> Void) async throws {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "config.json")
            try Data(text.utf8).write(to: file)
            try await body(["TRIPSHARE_CONFIG": file.path])
        }
    }

    @Test func `watch follows the trips of the profile that the option or the variable names, and says which`()
        async throws
    {
        try await EmulatedEngine.run([]) { _, ready in
            let trip = try #require((ready["tripIds"] as? [String])?.first)
            let profile = try ["providerId": "providerId", "fleetEngineUrl": "fleetEngineURL", "tokenUrl": "tokenURL"]
                .mapValues { try #require(ready[$0] as? String) }
            let file = try JSONEncoder().encode(["profiles": ["local": profile, "other": ["providerId": "p"]]])
            try await withFile(String(decoding: file, as: UTF8.self)) { environment in
                let watch = ["watch", trip, "--once", "--output", "plain"]
                let chosen = environment.merging(["TRIPSHARE_PROFILE": "local"]) { $1 }
                for (options, variables) in [(["--profile", "local"], environment), ([], chosen)] {
                    let run = try await Program.run(watch + options, environment: variables)
                    #expect(run.status == 0, "\(run.errors)")
                    #expect(
                        run.errors.contains("profile ‘local’") && run.errors.contains("config.json’"),
                        "\(run.errors)"
                    )
                }
                let without = try await Program.run(watch, environment: environment)
                #expect(without.status == 64, "\(without.errors)")
                let doctor = try await Program.run(["doctor", trip, "--output", "json"], environment: chosen)
                #expect(doctor.output.contains(", profile local in ") && doctor.output.contains("config.json"))
            }
        }
    }

    @Test func `the headers of a profile are sent to its endpoint and shown nowhere`() async throws {
        let token = FakeToken(.trip(try TripID("trip-1")), issuedAt: Date()).text
        let endpoint = CannedServer.Behaviour.answer { request in
            let isLoggedIn = request.lowercased().contains("\r\nx-login: open sesame\r\n")
            let (status, body) = isLoggedIn ? ("200 OK", token) : ("403 Forbidden", "")
            return "HTTP/1.1 \(status)\r\nConnection: close\r\n\r\n\(body)"
        }
        try await CannedServer.run(endpoint) { server in
            let url = "http://127.0.0.1:\(server.port)/{tripId}"
            let file =
                #"{"profiles": {"staging": {"tokenUrl": "\#(url)", "tokenHeaders": {"X-Login": "env:LOGIN"}}}}"#
            try await withFile(file) { environment in
                let environment = environment.merging(["LOGIN": "open sesame"]) { $1 }
                let fetch = ["token", "fetch", "--trip", "trip-1", "--profile", "staging"]
                let run = try await Program.runInProcess(fetch, environment: environment)
                #expect(run.status == 0, "\(run.errors)\(run.output)")
                #expect(!(run.output + run.errors).contains("sesame"))
                // An endpoint of the command line does not get them.
                let other = try await Program.runInProcess(fetch + ["--token-url", url], environment: environment)
                #expect(other.status == 77, "\(other.errors)")
            }
        }
    }

    @Test(arguments: [
        ("staging", #"{"profiles": {"stagin": {}}}"#, ["--profile", "‘staging’", "mean ‘stagin’?"]),
        ("x", #"{"profiles": {"one": {}, "two": {}}}"#, ["--profile", "‘x’", "one, two"]),
        ("staging", "{}", ["--profile", "‘staging’", #"{"profiles": "#]),
        ("a", #"{"profiles": {"a": {"intervall": 3}}}"#, ["‘profiles.a.intervall’", "‘interval’"]),
        ("a", #"{"profiles": {"a": {"interval": 0}}}"#, ["‘profiles.a.interval’", "‘0’", "above 0"]),
        ("a", #"{"profiles": {"a": {}, "b": {"theme": "neon"}}}"#, ["‘profiles.b.theme’", "‘neon’", "dark, light"]),
        ("a", #"{"profiles": {"a": 3}}"#, ["‘profiles.a’", "‘3’", #"{"profiles": "#]),
        ("a", #"{"profiles": ["a"]}"#, ["‘profiles’", #"{"profiles": "#]),
        ("a", #"{"profile": {"a": {}}}"#, ["‘profile’", "mean ‘profiles’?"]),
        ("a", #"{"profiles": {"a": {"ca": "/no/such.pem"}}}"#, ["‘profiles.a.ca’", "‘/no/such.pem’"]),
    ])
    func `a mistake in the file is named with its place and what is allowed`(
        _ example: (profile: String, text: String, words: [String])
    ) async throws {
        try await withFile(example.text) { environment in
            let watch = ["watch", "t", "--provider-id", "p", "--token-env", "T", "--profile", example.profile]
            let run = try await Program.runInProcess(watch, environment: environment)
            #expect(run.status == 78, "\(run.errors)")
            for word in example.words + ["config.json’"] { #expect(run.errors.contains(word), "\(run.errors)") }
            #expect((1...3).contains(run.errors.split(separator: "\n").count))
        }
    }

    @Test(
        arguments: [
            ([], ["TRIPSHARE_PROFILE": "staging"], 78, ["TRIPSHARE_PROFILE", "‘staging’"]),
            ([], ["TRIPSHARE_INTERVAL": "0"], 78, ["TRIPSHARE_INTERVAL", "‘0’", "above 0", "86400"]),
            ([], ["TRIPSHARE_QUOTA": "0"], 78, ["TRIPSHARE_QUOTA", "from 1 to 1000000"]),
            ([], ["TRIPSHARE_BELL": "loud"], 78, ["TRIPSHARE_BELL", "‘loud’", "true, false"]),
            ([], ["TRIPSHARE_TRANSPORT": "soap"], 78, ["TRIPSHARE_TRANSPORT", "‘soap’", "rest, grpc"]),
            (["--interval", "0"], [:], 64, ["--interval", "above 0", "86400"]),
            (["--quota", "0"], [:], 64, ["--quota", "from 1 to 1000000"]),
        ] as [([String], [String: String], Int32, [String])]
    )
    func `a mistake in an option or a variable is named with what is allowed`(
        arguments: [String],
        environment: [String: String],
        status: Int32,
        words: [String]
    ) async throws {
        let watch = [
            "watch", "t", "--provider-id", "p", "--token-env", "NONE", "--once", "--fleet-engine-url",
            "http://127.0.0.1:1",
        ]
        let run = try await Program.runInProcess(watch + arguments, environment: environment)
        #expect(run.status == status, "\(run.status) \(run.errors)")
        for word in words { #expect(run.errors.contains(word), "\(run.errors)") }
    }

    @Test func `messages are in the language of the profile`() async throws {
        try await withFile(#"{"lang": "ko", "profiles": {"office": {"lang": "de"}}}"#) { environment in
            let run = try await Program.runInProcess(["watch", "t", "--profile", "office"], environment: environment)
            #expect(run.errors.contains("kein Google-Cloud-Projekt"), "\(run.errors)")
        }
    }
}
