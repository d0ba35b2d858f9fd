package import Failures
import FleetTokens
import Foundation

/// The search for Application Default Credentials, in the order of Google's libraries: a named file, the variable
/// `GOOGLE_APPLICATION_CREDENTIALS`, the file of gcloud, the metadata server (AIP-4110).
///
/// A place that is set and can't be used is an error and ends the search.
package struct CredentialSearch: Sendable {
    package static let variable = "GOOGLE_APPLICATION_CREDENTIALS"
    private static let metadataName = "metadata server"

    /// The result of the search in variables and files.
    package enum Local: Sendable {
        /// A credential was found.
        case found(FoundCredential)
        /// These places have none; a metadata server may have one.
        case none([FoundCredential.PassedOver])
    }

    private let files: CredentialFiles

    package init(_ files: CredentialFiles) { self.files = files }

    /// Returns the credential of a file that the user names.
    package func file(_ path: String) async throws(Failure) -> FoundCredential {
        try await read(path, .flag(path: path), named: "--credentials", [])
    }

    /// Searches in variables and files.
    package func findLocally() async throws(Failure) -> Local {
        if let value = files.variable(Self.variable) {
            try Self.checkForm(of: value)
            return .found(try await read(value, .variable(path: value), named: Self.variable, []))
        }
        var passed = [FoundCredential.PassedOver(place: Self.variable, reason: .unset)]
        guard let path = gcloudPath else { return .none(passed) }
        guard let bytes = try gcloudFile(path) else {
            passed.append(.init(place: path, reason: .noFile))
            return .none(passed)
        }
        return .found(try await found(bytes, path, .gcloud(path: path), passed))
    }

    /// Searches a metadata server after the places that have no credentials.
    package func findMetadata(
        after places: [FoundCredential.PassedOver],
        in world: CredentialWorld
    ) async throws(Failure) -> FoundCredential {
        let server = try MetadataServer(world)
        let reason: FoundCredential.PassedOver.Reason
        switch await server.detect(world) {
        case .present:
            let project = await server.text("project/project-id", world)
            return FoundCredential(
                credential: .metadata(server),
                place: .metadata(host: server.host),
                passedOver: places,
                quotaProject: quotaProject(in: nil),
                project: self.project(in: nil) ?? project,
                universe: await server.universe(world)
            )
        case .forbidden: reason = .notAsked
        case .absent: reason = .noAnswer
        case .foreign: throw Failure(.metadataForeign).with(.host, server.host)
        }
        let all = places + [.init(place: "metadata server \(server.host)", reason: reason)]
        throw Failure(.credentialsNotFound).with(.places, all.map(\.place))
    }

    /// The file that gcloud writes; `nil` without a home folder.
    private var gcloudPath: String? {
        let name = "application_default_credentials.json"
        if let folder = files.variable("CLOUDSDK_CONFIG") { return "\(folder)/\(name)" }
        return files.home.map { "\($0)/.config/gcloud/\(name)" }
    }

    /// Returns the content of gcloud's file; `nil` if there is none.
    private func gcloudFile(_ path: String) throws(Failure) -> [UInt8]? {
        do throws(CredentialFileProblem) {
            return try files.read(path)
        } catch .missing {
            return nil
        } catch {
            throw Self.unreadable(path, error)
        }
    }

    private func read(
        _ path: String,
        _ place: FoundCredential.Place,
        named name: String,
        _ passed: [FoundCredential.PassedOver]
    ) async throws(Failure) -> FoundCredential {
        let bytes: [UInt8]
        do throws(CredentialFileProblem) {
            bytes = try files.read(path)
        } catch .missing {
            let shown = path.hasPrefix("/") ? path : "\(files.folder)/\(path)"
            throw Failure(.credentialFileMissing).with(.place, name).with(.path, shown)
        } catch {
            throw Self.unreadable(path, error)
        }
        return try await found(bytes, path, place, passed)
    }

    private static func unreadable(_ path: String, _ problem: CredentialFileProblem) -> Failure {
        guard case .unreadable(let reason) = problem else { return .unreadableFile(reason: "it does not exist") }
        return Failure(.credentialFileUnreadable).with(.path, path).with(.reason, reason)
    }

    /// Throws if the variable holds the credential itself, or a path in quotation marks.
    ///
    /// The value is not quoted in the error: it may be a key.
    private static func checkForm(of value: String) throws(Failure) {
        let text = value.trimmingCharacters(in: .whitespacesAndNewlines)
        let form: TextKey
        if text.hasPrefix("{") {
            form = .credentialFormJSON
        } else if let first = text.first, "\"'".contains(first), text.count > 1, text.last == first {
            form = .credentialFormQuoted
        } else {
            return
        }
        throw Failure(.credentialVariableForm).with(.place, variable).with(.form, form)
    }

    private func found(
        _ bytes: [UInt8],
        _ path: String,
        _ place: FoundCredential.Place,
        _ passed: [FoundCredential.PassedOver]
    ) async throws(Failure) -> FoundCredential {
        let file = try CredentialFile(bytes, path: path, allowsPlainHTTP: files.allowsPlainHTTP)
        return FoundCredential(
            credential: try await file.credential(),
            place: place,
            passedOver: passed,
            quotaProject: quotaProject(in: file),
            project: project(in: file),
            universe: file.universe
        )
    }

    private func quotaProject(in file: CredentialFile?) -> String? {
        files.variable("GOOGLE_CLOUD_QUOTA_PROJECT") ?? file?.text("quota_project_id")
    }

    private func project(in file: CredentialFile?) -> String? {
        files.variable("GOOGLE_CLOUD_PROJECT") ?? files.variable("GCLOUD_PROJECT") ?? file?.text("project_id")
    }
}
