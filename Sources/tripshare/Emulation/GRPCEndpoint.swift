import Failures
import FleetEmulator
import Foundation
import TripText

/// The gRPC listener of an emulator as other programs reach it.
struct GRPCEndpoint: Sendable {
    /// Host and port.
    let target: String
    /// The file with the certificate that clients have to trust; `nil` without TLS.
    let certificatePath: String?

    /// The certificate in PEM; `nil` without TLS.
    private let certificate: String?

    /// Returns the path of the root certificate: next to the ready file, or in the folder for temporary files.
    private static func path(readyFile: String?) -> String {
        let path = readyFile.map { "\($0).pem" } ?? "\(NSTemporaryDirectory())tripshare-grpc-\(getpid()).pem"
        // Clients may run in another folder.
        return URL(fileURLWithPath: path).path
    }

    /// Throws a ``CommandFailure`` if the certificate would replace a file that no emulator has written.
    static func checkCertificate(readyFile: String?) throws(CommandFailure) {
        let file = path(readyFile: readyFile)
        guard OutputFile.hasContent(file) else { return }
        guard let text = text(of: file), GRPCListener.isRootCertificate(text) else {
            throw CommandFailure(.outputFailed, .failureCertificateForeign(file: excerpt(path: file)))
        }
    }

    /// Returns the text of a certificate file; `nil` if it cannot be read, and then it is neither replaced nor removed.
    private static func text(of file: String) -> String? {
        (try? ReadableFile.bytes(file, limit: InputFile.maximumBytes, kinds: .regular)).flatMap {
            String(data: $0, encoding: .utf8)
        }
    }

    /// Writes the root certificate.
    init(_ address: GRPCAddress, readyFile: String?) throws(CommandFailure) {
        target = address.target
        certificate = address.rootCertificate
        guard let certificate else {
            certificatePath = nil
            return
        }
        let file = Self.path(readyFile: readyFile)
        do {
            try OutputFile.writePrivate(Array(certificate.utf8), to: file, .process)
        } catch {
            throw CommandFailure(.outputFailed) {
                $0(.failureRootCertificate(file: excerpt(path: file), reason: error.reason($0)))
            }
        }
        certificatePath = file
    }

    /// The lines that say how to reach the listener.
    var announcement: [String] {
        ["gRPC            \(target)"] + (certificatePath.map { ["  its root      \(shown($0))"] } ?? [])
    }

    /// Removes the certificate, which is of no use without the listener, unless another emulator has replaced it.
    func removeCertificate() {
        guard let certificatePath, Self.text(of: certificatePath) == certificate else { return }
        OutputFile.remove(certificatePath)
    }
}
