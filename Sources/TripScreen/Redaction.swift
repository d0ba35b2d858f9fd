extension String {
    /// The text with everything that could be a token replaced by `<token>`.
    ///
    /// A server may repeat the request in its error message, the token included; a JWT is known by its first letters,
    /// `eyJ`, which are the opening of a JSON object, and any other token by the word `Bearer` before it.
    ///
    /// User and password in a URL go too: they stand between `//` and `@`.
    package var withoutTokens: String {
        guard contains("eyJ") || contains("@") || lowercased().contains("bearer") else { return self }
        return replacing(/:\/\/[^\/\s@]+@/, with: "://<user>@").withoutBearers
    }

    private var withoutBearers: String {
        var result = ""
        var word = ""
        var followsBearer = false
        func flushed() -> String {
            let isToken = (word.contains("eyJ") && word.count >= 16) || (followsBearer && word.count >= 8)
            return isToken ? "<token>" : word
        }
        for character in self {
            if Self.isTokenCharacter(character) {
                word.append(character)
                continue
            }
            result += flushed()
            if !word.isEmpty { followsBearer = word.lowercased() == "bearer" }
            word = ""
            result.append(character)
        }
        return result + flushed()
    }

    private static func isTokenCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-._~+/=".contains(character))
    }
}
