import Documents
import Testing

@Suite struct JSONTextTests {
  private func text(_ write: (inout JSONText) -> Void) -> String {
    var json = JSONText()
    write(&json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  @Test func `quotes, backslashes and control characters are escaped, all else stays`() {
    #expect(JSONString.quoted("a\"b\\c/d") == #""a\"b\\c/d""#)
    #expect(JSONString.quoted("\n\r\t") == #""\n\r\t""#)
    #expect(JSONString.quoted("\u{0}\u{8}\u{b}\u{1f}") == #""\u0000\u0008\u000b\u001f""#)
    #expect(JSONString.quoted("Großer Stern 東京 🚗\u{7f}") == "\"Großer Stern 東京 🚗\u{7f}\"")
    #expect(text { $0.string("a\"\u{1b}") } == #""a\"\u001b""#)
    var whole = "["
    JSONString.append("\"", to: &whole)
    #expect(whole == #"["\"""#)
  }

  @Test func `each character comes back from the reader`() throws {
    let all = String(String.UnicodeScalarView((0..<0x250).compactMap { Unicode.Scalar($0) }))
    #expect(try JSONReader.value(Array(JSONString.quoted(all).utf8)) == .string(all))
  }

  @Test func `commas stand between values, and only there`() {
    let json = text { json in
      json.object { json in
        json.array("none") { _ in }
        json.field("name", "x")
        json.list("list", [1, 2]) { $0.number($1) }
        json.object("inner") { $0.field("flag", true) }
        json.key("nothing")
        json.null()
      }
    }
    #expect(
      json == #"{"none":[],"name":"x","list":[1,2],"inner":{"flag":true},"nothing":null}"#)
  }

  @Test func `numbers are rounded, or written with all their digits`() {
    #expect(text { $0.number(12.345, decimals: 1) } == "12.3")
    #expect(text { $0.number(-0.04, decimals: 1) } == "0")
    #expect(text { $0.number(1e300) } == "1e+300")
    #expect(text { $0.number(.nan) } == "null")
    #expect(text { $0.exact(0.1) } == "0.1")
    #expect(text { $0.exact(3) } == "3")
    #expect(text { $0.exact(-30.0000000001) } == "-30.0000000001")
    #expect(text { $0.exact(.infinity) } == "null")
  }

  @Test func `numbers are written short, and texts escaped`() {
    var json = JSONText()
    json.object { json in
      json.field("a", 12.0)
      json.field("b", -0.04)
      json.field("c", 1234.55, decimals: 1)
      json.field("d", Double.infinity)
      json.field("e", "say \"\n\u{1}\\")
      json.list("f", [1, 2]) { $0.number($1) }
      json.array("g") { _ in }
      json.field("h", -8.609892, decimals: 6)
    }
    #expect(
      String(decoding: json.bytes, as: UTF8.self)
        == #"{"a":12,"b":0,"c":1234.6,"d":null,"e":"say \"\n\u0001\\","f":[1,2],"g":[],"h":-8.609892}"#
    )
  }
}
