import Foundation
import Glibc
import Replay
import ZMQ

/// The keys that control a player, if it has a terminal.
final class PlayKeys {
  private static let stepS = 5.0
  private static let leapS = 60.0
  private var former: termios?

  init() {
    guard isatty(STDIN_FILENO) == 1 else { return }
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
    former = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// Restores the terminal.
  func close() {
    guard var former else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &former)
    self.former = nil
  }

  /// Waits for a key and executes it; false if the player should end.
  func obey(_ player: Player, waitingMS: Int) throws -> Bool {
    guard former != nil else {
      var none: [PollItem] = []
      if waitingMS > 0 { pollOrPause(&none, timeoutMS: waitingMS) }
      return true
    }
    var items = [PollItem(descriptor: STDIN_FILENO)]
    guard pollOrPause(&items, timeoutMS: waitingMS) else { return true }
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { return false }
    switch String(decoding: bytes[..<count], as: UTF8.self) {
    case " ": try player.togglePause()
    case ".": try player.step()
    case "\u{1b}[C": try player.seek(byS: Self.stepS)
    case "\u{1b}[D": try player.seek(byS: -Self.stepS)
    case "\u{1b}[A": try player.seek(byS: Self.leapS)
    case "\u{1b}[B": try player.seek(byS: -Self.leapS)
    case "q": return false
    default: break
    }
    return true
  }
}
