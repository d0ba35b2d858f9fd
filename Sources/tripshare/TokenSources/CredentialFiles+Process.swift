import Credentials
import Failures
import Foundation

extension CredentialFiles {
    /// The maximum size of a credential file in bytes.
    private static let maximumBytes = 64 << 10

    /// The variables and files of this process.
    static func ofProcess(allowPlainHTTP: Bool) -> CredentialFiles {
        let environment = ProcessContext.current.environment
        return CredentialFiles(
            environment: environment,
            home: HomeFolder.path(environment: environment),
            folder: FileManager.default.currentDirectoryPath,
            allowsPlainHTTP: allowPlainHTTP
        ) { path throws(CredentialFileProblem) in
            do throws(ReadableFile.Failure) {
                return [UInt8](try ReadableFile.bytes(path, limit: maximumBytes))
            } catch {
                if error == .missing, !FileManager.default.fileExists(atPath: path) { throw .missing }
                throw .unreadable(reason: reason(error, path))
            }
        }
    }

    /// Returns why a file that exists can't be read; for missing permissions with its mode, its owner and this process' user.
    private static func reason(_ failure: ReadableFile.Failure, _ path: String) -> String {
        switch failure {
        case .missing:
            // A file whose attributes are not readable has none to show.
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard let mode = attributes?[.posixPermissions] as? Int,
                let owner = attributes?[.ownerAccountID] as? Int
            else { return "permission denied" }
            let rights = String(mode & 0o777, radix: 8)
            return "permission denied: mode \(rights), owner \(owner), this process runs as user \(geteuid())"
        case .folder: return "it is a folder"
        case .notRegular: return "it is not a regular file"
        case .tooLong: return "it is longer than \(maximumBytes) bytes"
        case .timedOut: return "nothing came from the pipe"
        case .tooManyOpenFiles: return "too many open files"
        case .unreadable: return "reading failed"
        }
    }
}
