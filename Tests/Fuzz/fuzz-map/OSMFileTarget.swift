import Foundation
import Fuzzing
import MapMaking
import RoadFile

/// OSM files as editors, extracts and bad disks leave them.
final class OSMFileTarget: FuzzTarget {
  static let name = "osm"
  static let about =
    "OSM XML and OPL with anything changed: made to a map, or refused by a sentence"

  private let texts: [[UInt8]]
  private let words: [[UInt8]]
  private let folder: URL

  init(_ corpus: Corpus) throws {
    let xml = OSMXML.text(SmallTown.data)
    texts = [Array(xml.utf8), Array(Self.opl.utf8)]
    words = Self.strange.map { Array($0.utf8) }
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("fuzz-osm-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func make(_ dice: inout Dice) -> [[UInt8]] {
    let isXML = dice.oneIn(2)
    var text = texts[isXML ? 0 : 1]
    if dice.oneIn(2) {
      // Another value in the place of one between quotes.
      let quotes = text.indices.filter { text[$0] == UInt8(ascii: "\"") }
      if quotes.count > 2 {
        let first = dice.below(quotes.count - 1)
        text.replaceSubrange((quotes[first] + 1)..<quotes[first + 1], with: dice.pick(words))
      }
    }
    ByteMutation.spoil(&text, with: texts + words, &dice)
    return [isXML ? Array("osm".utf8) : Array("opl".utf8), text]
  }

  func run(_ input: [[UInt8]]) throws(Broken) -> String {
    let kind = String(decoding: input[0], as: UTF8.self)
    let source = folder.appendingPathComponent("in.\(kind)")
    let output = folder.appendingPathComponent("out.navmap").path
    do { try Data(input[1]).write(to: source) } catch { throw Broken("\(error)") }
    do throws(RoadFileError) {
      try RoadFile.build(from: [source.path], to: output)
    } catch {
      try promise(error.description.contains(source.path), "no file in: \(error)")
      return "refused"
    }
    do throws(RoadFileError) { try RoadFile.verify(path: output) } catch {
      throw Broken("a map was made that is none: \(error)")
    }
    return "made"
  }

  private static let opl = """
    n1 v1 x-8.6 y41.15
    n2 v1 Thighway=stop x-8.5991 y41.15
    n3 v1 x-8.5982 y41.1501
    n4 v1 x-8.5991 y41.1491
    w10 v1 Thighway=primary,name=High%20%Street Nn1,n2,n3
    w11 v1 Thighway=residential,oneway=yes Nn4,n2
    r1 v1 Ttype=restriction,restriction=no_left_turn Mw11@from,n2@via,w10@to
    """ + "\n"

  private static let strange = [
    "180.0", "-180.0", "90", "-90", "91", "nan", "9223372036854775807", "-9223372036854775808",
    "9007199254740993", "0", "", "yes", "no", "reversible", "-1", "none", "motorway", "steps",
    "ferry",
    "99999999 mph", "DE:urban", "no @ (", "no_left_turn @ (Mo-Fr 07:00-09:00)", "only_straight_on",
    "|||||", ";;;", "0x10", "1e308", "'", "3'", "7.5 t", "\u{0}", "\u{202e}", "&#0;", "way", "via",
  ]
}
