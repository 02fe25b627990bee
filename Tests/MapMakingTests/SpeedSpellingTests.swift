import RoadGraph
import Testing

@testable import MapMaking

/// Limits in the spellings that maps have, and those that the law of a country sets.
@Suite struct SpeedSpellingTests {
  @Test(
    arguments: [
      ("30 MPH", 48), ("30 mi/h", 48), (" 50 ", 50), ("50 KM/H", 50), ("CZ:pedestrian_zone", 20),
      ("BE-VLG:rural", 70), ("BE-WAL:rural", 90), ("BE:VLG:rural", 70), ("BE-BRU:urban", 30),
      ("ES:urban:primary", 50), ("JP:express:nsl", 100), ("JP:nsl", 60), ("national", 97),
      ("UK:nsl_single", 97), ("GB:nsl_dual", 113), ("US:TX:urban", 48), ("RO:trunk", 100),
      ("de:urban", 50), ("DE:Urban", 50), ("AT:city_limit30", 30), ("FR:zone30", 30),
      ("10 knots", 19), ("IT:trunk", 110), ("PL:trunk", 120), ("XX:nowhere", 0), ("0", 0),
      ("ES:urban", 30), ("JP:urban", 60), ("US-CA:urban", 40), ("US:MT:motorway", 129),
      ("CA-QC:rural", 90), ("AU-NT:rural", 110), ("GB-WLS:nsl_restricted", 32),
    ] as [(String, UInt8)])
  func `a limit in another spelling, EV-2`(word: String, kmh: UInt8) {
    let road = TagReading(["highway": "primary", "maxspeed": word])
    #expect(road.forward?.speedLimitKmh == kmh)
  }

  @Test func `limits that cannot be read are counted, EV-2`() {
    func unreadable(_ tags: OSMTags) -> [String]? {
      var tags = tags
      tags["highway"] = "primary"
      return TagReading(tags).road?.unreadableValues
    }
    #expect(unreadable(["maxspeed": "5O"]) == ["maxspeed"])
    #expect(unreadable(["maxspeed:hgv:forward": "slow"]) == ["maxspeed:hgv:forward"])
    #expect(unreadable(["maxspeed": "signals", "maxspeed:lanes": "80||60"]) == [])
    #expect(unreadable(["maxspeed:type": "sign", "maxspeed:note": "since May"]) == [])
  }

  @Test func `every country has limits that are in order, EV-2`() throws {
    #expect(CountryTable.rows.count > 50)
    for (code, row) in CountryTable.rows {
      #expect(code.utf8.count == 2 && code == code.uppercased())
      #expect(row.living <= row.urban && row.urban <= row.rural, "\(code)")
      #expect(row.rural <= row.divided ?? 400 && row.divided ?? 0 <= row.motorway ?? 400, "\(code)")
      for heavy in [row.truck, row.bus].compactMap({ $0 }) {
        #expect(heavy.rural <= heavy.motorway && heavy.rural >= 40, "\(code)")
      }
    }
    #expect(CountryParts.rows.count > 50)
    for (code, part) in CountryParts.rows {
      let country = String(code.prefix(2))
      let row = try #require(Countries.limits(country, part: code))
      #expect(CountryTable.rows[country] != nil && row != CountryTable.rows[country], "\(code)")
      #expect(row.urban <= row.rural && row.rural <= row.divided ?? 400, "\(code)")
      #expect(part.rural ?? 0 <= row.motorway ?? 400, "\(code)")
    }
  }
}
