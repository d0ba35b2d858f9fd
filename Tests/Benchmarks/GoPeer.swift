import Foundation

/// Go's `oauth2.ReuseTokenSource`, alone and in a map with a read-write lock: what most programs use.
struct GoPeer {
    private let program: Peer

    /// Builds the program; `nil` if Go or its oauth2 package (Debian's golang-golang-x-oauth2-dev) is missing.
    init?(in folder: URL) throws {
        let source = folder.appending(path: "peer.go")
        let binary = folder.appending(path: "peer")
        try Data(Self.program.utf8).write(to: source)
        guard let go = Peer(named: "go", arguments: ["build", "-o", binary.path, source.path]),
            try go.output(environment: [
                "GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOCACHE": folder.appending(path: "cache").path,
            ]) != nil
        else { return nil }
        program = Peer(path: binary.path, arguments: ["200000"])
    }

    /// Adds one round of readings.
    func measure(into figures: inout Figures) throws {
        for line in try program.output()?.split(separator: "\n") ?? [] {
            let parts = line.split(separator: "\t")
            guard parts.count == 3, let value = Double(parts[2]) else { continue }
            figures.add("Go \(parts[0]), \(parts[1]) task(s)", value)
        }
    }

    private static let program = """
        package main

        import (
            "fmt"
            "os"
            "strconv"
            "sync"
            "time"

            "golang.org/x/oauth2"
        )

        type mint struct{}

        func (mint) Token() (*oauth2.Token, error) {
            return &oauth2.Token{AccessToken: "token", Expiry: time.Now().Add(time.Hour)}, nil
        }

        func measure(name string, tasks, calls int, body func(task, calls int)) {
            start := time.Now()
            var wait sync.WaitGroup
            for task := 0; task < tasks; task++ {
                wait.Add(1)
                go func(task int) { defer wait.Done(); body(task, calls/tasks) }(task)
            }
            wait.Wait()
            nanoseconds := float64(time.Since(start).Nanoseconds())
            fmt.Printf("%s\\t%d\\t%f\\n", name, tasks, nanoseconds/float64(calls))
        }

        func main() {
            calls, _ := strconv.Atoi(os.Args[1])
            for _, tasks := range []int{1, 2} {
                source := oauth2.ReuseTokenSource(nil, mint{})
                source.Token()
                measure("ReuseTokenSource", tasks, calls, func(_, calls int) {
                    for i := 0; i < calls; i++ {
                        source.Token()
                    }
                })
                for _, count := range []int{1, 10000} {
                    var lock sync.RWMutex
                    sources := map[string]oauth2.TokenSource{}
                    keys := make([]string, count)
                    for i := range keys {
                        keys[i] = fmt.Sprintf("trip-%06d-abcdefghijklmnopqrstuvwxyz0123456789", i)
                        sources[keys[i]] = oauth2.ReuseTokenSource(nil, mint{})
                        sources[keys[i]].Token()
                    }
                    measure(fmt.Sprintf("RWMutex+map of %d keys", count), tasks, calls, func(task, calls int) {
                        index := task
                        for i := 0; i < calls; i++ {
                            index = (index + 7919) % count
                            lock.RLock()
                            source := sources[keys[index]]
                            lock.RUnlock()
                            source.Token()
                        }
                    })
                }
            }
        }
        """
}
