import Fuzzing
import HTTP
import RequestReading

/// Bytes of a connection, in the pieces in which they come.
struct HTTPHeadTarget: FuzzTarget {
  static let name = "http-head"
  static let about = "heads of HTTP requests, cut anywhere"

  private static let good = [
    "GET /route/v1/driving/1,2;3,4?steps=true HTTP/1.1\r\nHost: localhost:5000\r\nAccept: */*\r\n\r\n",
    "HEAD / HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 3\r\n\r\nabc",
    "OPTIONS /x HTTP/1.1\r\nOrigin: http://localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  ].map { Array($0.utf8) }

  init(_ corpus: Corpus) {}

  mutating func make(_ dice: inout Dice) -> [[UInt8]] {
    var bytes: [UInt8] = []
    for _ in 0...dice.below(4) { bytes += dice.pick(Self.good) }
    if !dice.oneIn(8) { ByteMutation.spoil(&bytes, with: Self.good, &dice) }
    let cut = dice.below(bytes.count + 1)
    return [Array(bytes[..<cut]), Array(bytes[cut...])]
  }

  mutating func run(_ input: [[UInt8]]) throws(Broken) -> String {
    let whole = Self.read([input.flatMap { $0 }])
    let pieces = Self.read(input)
    try promise(whole.heads == pieces.heads, "where the bytes are cut changes what is read")
    try promise(whole.isFault == pieces.isFault, "where the bytes are cut changes the fault")
    return whole.isFault ? "refused" : whole.heads.isEmpty ? "unfinished" : "read"
  }

  private static func read(_ pieces: [[UInt8]]) -> (heads: [HTTPHead], isFault: Bool) {
    let (heads, fault) = RequestReading.read(pieces)
    return (heads, fault != nil)
  }
}
