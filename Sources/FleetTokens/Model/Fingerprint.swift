import Crypto

/// Returns the fingerprint of a token: the first eight hexadecimal digits of its SHA-256.
package func tokenFingerprint(of text: String) -> String {
    SHA256.hash(data: Array(text.utf8)).prefix(4)
        .map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        .joined()
}
