import NodeKit
import ZMQ

/// Whether the user has asked the program to end, by Ctrl-C or SIGTERM.
final class Interruption {
  private let supervision: Supervision?

  init() { supervision = try? Supervision(isSupervised: false) }

  var hasCome: Bool {
    guard let supervision else { return false }
    var items = [PollItem(descriptor: supervision.stop.descriptor)]
    return pollOrPause(&items, timeoutMS: 0)
  }
}
