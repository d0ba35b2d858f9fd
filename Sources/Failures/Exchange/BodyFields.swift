/// Finds the values that an answer in JSON calls wrong, with their names.
enum BodyFields {
    /// The members with the name of a field, in the order in which they are searched.
    ///
    /// `loc` is FastAPI's member, `pointer` is RFC 9457's; the others are in common use.
    private static let names = ["field", "loc", "pointer", "path", "param", "property"]
    /// The members with what is wrong with it.
    private static let reasons = ["description", "msg", "message", "detail", "title", "error"]
    /// The lists and objects of wrong values; the first belongs to `google.rpc.BadRequest`.
    private static let containers = ["fieldViolations", "errors", "detail", "details", "violations"]

    /// Returns `field: reason` for each value that an object calls wrong, after the object's own message; `nil` for none.
    static func message(of object: [String: Any], mostFields: Int) -> String? {
        let whole = object["error"] as? [String: Any] ?? object
        let found = containers.lazy.map { fields(of: whole[$0], most: mostFields) }.first { !$0.isEmpty }
        guard let found else { return nil }
        let own = ["message", "title"].lazy.compactMap { whole[$0] as? String }.first { !$0.isEmpty }
        return ([own].compactMap(\.self) + [found.joined(separator: "; ")]).joined(separator: " · ")
    }

    private static func fields(of value: Any?, most: Int) -> [String] {
        if let list = value as? [Any] {
            // A detail of `google.rpc.Status` has a list of its own.
            return Array(
                list.prefix(most).flatMap { element in
                    guard let object = element as? [String: Any] else { return [String]() }
                    let inner = fields(of: object["fieldViolations"], most: most)
                    return inner.isEmpty ? [field(of: object)].compactMap(\.self) : inner
                }.prefix(most)
            )
        }
        // Rails and Laravel send the reasons by the name of the field.
        guard let object = value as? [String: Any] else { return [] }
        return object.sorted { $0.key < $1.key }.compactMap { name, value in
            (value as? [Any])?.first.flatMap { $0 as? String }.map { "\(name): \($0)" }
        }.prefix(most).map(\.self)
    }

    private static func field(of object: [String: Any]) -> String? {
        let name = names.lazy.compactMap { text(object[$0]) }.first
        guard let name, let reason = reasons.lazy.compactMap({ text(object[$0]) }).first else { return nil }
        return "\(name): \(reason)"
    }

    /// Returns a text, or the parts of a path with dots between them.
    private static func text(_ value: Any?) -> String? {
        if let list = value as? [Any] {
            let parts = list.prefix(8).compactMap { $0 as? String ?? ($0 as? Int).map(String.init) }
            return parts.isEmpty ? nil : parts.joined(separator: ".")
        }
        return (value as? String).flatMap { $0.isEmpty ? nil : $0 }
    }
}
