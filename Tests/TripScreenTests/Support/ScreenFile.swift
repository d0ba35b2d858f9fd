import Canvas
import Foundation
import Testing
import TripTestSupport

/// An expected screen as text in `Assets/Screens`.
///
/// `UPDATE_SCREENS=1` rewrites the expected screens. Without it, a missing file fails the test.
struct ScreenFile {
    let name: String

    private var url: URL { Checkout.assets.appending(path: "Screens/\(name).txt") }

    /// Checks that a canvas is equal to the expected screen.
    func expect(_ canvas: Canvas, withRoles: Bool = false, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let picture = canvas.text + "\n" + (withRoles ? canvas.roleMap + "\n" : "")
        if ProcessInfo.processInfo.environment["UPDATE_SCREENS"] == "1" {
            try Data(picture.utf8).write(to: url)
            return
        }
        guard FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) else {
            Issue.record(
                "No picture \(name): run the test with UPDATE_SCREENS=1 and check it",
                sourceLocation: sourceLocation
            )
            return
        }
        let expected = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        guard picture != expected else { return }
        let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
        let new = picture.split(separator: "\n", omittingEmptySubsequences: false)
        let rows = (0..<max(old.count, new.count)).filter { index in
            (index < old.count ? old[index] : "") != (index < new.count ? new[index] : "")
        }
        Issue.record("Rows \(rows) of \(name) differ; the screen is now:\n\(picture)", sourceLocation: sourceLocation)
    }
}
