import Foundation
import Testing
import TripTestSupport
import TripText

import enum CryptoExtras._RSA

@testable import tripshare

@Suite("Ready file", .ends(within: .longTest))
struct ReadyFileTests {
    private static func file(_ process: EmulatorProcess? = nil, url: String = "http://127.0.0.1:1") -> ReadyFile {
        var file = ReadyFile(
            fleetEngineURL: url,
            tokenURL: "\(url)/token/consumer/{tripId}",
            vehicleTokenURL: "\(url)/token/driver/{vehicleId}",
            providerId: "p",
            tripIds: ["t"],
            vehicleIds: [],
            clock: ReadyFile.Clock(.init(real: Date(), virtual: Date(), speed: 1))
        )
        file.process = process
        return file
    }

    private func withPath(_ body: (String) async throws -> Void) async throws {
        try await Program.withFolder { try await body($0.appendingPathComponent("ready.json").path) }
    }

    /// A process of this system that has ended.
    private func dead() -> EmulatorProcess {
        var process = EmulatorProcess.current(started: Date())
        // A process with this ID was started, but not at this time.
        process.ticks = (process.ticks ?? 0) + 1
        return process
    }

    @Test func `only its owner can read it, regardless of an existing file and the umask`() async throws {
        try await withPath { path in
            try Data("{}".utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            try Self.file().write(to: path)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["ready.json"])
        }
    }

    @Test func `replaces a symbolic link but not a pipe or a device`() async throws {
        try await withPath { path in
            let target = path + ".target"
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
            try Data().write(to: URL(fileURLWithPath: target))
            try Self.file().write(to: path)
            #expect(try Data(contentsOf: URL(fileURLWithPath: target)).isEmpty)
            #expect(try ReadyFile.read(path).file.tripIds == ["t"])
            let pipe = path + ".pipe"
            try #require(unsafe mkfifo(pipe, 0o600) == 0)
            var special = [pipe]
            // Only root may create a device, and the system's own devices are not used for a test.
            if unsafe mknod(path + ".null", S_IFCHR | 0o600, 0x103) == 0 { special.append(path + ".null") }
            for special in special {
                let before = try FileManager.default.attributesOfItem(atPath: special)[.type] as? FileAttributeType
                #expect(throws: CommandFailure.self, "\(special)") { try Self.file().write(to: special) }
                let after = try FileManager.default.attributesOfItem(atPath: special)[.type] as? FileAttributeType
                #expect(before == after && after != .typeRegular, "\(special)")
            }
        }
    }

    @Test func `emulate refuses a pipe as its ready file and leaves it unchanged`() async throws {
        try await withPath { path in
            try #require(unsafe mkfifo(path, 0o600) == 0)
            let run = try await Program.run(["emulate", "--ready-file", path])
            #expect(run.status == 74 && run.errors.contains("not a regular file"), "\(run.errors)")
            let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            #expect(type != .typeRegular)
        }
    }

    @Test func `recognizes a file of an emulator that was killed`() async throws {
        try await withPath { path in
            try Self.file(dead()).write(to: path)
            #expect(throws: CommandFailure.self) { try ReadyFile.read(path) }
            let warning = Localizer.english(try #require(try ReadyFile.warning(beforeReplacing: path)))
            #expect(warning.contains("killed") && warning.contains("\(getpid())"), "\(warning)")
            let watch = try await Program.run(["watch", "--emulator", path, "--once"])
            #expect(watch.status == 69 && watch.errors.contains("has ended without removing it"), "\(watch.errors)")
        }
    }

    @Test func `uses a file of a running emulator, another machine or an older program`() async throws {
        try await withPath { path in
            var elsewhere = dead()
            elsewhere.system = "another boot"
            for process in [EmulatorProcess.current(started: Date()), elsewhere, nil] {
                try Self.file(process).write(to: path)
                #expect(try ReadyFile.read(path).file.process == process)
            }
            #expect(try ReadyFile.warning(beforeReplacing: path) == nil)
            try Self.file(.current(started: Date())).write(to: path)
            let warning = Localizer.english(try #require(try ReadyFile.warning(beforeReplacing: path)))
            #expect(warning.contains("still running"))
        }
    }

    @Test func `after SIGKILL the file remains, and the next emulator replaces it with a warning`() async throws {
        try await Program.withFolder { folder in
            let ready = folder.appendingPathComponent("ready.json")
            let killed = try Program.start(["emulate", "--ready-file", ready.path], in: folder)
            let first = try await FileArrival.wait(for: ready, from: killed)
            killed.send(SIGKILL)
            _ = try await killed.result()
            let watch = try await Program.run(["watch", "--emulator", ready.path, "--once"])
            #expect(watch.status == 69 && watch.errors.contains("has ended without removing it"), "\(watch.errors)")
            let next = try Program.start(["emulate", "--ready-file", ready.path], in: folder)
            try await next.outputs("Follow it with")
            let second = try await FileArrival.wait(for: ready, from: next)
            next.terminate()
            let run = try await next.result()
            #expect(run.errors.contains("left behind by an emulator that was killed"), "\(run.errors)")
            #expect(first["fleetEngineURL"] as? String != second["fleetEngineURL"] as? String)
        }
    }

    @Test(arguments: [SIGABRT, SIGSEGV, SIGUSR1])
    func `after a crash or a signal that is not expected, the file and the certificate are gone`(
        _ signal: Int32
    ) async throws {
        try await Program.withFolder { folder in
            let ready = folder.appendingPathComponent("ready.json")
            let arguments = ["emulate", "--ready-file", ready.path, "--grpc-port", "0"]
            let emulator = try Program.start(arguments, in: folder)
            try await emulator.outputs("Follow it with")
            emulator.send(signal)
            #expect(try await emulator.result().status == signal)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!names.contains { $0.hasPrefix("ready") }, "\(names)")
        }
    }

    @Test(arguments: ["", ".pem"])
    func `emulate does not replace a file of the user`(suffix: String) async throws {
        try await withPath { path in
            let precious = URL(fileURLWithPath: path + suffix)
            try Data("precious".utf8).write(to: precious)
            let run = try await Program.run(["emulate", "--ready-file", path, "--grpc-port", "0"])
            #expect(run.status == 74 && run.errors.contains("so it is not replaced"), "\(run.errors)")
            #expect(try String(contentsOf: precious, encoding: .utf8) == "precious")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: (path as NSString).deletingLastPathComponent).count
                { $0.hasPrefix("ready") } == 1
            )
        }
    }

    @Test func `emulate replaces an empty file, as mktemp creates it`() async throws {
        try await withPath { path in
            try Data().write(to: URL(fileURLWithPath: path))
            #expect(try ReadyFile.warning(beforeReplacing: path) == nil)
        }
    }

    @Test func `an emulator does not remove the files of another one`() async throws {
        try await Program.withFolder { folder in
            let ready = folder.appendingPathComponent("ready.json")
            let certificate = ready.path + ".pem"
            let arguments = ["emulate", "--ready-file", ready.path, "--grpc-port", "0"]
            let first = try Program.start(arguments, in: folder)
            defer { first.terminate() }
            try await first.outputs("Follow it with")
            let firstCertificate = try String(contentsOfFile: certificate, encoding: .utf8)
            let second = try Program.start(arguments, in: folder)
            defer { second.terminate() }
            try await second.outputs("Follow it with")
            let secondCertificate = try String(contentsOfFile: certificate, encoding: .utf8)
            #expect(firstCertificate != secondCertificate)
            first.terminate()
            _ = try await first.result()
            #expect(try String(contentsOfFile: certificate, encoding: .utf8) == secondCertificate)
            #expect(FileManager.default.fileExists(atPath: ready.path))
            second.terminate()
            let run = try await second.result()
            #expect(run.errors.contains("still running"), "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: certificate))
            #expect(!FileManager.default.fileExists(atPath: ready.path))
        }
    }

    @Test func `the ready file has precedence over the environment's keys of the token endpoint`() async throws {
        try await EmulatedEngine.run([]) { path, _ in
            let environment = [
                "TRIPSHARE_TOKEN_KEY": "other", "TRIPSHARE_TOKEN_EXPIRATION_KEY": "other",
                "TRIPSHARE_TOKEN_EXPIRATION_UNIT": "relative-seconds",
            ]
            let watch = ["watch", "--emulator", path, "--once", "--output", "json"]
            let run = try await Program.run(watch, environment: environment)
            #expect(run.status == 0, "\(run.errors)")
            let flag = try await Program.run(watch + ["--token-key", "flag"])
            #expect(flag.status == 78 && flag.errors.contains("flag"), "\(flag.errors)")
        }
    }

    @Test func `all of 127.0.0.0/8 counts as this machine`() async throws {
        try await EmulatedEngine.run(["--host", "127.0.0.2"]) { path, object in
            #expect((object["fleetEngineURL"] as? String)?.hasPrefix("http://127.0.0.2:") == true)
            let watch = try await Program.run(["watch", "--emulator", path, "--once", "--output", "json"])
            #expect(watch.status == 0, "\(watch.errors)")
        }
        try await Program.withFolder { folder in
            let emulator = try Program.start(["emulate", "--host", "127.0.0.2"], in: folder)
            try await emulator.outputs("Trips")
            emulator.terminate()
            let run = try await emulator.result()
            #expect(run.errors.isEmpty, "\(run.errors)")
        }
    }

    @Test func `with a real key the endpoint requires a secret, which the commands send automatically`() async throws {
        try await Program.withFolder { folder in
            var arguments: [String] = []
            for role in ["consumer", "driver"] {
                let key = folder.appendingPathComponent("\(role).json")
                let account = [
                    "client_email": "\(role)@tripshare-demo.iam.gserviceaccount.com", "private_key_id": "real-\(role)",
                    "private_key": try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation,
                ]
                try JSONSerialization.data(withJSONObject: account).write(to: key)
                arguments += ["--account", "\(role)=\(key.path)"]
            }
            let unnamed = try await Program.run(["emulate"] + arguments)
            #expect(unnamed.status == 64 && unnamed.errors.contains("--ready-file"), "\(unnamed.errors)")
            let names = ["--token-key", "data.access", "--token-expiration-unit", "absolute-seconds"]
            try await EmulatedEngine.run(arguments + ["--token-key", "access"] + names.suffix(2)) { path, object in
                #expect((object["tokenSecret"] as? String)?.count == 64)
                #expect(object["tokenKey"] as? String == "access")
                #expect(object["tokenExpirationUnit"] as? String == "absolute-seconds")
                let trip = try #require((object["tripIds"] as? [String])?.first)
                let vehicle = try #require((object["vehicleIds"] as? [String])?.first)
                for arguments in [
                    ["watch", "--emulator", path, "--once"], ["doctor", "--emulator", path, "--output", "plain"],
                    ["token", "fetch", "--emulator", path, "--trip", trip],
                    ["token", "fetch", "--emulator", path, "--vehicle", vehicle],
                ] {
                    let run = try await Program.run(arguments)
                    #expect([0, 1].contains(run.status), "\(arguments): \(run.output) \(run.errors)")
                    #expect(!run.output.contains(try #require(object["tokenSecret"] as? String)))
                }
                // The secret is sent to the emulator's URL only.
                let url = try #require(object["tokenURL"] as? String)
                let stranger = try await Program.run([
                    "token", "fetch", "--emulator", path, "--token-url", url, "--token-key", "access",
                ])
                #expect(stranger.status == 77, "\(stranger.errors)")
            }
        }
    }
}
