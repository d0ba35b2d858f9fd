/// The appearance of a page: on large and small screens, in the light and in the dark, and on paper.
enum PageStyle {
    /// The style sheet.
    static let sheet = """
        :root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --soft: #57606a; --line: #d0d7de; \
        --seen: #0b5fca; --plan: #9a5b00; --stop: #1a7f37; --street: #d8dee4; }
        @media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --soft: #9aa5b1; --line: #30363d; \
        --seen: #58a6ff; --plan: #e3a04a; --stop: #56d364; --street: #2d333b; } }
        @media print { :root { color-scheme: light; --ink: #000000; --paper: #ffffff; --soft: #444444; --line: #999999; \
        --seen: #0b5fca; --plan: #9a5b00; --stop: #1a7f37; --street: #cccccc; } \
        section { break-inside: avoid; } article + article { break-before: page; } }
        body { margin: 0 auto; max-width: 46rem; padding: 1rem; background: var(--paper); color: var(--ink); \
        font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
        h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 1.5rem 0 0.5rem; }
        p { margin: 0.25rem 0; } .line { font-size: 1.05rem; } figure { margin: 0; }
        figcaption, footer, .zone { color: var(--soft); font-size: 0.9rem; } footer { margin-top: 2rem; }
        table { border-collapse: collapse; width: 100%; }
        th, td { border-bottom: 1px solid var(--line); font-weight: normal; padding: 0.25rem 0.75rem 0.25rem 0; \
        text-align: left; vertical-align: top; }
        th { color: var(--soft); overflow-wrap: break-word; } figcaption > span { display: inline-block; margin-right: 1.5rem; }
        svg { display: block; height: auto; width: 100%; border: 1px solid var(--line); border-radius: 4px; }
        svg path { fill: none; stroke-linejoin: round; stroke-linecap: round; }
        .street { stroke: var(--street); stroke-width: 1.5; } .road { stroke: var(--street); stroke-width: 3; }
        .seen { stroke: var(--seen); stroke-width: 4; } .planned { stroke: var(--plan); stroke-width: 2; stroke-dasharray: 6 5; }
        .stop { fill: var(--paper); stroke: var(--stop); stroke-width: 3; } .vehicle { fill: var(--seen); }
        svg text { fill: var(--ink); font: 14px system-ui, sans-serif; stroke: var(--paper); stroke-width: 3; paint-order: stroke; }
        .axis { stroke: var(--line); stroke-width: 1; } .arrived { stroke: var(--stop); stroke-width: 1.5; stroke-dasharray: 6 5; }
        """
}
