import Foundation
import Testing
import TripTestSupport

/// A fenced block of a page of the manual or of the README.
struct ManualBlock: CustomTestStringConvertible, Sendable {
    /// The name of the page without its extension, such as `Replay`.
    var page: String
    /// The word after the fence; empty without one.
    var language: String
    /// The text between the fences.
    var text: String

    /// The first command.
    var title: String { String(text.prefix { $0 != "\n" }) }

    var testDescription: String { "\(page): \(title.prefix(60))" }

    /// Every block of every page of both catalogs and of the README.
    static let all = Result { () throws -> [ManualBlock] in
        let catalogs = ["Sources/tripshare/tripshare.docc", "Sources/FleetTokens/FleetTokens.docc"]
        let pages = try catalogs.flatMap {
            try FileManager.default.contentsOfDirectory(
                at: Checkout.folder.appending(path: $0),
                includingPropertiesForKeys: nil
            )
        }
        return try (pages.filter { $0.pathExtension == "md" } + [Checkout.folder.appending(path: "README.md")])
            .sorted { $0.path < $1.path }.flatMap { page in
                blocks(
                    in: try String(contentsOf: page, encoding: .utf8),
                    of: page.deletingPathExtension().lastPathComponent
                )
            }
    }

    /// The blocks with commands; empty if the pages can't be read, which a test reports.
    static let commands: [ManualBlock] = ((try? all.get()) ?? []).filter { $0.language == "sh" }

    private static func blocks(in text: String, of page: String) -> [ManualBlock] {
        var blocks: [ManualBlock] = []
        var open: ManualBlock?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let block = open { blocks.append(block) }
                open = open == nil ? ManualBlock(page: page, language: String(line.dropFirst(3)), text: "") : nil
            } else {
                open?.text += "\(line)\n"
            }
        }
        return blocks
    }
}
