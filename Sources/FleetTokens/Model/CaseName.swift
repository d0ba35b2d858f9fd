/// Returns the name of an enum's case in snake case, such as `invalid_url` for `invalidURL(…)`.
///
/// Codes for programs are these names, so that they need no tables. A test lists them all: they are part of the interface.
func caseName(of value: Any) -> String {
    let name = Mirror(reflecting: value).children.first?.label ?? "\(value)"
    var words = ""
    for character in name {
        if character.isUppercase, words.last?.isLowercase == true { words.append("_") }
        words.append(character)
    }
    return words.lowercased()
}
