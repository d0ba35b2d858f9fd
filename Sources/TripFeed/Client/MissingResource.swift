/// Reads from the message of a 404 whether the trip or shipment is missing, or the method, path or server that was asked.
///
/// A gateway can put its own words into Google's form of errors.
enum MissingResource {
    /// Messages of Google and of object stores, in lower case; what follows in them is an ID, which may be any words.
    private static let beginnings = ["requested entity was not found", "no entity with id ", "no such object: "]

    /// What a trip or a shipment is called.
    private static let resources: Set<Substring> = [
        "entity", "entities", "trip", "trips", "tripid", "task", "tasks", "shipment", "shipments", "tracking",
        "trackingid",
        "object", "record",
    ]

    /// What else can be missing; frameworks say `resource` of a path.
    private static let others: Set<Substring> = [
        "api", "app", "application", "backend", "cluster", "controller", "domain", "endpoint", "file", "function",
        "handler", "host", "method", "operation", "page", "path", "proxy", "route", "router", "routes", "rpc", "server",
        "service", "site", "upstream", "uri", "url", "vehicle", "vehicles", "verb", "webpage",
    ]

    /// Returns whether a message says that the resource is missing.
    static func isNamed(in message: String) -> Bool {
        let message = message.lowercased()
        if beginnings.contains(where: message.hasPrefix) { return true }
        // The path of the request names the resource, too.
        let words = message.split(whereSeparator: \.isWhitespace).filter { !isPath($0) }
        // A quoted word is a name.
        let bare = words.map { $0.trimming { ".,:;!?()".contains($0) } }
        guard !bare.contains(where: others.contains) else { return false }
        return words.contains { word in
            word.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.contains(where: resources.contains)
        }
    }

    /// Whether a word is a path or a URL; `providers/p/trips/t` is the name of a resource.
    private static func isPath(_ word: Substring) -> Bool {
        let word = word.trimming { !$0.isLetter && !$0.isNumber && $0 != "/" }
        return word.hasPrefix("/") || word.hasPrefix("v1/") || word.contains("/v1/") || word.contains("://")
    }
}

extension Substring {
    /// Returns the text without the characters at both ends that meet a condition.
    fileprivate func trimming(while condition: (Character) -> Bool) -> Substring {
        var text = drop(while: condition)
        while let last = text.last, condition(last) { text.removeLast() }
        return text
    }
}
