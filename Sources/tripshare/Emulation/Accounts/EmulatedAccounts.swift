import Failures
import FleetEmulator
import Foundation
import TripText

/// The service accounts that the user passes to an emulator: with their keys, or only named, so that IAM signs for them.
struct EmulatedAccounts {
    /// The accounts with keys.
    private(set) var keys: [EmulatorAccount] = []
    /// The email addresses of the accounts for which IAM signs.
    private(set) var named: [(role: Caller.Role, email: String)] = []

    /// The roles for which the token endpoint signs with a real key.
    var roles: [Caller.Role] { keys.map(\.role) + named.map(\.role) }

    private struct KeyFile: Decodable {
        var clientEmail: String
        var privateKeyId: String
        var privateKey: String
    }

    /// Parses each `ROLE=FILE` or `ROLE=EMAIL`; a name with `@` that is no file is an address.
    ///
    /// Accounts with one address are one account with several roles. Accounts may share a key.
    init(_ arguments: [String], hasCredentials: Bool) throws(CommandFailure) {
        for argument in arguments {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let role = Caller.Role(rawValue: parts[0]) else {
                let roles = Caller.Role.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandFailure(.usage, .failureAccountForm(roles: roles))
            }
            guard !roles.contains(role) else {
                throw CommandFailure(.usage, .failureAccountRoleTwice(role: role.rawValue))
            }
            let name = parts[1]
            if name.contains("@"), !FileManager.default.fileExists(atPath: name) {
                guard hasCredentials else {
                    throw CommandFailure(.usage, .failureAccountCredentials(account: excerpt(name)))
                }
                named.append((role, name))
            } else {
                keys.append(try Self.account(role, name))
            }
        }
    }

    private static func account(_ role: Caller.Role, _ path: String) throws(CommandFailure) -> EmulatorAccount {
        let text = try InputFile.text(path, what: .nounKeyFile, advice: .adviceKeyFile)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let file = try? decoder.decode(KeyFile.self, from: Data(text.utf8)) else {
            // The decoder's error may quote the file, which holds a secret.
            throw CommandFailure(.badInput, .failureAccountFile(file: excerpt(path: path)))
        }
        return EmulatorAccount(
            role: role,
            email: file.clientEmail,
            keyID: file.privateKeyId,
            privateKeyPEM: file.privateKey
        )
    }
}
