import Foundation
import Synchronization
import Testing
import TripTestSupport

/// The recipes of the manual, run line by line as a reader would.
@Suite("Recipes of the manual", .serialized, .ends(within: .longTest))
struct RecipeTests {
    private struct Recipe: CustomTestStringConvertible, Sendable {
        var title: String
        /// The commands for a shell.
        var commands: String
        /// The configurations of other tools.
        var configurations: [String]

        var testDescription: String { title }
    }

    private static let recipes: [Recipe] = {
        let page = Checkout.folder.appending(path: "Sources/tripshare/tripshare.docc/Recipes.md")
        // Without the page, the test of the titles fails.
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        return text.components(separatedBy: "\n## ").dropFirst().map { section in
            func blocks(_ language: String) -> [String] {
                section.components(separatedBy: "```\(language)\n").dropFirst().map {
                    $0.components(separatedBy: "\n```")[0]
                }
            }
            let title = section.split(separator: "\n").first.map(String.init) ?? ""
            return Recipe(
                title: title,
                commands: blocks("sh").joined(separator: "\n"),
                configurations: blocks("yaml")
            )
        }
    }()

    /// A short ride in real time, twice.
    private static let rides = """
        title: Two short rides
        about: Each takes ten seconds.
        trips:
          - {id: first, pickup: Station, dropoff: Market Hall}
          - {id: second, pickup: Station, dropoff: Market Hall}
        vehicles:
          - id: van
            at: Station
            steps:
              - assign: first
              - status: {trip: first, to: ENROUTE_TO_PICKUP}
              - wait: 6
              - status: {trip: first, to: ENROUTE_TO_DROPOFF}
              - wait: 4
              - status: {trip: first, to: COMPLETE}
              - assign: second
              - status: {trip: second, to: ENROUTE_TO_PICKUP}
              - wait: 10
              - status: {trip: second, to: COMPLETE}
        expect:
          - {trip: second, status: COMPLETE, within: 60}
        """

    @Test func `there are recipes with commands`() {
        #expect(Self.recipes.count == 11)
        #expect(Self.recipes.allSatisfy { !$0.commands.isEmpty })
    }

    @Test func `the configurations of other tools have the commands of their recipe`() throws {
        let recipe = try #require(Self.recipes.first { $0.title == "Check a release in CI" })
        #expect(recipe.configurations.count == 2)
        for line in recipe.commands.split(separator: "\n") where line.hasPrefix("tripshare ") {
            #expect(recipe.configurations.allSatisfy { $0.contains(line) }, "\(line)")
        }
    }

    /// `mosquitto_pub` with the options of version 2.0 that the recipe needs; it adds each message to a file.
    private static let publisher = #"""
        #!/bin/sh
        while getopts h:q:t:rs option; do [ "$option" != "?" ] || exit 1; done
        cat >> "$(dirname "$0")/../messages.ndjson"
        """#

    /// The files in which a recipe leaves the events, by a part of its title.
    private static let events = ["genuine": "events.ndjson", "Home Assistant": "messages.ndjson"]

    @Test(arguments: recipes)
    private func `every line works`(_ recipe: Recipe) async throws {
        if recipe.commands.contains("node "), !InstalledTool.node.isInstalled { return }
        let posts = Mutex<[String]>([])
        let chat: @Sendable (String) -> String = { request in
            posts.withLock { $0.append(request) }
            return "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok"
        }
        try await CannedServer.run(.answer(chat)) { server in
            try await Self.run(recipe, chat: "http://127.0.0.1:\(server.port)/services/T0/B0")
        }
        guard recipe.title.contains("chat") else { return }
        let bodies = posts.withLock { $0.compactMap { $0.components(separatedBy: "\r\n\r\n").last } }
        let texts = try bodies.map { try JSONDecoder().decode([String: String].self, from: Data($0.utf8))["text"] }
        #expect(!texts.isEmpty && texts.allSatisfy { $0?.hasPrefix("first: ") == true }, "\(bodies)")
    }

    private static func run(_ recipe: Recipe, chat: String) async throws {
        try await Program.withFolder { folder in
            let log = Checkout.folder.appending(path: "Tests/RecordingTests/Samples/ride.ndjson").path
            let entries = try await Program.run(["export", log, "--format", "fleet-debugger"])
            try Data(entries.output.utf8).write(to: folder.appending(path: "entries.json"))
            let scenario = folder.appending(path: "rides.yaml")
            try Data(Self.rides.utf8).write(to: scenario)
            try await EmulatedEngine.run(["--scenario", scenario.path]) { _, ready in
                let script = """
                    set -euo pipefail
                    # A shell ends without its background commands.
                    trap 'kill $(jobs -p) 2> /dev/null || true' EXIT
                    mkdir "$FOLDER/bin"
                    ln -s "$PROGRAM" "$FOLDER/bin/tripshare"
                    printf '%s' "$PUBLISHER" > "$FOLDER/bin/mosquitto_pub"
                    chmod +x "$FOLDER/bin/mosquitto_pub"
                    PATH="$FOLDER/bin:$PATH"
                    cd "$FOLDER"
                    \(recipe.commands)
                    """
                let run = try await Program.run(
                    executable: "/bin/bash",
                    ["-c", script],
                    environment: [
                        "PROGRAM": Program.path, "FOLDER": folder.path, "TRIP": "first", "NEXT_TRIP": "second",
                        "TRIPS": "first second", "PROJECT": try #require(ready["providerId"] as? String),
                        "TOKEN_URL": try #require(ready["tokenURL"] as? String),
                        "TRIPSHARE_FLEET_ENGINE_URL": try #require(ready["fleetEngineURL"] as? String),
                        "TRIPSHARE_PROVIDER_ID": try #require(ready["providerId"] as? String),
                        "TRIPSHARE_TOKEN_URL": try #require(ready["tokenURL"] as? String),
                        "TRIPSHARE_INTERVAL": "1", "GRPC_PORT": "0", "PAUSE": "0.1",
                        "PORT": "0", "PUBLISHER": Self.publisher, "CHAT_URL": chat,
                    ]
                )
                #expect(run.status == 0, "\(run.output)\n\(run.errors)")
                #expect(!run.output.contains("eyJ"))
                for (title, file) in Self.events where recipe.title.contains(title) {
                    let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
                    #expect(text.contains(#""outcome":"COMPLETE""#), "\(text)\n\(run.errors)")
                }
            }
        }
    }
}
