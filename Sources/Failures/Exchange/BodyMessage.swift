import Foundation

/// Finds the message for a reader in the body of an answer: of JSON, of a web page, of XML, or a line of text.
enum BodyMessage {
    /// The maximum size of a body in bytes that is searched.
    private static let largest = 64 << 10
    /// The maximum number of errors in a list whose messages are stored.
    private static let mostErrors = 3

    /// Returns the message; `nil` if there is none.
    static func find(in body: [UInt8]) -> String? {
        var body = body.prefix(largest)
        if body.starts(with: [0xEF, 0xBB, 0xBF]) { body = body.dropFirst(3) }
        guard let first = body.first(where: { $0 > 0x20 }) else { return nil }
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
            // A truncated or invalid body has no message of its own.
            let json = try? JSONSerialization.jsonObject(with: Data(body), options: .fragmentsAllowed)
            return json.flatMap { message(of: $0, depth: 0) }
        case UInt8(ascii: "<"):
            return MarkupMessage.find(in: String(decoding: body.prefix(MarkupMessage.largest), as: UTF8.self))
        default:
            let text = String(decoding: body.prefix(Exchange.Body.longestText), as: UTF8.self)
            return text.split(whereSeparator: \.isNewline).lazy.map { $0.trimmingCharacters(in: .whitespaces) }
                .first { !$0.isEmpty && $0 != "null" }
        }
    }

    // MARK: JSON

    /// The members with a message, in the order in which they are searched, in lower case.
    ///
    /// `error` and `error_description` belong to RFC 6749, `title` and `detail` to RFC 9457, `errors` to GraphQL
    /// and JSON:API, `fault` and `faultstring` to Apigee; the others are in common use.
    private static let texts = [
        "error_description", "message", "errormessage", "msg", "detail", "title", "reason", "faultstring",
        "description",
    ]
    private static let containers = ["error", "fault", "detail", "errors"]

    private static func message(of value: Any, depth: Int) -> String? {
        guard depth < 4 else { return nil }
        if let text = value as? String { return text.isEmpty ? nil : text }
        if let list = value as? [Any] {
            let found = list.prefix(mostErrors).compactMap { message(of: $0, depth: depth + 1) }
            return found.isEmpty ? nil : found.joined(separator: "; ")
        }
        guard let object = value as? [String: Any] else { return nil }
        if let named = BodyFields.message(of: object, mostFields: mostErrors) { return named }
        let members = Dictionary(object.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        func text(_ name: String) -> String? {
            (members[name] as? String).flatMap { $0.isEmpty ? nil : $0 }
        }
        for name in containers where members[name] is [String: Any] || members[name] is [Any] {
            if let found = members[name].flatMap({ message(of: $0, depth: depth + 1) }) { return found }
        }
        let found = texts.lazy.compactMap(text).first
        guard let code = text("error") else {
            guard let title = text("title"), let found, found != title, text("detail") == found else { return found }
            return "\(title): \(found)"
        }
        return found.map { "\(code): \($0)" } ?? code
    }
}

/// Finds the message of a web page or of XML.
enum MarkupMessage {
    /// The maximum size in bytes of the part of a page that is searched.
    static let largest = 16 << 10
    /// The maximum number of elements without text that are removed, of each name.
    fileprivate static let mostElements = 20

    /// Returns the title and the first sentence of a page, or the message of an error in XML; `nil` if there is none.
    static func find(in text: String) -> String? {
        if let message = element("message", of: text), !message.isEmpty {
            guard let code = element("code", of: text), !code.isEmpty else { return message }
            return "\(code): \(message)"
        }
        let title = element("title", of: text)
        var body = text
        for name in ["head", "title", "script", "style", "svg"] { body = body.withoutElements(name) }
        let sentence = firstSentence(plain(body))
        let parts = [title, sentence].compactMap { $0 }.filter { !$0.isEmpty }
        guard parts.count == 2, parts[1].hasPrefix(parts[0]) else {
            return parts.isEmpty ? nil : parts.joined(separator: ": ")
        }
        return parts[1]
    }

    private static func element(_ name: String, of text: String) -> String? {
        guard let open = text.range(of: "<\(name)(\\s[^>]*)?>", options: [.regularExpression, .caseInsensitive]),
            let close = text.range(
                of: "</\(name)>",
                options: .caseInsensitive,
                range: open.upperBound..<text.endIndex
            )
        else { return nil }
        return plain(String(text[open.upperBound..<close.lowerBound]))
    }

    /// Returns the text without tags on one line.
    private static func plain(_ markup: String) -> String {
        var text = ""
        var rest = markup[...]
        while let open = rest.firstIndex(of: "<") {
            text += rest[..<open] + " "
            let isComment = rest[open...].hasPrefix("<!--")
            guard let close = rest[open...].range(of: isComment ? "-->" : ">") else {
                rest = ""
                break
            }
            rest = rest[close.upperBound...]
        }
        text += rest
        for (entity, character) in [
            ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
        ] {
            text = text.replacing(entity, with: character)
        }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func firstSentence(_ text: String) -> String {
        let end = text.firstRange(of: /[.!?]( |$)/)?.lowerBound
        return end.map { String(text[...$0]) } ?? text
    }
}

extension String {
    /// Returns the text without the elements of a name.
    fileprivate func withoutElements(_ name: String) -> String {
        var text = self
        for _ in 0..<MarkupMessage.mostElements {
            guard let open = text.range(of: "<\(name)\\b", options: [.regularExpression, .caseInsensitive])
            else { break }
            let close = text.range(
                of: "</\(name)>",
                options: .caseInsensitive,
                range: open.upperBound..<text.endIndex
            )
            text.removeSubrange(open.lowerBound..<(close?.upperBound ?? text.endIndex))
        }
        return text
    }
}

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
