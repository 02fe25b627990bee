import Foundation
import Watch

#if canImport(Glibc)
  import Glibc
#endif

/// A terminal that is drawn anew, and whose keys come one by one.
///
/// nil where output is no terminal, or one that knows no escapes.
final class Screen {
  private var before = termios()
  private let hasKeys: Bool

  init?() {
    let kind = ProcessInfo.processInfo.environment["TERM"] ?? "dumb"
    guard isatty(STDOUT_FILENO) == 1, kind != "dumb", !kind.isEmpty else { return nil }
    hasKeys = isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &before) == 0
    if hasKeys {
      var raw = before
      // Keys at once and unseen; Ctrl-C goes on to end the program, as a key, so that this is left.
      raw.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
      tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    }
    // The other screen, without a cursor: what was on the terminal comes back afterwards.
    put("\u{1b}[?1049h\u{1b}[?25l")
  }

  func leave() {
    put("\u{1b}[?25h\u{1b}[?1049l")
    if hasKeys { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
  }

  /// The terminal's size now; 24 x 80 where it does not tell.
  var size: (rows: Int, columns: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 2, size.ws_col > 10
    else { return (24, 80) }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  /// The next key; nil where none is pressed in time.
  func key(withinMS timeoutMS: Int32) -> Character? {
    guard hasKeys else {
      // Without keys the wait is only the picture's second.
      usleep(UInt32(timeoutMS) * 1_000)
      return nil
    }
    var item = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    let ready = poll(&item, 1, timeoutMS)
    guard ready > 0 else {
      // A wait that fails takes its time, or the picture would be drawn without end.
      if ready < 0, errno != EINTR { usleep(UInt32(timeoutMS) * 1_000) }
      return nil
    }
    var byte: UInt8 = 0
    // An end of input quits.
    guard read(STDIN_FILENO, &byte, 1) == 1 else { return "q" }
    return Character(UnicodeScalar(byte))
  }

  func draw(_ lines: [TopTable.Line]) {
    var text = "\u{1b}[H"
    for (index, line) in lines.enumerated() {
      let tone =
        switch line.tone {
        case .plain: ""
        case .heading: "\u{1b}[1m"
        case .good: "\u{1b}[32m"
        case .bad: "\u{1b}[31m"
        }
      text += "\(tone)\(line.text)\u{1b}[0m\u{1b}[K"
      if index + 1 < lines.count { text += "\r\n" }
    }
    put(text + "\u{1b}[J")
  }

  private func put(_ text: String) {
    print(text, terminator: "")
    fflush(nil)
  }
}
