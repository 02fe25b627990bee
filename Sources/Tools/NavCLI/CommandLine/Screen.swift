import Foundation
import Watch

#if canImport(Glibc)
  import Glibc
#endif

/// A terminal that is redrawn, and whose keys are read one by one.
///
/// nil if output is not a terminal, or is one without escape sequences.
final class Screen {
  private var before = termios()
  private let hasKeys: Bool

  init?() {
    let kind = ProcessInfo.processInfo.environment["TERM"] ?? "dumb"
    guard isatty(STDOUT_FILENO) == 1, kind != "dumb", !kind.isEmpty else { return nil }
    hasKeys = isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &before) == 0
    if hasKeys {
      var raw = before
      // Keys arrive immediately and without echo. Ctrl-C ends the program as a key, so that this
      // mode is left.
      raw.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
      tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    }
    // The alternate screen, without a cursor: the previous contents of the terminal are restored
    // afterwards.
    put("\u{1b}[?1049h\u{1b}[?25l")
  }

  func leave() {
    put("\u{1b}[?25h\u{1b}[?1049l")
    if hasKeys { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
  }

  /// The terminal's present size; 24 x 80 if it is unknown.
  var size: (rows: Int, columns: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 2, size.ws_col > 10
    else { return (24, 80) }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  /// The next key; nil if none is pressed in time.
  func key(withinMS timeoutMS: Int32) -> Character? {
    guard hasKeys else {
      // Without keys, this only waits for the next drawing.
      usleep(UInt32(timeoutMS) * 1_000)
      return nil
    }
    var item = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    let ready = poll(&item, 1, timeoutMS)
    guard ready > 0 else {
      // A wait that fails must take its time, or drawing would be an endless loop.
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
