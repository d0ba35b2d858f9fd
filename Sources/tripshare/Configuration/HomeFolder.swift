import Foundation

/// The user's home folder.
enum HomeFolder {
    /// Returns the absolute path in `HOME`, else the path from the password database; `nil` if neither exists.
    ///
    /// The current folder is never used as a fallback, because other users may own it.
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
