import Foundation
package import Testing

/// A tool of the system that tests use and that CI must have.
package struct InstalledTool: Sendable {
    /// Where it is; the last possible path if it is missing.
    package let path: String
    private let package: String

    /// The Python of the environment that `.ci/python` creates.
    package static let python = InstalledTool(
        [Checkout.folder.appending(path: ".build/venv/bin/python").path],
        from: "the Python environment that .ci/python creates"
    )
    /// Prometheus' checker of metrics, as installed by Debian or Homebrew.
    package static let promtool = InstalledTool(
        ["/opt/homebrew/bin/promtool", "/usr/local/bin/promtool", "/usr/bin/promtool"],
        from: "promtool of Prometheus"
    )
    /// The server of Redis, as installed by Debian or Homebrew.
    package static let redis = InstalledTool(
        ["/opt/homebrew/bin/redis-server", "/usr/local/bin/redis-server", "/usr/bin/redis-server"],
        from: "redis-server"
    )

    /// Node, which runs a recipe of the manual; CI needs not have it.
    package static let node = InstalledTool(
        ["/opt/homebrew/bin/node", "/usr/local/bin/node", "/usr/bin/node"],
        from: "Node"
    )

    private init(_ paths: [String], from package: String) {
        path = paths.first(where: FileManager.default.isExecutableFile) ?? paths.last ?? ""
        self.package = package
    }

    /// Whether it is there.
    package var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Whether a test that needs the tool can run; in CI it must.
    package var isThere: Bool {
        let isThere = isInstalled
        if !isThere, ProcessInfo.processInfo.environment["CI"] != nil {
            Issue.record("\(path) is missing, and CI has to have it")
        }
        return isThere
    }

    /// Why a test is skipped.
    package var why: Comment { "needs \(package)" }
}
