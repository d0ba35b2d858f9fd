import Failures
import FleetTokens
import FleetTokensMonitoring
import Foundation
import MetricsTestKit
import Testing
import TripFeed
import TripTestSupport

@testable import tripshare

@Suite("The table of metrics", .ends(within: .longTest))
struct MetricTableTests {
    /// The names and labels that dashboards and alerts may use; entries are only added.
    private static let served: [String: [String]] = [
        "tripshare_build_info": ["version"],
        "tripshare_polls_total": ["outcome"],
        "tripshare_poll_latency_seconds": [],
        "tripshare_poll_lateness_seconds": [],
        "tripshare_findings_total": ["rule"],
        "tripshare_trips": ["status"],
        "tripshare_token_expiry_seconds": [],
        "tripshare_emulator_requests_total": ["endpoint", "method", "status"],
        "fleet_tokens_fetches_total": ["provider", "reason"],
        "fleet_tokens_successes_total": ["provider"],
        "fleet_tokens_failures_total": ["provider", "kind"],
        "fleet_tokens_hits_total": ["provider"],
        "fleet_tokens_stale_served_total": ["provider"],
        "fleet_tokens_joins_total": ["provider"],
        "fleet_tokens_starts_total": ["provider"],
        "fleet_tokens_negative_hits_total": ["provider"],
        "fleet_tokens_refusals_total": ["provider"],
        "fleet_tokens_rejections_total": ["provider"],
        "fleet_tokens_ignored_rejections_total": ["provider"],
        "fleet_tokens_discarded_late_total": ["provider"],
        "fleet_tokens_evictions_total": ["provider"],
        "fleet_tokens_cancelled_waits_total": ["provider"],
        "fleet_tokens_clock_disagreements_total": ["provider"],
        "fleet_tokens_keys": ["provider"],
        "fleet_tokens_in_flight": ["provider"],
        "fleet_tokens_oldest_waiter_seconds": ["provider"],
        "fleet_tokens_next_refresh_seconds": ["provider"],
    ]

    @Test func `names and labels only grow`() {
        for (name, labels) in Self.served {
            let family = MetricTable.all.first { $0.name == name }
            #expect(family.map { Set($0.labels).isSuperset(of: labels) } == true, "\(name)")
        }
        #expect(Set(MetricTable.all.map(\.name)) == Set(Self.served.keys), "add the new ones to this test")
    }

    @Test func `names follow the rules of Prometheus`() {
        for family in MetricTable.all {
            #expect(family.name.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil, "\(family.name)")
            #expect(family.name.hasSuffix("_total") == (family.kind == .counter), "\(family.name)")
            #expect(!family.help.isEmpty && !family.help.contains("\n") && !family.help.contains("|"), "\(family.name)")
            for label in family.labels {
                #expect(label.wholeMatch(of: /[a-z][a-z_]*/) != nil, "\(family.name): \(label)")
            }
        }
    }

    @Test func `the table has every metric of a token provider`() {
        let backend = TestMetrics()
        _ = TokenMetrics(factory: backend)
        let names = backend.counters.map { $0.label + "_total" } + backend.recorders.map(\.label)
        #expect(names.count >= 19)
        for name in names { #expect(MetricTable.all.contains { $0.name == name }, "\(name)") }
    }

    @Test func `the queries of the dashboard name metrics and labels of the table`() throws {
        let file = Checkout.assets.appending(path: "Dashboards/tripshare.json")
        let dashboard = try #require(
            try JSONSerialization.jsonObject(with: try Data(contentsOf: file)) as? [String: Any]
        )
        let panels = try #require(dashboard["panels"] as? [[String: Any]])
        let queries = panels.flatMap { $0["targets"] as? [[String: Any]] ?? [] }.compactMap { $0["expr"] as? String }
        #expect(panels.count >= 8 && queries.count >= panels.count)
        var used = Set<String>()
        for query in queries {
            let names = query.matches(of: /\b(?:tripshare|fleet_tokens)_[a-z_]+/).map { String($0.0) }
            #expect(!names.isEmpty, "\(query)")
            for name in names {
                let family = MetricTable.all.first { family in
                    guard case .histogram = family.kind else { return family.name == name }
                    return ["_bucket", "_sum", "_count"].contains { family.name + $0 == name }
                }
                #expect(family != nil, "\(name) in \(query)")
                if let family { used.insert(family.name) }
            }
            let labels = Set(
                query.matches(of: /by \(([a-z_, ]+)\)/).flatMap { $0.1.split(separator: ",") }.map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
            )
            let known = Set(MetricTable.all.flatMap(\.labels)).union(["le", "instance", "job"])
            #expect(labels.isSubset(of: known), "\(query)")
        }
        // What a person looks at first is on the dashboard.
        for family in MetricTable.all where family.name.hasPrefix("tripshare_") && family.name != MetricTable.build.name
        {
            #expect(used.contains(family.name), "\(family.name) is on no panel")
        }
    }

    @Test func `the outcome of a poll is the code of its failure in JSON, as far as it is a code`() {
        func service(_ name: String?) -> Failure {
            .service(ServiceAnswer(httpStatus: 503, status: name), retryAfter: nil)
        }
        #expect(SessionMetrics.outcome(of: nil) == "ok")
        for failure in [service("UNAVAILABLE"), service(nil), .refused, .redirected(httpStatus: 302)] {
            #expect(SessionMetrics.outcome(of: failure) == failure.nameInJSON)
        }
        for name in ["", "a\nb", "x\"} 1", String(repeating: "A", count: 65)] {
            #expect(SessionMetrics.outcome(of: service(name)) == "OTHER")
        }
    }
}
