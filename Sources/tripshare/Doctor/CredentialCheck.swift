import Credentials
import Failures
import FleetTokens
import FleetWire
import TransportLive
import TripFeed
import TripModel
import TripText

/// The diagnostic steps for the credentials of a backend.
struct CredentialCheck: Sendable {
    let doctor: Doctor
    let source: CredentialTokenSource
    let tokens: TokenProvider

    private var localizer: Localizer { doctor.localizer }

    /// Runs the steps up to the first failure.
    func checks() async -> [Check] {
        let resolved: ResolvedCredential
        do throws(Failure) {
            resolved = try await source.resolved()
        } catch {
            let exit = error.exitStatus
            return [
                Check(.credentials, .failed, UserMessage(error, localizer: localizer), exit: exit, localizer: localizer)
            ]
        }
        var checks = [Check(.credentials, .passed, found(resolved.found))]
        checks += await serverChecks(resolved)
        guard checks.last?.verdict != .failed else { return checks }
        return checks + [await signing(resolved)]
    }

    /// Says which credentials were found, where, and which places have none.
    private func found(_ found: FoundCredential) -> String {
        let place =
            switch found.place {
            case .flag(let path), .gcloud(let path): excerpt(path: path)
            case .variable(let path): "\(CredentialSearch.variable) (\(excerpt(path: path)))"
            case .metadata(let host): localizer(.doctorMetadata(host: excerpt(host)))
            }
        let passed = found.passedOver.map { passed in
            switch passed.reason {
            case .unset: localizer(.doctorPassedUnset(place: excerpt(path: passed.place)))
            case .noFile, .notAsked, .noAnswer: localizer(.doctorPassedNoFile(place: excerpt(path: passed.place)))
            }
        }
        return localizer(
            .doctorCredentials(
                type: found.credential.type,
                place: place,
                project: found.project.map { localizer(.doctorProject(project: excerpt($0))) } ?? "",
                quota: found.quotaProject.map { localizer(.doctorQuotaProject(project: excerpt($0))) } ?? "",
                passed: passed.isEmpty
                    ? "" : localizer(.doctorPassedOver(places: passed.joined(separator: localizer(.listComma))))
            )
        )
    }

    /// Gets the token of a server and lists trips with it.
    ///
    /// Following a trip does not need this right, so that a refusal is only a warning.
    private func serverChecks(_ resolved: ResolvedCredential) async -> [Check] {
        let token: BearerToken
        do throws(TokenError) {
            token = try await tokens.token(for: .server)
        } catch {
            let status = tokens.status(of: .server)
            let sentence = UserMessage(
                noToken: error.failure.with(status.lastExchange),
                for: resolved.found.credential.type,
                localizer: localizer
            )
            return [Check(.access, .failed, sentence, exit: error.failure.exitStatus, localizer: localizer)]
        }
        let left = token.properties.left
        let account = await resolved.account
        let access = localizer(.doctorAccess(duration: localizer.span(left), account: excerpt(account)))
        let client = FleetClient(
            endpoint: doctor.target.endpoint,
            tokens: tokens,
            transport: doctor.calls,
            clock: doctor.target.clock,
            certificates: doctor.certificates
        )
        var search = TripSearch()
        search.page.size = 1
        var renewed: [Check] = []
        do throws(Failure) {
            _ = try await client.listTrips(
                search,
                in: doctor.target.provider,
                pages: 1,
                renewed: {
                    renewed.append(Check(.server, .warned, localizer(Text(renewed: $0))))
                }
            )
            return [Check(.access, .passed, access)] + renewed
                + [Check(.server, .passed, localizer(.doctorServer))]
        } catch {
            let sentence = UserMessage(
                error,
                searching: doctor.target.provider,
                host: doctor.target.endpoint.displayName,
                localizer: localizer
            )
            return [Check(.access, .passed, access), Check(.server, .warned, sentence, localizer: localizer)]
        }
    }

    /// Says who signs the tokens of the trips.
    private func signing(_ resolved: ResolvedCredential) async -> Check {
        do throws(Failure) {
            let account = try await resolved.signer.account()
            let text =
                resolved.signer.needsIAM
                ? localizer(.doctorSigningIAM(account: excerpt(account)))
                : localizer(.doctorSigningKey(account: excerpt(account)))
            return Check(.signing, .passed, text)
        } catch {
            let exit = error.exitStatus
            return Check(.signing, .failed, UserMessage(error, localizer: localizer), exit: exit, localizer: localizer)
        }
    }
}

extension ConnectionSettings {
    /// Returns what is special about connections to a URL, as the end of a sentence, and which option or variable decided it.
    func words(for url: String, _ localizer: Localizer) -> String {
        guard let origin = URLOrigin(url) else { return "" }
        var words = ""
        // The next check reports an unusable proxy.
        if let proxy = try? proxies.proxy(for: origin) {
            words += localizer(.doctorProxy(proxy: excerpt(proxy.url), source: proxy.source))
        } else if let address = address(of: origin) {
            words += localizer(.doctorAddress(address: excerpt(address.address), source: "--resolve"))
        }
        if origin.isSecure, let roots {
            words += localizer(.doctorRoots(path: excerpt(path: roots.path), source: roots.source))
        }
        return words
    }
}
