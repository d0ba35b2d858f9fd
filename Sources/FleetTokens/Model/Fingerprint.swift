import Crypto
import Foundation

/// Returns the fingerprint of a token: the first eight hexadecimal digits of its SHA-256.
package func tokenFingerprint(of text: String) -> String {
    SHA256.hash(data: Data(text.utf8)).prefix(4).map { String(format: "%02x", $0) }.joined()
}
