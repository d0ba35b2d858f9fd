// swift-format-ignore-file

/// The scenarios of `Assets/Scenarios`, so that one binary has them all; a test keeps the two the same.
enum EmbeddedScenarios {
    static let all: [(name: String, yaml: String)] = [
        ("airport-pickup", #"""
title: Airport pickup with two stops
about: >
  A van waits at the airport and brings two riders into town by way of two stops. Shows the stops one after the other,
  and how the waypoints disappear from the list as each is left behind.
places:
  airport: [50.89715, 4.48364]
  hotel: [50.86012, 4.42118]
  office: [50.85231, 4.38944]
  home: [50.84562, 4.35721]
vehicles:
  - id: van-7
    at: [50.90160, 4.49210]
    capacity: 6
    steps:
      - wait: 5
      - assign: airport-1
      - wait: 5
      - drive: {to: airport-1 pickup, via: [[50.89980, 4.48900], [50.89820, 4.48590]], pace: 1.5}
      - wait: 40
        caption: Two riders come out of the airport.
        expect: {status: [ARRIVED_AT_PICKUP], delay: [-60, 120], throughout: true}
      - caption: First to the hotel, then to the office.
        expect: {status: [ENROUTE_TO_INTERMEDIATE_DESTINATION, ARRIVED_AT_INTERMEDIATE_DESTINATION], delay: [-60, 120], throughout: true}
        drive: {to: airport-1 stop 1, via: [[50.89110, 4.46550], [50.87680, 4.44510], [50.86590, 4.43020]], pace: 2.2}
      - wait: 20
      - drive: {to: airport-1 stop 2, via: [[50.85700, 4.40820]], pace: 1.5}
      - wait: 20
      - caption: The last part of the way.
        expect: {status: [ENROUTE_TO_DROPOFF, COMPLETE], delay: [-60, 150], throughout: true}
        drive: {to: airport-1 dropoff, via: [[50.84930, 4.37230]], slow: [0.4, 0.7], pace: 1.3}
trips:
  - id: airport-1
    pickup: airport
    stops: [hotel, office]
    dropoff: home
    passengers: 2
expect:
  - {trip: airport-1, status: ARRIVED_AT_PICKUP, within: 200}
  - {trip: airport-1, status: COMPLETE, within: 1800}

"""#),
        ("back-to-back", #"""
title: Back to back
about: >
  The driver finishes another rider's trip first. Until then the first waypoint, the route and the time to it are the other
  rider's; how long your own pickup takes stands with your own waypoint.
vehicles:
  - id: taxi-12
    at: [51.06210, 3.73410]
    back-to-back: true
    steps:
      - assign: other-1
      - status: {trip: other-1, to: ARRIVED_AT_PICKUP}
      - wait: 5
      - assign: ride-2
      - caption: The taxi brings another rider home first.
        expect: {status: [NEW], others-ahead: 1}
        drive: {to: other-1 dropoff, via: [[51.06090, 3.73050], [51.05930, 3.72830]], slow: [0.5, 0.8]}
      - wait: 10
      - caption: Now it comes to you.
        expect: {status: [ENROUTE_TO_PICKUP, ARRIVED_AT_PICKUP, ENROUTE_TO_DROPOFF, COMPLETE], throughout: true}
        drive: {to: ride-2 pickup, via: [[51.05650, 3.72310]]}
      - wait: 15
      - drive: {to: ride-2 dropoff, via: [[51.05230, 3.71980], [51.04850, 3.71600]]}
trips:
  - {id: other-1, pickup: [51.06210, 3.73410], dropoff: [51.05810, 3.72550], followed: false}
  - {id: ride-2, pickup: [51.05532, 3.72134], dropoff: [51.04557, 3.71368], passengers: 1}
expect:
  - {trip: other-1, status: COMPLETE, within: 300}
  - {trip: ride-2, status: COMPLETE, within: 700}

"""#),
        ("date-line", #"""
title: Across the date line
about: >
  On Taveuni in Fiji the road crosses 180 degrees: longitudes jump from +180 to -180, the map does not.
vehicles:
  - id: island-1
    at: [-16.79310, 179.99210]
    steps:
      - wait: 5
      - assign: line-1
      - drive: {to: line-1 pickup}
        caption: The taxi comes.
        expect: {status: [ENROUTE_TO_PICKUP, ARRIVED_AT_PICKUP], throughout: true}
      - wait: 10
      - caption: Soon the road crosses the date line, and the map does not jump.
        expect: {status: [ENROUTE_TO_DROPOFF], delay: [-60, 60], throughout: true}
        drive: {to: line-1 dropoff, via: [[-16.79080, 179.99940], [-16.78950, -179.99890]]}
      - caption: The rider is there.
        expect: {status: [COMPLETE], throughout: true}
trips:
  - {id: line-1, pickup: [-16.79210, 179.99540], dropoff: [-16.78720, -179.99310]}
expect:
  - {trip: line-1, status: COMPLETE, within: 600}

"""#),
        ("driver-cancels", #"""
title: The driver cancels
about: >
  On the way to the pickup the driver gives up, and the trip is cancelled; nothing is left but where you wanted to go.
vehicles:
  - id: taxi-8
    at: [51.06310, 3.73510]
    steps:
      - wait: 5
      - assign: cancel-1
      - drive: {to: cancel-1 pickup, via: [[51.05801, 3.72463]]}
        caption: The taxi comes.
        expect: {status: [ENROUTE_TO_PICKUP], throughout: true}
      - wait: 30
        caption: The driver waits for a rider who is nowhere to be seen.
        expect: {status: [ARRIVED_AT_PICKUP], throughout: true}
      - cancel: cancel-1
        caption: The driver has given up.
        expect: {status: [CANCELED], throughout: true}
      - wait: 20
trips:
  - {id: cancel-1, pickup: [51.05532, 3.72134], dropoff: [51.04557, 3.71368]}
expect:
  - {trip: cancel-1, status: ARRIVED_AT_PICKUP, within: 300}
  - {trip: cancel-1, status: CANCELED, within: 400}

"""#),
        ("engine-trouble", #"""
title: Trouble with the Fleet Engine
about: >
  A burst of 503, a 429 that asks for patience, answers that take eight seconds, JSON that breaks off, and a connection that is reset. The last
  data stay on the screen with their age.
vehicles:
  - id: taxi-14
    at: [51.06310, 3.73510]
    steps:
      - wait: 5
      - assign: engine-1
      - drive: {to: engine-1 pickup, via: [[51.05801, 3.72463]], pace: 0.6}
        caption: The taxi comes.
        expect: {status: [ENROUTE_TO_PICKUP], failing: false, throughout: true}
      - wait: 30
      - drive: {to: engine-1 dropoff, via: [[51.05268, 3.72021], [51.05043, 3.71741]], pace: 0.5}
      - caption: The rider is there.
        expect: {status: [COMPLETE], throughout: true}
trips:
  - {id: engine-1, pickup: [51.05532, 3.72134], dropoff: [51.04557, 3.71368]}
events:
  - {at: 30, fault: {on: engine, kind: status, status: 503, lasts: 20, path: GET trips/engine-1}}
  - {at: 30, caption: No answers for a while; what was known stays and gets old., expect: {failing: true, position-age: 15, within: 25}}
  - {at: 80, fault: {on: engine, kind: status, status: 429, retry-after: 15, count: 1, path: GET trips/engine-1}}
  - {at: 80, caption: Fewer questions are asked for., expect: {failing: true, within: 10}}
  - {at: 120, fault: {on: engine, kind: latency, seconds: 8, count: 2, path: GET trips/engine-1}}
  - {at: 120, caption: Answers take eight seconds., expect: {failing: false, within: 30}}
  - {at: 170, fault: {on: engine, kind: truncated, count: 1, path: GET trips/engine-1}}
  - {at: 170, caption: Answers break off or make no sense; nothing of them is shown., expect: {failing: true, within: 15}}
  - {at: 200, fault: {on: engine, kind: reset, count: 1, path: GET trips/engine-1}}
  - {at: 230, fault: {on: engine, kind: garbage, count: 1, path: GET trips/engine-1}}
expect:
  - {trip: engine-1, status: COMPLETE, within: 1200}

"""#),
        ("midnight", #"""
title: A long trip over midnight
about: >
  Half an hour on the motorway that begins ten minutes before midnight: times of arrival are tomorrow's, and are shown so.
begins: 2026-03-14T23:50:00Z
vehicles:
  - id: coach-1
    at: [51.03570, 3.71040]
    steps:
      - wait: 5
      - assign: night-1
      - drive: {to: night-1 pickup}
        caption: The coach comes, ten minutes before midnight.
        expect: {status: [ENROUTE_TO_PICKUP, ARRIVED_AT_PICKUP], delay: [-60, 60], throughout: true}
      - wait: 30
      - caption: The rider will be there tomorrow.
        expect: {status: [ENROUTE_TO_DROPOFF], delay: [-90, 120], throughout: true}
        drive: {to: night-1 dropoff, via: [[51.00520, 3.75430], [50.97810, 3.95210], [50.93210, 4.12030], [50.88120, 4.28840]], pace: 2.4}
      - caption: The rider is there.
        expect: {status: [COMPLETE], throughout: true}
trips:
  - {id: night-1, pickup: [51.03210, 3.71340], dropoff: [50.84562, 4.35721]}
expect:
  - {trip: night-1, status: COMPLETE, within: 4000}

"""#),
        ("null-island", #"""
title: Pickup at latitude 0, longitude 0
about: >
  Where the equator meets the prime meridian the wire leaves out both numbers: an empty point is a place, not a missing one.
vehicles:
  - id: buoy-1
    at: [0.00510, -0.00480]
    steps:
      - wait: 5
      - assign: zero-1
      - drive: {to: zero-1 pickup, via: [[0.00210, -0.00180]]}
        caption: The boat comes.
        expect: {status: [ENROUTE_TO_PICKUP, ARRIVED_AT_PICKUP], throughout: true}
      - wait: 10
      - caption: Where the equator meets the prime meridian the rider gets in.
        expect: {status: [ENROUTE_TO_DROPOFF], throughout: true}
        drive: {to: zero-1 dropoff, via: [[-0.00410, 0]]}
      - caption: The rider is there.
        expect: {status: [COMPLETE], throughout: true}
trips:
  - {id: zero-1, pickup: [0, 0], dropoff: [-0.00930, 0.00420]}
expect:
  - {trip: zero-1, status: COMPLETE, within: 600}

"""#),
        ("off-route", #"""
title: Off the route, and a new one
about: >
  The driver leaves the route that was shown, is seen to be off it for a while, and then gets a new one: the line on the map changes, and with
  it the version of the route.
vehicles:
  - id: taxi-4
    at: [51.05905, 3.72718]
    steps:
      - wait: 5
      - assign: detour-1
      - drive: {to: detour-1 pickup}
        caption: The taxi comes.
        expect: {status: [ENROUTE_TO_PICKUP, ARRIVED_AT_PICKUP], throughout: true}
      - wait: 10
      - caption: The driver will leave the way that is shown, until the map shows a new one.
        expect: {status: [ENROUTE_TO_DROPOFF], finding: offRoute, within: 90}
        drive:
          to: detour-1 dropoff
          via: [[51.05268, 3.72021], [51.05180, 3.72590], [51.04830, 3.72350], [51.04620, 3.71790]]
          planned: [[51.05268, 3.72021], [51.05043, 3.71741], [51.04731, 3.71541]]
          leaves-route-at: 0.25
      - caption: The rider is there.
        expect: {status: [COMPLETE], throughout: true}
trips:
  - {id: detour-1, pickup: [51.05532, 3.72134], dropoff: [51.04557, 3.71368]}
expect:
  - {trip: detour-1, status: COMPLETE, within: 600}

"""#),
        ("rider-cancels", #"""
title: The rider cancels
about: >
  A minute after the driver set off the rider cancels. The vehicle is free again and drives no further.
vehicles:
  - id: taxi-9
    at: [51.06310, 3.73510]
    steps:
      - wait: 5
      - assign: cancel-2
      - drive: {to: cancel-2 pickup, via: [[51.05801, 3.72463]]}
        caption: The taxi comes, but the rider will not wait for it.
        expect: {status: [ENROUTE_TO_PICKUP], throughout: true}
      - drive: {to: cancel-2 dropoff}
trips:
  - {id: cancel-2, pickup: [51.05532, 3.72134], dropoff: [51.04557, 3.71368]}
events:
  - {at: 60, cancel: cancel-2, caption: The rider has canceled; the taxi is free again., expect: {status: [CANCELED], throughout: true}}
expect:
  - {trip: cancel-2, status: CANCELED, within: 70}

"""#),
        ("shared-pool", #"""
title: Shared pool
about: >
  Two riders share a vehicle, and their stops interleave: the other rider gets in after you and out before you. A screen shows how many
  stops lie before yours and never where they are.
vehicles:
  - id: pool-3
    at: [51.06010, 3.73010]
    types: [SHARED]
    steps:
      - wait: 5
      - assign: pool-a
      - wait: 5
      - drive: {to: pool-a pickup, via: [[51.05801, 3.72463]]}
        caption: The car comes; it will be shared.
        expect: {status: [ENROUTE_TO_PICKUP, ARRIVED_AT_PICKUP], throughout: true}
      - wait: 10
      - assign: {trip: pool-b, order: [pool-a pickup, pool-b pickup, pool-b dropoff, pool-a dropoff]}
      - status: {trip: pool-a, to: ENROUTE_TO_DROPOFF}
      - caption: Another rider gets in on the way.
        expect: {status: [ENROUTE_TO_DROPOFF], others-ahead: 1, throughout: true}
        drive: {to: pool-b pickup, via: [[51.05339, 3.72081]]}
      - wait: 10
      - caption: The other rider gets out first.
        expect: {status: [ENROUTE_TO_DROPOFF], others-ahead: 1, throughout: true}
        drive: {to: pool-b dropoff, via: [[51.05043, 3.71741]]}
      - caption: Now it is your turn.
        expect: {status: [ENROUTE_TO_DROPOFF, COMPLETE], throughout: true}
        drive: {to: pool-a dropoff, via: [[51.04731, 3.71541]]}
trips:
  - {id: pool-a, type: SHARED, pickup: [51.05532, 3.72134], dropoff: [51.04557, 3.71368]}
  - {id: pool-b, type: SHARED, pickup: [51.05231, 3.71982], dropoff: [51.04889, 3.71633], followed: false}
expect:
  - {trip: pool-b, status: COMPLETE, within: 500}
  - {trip: pool-a, status: COMPLETE, within: 700}

"""#),
        ("silent-vehicle", #"""
title: The vehicle goes silent and returns
about: >
  For more than a minute nothing is heard of the vehicle. Its position gets old, and is shown to be old; then it is there again, further on.
vehicles:
  - id: taxi-6
    at: [51.05905, 3.72718]
    steps:
      - wait: 5
      - assign: silent-1
      - drive: {to: silent-1 pickup}
        caption: The taxi comes.
        expect: {status: [ENROUTE_TO_PICKUP, ARRIVED_AT_PICKUP], throughout: true}
      - wait: 10
      - caption: For a minute nothing will be heard of the taxi; watch how its position gets old.
        expect: {status: [ENROUTE_TO_DROPOFF], position-age: 60, within: 110}
        drive: {to: silent-1 dropoff, via: [[51.05268, 3.72021], [51.05043, 3.71741]], silent: [0.2, 0.8], slow: [0.2, 0.8]}
      - caption: The rider is there.
        expect: {status: [COMPLETE], throughout: true}
trips:
  - {id: silent-1, pickup: [51.05532, 3.72134], dropoff: [51.04557, 3.71368]}
expect:
  - {trip: silent-1, status: COMPLETE, within: 700}

"""#),
        ("token-trouble", #"""
title: Trouble with tokens
about: >
  Tokens that live 90 seconds, an endpoint that is down for a minute, a token for another trip, a refusal, and a clock that is three minutes
  off. The ride goes on; what the client does about each of them is to be seen in its token view.
token-lifetime: 90
vehicles:
  - id: taxi-13
    at: [51.06310, 3.73510]
    steps:
      - wait: 5
      - assign: token-1
      - drive: {to: token-1 pickup, via: [[51.05801, 3.72463]], pace: 0.6}
        caption: The taxi comes.
        expect: {status: [ENROUTE_TO_PICKUP], failing: false, throughout: true}
      - wait: 60
      - drive: {to: token-1 dropoff, via: [[51.05268, 3.72021], [51.05043, 3.71741]], pace: 0.4}
      - caption: The rider is there.
        expect: {status: [COMPLETE], throughout: true}
trips:
  - {id: token-1, pickup: [51.05532, 3.72134], dropoff: [51.04557, 3.71368]}
events:
  - {at: 40, fault: {on: tokens, kind: status, status: 503, lasts: 60, path: consumer}}
  - {at: 40, caption: No new token for a minute; the old one serves as long as it lives., expect: {failing: false}}
  - {at: 130, fault: {on: tokens, kind: wrong-token, count: 1, path: consumer}}
  - {at: 130, caption: The next token is for another trip; it is not used., expect: {failing: false, within: 60}}
  - {at: 200, fault: {on: engine, kind: status, status: 403, count: 1, path: GET trips}}
  - {at: 200, caption: One answer is refused; a new token is fetched at once., expect: {failing: false, throughout: true}}
  - {at: 260, fault: {on: tokens, kind: clock, seconds: 180, count: 1, path: consumer}}
  - {at: 260, caption: The clock behind the tokens will be three minutes off for once., expect: {failing: false}}
  - {at: 330, fault: {on: tokens, kind: expired-token, count: 1, path: consumer}}
expect:
  - {trip: token-1, status: COMPLETE, within: 1200}

"""#),
        ("traffic-jam", #"""
title: Traffic jam
about: >
  Nothing moves for three minutes that no forecast knew of: the time of arrival slides with every report.
vehicles:
  - id: taxi-5
    at: [51.05905, 3.72718]
    steps:
      - wait: 5
        caption: A rider has asked for a taxi.
        expect: {status: [NEW], within: 5, throughout: true}
      - assign: jam-1
      - drive: {to: jam-1 pickup}
        caption: The taxi comes.
        expect: {status: [NEW, ENROUTE_TO_PICKUP], throughout: true}
      - wait: 10
        caption: The rider gets in.
        expect: {status: [ARRIVED_AT_PICKUP], within: 6, throughout: true}
      - caption: Soon nothing moves for three minutes, and the time of arrival slides with every report.
        expect: {status: [ENROUTE_TO_DROPOFF], delay: [150, 300], within: 300}
        drive: {to: jam-1 dropoff, via: [[51.05268, 3.72021], [51.05043, 3.71741]], slow: [0.3, 0.8], jam: {at: 0.45, seconds: 180}}
      - caption: The rider is there, later than was promised.
        expect: {status: [COMPLETE], delay: [120, 300], throughout: true}
trips:
  - {id: jam-1, pickup: [51.05532, 3.72134], dropoff: [51.04557, 3.71368]}
expect:
  - {trip: jam-1, status: COMPLETE, within: 900}

"""#),
        ("tunnel", #"""
title: Through a tunnel
about: >
  Without satellites the raw fixes jump by hundreds of metres and their accuracy says so; after the tunnel all is well again.
vehicles:
  - id: taxi-11
    at: [51.05905, 3.72718]
    steps:
      - wait: 5
      - assign: tunnel-1
      - drive: {to: tunnel-1 pickup}
        caption: The taxi comes.
        expect: {status: [ENROUTE_TO_PICKUP, ARRIVED_AT_PICKUP], throughout: true}
      - wait: 10
      - caption: In the tunnel its position is a guess; the circle shows how good a one.
        expect: {status: [ENROUTE_TO_DROPOFF, COMPLETE], throughout: true}
        drive: {to: tunnel-1 dropoff, via: [[51.05268, 3.72021], [51.05043, 3.71741]], tunnel: [0.3, 0.7]}
trips:
  - {id: tunnel-1, pickup: [51.05532, 3.72134], dropoff: [51.04557, 3.71368]}
expect:
  - {trip: tunnel-1, status: COMPLETE, within: 600}

"""#),
        ("wrong-way", #"""
title: Wrong way, and overdue
about: >
  The driver sets off in the wrong direction and the forecast is not renewed: the time of arrival passes while the vehicle is still under
  way. An overdue arrival is shown as overdue, never as a negative time.
vehicles:
  - id: taxi-10
    at: [51.05905, 3.72718]
    steps:
      - wait: 5
      - assign: wrong-1
      - caption: The taxi drives the wrong way, and its time of arrival will pass before it comes.
        expect: {status: [ENROUTE_TO_PICKUP], overdue: 30, finding: overdue, within: 120}
        drive:
          to: wrong-1 pickup
          via: [[51.06240, 3.73190], [51.06520, 3.72710], [51.06210, 3.72240]]
          planned: [[51.05788, 3.72520]]
          leaves-route-at: 0.9
          keeps-forecast: true
      - wait: 10
        caption: There it is at last.
        expect: {status: [ARRIVED_AT_PICKUP, ENROUTE_TO_DROPOFF, COMPLETE], throughout: true}
      - drive: {to: wrong-1 dropoff, via: [[51.05268, 3.72021]]}
trips:
  - {id: wrong-1, pickup: [51.05532, 3.72134], dropoff: [51.04557, 3.71368]}
expect:
  - {trip: wrong-1, status: COMPLETE, within: 900}

"""#),
    ]
}
