import Foundations
import Testing

@Suite struct FNV1aTests {
  @Test(arguments: [
    ("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8"),
  ])
  func `the hash is the published one`(text: String, hash: String) {
    #expect(FNV1a(text.utf8).hexadecimal == hash)
  }

  @Test func `bytes one by one are bytes together, and a byte is the word of its value`() {
    var hash = FNV1a()
    for byte in "foo".utf8 { hash.combine(byte) }
    for byte in "bar".utf8 { hash.combine(word: UInt64(byte)) }
    #expect(hash == FNV1a("foobar".utf8))
  }

  @Test func `it has 16 digits, however small the value`() {
    var hash = FNV1a()
    // Whatever stands there is undone.
    hash.combine(word: hash.value)
    #expect(hash.value == 0)
    #expect(hash.hexadecimal == "0000000000000000")
  }
}
