# The Homebrew formula, for a tap: url and sha256 are those of the source archive of a release, which does not exist yet.
# The owners have not chosen a licence, so that the formula names none.
class Tripshare < Formula
  desc "Follow trips of Google Maps Platform Fleet Engine in a terminal"
  homepage "https://example.invalid/tripshare"
  url "https://example.invalid/tripshare-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"

  depends_on xcode: ["26.0", :build]
  depends_on macos: :sequoia
  depends_on "ncurses"

  uses_from_macos "swift" => :build, since: :tahoe
  uses_from_macos "expat"
  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  def install
    # Homebrew builds in a sandbox of its own.
    system "swift", "build", "--disable-sandbox", "--configuration", "release", "--product", "tripshare"
    bin.install ".build/release/tripshare"
    generate_completions_from_executable(bin/"tripshare", "--generate-completion-script")
    pkgshare.install "Assets/Scenarios", "Assets/Dashboards", "Assets/Fleet"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/tripshare --version")
    ride = shell_output("#{bin}/tripshare demo --output json --once --speed 60")
    assert_match "\"type\":\"poll\"", ride
  end
end
