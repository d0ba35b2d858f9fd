import Foundation

/// Texts of this repository, in several languages, that fill generated answers.
struct Filler: Sendable {
    /// Sentences in several languages, without characters that HTML or JSON must escape.
    let sentences: [String]

    /// Reads the texts of the program and its manual.
    init(checkout folder: URL) throws {
        var found: [String] = []
        for language in ["en", "de", "ko", "zh-Hans", "zh-Hant"] {
            let data = try Data(contentsOf: folder.appending(path: "Assets/Strings/\(language).json"))
            let texts = try JSONSerialization.jsonObject(with: data) as? [String: String] ?? [:]
            found += texts.sorted { $0.key < $1.key }.map(\.value)
        }
        let manual = folder.appending(path: "Sources/tripshare/tripshare.docc")
        let pages = try FileManager.default.contentsOfDirectory(at: manual, includingPropertiesForKeys: nil)
        for page in pages.sorted(by: { $0.path < $1.path }) where page.pathExtension == "md" {
            found += try String(contentsOf: page, encoding: .utf8).split(separator: "\n").map(String.init)
        }
        sentences = found.map { $0.filter { !"{}<>&\"\\`|#*".contains($0) && !$0.isNewline } }.filter { $0.count > 11 }
    }
}
