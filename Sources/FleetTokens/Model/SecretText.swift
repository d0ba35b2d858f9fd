import FleetWire

/// Redacts possible secrets in untrusted text.
enum SecretText {
    /// Replaces words that may be tokens or keys by `<token>`.
    static func hiding(_ text: String) -> String {
        var result = ""
        var word = ""
        func shown() -> String { isSecret(word) ? "<token>" : word }
        for character in text {
            if isWordCharacter(character) {
                word.append(character)
            } else {
                result += shown()
                result.append(character)
                word = ""
            }
        }
        return result + shown()
    }

    /// Returns JSON on one line with secrets redacted; the values of `tokenKeys` are always redacted.
    static func hiding(_ json: JSONValue, _ tokenKeys: Set<String>) -> String {
        switch json {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .number(let number):
            number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
        case .string(let string): quoted(hiding(string))
        case .array(let items): "[" + items.map { hiding($0, tokenKeys) }.joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.map { member in
                    let key = quoted(hiding(member.key)) + ":"
                    guard case .string(let string) = member.value, !string.isEmpty else {
                        return key + hiding(member.value, tokenKeys)
                    }
                    if tokenKeys.contains(member.key) { return key + quoted("<token>") }
                    return key + (isSecretName(member.key) ? quoted("<hidden>") : quoted(hiding(string)))
                }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
    }

    /// Returns whether a key name indicates a secret.
    private static func isSecretName(_ name: String) -> Bool {
        let name = name.lowercased()
        return [
            "token", "jwt", "secret", "password", "passwd", "credential", "cookie", "authorization", "api_key",
            "apikey",
        ]
        .contains(where: name.contains) && !["type", "expire", "expiry", "lifetime"].contains(where: name.contains)
            || name == "private_key"
    }

    /// Returns whether a word may be a secret.
    ///
    /// That is a JWT, a key of a known format, or a longer base64 sequence than any word or ID has.
    private static func isSecret(_ word: String) -> Bool {
        guard word.utf8.count >= 16 else { return false }
        if word.contains("eyJ") || word.contains("ya29.") || word.contains("AIza") { return true }
        return word.split { "./+=~%".contains($0) }.contains { part in
            part.utf8.count >= 80 || (part.utf8.count >= 40 && part.contains(where: \.isNumber) && hasBothCases(part))
        }
    }

    private static func hasBothCases(_ text: Substring) -> Bool {
        text.contains(where: \.isUppercase) && text.contains(where: \.isLowercase)
    }

    private static func isWordCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-._~+/=%".contains(character))
    }
}
