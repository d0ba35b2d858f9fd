import Foundation

/// The memory of this process, without what the allocator keeps for later.
package enum HeapMemory {
    /// The resident memory in bytes after the heap has returned its free pages; `nil` except on Linux.
    package static func resident() -> Int? {
        trim()
        // Field 2 of statm is the resident size in pages of 4 KiB.
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 }
    }

    /// The allocated bytes, including the allocator's own data; `nil` except with glibc.
    ///
    /// Resident memory would also contain holes of varying size.
    package static func allocated() -> Int? {
        // Swift does not import malloc_info.
        guard let symbol = unsafe dlsym(nil, "malloc_info") else { return nil }
        let info = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32).self)
        var text: UnsafeMutablePointer<CChar>?
        var count = 0
        guard let stream = unsafe open_memstream(&text, &count) else { return nil }
        _ = unsafe info(0, stream)
        _ = unsafe fclose(stream)
        defer { unsafe free(text) }
        // The totals come last. <total type="rest" count="12" size="345"/> is free, as is "fast"; "mmap" is in use.
        guard let text = unsafe text, let totals = unsafe String(cString: text).split(separator: "</heap>").last
        else { return nil }
        func size(_ element: String) -> Int {
            let rest = totals.firstRange(of: element).map { totals[$0.upperBound...] }
            return rest?.firstMatch(of: /size="([0-9]+)"/).flatMap { Int($0.1) } ?? 0
        }
        return size("<system type=\"current\"") - size("<total type=\"fast\"") - size("<total type=\"rest\"")
            + size("<total type=\"mmap\"")
    }

    /// Returns free pages to the system: glibc keeps free pages for later.
    private static func trim() {
        // Swift does not import malloc_trim.
        guard let symbol = unsafe dlsym(nil, "malloc_trim") else { return }
        let trim = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)
        _ = trim(0)
    }
}
