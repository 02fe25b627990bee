import Digest
import Testing

@Suite struct DigestTests {
  @Test func sha256IsThatOfTheStandard() throws {
    var sum = try SHA256()
    #expect(
      try sum.hexadecimal() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    sum.update(Array("abc".utf8))
    #expect(
      try sum.hexadecimal() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func schemaPayloadAndOrderCount() throws {
    func text(_ messages: [(String, [UInt8])]) throws -> String {
      var digests = TopicDigests()
      for (schema, payload) in messages {
        try digests.add(topic: "ego/toy", schema: schema, payload: payload)
      }
      return try digests.sheet().text
    }
    let first = try text([("a/1.0", [1, 2]), ("a/1.0", [3])])
    #expect(try first == text([("a/1.0", [1, 2]), ("a/1.0", [3])]))
    #expect(first.hasSuffix(" 2\n"))
    for other in [
      [("a/1.0", [3]), ("a/1.0", [1, 2])], [("a/1.0", [1]), ("a/1.0", [2, 3])],
      [("a/1.1", [1, 2]), ("a/1.0", [3])], [("a/1.0", [1, 2]), ("a/1.0", [3]), ("a/1.0", [])],
    ] as [[(String, [UInt8])]] {
      #expect(try first != text(other))
    }
  }

  @Test func figuresAndLinesOfProcessesStayOut() throws {
    var digests = TopicDigests()
    for topic in ["_node/matcher/status", "_log/matcher", "_bus/sync/x", "_clock"] {
      try digests.add(topic: topic, schema: "", payload: [1])
    }
    #expect(try digests.sheet().topics.keys.sorted() == ["_clock"])
  }

  @Test func sheetsAreReadBackAndCompared() throws {
    let digit = String(repeating: "0", count: 64)
    let other = String(repeating: "1", count: 64)
    let sheet = try DigestList(text: "# of a drive\na \(digit) 3\n\nb \(digit) 1\n")
    #expect(try DigestList(text: sheet.text) == sheet)
    let expected = try DigestList(text: "a \(other) 3\nb \(digit) 2\nc \(digit) 1\n")
    #expect(
      sheet.differences(from: expected) == [
        "a: 3 messages, but with different content", "b: 1 messages, expected 2",
        "c: no message, expected 1",
      ])
    #expect(sheet.differences(from: sheet).isEmpty)
  }

  @Test func aSheetThatIsNoneNamesTheLine() {
    let digit = String(repeating: "0", count: 64)
    for (text, line) in [
      ("a \(digit) 3\nb", 2), ("a 00 3", 1), ("a \(digit) x", 1), ("a \(digit) 1\na \(digit) 1", 2),
    ] {
      #expect(throws: DigestList.Fault.self) { try DigestList(text: text) }
      do {
        _ = try DigestList(text: text)
      } catch {
        #expect(error.line == line)
      }
    }
  }
}
