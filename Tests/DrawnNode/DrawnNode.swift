import CLinux
import Glibc

/// A node that does nothing but what its words say: for tests of whoever launches nodes.
///
/// `exit=3` ends at once, `hang` sends no signs of life (in its first life), `deaf` hears no
/// signal, `child` starts a process of its own, `outputs=a,b` and `serves=c` go into its manifest.
@main
enum DrawnNode {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    let value = { (key: String) in
      words.first { $0.hasPrefix("\(key)=") }.map { String($0.dropFirst(key.count + 1)) }
    }
    guard !words.contains("--describe") else {
      describe(outputs: value("outputs"), serves: value("serves"))
      return
    }
    if words.contains("child") { say("child \(sleeper())") }
    say("pid \(getpid())")
    if let code = value("exit").flatMap({ Int32($0) }) {
      complain("last words")
      exit(code)
    }
    serve(isDeaf: words.contains("deaf"), hangs: words.contains("hang"))
  }

  private static func describe(outputs: String?, serves: String?) {
    let list = { (words: String?) in
      (words?.split(separator: ",") ?? []).map { "\"\($0)\"" }.joined(separator: ",")
    }
    say(
      "{\"name\":\"drawn-node\",\"about\":\"\",\"parameters\":[],\"inputs\":[],\"calls\":[],"
        + "\"outputs\":[\(list(outputs))],\"serves\":[\(list(serves))]}")
  }

  private static func serve(isDeaf: Bool, hangs: Bool) {
    var stop = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTERM)
    if isDeaf { sigaddset(&stop, SIGABRT) }
    sigprocmask(SIG_BLOCK, &stop, nil)
    notify("STATUS=drawn\nREADY=1")
    let isHung = hangs && access("hung", F_OK) != 0
    if isHung { close(open("hung", O_CREAT | O_WRONLY, 0o600)) }
    while true {
      var wait = timespec(tv_sec: 0, tv_nsec: 20_000_000)
      if sigtimedwait(&stop, nil, &wait) == SIGTERM, !isDeaf { break }
      if !isHung { notify("WATCHDOG=1") }
    }
    say("bye")
  }

  private static func sleeper() -> Int32 {
    var pid: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("1000"), nil]
    posix_spawnp(&pid, "sleep", nil, nil, &arguments, environ)
    return pid
  }

  private static func notify(_ text: String) {
    guard let socket = getenv("NOTIFY_SOCKET") else { return }
    _ = clinux_send_datagram(socket, text, text.utf8.count)
  }

  private static func say(_ text: String) { write(1, text + "\n", text.utf8.count + 1) }
  private static func complain(_ text: String) { write(2, text + "\n", text.utf8.count + 1) }
}
