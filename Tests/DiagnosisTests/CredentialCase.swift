import Foundation
import Runtime
import TripModel
import TripTestSupport
import TripText

/// A set-up with one of the known mistakes that looks different from the known one: other names, places, forms of JSON and headers.
struct CredentialCase {
    private(set) var mistake: CredentialMistake
    private var random: SeededGenerator

    /// Makes a case from a seed.
    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        mistake = CredentialMistake.all[0]
        mistake = pick(CredentialMistake.all)
        moveFile()
        rename()
        reshapeAnswers()
    }

    /// Returns the mistake and the message about it.
    func result() async throws -> (CredentialMistake, UserMessage) {
        guard let outcome = try await mistake.outcome() else { throw NoFailure(name: mistake.name) }
        return (mistake, outcome.message)
    }

    private struct NoFailure: Error {
        var name: String
    }

    private mutating func pick<Element>(_ list: [Element]) -> Element {
        list[Int.random(in: 0..<list.count, using: &random)]
    }

    /// Puts the credentials where another machine has them.
    private mutating func moveFile() {
        guard let text = mistake.scene.files.removeValue(forKey: CredentialScene.adc) else { return }
        switch pick([0, 1, 2]) {
        case 0: mistake.scene.files[CredentialScene.adc] = text
        case 1:
            let path = pick(["/secrets/backend.json", "/run/google/creds", "/srv/app/a b.json"])
            mistake.scene.environment["GOOGLE_APPLICATION_CREDENTIALS"] = path
            mistake.scene.files[path] = text
        default:
            mistake.scene.environment["CLOUDSDK_CONFIG"] = "/opt/gcloud"
            mistake.scene.files["/opt/gcloud/application_default_credentials.json"] = text
        }
    }

    /// Gives the accounts, pools and projects other names.
    private mutating func rename() {
        let names = [
            ("backend@p.iam", pick(["fleet-backend@acme-rides.iam", "b2@x-prod-1.iam"])),
            ("projects/1/locations", "projects/\(Int.random(in: 2...999_999, using: &random))/locations"),
            ("workloadIdentityPools/a/", "workloadIdentityPools/\(pick(["github", "on-prem", "k8s-eu"]))/"),
            ("repo:me/app", pick(["repo:acme/rides:ref:refs/heads/main", "system:serviceaccount:prod:tokens"])),
            ("project 1234", "project \(Int.random(in: 1000...9999, using: &random))"),
        ]
        func renamed(_ text: String) -> String {
            names.reduce(text) { $0.replacing($1.0, with: $1.1) }
        }
        mistake.scene.files = mistake.scene.files.mapValues(renamed)
        mistake.scene.answers = mistake.scene.answers.map { request, answer in
            var answer = answer
            answer.body = renamed(answer.body)
            return (renamed(request), answer)
        }
    }

    /// Gives the answers other headers, another order of their members, more members, and blanks between them.
    private mutating func reshapeAnswers() {
        for index in mistake.scene.answers.indices {
            var answer = mistake.scene.answers[index].answer
            answer.headers = answer.headers.map {
                (Bool.random(using: &random) ? $0.name.lowercased() : $0.name, $0.value)
            }
            answer.headers += pick([
                [], [("Server", "scaffolding on HTTPServer2")], [("Via", "1.1 proxy.corp")],
                [("X-Request-Id", "7f3c"), ("Vary", "Origin")],
            ])
            answer.body = reshaped(answer.body)
            mistake.scene.answers[index].answer = answer
        }
    }

    private mutating func reshaped(_ body: String) -> String {
        guard body.hasPrefix("{"),
            var object = (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any]
        else { return body }
        if Bool.random(using: &random) { object["error_uri"] = "https://developers.google.com/identity" }
        let options = pick([[], [.prettyPrinted], [.sortedKeys]] as [JSONSerialization.WritingOptions])
        return (try? JSONSerialization.data(withJSONObject: object, options: options.union(.sortedKeys)))
            .map { String(decoding: $0, as: UTF8.self) } ?? body
    }
}
