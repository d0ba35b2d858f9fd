import Failures
import FleetEmulator
import Foundation
import Runtime
import Synchronization
import SystemPackage
import Terminal
import TripModel
import TripText

/// The folder with a credential file of each type, which exists as long as the emulator runs.
final class CredentialsFolder: Sendable {
    /// The absolute path, because credential files name other files by it.
    let path: String
    /// Whether the folder did not exist before.
    private let isNew: Bool
    /// The content of the written files by name.
    private let written = Mutex<[String: [UInt8]]>([:])

    /// Creates the folder with owner-only permissions, unless it exists.
    ///
    /// Throws a ``CommandFailure`` if a file of the same name as one of the credential files was not written by an emulator.
    init(_ path: String) throws(CommandFailure) {
        self.path = URL(fileURLWithPath: path).path
        let result = Self.create(self.path)
        isNew = result == 0
        guard isNew || result == EEXIST else { throw Self.notWritten(self.path, .system(result)) }
        for name in CredentialFile.names { try checkReplacement(of: name) }
    }

    /// Throws if a file exists that no emulator has written; an empty one may be replaced.
    private func checkReplacement(of name: String) throws(CommandFailure) {
        let file = "\(path)/\(name)"
        do {
            try OutputFile.checkForPrivate(file)
        } catch {
            throw Self.notWritten(file, error)
        }
        guard OutputFile.hasContent(file) else { return }
        guard let bytes = Self.bytes(of: file), CredentialFile.isWrittenByEmulator(name, bytes) else {
            throw CommandFailure(.outputFailed, .failureCredentialsForeign(file: excerpt(path: file)))
        }
    }

    /// Writes all files; the subject token is issued now.
    func write(_ credentials: EmulatedCredentials, at now: Moment) async throws {
        for file in credentials.files(in: path) { try write(file) }
        for file in try await credentials.subjectFiles(at: now.wall) { try write(file) }
    }

    /// Rewrites the subject token at half of its lifetime, until the task is cancelled.
    ///
    /// `written` is when it was issued: the clock may have been moved before this task began.
    func renew(_ credentials: EmulatedCredentials, since written: Moment, clock: any TripClock) async {
        var issued = written
        while true {
            do {
                try await clock.sleep(until: issued.steady + EmulatedCredentials.subjectLifetime / 2)
                issued = clock.now()
                for file in try await credentials.subjectFiles(at: issued.wall) { try write(file) }
            } catch let failure as CommandFailure {
                Printing.error(failure.message)
            } catch {
                // The wait was cancelled: the emulator ends.
                return
            }
        }
    }

    /// Removes the files that are as they were written, and the folder if it was created.
    func remove() {
        let files = written.withLock { files in
            defer { files = [:] }
            return files
        }
        for (name, bytes) in files {
            let file = "\(path)/\(name)"
            guard Self.bytes(of: file) == bytes else { continue }
            OutputFile.remove(file)
        }
        // It stays if it has other files.
        if isNew { unsafe rmdir(path) }
        Leftovers.forget(path)
    }

    /// Creates a folder that is removed with this process; returns 0 or the error of the system.
    private static func create(_ path: String) -> Int32 {
        UninterruptedWrite.perform {
            guard unsafe mkdir(path, 0o700) == 0 else { return errno }
            Leftovers.add(path)
            return 0
        }
    }

    private func write(_ file: CredentialFile) throws(CommandFailure) {
        do {
            try OutputFile.writePrivate(file.bytes, to: "\(path)/\(file.name)", .process)
        } catch {
            throw Self.notWritten("\(path)/\(file.name)", error)
        }
        written.withLock { $0[file.name] = file.bytes }
    }

    /// Returns the content of a regular file; `nil` if it cannot be read.
    private static func bytes(of file: String) -> [UInt8]? {
        // A file that cannot be read is neither replaced nor removed.
        (try? ReadableFile.bytes(file, limit: InputFile.maximumBytes, kinds: .regular)).map(Array.init)
    }

    private static func notWritten(_ path: String, _ error: OutputFile.Failure) -> CommandFailure {
        CommandFailure(.outputFailed) {
            $0(.failureCredentialsFolder(file: excerpt(path: path), reason: error.reason($0)))
        }
    }
}
