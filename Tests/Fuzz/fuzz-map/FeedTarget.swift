import Foundations
import Fuzzing
import MapMaking
import OpeningHours
import RoadGraph
import TrafficFeeds

/// GeoJSON and DATEX II of incidents, as others write them.
struct FeedTarget: FuzzTarget {
  static let name = "feeds"
  static let about = "GeoJSON and DATEX II incidents: refused by a sentence, or placed on a map"

  private let texts: [[UInt8]]
  private let words: [[UInt8]]
  private let placer: FeedPlacer

  init(_ corpus: Corpus) throws {
    texts = [Array(Self.geojson.utf8), Array(Self.datex.utf8)]
    words = Self.strange.map { Array($0.utf8) }
    let graph = try GraphMaker.make(SmallTown.data, options: MapOptions()).graph()
    placer = FeedPlacer(graph, index: SegmentIndex(graph))
  }

  mutating func make(_ dice: inout Dice) -> [[UInt8]] {
    let isXML = dice.oneIn(2)
    var text = texts[isXML ? 1 : 0]
    for _ in 0...dice.below(3) { replaceWord(in: &text, &dice) }
    if dice.oneIn(3) { ByteMutation.spoil(&text, with: texts + words, &dice) }
    return [[isXML ? 1 : 0], text, [dice.byte(), dice.byte()]]
  }

  /// Another word in the place of one, so that most documents are still XML or JSON.
  private func replaceWord(in text: inout [UInt8], _ dice: inout Dice) {
    func isWord(_ byte: UInt8) -> Bool { !#" <>"':,/[]{}="#.utf8.contains(byte) && byte > 0x20 }
    let place = dice.below(text.count)
    guard isWord(text[place]) else { return }
    var (start, end) = (place, place + 1)
    while start > 0, isWord(text[start - 1]) { start -= 1 }
    while end < text.count, isWord(text[end]) { end += 1 }
    let other = dice.oneIn(2) ? dice.pick(words) : Array("\(dice.below(100_000))".utf8)
    text.replaceSubrange(start..<end, with: other)
  }

  mutating func run(_ input: [[UInt8]]) throws(Broken) -> String {
    let document: FeedDocument
    do throws(FeedFault) {
      document =
        input[0] == [1] ? try DatexFeed.read(input[1]) : try GeoJSONFeed.read(input[1])
    } catch {
      try promise(!error.description.isEmpty, "a fault without a sentence")
      return "refused"
    }
    let day = Double(input[2].first ?? 0) * 97
    let now = Instant(seconds: (20_000 + day) * 86_400 + Double(input[2].last ?? 0) * 337)
    for incident in document.incidents {
      let placed = placer.place(incident)
      try promise(
        !placed.edges.isEmpty || !placed.notes.isEmpty,
        "\(incident.id) is nowhere, and no word of it")
      guard let window = incident.validity.window(at: now, zone: TimeZoneRule(60, .europe)) else {
        continue
      }
      try promise(!window.isOver(at: now), "\(incident.id) is over, and published")
    }
    return document.notes.isEmpty ? "read" : "read with notes"
  }

  private static let strange = [
    "-91", "1e999", "NaN", "\"", "[]", "{}", "null", "\\ud800", "&amp;", "&lol;", "<!DOCTYPE a [",
    "<![CDATA[", "23:59:59", "24:00:00", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z",
    "sunday", "february", "EPSG:25832", "CRS84", "18446744073709551616",
  ]

  private static let geojson = """
    {"type": "FeatureCollection", "features": [
    {"id": 1, "properties": {"kind": "accident", "from": "2026-03-01T08:00:00Z", "until": 1990000000,
    "direction": "both", "delay_s": 60, "lanes_closed": 1, "segments": [[1, 2, 3]]},
    "geometry": {"type": "LineString", "coordinates": [[-8.6, 41.15], [-8.59, 41.15], [-8.58, 41.16]]}},
    {"properties": {"closed": true, "bearing_deg": 90}, "geometry": {"type": "Point", "coordinates": [-8.6, 41.15]}},
    {"geometry": {"type": "Polygon", "coordinates": [[[-8.7, 41.1], [-8.5, 41.1], [-8.5, 41.2], [-8.7, 41.1]]]}}]}
    """

  private static let datex = """
    <?xml version="1.0" encoding="UTF-8"?>
    <payload xsi:type="SituationPublication" lang="en"><publicationTime>2026-03-02T08:00:00Z</publicationTime>
    <situation id="S"><situationRecord xsi:type="RoadOrCarriagewayOrLaneManagement" id="R" version="1">
    <validity><validityStatus>definedByValidityTimeSpec</validityStatus><validityTimeSpecification>
    <overallStartTime>2026-03-01T08:00:00+01:00</overallStartTime><validPeriod>
    <recurringTimePeriodOfDay><startTimeOfPeriod>22:00:00</startTimeOfPeriod>
    <endTimeOfPeriod>05:00:00Z</endTimeOfPeriod></recurringTimePeriodOfDay>
    <recurringDayWeekMonthPeriod><applicableDay>monday</applicableDay><applicableMonth>june</applicableMonth>
    </recurringDayWeekMonthPeriod></validPeriod><exceptionPeriod><startOfPeriod>2026-06-01T00:00:00Z</startOfPeriod>
    </exceptionPeriod></validityTimeSpecification></validity>
    <impact><numberOfOperationalLanes>1</numberOfOperationalLanes></impact>
    <locationReference xsi:type="LinearLocation"><gmlLineString srsDimension="2">
    <posList>41.15 -8.6 41.15 -8.59</posList></gmlLineString></locationReference>
    <roadOrCarriagewayOrLaneManagementType>roadClosed</roadOrCarriagewayOrLaneManagementType>
    </situationRecord></situation></payload>
    """
}
