package import Foundation
package import Testing

/// The folder of shared material next to the checkout, which holds recordings of real traffic.
///
/// Tests that need it are skipped without it, except in CI, where `TRIPSHARE_WITHOUT_SHARED` permits that.
package enum Shared {
    private static let folder = Checkout.folder.deletingLastPathComponent().appending(path: "shared")

    /// Whether a test that needs the folder can run.
    ///
    /// In CI it must, unless `TRIPSHARE_WITHOUT_SHARED` is set.
    package static var isThere: Bool {
        let environment = ProcessInfo.processInfo.environment
        guard environment["TRIPSHARE_WITHOUT_SHARED"] == nil else { return false }
        let isThere = FileManager.default.fileExists(atPath: folder.path)
        if !isThere, environment["CI"] != nil {
            Issue.record("the folder ../shared is missing, and CI has to have it")
        }
        return isThere
    }

    package static let why: Comment = "needs the folder ../shared beside the checkout"

    /// The log of a real afternoon: one vehicle, two trips.
    package static let recording = folder.appending(path: "recordings/two-trips-bay-area.json")
}
