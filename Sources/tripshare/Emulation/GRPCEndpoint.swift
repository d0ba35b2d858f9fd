import FleetEmulatorGRPC
import Foundation
import TripText

/// The gRPC listener of an emulator as other programs reach it.
struct GRPCEndpoint: Sendable {
    /// Host and port.
    let target: String
    /// The file with the certificate that clients have to trust; `nil` without TLS.
    let certificatePath: String?

    /// Writes the root certificate next to the ready file, or to the folder for temporary files.
    init(_ address: GRPCAddress, readyFile: String?) throws(CommandFailure) {
        target = address.target
        guard let certificate = address.rootCertificate else {
            certificatePath = nil
            return
        }
        let path = readyFile.map { "\($0).pem" } ?? "\(NSTemporaryDirectory())tripshare-grpc-\(getpid()).pem"
        // Clients may run in another folder.
        let file = URL(fileURLWithPath: path).path
        do {
            try OutputFile.writePrivate(Array(certificate.utf8), to: file)
        } catch {
            throw CommandFailure(.outputFailed) { $0(.failureRootCertificate, excerpt(file), error.reason($0)) }
        }
        certificatePath = file
    }

    /// Prints how to reach the listener.
    func announce() {
        Printing.out("gRPC            \(target)")
        if let certificatePath { Printing.out("  its root      \(shown(certificatePath))") }
    }

    /// Removes the certificate, which is of no use without the listener.
    func removeCertificate() {
        guard let certificatePath else { return }
        // A file that cannot be removed is not a secret and stays.
        try? FileManager.default.removeItem(atPath: certificatePath)
    }
}
