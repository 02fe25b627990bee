import Documents
import Testing

@Suite struct XMLNodeTests {
  private func nodes(_ wanted: String, _ bytes: [UInt8]) throws(DocumentFault) -> [XMLNode] {
    var found: [XMLNode] = []
    _ = try XMLNode.forEach(wanted, in: bytes) { node, _ in found.append(node) }
    return found
  }

  @Test func `elements are handed over one by one, whatever their prefixes, TR-1`() throws {
    let text = """
      <?xml version="1.0"?>
      <m:box xmlns:m="http://a" xmlns:type="http://b" m:lang="de">
        <m:head> now </m:head>
        <m:item xsi:type="m:Big" type="else" id="1"><m:a>x &amp; <![CDATA[<y>]]></m:a></m:item>
        <!-- none --><m:item id="2"/>
      </m:box>
      """
    var around: [String] = []
    var found: [XMLNode] = []
    let root = try XMLNode.forEach("item", in: Array(text.utf8)) { node, parents in
      found.append(node)
      around.append(parents.first?["head"]?.text ?? "nothing")
    }
    #expect(found.map { $0.attributes["id"] } == ["1", "2"])
    #expect(found.first?.type == "Big")
    #expect(found.first?["a"]?.text == "x & <y>")
    #expect(around == ["now", "now"])
    #expect(root.name == "box")
    #expect(root.attributes == ["lang": "de"])
    #expect(root.all("item").isEmpty)
  }

  @Test(arguments: [
    ("<a><b></a>", "expected </b>, found </a>"), ("<a>", "truncated inside <a>"),
    ("", "contains no element"), ("<a/><b/>", "a second root"), ("<a x='1' x='2'/>", "given twice"),
    ("<a>&lol;</a>", "the entity &lol; is unknown"),
    (
      "<!DOCTYPE a [<!ENTITY l \"ll\"><!ENTITY m \"&l;&l;\">]><a>&m;</a>",
      "a document type with declarations is not supported"
    ),
  ])
  func `broken XML and every entity of its own are refused at their place, TR-1`(
    text: String, words: String
  ) {
    do throws(DocumentFault) {
      let read = try nodes("a", Array(text.utf8))
      Issue.record("it was read: \(read)")
    } catch {
      #expect(error.description.contains(words), "\(error)")
    }
  }

  @Test func `nesting is bounded, TR-1`() {
    let deep = String(repeating: "<a>", count: 100_000)
    #expect(throws: DocumentFault.self) { try nodes("b", Array(deep.utf8)) }
  }

  @Test func `UTF-16 and ISO 8859-1 are read as what they are, other encodings are named, TR-1`()
    throws
  {
    let text = "<?xml version=\"1.0\"?><a><b>Straße 🚗</b></a>"
    let units = Array(text.utf16)
    for isLittle in [true, false] {
      var bytes: [UInt8] = isLittle ? [0xff, 0xfe] : [0xfe, 0xff]
      for unit in units {
        let pair = [UInt8(unit & 0xff), UInt8(unit >> 8)]
        bytes += isLittle ? pair : pair.reversed()
      }
      #expect(try nodes("b", DocumentText.utf8(bytes)).map(\.text) == ["Straße 🚗"])
      #expect(throws: DocumentFault.self) { try DocumentText.utf8(bytes + [0]) }
    }
    let latin = Array("<?xml version=\"1.0\" encoding='ISO-8859-1'?><a><b>Stra".utf8) + [0xdf]
    #expect(
      try nodes("b", DocumentText.utf8(latin + Array("e</b></a>".utf8))).map(\.text) == ["Straße"])
    do throws(DocumentFault) {
      _ = try DocumentText.utf8(Array("<?xml version=\"1.0\" encoding=\"EBCDIC\"?><a/>".utf8))
      Issue.record("EBCDIC was taken")
    } catch {
      #expect(error.problem.contains("ebcdic"))
    }
  }
}
