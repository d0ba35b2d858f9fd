/// How the commands of a block are tried: data of ``ManualBlockTests``.
///
/// A block without a row is run as it stands, after ``names`` were replaced.
struct ManualTrial: Sendable {
    /// The page, and a part of the block's text.
    var page: String
    var has: String
    /// Where else the block is tried, and why not here; `nil` if it is run here.
    var elsewhere: String?
    /// The arguments of the emulator that runs beside it; `nil` for that of ``ride``.
    var emulator: [String]?
    /// A part of another block that is run before.
    var after: String?
    /// What is run before.
    var preparation = ""

    /// The row of a block; `nil` without one.
    static func row(for block: ManualBlock) -> ManualTrial? { rows.first { $0.isAbout(block) } }

    /// Whether it is about a block; a row without text is about each one of its page.
    func isAbout(_ block: ManualBlock) -> Bool { page == block.page && (has.isEmpty || block.text.contains(has)) }

    /// The blocks that need more than the emulator of ``ride``.
    static let rows = [
        ManualTrial(page: "README", has: "swift run tripshare", elsewhere: "The workflows of CI install and build it."),
        ManualTrial(page: "README", has: "swift test", elsewhere: "The workflows of CI install and run it."),
        ManualTrial(
            page: "ControlAPI",
            has: "$CONTROL/trips",
            elsewhere: "ManualCommandTests sends its requests to the emulators of trips and of vans."
        ),
        ManualTrial(page: "Recipes", has: "", elsewhere: "RecipeTests runs each recipe in an emulated ride."),
        ManualTrial(
            page: "Fleets",
            has: "tripshare-worker",
            elsewhere: "FleetWorkerTests runs the worker; it needs a Redis server."
        ),
        ManualTrial(
            page: "Fleets",
            has: "redis-cli",
            elsewhere: "FleetWorkerTests adds trips; it needs a Redis server."
        ),
        ManualTrial(page: "Deliveries", has: "TRACKING_ID", emulator: ["--scenario", "parcel-day", "--speed", "60"]),
        ManualTrial(
            page: "Commands",
            has: "drive van-1 --delivery",
            emulator: ["--speed", "60"],
            after: "tasks?taskId=t-1"
        ),
        // The block waits for the file of an emulator of its own.
        ManualTrial(page: "Commands", has: "umask 077", preparation: "rm ready.json"),
        ManualTrial(page: "Recording", has: "verify ride.ndjson", preparation: "tripshare demo --record ride.ndjson"),
        ManualTrial(page: "Replay", has: "replay ride.ndjson", preparation: "tripshare demo --record ride.ndjson"),
    ]

    /// Lines that need a terminal, which end with `q`; `nil` for one that is tried elsewhere.
    static let onTerminal = [
        "tripshare demo --tour": true,
        "tripshare demo --tour --console": true,
        "tripshare replay downloaded-logs.json --loop": true,
        // It needs a running demo: PresentCommandTests.
        "tripshare present --notes notes.txt": false,
    ]

    /// What the pages write for a reader's own names, and what is used instead; `$NAME` is a variable of the script.
    static let names = [
        ("my-project", "tripshare-demo"),
        ("PROJECT.iam", "tripshare-demo.iam"),
        ("--provider-id PROJECT", "--provider-id tripshare-demo"),
        // The emulator's account of riders.
        ("rider@", "consumer@"),
        ("TRACKING_ID", "\"$TRACKING_ID\""),
        ("doctor TRIP", "doctor trip-1"),
        ("watch TRIP", "watch trip-1"),
        ("--trip TRIP", "--trip trip-1"),
        ("trip_id=\"TRIP\"", "trip_id=\"trip-1\""),
        ("drive VEHICLE", "drive vehicle-1"),
        ("trip-7f3a", "trip-1"),
        // The options of the way, which the page leaves out.
        (" …", " --route way.geojson"),
        ("/tmp/ready.json", "ready.json"),
        ("'https://backend.example/token/consumer/{tripId}'", "\"$TOKEN_URL\""),
        ("'https://backend.example/token/delivery_consumer/{trackingId}'", "\"$TRACKING_TOKEN_URL\""),
        ("https://ops.example/rides", "http://127.0.0.1:$HOOK_PORT/"),
        ("127.0.0.1:9000", "127.0.0.1:$HOOK_PORT"),
        // Other programs of this machine may have the ports of the manual.
        ("9464", "$FIRST_PORT"), ("9465", "0"), ("50051", "0"), ("--port 8080", "--port $FIRST_PORT"),
        ("'http://127.0.0.1:8080/token/consumer/{tripId}'", "\"http://127.0.0.1:$FIRST_PORT/token/consumer/{tripId}\""),
    ]

    /// The ride that an emulator plays while a block runs.
    static let ride = """
        title: A long ride
        about: The vehicle is assigned at once and waits at the pickup.
        trips:
          - {id: trip-1, pickup: Station, dropoff: Market Hall}
        vehicles:
          - id: vehicle-1
            at: Station
            steps:
              - assign: trip-1
              - status: {trip: trip-1, to: ENROUTE_TO_PICKUP}
              - drive: {to: trip-1 pickup}
              - wait: 3600
        expect:
          - {trip: trip-1, status: ENROUTE_TO_PICKUP, within: 60}
        """

    /// A program that runs `tripshare` as a reader would who ends each command.
    ///
    /// A server runs until the end of the script. What follows a ride without an end polls it once, or ends after 5 s; what
    /// plays a recording plays it fast.
    static let program = #"""
        #!/bin/bash
        set -u
        serve() {
          log=$(mktemp -p "$FOLDER" server.XXXXXX)
          "$PROGRAM" "$@" > "$log" &
          until [ -s "$log" ]; do kill -0 $! 2> /dev/null || { wait $!; exit $?; }; sleep 0.05; done
          exit 0
        }
        case "$1 $* " in
        emulate\ * | tokens\ *) serve "$@" ;;
        watch\ *\ --metrics-port\ *) serve "$@" ;;
        *\ --once\ * | *\ --until\ *) ;;
        watch\ *\ --follow\ *) set -- "$@" --timeout 5 ;;
        demo\ *\ --record\ *) set -- "$@" --speed 60 --until COMPLETE ;;
        watch\ * | track\ * | demo\ *) set -- "$@" --once ;;
        replay\ *) set -- "$@" --speed 600 ;;
        esac
        exec "$PROGRAM" "$@"
        """#

    /// `gcloud` with the commands that version 528 of the Google Cloud SDK has for reading logs.
    static let gcloud = #"""
        #!/bin/sh
        case "$1 $2 $3" in
        "logging read "* | "beta logging tail") exec cat "$FOLDER/exported.ndjson" ;;
        esac
        echo "gcloud has no command $1 $2 $3" >&2
        exit 2
        """#
}
