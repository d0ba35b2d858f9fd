import Failures
import FleetEmulator
import Foundation
import TripText

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
                let (first, second) = (other.role, account.role)
                throw first == second
                    ? CommandFailure(.usage, .failureAccountRoleTwice, ["role": first.rawValue])
                    : CommandFailure(
                        .usage,
                        .failureAccountKeyTwice,
                        ["first": first.rawValue, "second": second.rawValue]
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
            let roles = Caller.Role.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(.usage, .failureAccountForm, ["roles": roles])
        }
        let text = try InputFile.text(parts[1], what: .nounKeyFile, advice: CommandText(.adviceKeyFile))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let file = try? decoder.decode(KeyFile.self, from: Data(text.utf8)) else {
            // The decoder's error may quote the file, which holds a secret.
            throw CommandFailure(.badInput, .failureAccountFile, ["file": excerpt(path: parts[1])])
        }
        return EmulatorAccount(
            role: role,
            email: file.clientEmail,
            keyID: file.privateKeyId,
            privateKeyPEM: file.privateKey
        )
    }
}
