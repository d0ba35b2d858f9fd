import Failures
import FleetTokens
import Foundation
import Runtime
import Synchronization
import Testing
import TokenSigning
import TripModel
import TripTestSupport

import enum CryptoExtras._RSA

@testable import tripshare

/// The requirements that every kind of token source must meet.
@Suite("Token source contract", .ends(within: .quickTest))
struct SourceContractTests {
    /// A kind of source that hands out text written elsewhere.
    enum Kind: String, CaseIterable, Sendable {
        case http
        case command
        case file
        case environment
    }

    /// A text that a test changes while a source reads it.
    final class Board: Sendable {
        private let state = Locked("")

        var text: String { state.withLock { $0 } }

        func show(_ text: String) { state.withLock { $0 = text } }
    }

    /// A source of this kind that reads a changeable text.
    final class Stage: Sendable {
        let source: any TokenSource
        private let board = Board()
        private let path = FileManager.default.temporaryDirectory.appending(path: "contract-\(UUID().uuidString)").path
        private let kind: Kind

        init(_ kind: Kind) throws {
            self.kind = kind
            switch kind {
            case .http:
                let transport = HTTPTransport { [board] request throws(Failure) in
                    let body = Array(board.text.utf8)
                    guard body.count <= request.maximumResponseBytes else {
                        throw .tooLarge(limit: request.maximumResponseBytes)
                    }
                    return HTTPTransportResponse(status: 200, body: body)
                }
                source = HTTPTokenSource(
                    template: try TokenURLTemplate("https://example.com/{tripId}"),
                    transport: transport
                )
            case .command: source = CommandTokenSource(arguments: ["/bin/cat", path], environment: [:])
            case .file: source = FileTokenSource(path: path)
            case .environment:
                source = EnvironmentTokenSource(variable: "T", environment: { [board] in ["T": board.text] })
            }
        }

        deinit {
            try? FileManager.default.removeItem(atPath: path)  // half of the kinds create no file
        }

        func show(_ text: String) {
            board.show(text)
            guard kind == .command || kind == .file else { return }
            let isWritten = FileManager.default.createFile(
                atPath: path,
                contents: Data(text.utf8),
                attributes: [.posixPermissions: 0o600]
            )
            #expect(isWritten)
        }

        func fetch(_ reason: FetchReason = .needed) async throws(Failure) -> IssuedToken {
            do {
                return try await source.fetch(.trip(try TripID("trip-A")), reason: reason)
            } catch let error as Failure {
                throw error
            } catch {
                throw .sourceCancelled
            }
        }

        func error() async -> Failure? {
            do throws(Failure) {
                _ = try await fetch()
                return nil
            } catch {
                return error
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func `returns the current token in each of the three formats`(kind: Kind) async throws {
        let stage = try Stage(kind)
        for (form, token) in [
            (#"{"jwt":"a.b.c","x":1}"#, "a.b.c"), (#""d.e.f""#, "d.e.f"), (" g.h.i\n", "g.h.i"),
        ] {
            stage.show(form)
            let issued = try await stage.fetch()
            #expect(issued.revealed == token)
            #expect(issued.warnings.isEmpty)
        }
    }

    @Test(arguments: Kind.allCases)
    func `distinguishes empty, foreign and oversized text and repeats none of it`(kind: Kind) async throws {
        let stage = try Stage(kind)
        let cases: [(String, Failure)] = [
            ("", .sourceEmpty), (" \n", .sourceEmpty), ("please log in, hunter2", .sourceNotJSON),
            ("<html>hunter2", .sourceHTML(status: 200)),
            (#"{"token":"hunter2"}"#, .sourceMissingKey("jwt", known: ["token"])),
            (#"{"jwt":["hunter2"]}"#, .sourceWrongType(key: "jwt")),
            (#"{"jwt":"hunter2""#, .sourceNotJSON),
            (String(repeating: "hunter2", count: 10_000), .sourceTooLarge(limit: 65_536)),
        ]
        for (text, error) in cases {
            stage.show(text)
            let thrown = await stage.error()
            #expect(thrown == error)
            #expect(!"\(String(reflecting: thrown))".contains("hunter2"))
        }
        stage.show("a.b.c")
        #expect(try await stage.fetch().revealed == "a.b.c")
    }

    @Test(arguments: Kind.allCases)
    func `serves concurrent fetches for every reason`(kind: Kind) async throws {
        let stage = try Stage(kind)
        stage.show("a.b.c")
        let served = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<20 {
                let reason = FetchReason.allCases[index % FetchReason.allCases.count]
                group.addTask { (try? await stage.fetch(reason))?.revealed == "a.b.c" }  // counted below
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(served == 20)
    }

    @Test(arguments: Kind.allCases)
    func `has a name without a secret and prints nothing of its content`(kind: Kind) async throws {
        let stage = try Stage(kind)
        stage.show("hunter2.hunter2.hunter2")
        var printed = "\(stage.source.name) "
        dump(try await stage.fetch(), to: &printed)
        #expect(!stage.source.name.isEmpty)
        #expect(!printed.contains("hunter2"))
    }

    @Test(arguments: Kind.allCases)
    func `ends promptly when the task is cancelled, with a token or with a cancellation error`(kind: Kind) async throws
    {
        let stage = try Stage(kind)
        stage.show("a.b.c")
        let task = Task.immediate { () async -> Result<IssuedToken, Failure> in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            do throws(Failure) {
                return .success(try await stage.fetch())
            } catch {
                return .failure(error)
            }
        }
        switch await task.value {
        case .success(let token): #expect(token.revealed == "a.b.c")
        case .failure(let error): #expect(error == .sourceCancelled)
        }
    }

    // MARK: The source that signs

    @Test func `a signing key creates a separate faultless token for each trip, vehicle and server`() async throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let pem = key.pkcs8PEMRepresentation.replacing("\n", with: "\\n")
        let json = #"{"client_email":"a@p.iam.gserviceaccount.com","private_key_id":"k1","private_key":"\#(pem)"}"#
        let account = try await ServiceAccountKey(json: Array(json.utf8))
        let clock = ManualClock()
        let source = ServiceAccountTokenSource(key: account, clock: clock)
        #expect(!source.name.isEmpty)
        for context in [AuthorizationContext.trip(try TripID("t-1")), .vehicle(try VehicleID("v-1"))] {
            let issued = try await source.fetch(context, reason: .needed)
            let now = clock.now().wall
            let inspection = try await TokenInspection.inspect(
                issued.revealed,
                .init(context: context, providerID: "p"),
                now: now
            ).checkingSignature(publicKeyPEM: key.publicKey.pemRepresentation)
            #expect(inspection.isFaultless, "\(inspection.findings)")
            let claims = try #require(inspection.claims)
            #expect((claims.algorithm, claims.keyID) == ("RS256", "k1"))
            #expect((claims.issuer, claims.subject) == (account.email, account.email))
            #expect(claims.audiences == [TokenExpectations.fleetEngineAudience])
            #expect(claims.issuedAtSeconds == now.timeIntervalSince1970 - 30)
            #expect(claims.expirySeconds == now.timeIntervalSince1970 + 3300)
            #expect(!"\(issued) \(String(reflecting: account)) \(source)".contains(issued.revealed.suffix(20)))
        }
        let server = try await account.sign(.server, at: clock.now().wall)
        let expectations = TokenInspection.Expectations(providerID: "p", isForServer: true)
        #expect(TokenInspection.inspect(server.revealed, expectations, now: clock.now().wall).isFaultless)
        let client = TokenInspection.inspect(server.revealed, .init(), now: clock.now().wall)
        #expect(client.findings.contains { $0.rule == .scope && $0.verdict == .broken })
    }

    @Test func `a signing key works as the source of a provider`() async throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let pem = key.pkcs8PEMRepresentation.replacing("\n", with: "\\n")
        let json = #"{"client_email":"a@p.iam.gserviceaccount.com","private_key_id":"k1","private_key":"\#(pem)"}"#
        let clock = ManualClock()
        let source = ServiceAccountTokenSource(key: try await ServiceAccountKey(json: Array(json.utf8)), clock: clock)
        let provider = TokenProvider(source: source, clock: clock, seed: 1)
        let trip = AuthorizationContext.trip(try TripID("t-1"))
        let first = try await provider.token(for: trip)
        #expect(provider.status(of: trip).state == .fresh)
        clock.advance(by: .seconds(3400))
        #expect(try await provider.token(for: trip).fingerprint != first.fingerprint)
        await provider.close()
    }
}
