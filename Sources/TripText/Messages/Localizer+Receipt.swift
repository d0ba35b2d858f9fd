import Canvas
import Foundation
import Runtime
package import TripFeed
import TripModel

/// A fact of a receipt: what it is about, and its value.
package struct ReceiptRow: Sendable, Equatable {
    /// What it is about; empty if it continues the row above.
    package var label: String
    /// The value; a fact without one has no row.
    package var value: String
    /// The values of the receipt that it is computed from; empty for a count, which all events up to the last make.
    package var parts: [ReceiptEvents.Part] = []
}

/// The texts of receipts.
extension Localizer {
    /// Returns the facts of a receipt in display order.
    package func rows(of receipt: TripReceipt, in zone: Zone) -> [ReceiptRow] {
        about(receipt.journey.kind).places(receipt, in: zone) + [
            polls(receipt),
            ReceiptRow(
                label: self(.receiptTokens),
                value: self(
                    .receiptTokenCounts(
                        tokens: String(receipt.tokens.received),
                        refreshes: String(receipt.refreshes),
                        failures: String(receipt.tokens.failures),
                        refused: String(receipt.tokens.refused)
                    )
                )
            ),
        ] + [waits(for: receipt.keys)].compactMap(\.self) + [findings(receipt)]
    }

    /// Returns whether polls waited for a token after the first one; `nil` if there was no other.
    private func waits(for keys: KeyFacts.Waits) -> ReceiptRow? {
        guard keys.renewals > 0 || !keys.isNone else { return nil }
        let value =
            keys.isNone
            ? self(.receiptNoWait) : self(.receiptWaited(waits: String(keys.waits), missed: String(keys.missed)))
        return ReceiptRow(label: self(.receiptWaits), value: value)
    }

    /// Returns the waits, the ways and the promises; a shipment has neither a wait nor a pickup.
    private func places(_ receipt: TripReceipt, in zone: Zone) -> [ReceiptRow] {
        guard receipt.journey.kind == .trip else { return promises(.dropoff, receipt.dropoff, zone, Self.dropoff) }
        return waits(receipt)
            + [
                way(.receiptWayToPickup, receipt.wayToPickup), way(.receiptWayToDropoff, receipt.wayToDropoff),
            ].compactMap(\.self) + promises(.pickup, receipt.pickup, zone, [.pickupPromise, .pickupArrival])
            + promises(.dropoff, receipt.dropoff, zone, Self.dropoff)
    }

    private static let dropoff: [ReceiptEvents.Part] = [.dropoffPromise, .dropoffArrival]

    /// Returns the facts of a receipt as sentences without full stops.
    package func sentences(about receipt: TripReceipt, in zone: Zone) -> [String] {
        let trip = receipt.journey.rawValue.sanitized(limit: 64)
        return rows(of: receipt, in: zone).map {
            self(.receiptLine(trip: trip, label: $0.label, value: $0.value))
        }
    }

    private func waits(_ receipt: TripReceipt) -> [ReceiptRow] {
        let waits: [(Text, Double?, [ReceiptEvents.Part])] = [
            (.receiptDriverWait, receipt.waitForDriver, [.firstStatus, .assignment]),
            (.receiptVehicleWait, receipt.waitForVehicle, [.assignment, .pickupArrival]),
            (.receiptPickupWait, receipt.waitAtPickup, [.pickupArrival, .boarding]),
            (.receiptStopWait, receipt.waitAtStops, []),
            (.receiptRide, receipt.rideDuration, [.boarding, .dropoffArrival]),
        ]
        return waits.compactMap { label, seconds, parts in
            seconds.map { ReceiptRow(label: self(label), value: span($0), parts: parts) }
        }
    }

    /// Returns the known distances of a part; `nil` if there is none.
    private func way(_ label: Text, _ leg: DrivenLeg) -> ReceiptRow? {
        let driven = leg.driven.map { self(.receiptDriven(distance: distance(Distance(meters: $0)))) }
        let reported = leg.reported.map { self(.receiptReported(distance: distance(Distance(meters: $0)))) }
        let texts = [driven, reported].compactMap(\.self)
        return texts.isEmpty ? nil : ReceiptRow(label: self(label), value: texts.joined(separator: self(.listComma)))
    }

    /// Returns what is known of the predictions of a place and of the arrival there.
    ///
    /// Differences are computed from the shown times, which are rounded down to seconds.
    private func promises(
        _ place: Text,
        _ record: PromiseRecord,
        _ zone: Zone,
        _ parts: [ReceiptEvents.Part]
    ) -> [ReceiptRow] {
        func whole(_ time: Date) -> Double { time.timeIntervalSince1970.rounded(.down) }
        var rows: [ReceiptRow] = []
        let promised = record.first.map { self(.receiptFirst(time: zone.clock($0.time))) }
        let actual = record.actual.map { time in
            self(record.isLatest ? .atTheLatest(time: zone.clock(time)) : .receiptActual(time: zone.clock(time)))
        }
        let known = [promised, actual].compactMap(\.self)
        if !known.isEmpty {
            var delay = ""
            if record.delay != nil, let first = record.first?.time, let actual = record.actual {
                delay = " (\(difference(.seconds(whole(actual) - whole(first)))))"
            }
            rows.append(
                ReceiptRow(
                    label: self(.receiptPromise(place: self(place))),
                    value: known.joined(separator: self(.listComma)) + delay,
                    parts: parts
                )
            )
        }
        let errors = PromiseRecord.minutes.compactMap { minutes -> String? in
            guard let actual = record.actual, let error = record.error(minutesBefore: minutes) else { return nil }
            let seconds = whole(actual) - whole(actual.addingTimeInterval(-error))
            return self(.receiptError(minutes: String(minutes), difference: difference(.seconds(seconds))))
        }
        if !errors.isEmpty {
            rows.append(
                ReceiptRow(
                    label: self(.receiptErrors(place: self(place))),
                    value: errors.joined(separator: self(.listComma)),
                    parts: parts.suffix(1)
                )
            )
        }
        let accuracy: String? =
            switch record.accuracy {
            case .notKnown: nil
            case .never: self(.receiptNever)
            case .since(let time): self(.receiptSince(time: zone.clock(time)))
            }
        if let accuracy {
            let label = self(.receiptClose(place: self(place), duration: span(PromiseRecord.closeness)))
            rows.append(ReceiptRow(label: label, value: accuracy, parts: parts.suffix(1)))
        }
        return rows
    }

    private func polls(_ receipt: TripReceipt) -> ReceiptRow {
        let codes = receipt.polls.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.key.sanitized(limit: 60)) \($0.value)" }
        let failed = codes.isEmpty ? "" : " (\(codes.joined(separator: self(.listComma))))"
        return ReceiptRow(
            label: self(.polling),
            value: self(.receiptPolls(polls: String(receipt.polls.total), failed: String(receipt.polls.failureCount)))
                + failed
        )
    }

    private func findings(_ receipt: TripReceipt) -> ReceiptRow {
        func count(_ severity: Finding.Severity, _ text: (Int) -> Text) -> String? {
            receipt.findings.severities[severity].map { self(text($0)) }
        }
        let counts = [
            count(.error, Text.findingErrors), count(.warning, Text.findingWarnings), count(.info, Text.findingNotes),
        ]
        .compactMap(\.self)
        let rules = receipt.findings.rules.map { (text($0.key.title), $0.value) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
            .map { $0.1 == 1 ? $0.0 : "\($0.0) \(isASCII ? "x" : "×")\($0.1)" }
        let value =
            counts.isEmpty
            ? self(.receiptNoFindings)
            : "\(counts.joined(separator: self(.listComma))) (\(rules.joined(separator: self(.listComma))))"
        return ReceiptRow(label: self(.viewFindings), value: value)
    }

    private func span(_ seconds: Double) -> String { span(.seconds(seconds.rounded())) }
}
