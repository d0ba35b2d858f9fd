import Canvas
import Foundation
import Runtime
package import TripFeed
import TripModel

/// A fact of a receipt: what it is about, and its value.
package struct ReceiptRow: Sendable, Equatable {
    /// What it is about; empty if it continues the row above.
    package var label: String
    /// The value, or that it is not known.
    package var value: String
}

/// The texts of receipts.
extension Localizer {
    /// Returns the facts of a receipt in display order.
    package func rows(of receipt: TripReceipt, in zone: Zone) -> [ReceiptRow] {
        about(receipt.trip.kind).places(receipt, in: zone) + [
            polls(receipt),
            ReceiptRow(
                label: self(.receiptTokens),
                value: self(
                    .receiptTokenCounts,
                    [
                        "tokens": String(receipt.tokens),
                        "refreshes": String(receipt.refreshes),
                        "failures": String(receipt.tokenFailures),
                        "refused": String(receipt.refusedTokens),
                    ]
                )
            ),
            findings(receipt),
        ]
    }

    /// Returns the waits, the ways and the promises; a shipment has neither a wait nor a pickup.
    private func places(_ receipt: TripReceipt, in zone: Zone) -> [ReceiptRow] {
        guard receipt.trip.kind == .trip else { return promises(.dropoff, receipt.dropoff, zone) }
        return waits(receipt) + [
            way(.receiptWayToPickup, receipt.wayToPickup), way(.receiptWayToDropoff, receipt.wayToDropoff),
        ] + promises(.pickup, receipt.pickup, zone) + promises(.dropoff, receipt.dropoff, zone)
    }

    /// Returns the facts of a receipt as sentences without full stops.
    package func sentences(about receipt: TripReceipt, in zone: Zone) -> [String] {
        let trip = receipt.trip.rawValue.sanitized(limit: 64)
        return rows(of: receipt, in: zone).map {
            self(.receiptLine, ["trip": trip, "label": $0.label, "value": $0.value])
        }
    }

    private func waits(_ receipt: TripReceipt) -> [ReceiptRow] {
        let waits: [(StringKey, Double?)] = [
            (.receiptDriverWait, receipt.waitForDriver), (.receiptVehicleWait, receipt.waitForVehicle),
            (.receiptPickupWait, receipt.waitAtPickup),
        ]
        var rows = waits.map { ReceiptRow(label: self($0), value: span($1)) }
        if let stops = receipt.waitAtStops {
            rows.append(ReceiptRow(label: self(.receiptStopWait), value: span(stops)))
        }
        return rows + [ReceiptRow(label: self(.receiptRide), value: span(receipt.rideDuration))]
    }

    private func way(_ label: StringKey, _ leg: DrivenLeg) -> ReceiptRow {
        func text(_ meters: Double?) -> String { meters.map { distance(Distance(meters: $0)) } ?? self(.notKnown) }
        return ReceiptRow(
            label: self(label),
            value: self(.receiptDistances, ["driven": text(leg.driven), "reported": text(leg.reported)])
        )
    }

    private func promises(_ place: StringKey, _ record: PromiseRecord, _ zone: Zone) -> [ReceiptRow] {
        func clock(_ time: Date?) -> String { time.map { zone.clock($0) } ?? self(.notKnown) }
        let delay = record.delay.map { " (\(difference(.seconds($0))))" } ?? ""
        let errors = PromiseRecord.minutes.map { minutes in
            let error = record.error(minutesBefore: minutes).map { difference(.seconds($0)) }
            return self(.receiptError, ["minutes": String(minutes), "difference": error ?? self(.notKnown)])
        }
        let accuracy =
            switch record.accuracy {
            case .notKnown: self(.notKnown)
            case .never: self(.receiptNever)
            case .since(let time): self(.receiptSince, ["time": zone.clock(time)])
            }
        return [
            ReceiptRow(
                label: self(.receiptPromise, ["place": self(place)]),
                value: self(.receiptPromised, ["promised": clock(record.first?.time), "actual": clock(record.actual)])
                    + delay
            ),
            ReceiptRow(
                label: self(.receiptErrors, ["place": self(place)]),
                value: errors.joined(separator: self(.listComma))
            ),
            ReceiptRow(
                label: self(.receiptClose, ["place": self(place), "duration": span(PromiseRecord.closeness)]),
                value: accuracy
            ),
        ]
    }

    private func polls(_ receipt: TripReceipt) -> ReceiptRow {
        let codes = receipt.errors.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.key.sanitized(limit: 60)) \($0.value)" }
        let failed = codes.isEmpty ? "" : " (\(codes.joined(separator: self(.listComma))))"
        return ReceiptRow(
            label: self(.polling),
            value: self(.receiptPolls, ["polls": String(receipt.polls), "failed": String(receipt.failedPolls)]) + failed
        )
    }

    private func findings(_ receipt: TripReceipt) -> ReceiptRow {
        func count(_ severity: Finding.Severity, _ noun: StringKey) -> String? {
            receipt.severities[severity].map { self.count($0, noun) }
        }
        let counts = [count(.error, .findingErrors), count(.warning, .findingWarnings), count(.info, .findingNotes)]
            .compactMap(\.self)
        let rules = receipt.findings.map { ($0.key.id, $0.value) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
            .map { $0.1 == 1 ? $0.0 : "\($0.0) \($0.1)" }
        let value =
            counts.isEmpty
            ? self(.receiptNoFindings)
            : "\(counts.joined(separator: self(.listComma))) (\(rules.joined(separator: self(.listComma))))"
        return ReceiptRow(label: self(.viewFindings), value: value)
    }

    private func span(_ seconds: Double?) -> String {
        seconds.map { span(.seconds($0.rounded())) } ?? self(.notKnown)
    }
}
