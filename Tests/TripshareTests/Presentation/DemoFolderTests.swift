import Foundation
import Testing
import TripTestSupport

@testable import tripshare

@Suite("Folder of demos", .ends(within: .longTest))
struct DemoFolderTests {
    private func ready(
        _ process: EmulatorProcess,
        secret: String? = "s",
        control: String = "http://127.0.0.1:9/control"
    )
        -> ReadyFile
    {
        var file = ReadyFile(
            fleetEngineURL: "http://127.0.0.1:1",
            tokenURL: "http://127.0.0.1:1/token/consumer/{tripId}",
            vehicleTokenURL: "http://127.0.0.1:1/token/driver/{vehicleId}",
            controlURL: control,
            providerId: "p",
            tripIds: ["t"],
            vehicleIds: [],
            clock: ReadyFile.Clock(.init(real: Date(), virtual: Date(), speed: 1))
        )
        (file.consoleSecret, file.process) = (secret, process)
        return file
    }

    private func process(_ second: Double, isOver: Bool = false) -> EmulatorProcess {
        var process = EmulatorProcess.current(started: Date(timeIntervalSince1970: second))
        if isOver { process.ticks = (process.ticks ?? 0) + 1 }
        return process
    }

    @Test func `is in the runtime folder if that exists, and in the state folder`() async throws {
        try await Program.withFolder { folder in
            let home = ["HOME": "/home/a"]
            #expect(DemoFolder.all(environment: home).map(\.path) == ["/home/a/.local/state/tripshare/demos"])
            let environment = ["XDG_RUNTIME_DIR": folder.path, "XDG_STATE_HOME": "/state"]
            let paths = ["\(folder.path)/tripshare/demos", "/state/tripshare/demos"]
            #expect(DemoFolder.all(environment: environment).map(\.path) == paths)
            let missing = ["XDG_RUNTIME_DIR": "\(folder.path)/none", "XDG_STATE_HOME": "/state"]
            #expect(DemoFolder.all(environment: missing).map(\.path) == [paths[1]])
        }
    }

    @Test func `only its owner has access to it, and a folder with access for others is not used`() async throws {
        try await Program.withFolder { root in
            let folder = DemoFolder(path: "\(root.path)/tripshare/demos")
            try folder.prepare()
            let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
            #expect(mode == 0o700)
            try ready(process(1)).write(to: folder.file(of: 1))
            #expect(folder.runningDemos().count == 1)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            #expect(throws: CommandFailure.self) { try folder.prepare() }
            #expect(folder.runningDemos().isEmpty)
        }
    }

    @Test func `finds the demo that began last, and removes the files of killed ones`() async throws {
        try await Program.withFolder { root in
            let environment = ["XDG_RUNTIME_DIR": root.path]
            let folder = try #require(DemoFolder.all(environment: environment).first)
            try folder.prepare()
            #expect(throws: CommandFailure.self) { try DemoAccess.newest(environment: environment) }
            try ready(process(100)).write(to: folder.file(of: 1))
            try ready(process(300)).write(to: folder.file(of: 2))
            try ready(process(900, isOver: true)).write(to: folder.file(of: 3))
            try Data("{}".utf8).write(to: URL(fileURLWithPath: folder.file(of: 4)))
            try ready(process(800), secret: nil).write(to: folder.file(of: 5))
            try ready(process(800), control: "http://192.0.2.1:9/control").write(to: folder.file(of: 6))
            #expect(try DemoAccess.newest(environment: environment).path == folder.file(of: 2))
            #expect(!FileManager.default.fileExists(atPath: folder.file(of: 3)))
            #expect(throws: CommandFailure.self) { try DemoAccess.named(folder.file(of: 5)) }
        }
    }
}
