import FleetWire

/// A page of a list and the token for the next page.
package struct Page<Item: Sendable>: Sendable {
    package var items: [Item]
    package var next: String?
    /// The total number of items on all pages.
    package var total: Int
}

extension Page {
    /// The default page size.
    static var size: Int { 100 }
    /// The maximum page size; a larger request gets this many items.
    static var maximumSize: Int { 1000 }

    /// Creates a page of items in order of creation; a page token is valid only for the filter that created it.
    ///
    /// The token names the last item of its page, so that items that appear or disappear between two pages neither hide others
    /// nor repeat them.
    init(
        of items: [(number: Int, item: Item)],
        _ request: PageRequest,
        filter: String
    ) throws(ServiceError) {
        var last = 0
        if let token = request.token {
            let parts = token.split(separator: "-", maxSplits: 1)
            guard parts.count == 2, let number = Int(parts[0]), number >= 0, parts[1] == Self.digest(filter) else {
                throw .invalidArgument("page_token is not valid for this list")
            }
            last = number
        }
        let rest = items.filter { $0.number > last }.sorted { $0.number < $1.number }
        let page = rest.prefix(min(request.size ?? Self.size, Self.maximumSize))
        let next = page.count < rest.count ? page.last.map { "\($0.number)-\(Self.digest(filter))" } : nil
        self.init(items: page.map(\.item), next: next, total: items.count)
    }

    /// FNV-1a with 64 bits.
    ///
    /// `hashValue` differs between processes.
    private static func digest(_ text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
