import Foundation

/// Where a person's own files are.
enum HomeFolder {
    /// The absolute path in `HOME`, else the one of the user's entry in the password database; `nil` where neither has one.
    ///
    /// Files are never put into the current folder instead, which may be anybody's.
    static func path(environment: [String: String]) -> String? {
        if let home = environment["HOME"], home.hasPrefix("/") { return home }
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var texts = [CChar](repeating: 0, count: 1 << 14)
        guard unsafe getpwuid_r(getuid(), &entry, &texts, texts.count, &found) == 0, let found = unsafe found,
            let folder = unsafe found.pointee.pw_dir
        else { return nil }
        let home = unsafe String(cString: folder)
        return home.hasPrefix("/") ? home : nil
    }
}
