import Launcher
import Testing

@Suite struct PartsTests {
  @Test func `control sequences of nodes do not reach the terminal`() {
    func shown(_ text: String, isColored: Bool = false) -> String {
      let line = LogFormat(names: ["a"], showsTime: false, isColored: isColored)
        .line("a", text, time: "")
      return String(line.split(separator: "|", maxSplits: 1)[1].dropFirst())
    }
    #expect(shown("\u{1b}[31mred\u{1b}[0m") == "red")
    #expect(shown("\u{1b}[31mred\u{1b}[0m", isColored: true) == "\u{1b}[31mred\u{1b}[0m")
    for isColored in [false, true] {
      #expect(shown("a\u{1b}]0;title\u{7}b\u{1b}]0;t\u{1b}\\c", isColored: isColored) == "abc")
      #expect(
        shown("a\u{1b}[2J\u{1b}[1;1Hb\rc\u{2028}d\u{0}\u{9b}e\u{1b}7f", isColored: isColored)
          == "abcdef")
      #expect(shown("a\u{1b}]no end", isColored: isColored) == "a")
      #expect(shown("tab\tü 日本\u{1b}", isColored: isColored) == "tab\tü 日本")
    }
  }

  @Test func `lines are whole, whatever the pieces`() {
    var splitter = LineSplitter()
    #expect(splitter.append("one\ntw".utf8) == ["one"])
    #expect(splitter.append("o\r\n\nthr".utf8) == ["two", ""])
    #expect(splitter.end() == "thr")
    #expect(splitter.end() == nil)
  }

  @Test func `a line without end is cut`() {
    var splitter = LineSplitter()
    let lines = splitter.append(Array(repeating: UInt8(ascii: "x"), count: 40_000))
    #expect(lines.count == 2)
    #expect(lines[0].utf8.count == LineSplitter.maximumBytes + 4)
  }

  @Test func `lines of several nodes stand side by side`() {
    let format = LogFormat(names: ["nav", "matcher"])
    #expect(
      format.line("nav", "text", time: "12:03:41.207") == "12:03:41.207 nav     | text")
    #expect(
      format.line("matcher", "\u{1b}[31mred\u{1b}[0m", isError: true, time: "12:03:41.207")
        == "12:03:41.207 matcher ! red")
  }

  @Test func `notifications are those of systemd`() {
    let notification = Notification("STATUS=4 edges\nREADY=1\nX_OTHER=1\nMAINPID=3")
    #expect(notification.isReady)
    #expect(!notification.isAlive)
    #expect(notification.status == "4 edges")
    #expect(Notification("WATCHDOG=1").isAlive)
    #expect(!Notification("READY=10").isReady)
  }

  @Test func `the last lines are the last`() {
    var lines = LastLines()
    for number in 1...950 { lines.add("\(number)") }
    #expect(lines.last == 950)
    #expect(lines.after(0).first == "751")
    #expect(lines.after(948) == ["949", "950"])
    #expect(lines.after(950).isEmpty)
    #expect(lines.after(.max).isEmpty)
  }
}
