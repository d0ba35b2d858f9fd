import FleetEmulator
import Foundation

/// Reads the service accounts that the user passes to an emulator.
enum EmulatedAccount {
    private struct KeyFile: Decodable {
        var clientEmail: String
        var privateKeyId: String
        var privateKey: String
    }

    /// Parses each `ROLE=FILE`.
    ///
    /// The emulator identifies a caller by its key, so each role needs a different key.
    static func read(_ arguments: [String]) throws(CommandFailure) -> [EmulatorAccount] {
        var accounts: [EmulatorAccount] = []
        for argument in arguments {
            let account = try read(argument)
            let other = accounts.first { $0.role == account.role || $0.keyID == account.keyID }
            if let other {
                throw CommandFailure(
                    .usage,
                    other.role == account.role
                        ? "--account names two keys for the role \(account.role.rawValue).\nName one."
                        : "--account names one key for the roles \(other.role.rawValue) and \(account.role.rawValue).\n"
                            + "Name a key for each: the emulator knows by it who calls."
                )
            }
            accounts.append(account)
        }
        return accounts
    }

    /// Parses one `ROLE=FILE`.
    private static func read(_ argument: String) throws(CommandFailure) -> EmulatorAccount {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let role = Caller.Role(rawValue: parts[0]) else {
            throw CommandFailure(
                .usage,
                "--account takes a role and a file, such as consumer=key.json; the roles are consumer, driver and server."
            )
        }
        let text = try InputFile.text(parts[1], what: "key file", advice: "Name the JSON key of a service account.")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let file = try? decoder.decode(KeyFile.self, from: Data(text.utf8)) else {
            // The decoder's error may quote the file, which holds a secret.
            throw CommandFailure(
                .badInput,
                "\(shown(parts[1])) is not a service-account key file.\n"
                    + "It has to be JSON with client_email, private_key_id and private_key."
            )
        }
        return EmulatorAccount(
            role: role,
            email: file.clientEmail,
            keyID: file.privateKeyId,
            privateKeyPEM: file.privateKey
        )
    }
}
