package import Foundation

/// The folders of this repository, for tests that read files of it.
package enum Checkout {
    /// The folder that contains `Package.swift`.
    package static let folder: URL = {
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        while folder.path != "/",
            !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
        {
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    /// The folder of expected screens, texts, scenarios and scripts.
    package static var assets: URL { folder.appending(path: "Assets") }
}
