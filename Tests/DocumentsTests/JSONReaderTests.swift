import Documents
import Testing

@Suite struct JSONReaderTests {
  private func value(_ text: String) throws -> JSONValue { try JSONReader.value(Array(text.utf8)) }

  @Test func `JSON of all kinds is read, TR-1`() throws {
    let read = try value(
      #" {"a": [1, -2.5e3, 0, true, false, null], "b": {"c": "x\n\"\u00e9\ud83d\ude97/\/"}, "": []} "#
    )
    #expect(
      read["a"]
        == .array([.number(1), .number(-2500), .number(0), .bool(true), .bool(false), .null]))
    #expect(read["b"]?["c"]?.string == "x\n\"é🚗//")
    #expect(read[""] == .array([]))
    #expect(read["missing"] == nil)
    #expect(try value("\u{feff}7").label == "7")
    #expect(try value("7.5").label == "7.5")
  }

  @Test func `half of a surrogate pair becomes the replacement character and eats nothing, TR-1`()
    throws
  {
    #expect(try value(#""\ud83d\n!""#).string == "\u{fffd}\n!")
    #expect(try value(#""\ude97!""#).string == "\u{fffd}!")
  }

  @Test(arguments: [
    ("", "line 1, column 1"),
    ("{\"a\": 1,\n \"a\": 2}", "line 2, column 2: the key \"a\" is given twice"),
    ("[1 2]", "column 4: expected a comma or ]"), ("{\"a\" 1}", "column 6: expected a colon"),
    ("[01]", "column 2"),
    ("[1.]", "column 2"), ("[1e]", "column 2"), ("[1e999]", "column 2"),
    ("nul", "expected null"),
    ("{a: 1}", "a key in quotes"), ("\"a", "ends inside a string"), ("\"\\x\"", "a backslash"),
    ("\"\\u12g4\"", "four hexadecimal digits"), ("\"\\u+123\"", "four hexadecimal digits"),
    ("\"\u{1}\"", "a control character"), ("1 2", "unexpected text after"), ("[1,]", "column 4"),
  ])
  func `what is no JSON is refused at its place, TR-1`(text: String, words: String) {
    do throws(DocumentFault) {
      let read = try JSONReader.value(Array(text.utf8))
      Issue.record("it was read: \(read)")
    } catch {
      #expect(error.description.contains(words), "\(error)")
    }
  }

  @Test func `whole numbers beyond 2^53 keep all their digits`() throws {
    #expect(try value("1700000000123456789") == .integer(1_700_000_000_123_456_789))
    #expect(try value("1700000000123456789").label == "1700000000123456789")
    #expect(try value("-9007199254740993").integer == -9_007_199_254_740_993)
    #expect(try value("9007199254740991") == .number(9_007_199_254_740_991))
    #expect(try value("1e3").integer == 1000)
    #expect(try value("1.5").integer == nil)
    #expect(try value("18446744073709551616") == .number(18_446_744_073_709_551_616))
  }

  @Test func `nesting is bounded, TR-1`() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: DocumentFault.self) { try value(deep) }
  }
}
