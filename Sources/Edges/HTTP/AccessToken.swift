import Glibc

/// A secret that only this user's programs know.
///
/// It is needed because a loopback port is open to every user of the machine. A request presents
/// it as `?token=`, in `Authorization: Bearer`, in a path that begins with `/token/<token>`, or in
/// the cookie that a browser receives for it.
public struct AccessToken: Hashable, Sendable {
  public let text: String

  /// Creates a token from 16 to 128 ASCII letters and digits; nil for any other text.
  public init?(_ text: String) {
    guard text.utf8.count >= 16, text.utf8.count <= 128,
      text.utf8.allSatisfy({
        (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0)
      })
    else { return nil }
    self.text = text
  }

  private init(bits: [UInt64]) {
    text = bits.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Returns a new token with 128 random bits from the system.
  public static func random() -> AccessToken {
    var generator = SystemRandomNumberGenerator()
    return AccessToken(bits: [generator.next(), generator.next()])
  }

  /// Name of the file in a stack's private folder that holds its token.
  public static let fileName = "token"

  /// Returns the token of the stack that this process belongs to.
  ///
  /// It is the token of the launcher, or else that in the folder of the bus, where a missing one is
  /// created. The result is nil if there is no folder that only this user can access.
  public static func ofStack() -> AccessToken? {
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    if let folder = variable("NAV_RUN_DIR") { return read(folder) }
    guard let bus = variable("NAV_BUS"), bus.hasPrefix("ipc:///") else { return nil }
    let folder = String(bus.dropFirst("ipc://".count))
    var info = stat()
    guard stat(folder, &info) == 0, info.st_uid == geteuid(), info.st_mode & 0o077 == 0 else {
      return nil
    }
    let file = open("\(folder)/\(fileName)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file >= 0 {
      let text = Array(random().text.utf8) + [0x0A]
      _ = write(file, text, text.count)
      close(file)
    }
    return read(folder)
  }

  private static func read(_ folder: String) -> AccessToken? {
    let file = open("\(folder)/\(fileName)", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(file, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return AccessToken(String(decoding: bytes[..<count].prefix { $0 > 0x20 }, as: UTF8.self))
  }

  /// Whether `given` is this token; takes the same time for all wrong tokens of its length.
  func isSame(_ given: some StringProtocol) -> Bool {
    let (a, b) = (Array(text.utf8), Array(given.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// Accepts only requests that present a token.
struct HTTPAccess: Sendable {
  let token: AccessToken
  /// Name of the cookie; it contains the port because all ports of a host share their cookies.
  let cookie: String
  /// Text of the refusal, which explains how to get access.
  let advice: String

  init(token: AccessToken, port: UInt16, advice: String) {
    self.token = token
    self.advice = advice
    cookie = "nav_\(port)"
  }

  private static let prefix = Array("/token/".utf8)

  /// Moves a token at the start of the path into the `Authorization` header.
  ///
  /// This serves clients that can be configured only with a server's base address.
  func unwrap(_ head: inout HTTPHead) {
    guard head.target.starts(with: Self.prefix) else { return }
    let rest = head.target.dropFirst(Self.prefix.count)
    let word = rest.prefix { $0 != 0x2F && $0 != 0x3F }
    head.target = Array(rest.dropFirst(word.count))
    if head.target.first != 0x2F { head.target.insert(0x2F, at: 0) }
    head.headers["authorization"] = "Bearer " + String(decoding: word, as: UTF8.self)
  }

  /// Returns a refusal, or the redirect of a browser that presents the token in the query.
  ///
  /// The result is nil for all other requests that may pass.
  func response(to head: HTTPHead) -> WebResponse? {
    let (words, path) = query(of: head)
    if let given = words.first(where: { $0.hasPrefix("token=") }),
      token.isSame(given.dropFirst("token=".count))
    {
      guard head.method == "GET", head.headers["accept"]?.contains("text/html") == true else {
        return nil
      }
      // The redirect keeps the token out of the browser's history.
      let rest = words.filter { !$0.hasPrefix("token=") }.joined(separator: "&")
      var answer = WebResponse(status: 303, contentType: "text/plain", body: [])
      answer.headers = [
        "Location": rest.isEmpty ? path : "\(path)?\(rest)", "Cache-Control": "no-store",
        "Set-Cookie": "\(cookie)=\(token.text); Path=/; HttpOnly; SameSite=Lax",
      ]
      return answer
    }
    if let line = head.headers["authorization"], line.lowercased().hasPrefix("bearer "),
      token.isSame(line.dropFirst("bearer ".count))
    {
      return nil
    }
    for pair in (head.headers["cookie"] ?? "").split(separator: ";") {
      let pair = pair.drop { $0 == " " }
      if pair.hasPrefix("\(cookie)="), token.isSame(pair.dropFirst(cookie.count + 1)) { return nil }
    }
    return .refusal(401, advice)
  }

  /// Removes the token from the query, because the query is passed on to the handler.
  func hide(in head: inout HTTPHead) {
    let (words, path) = query(of: head)
    guard words.contains(where: { $0.hasPrefix("token=") }) else { return }
    let rest = words.filter { !$0.hasPrefix("token=") }.joined(separator: "&")
    head.target = Array((rest.isEmpty ? path : "\(path)?\(rest)").utf8)
  }

  private func query(of head: HTTPHead) -> (words: [Substring], path: String) {
    let parts = String(decoding: head.target, as: UTF8.self)
      .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let words = parts.count > 1 ? parts[1].split(separator: "&") : []
    // A path that begins with two slashes would name another host in a Location header.
    let path = "/" + (parts.first ?? "").drop { $0 == "/" }
    return (words, path)
  }
}
