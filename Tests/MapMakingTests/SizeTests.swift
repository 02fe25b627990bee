import OpeningHours
import RoadGraph
import Testing

@testable import MapMaking

/// Sizes, weights and loads as signs write them.
@Suite struct SizeTests {
  @Test(
    arguments: [
      ("12'6\"", 3.81), ("12'-6\"", 3.81), ("12′6″", 3.81), ("12’6”", 3.81), ("12' 6\"", 3.81),
      ("12ft6in", 3.81), ("12 feet 6 inches", 3.81), ("12'6", 3.81), ("12.5'", 3.81),
      ("150\"", 3.81), ("150 in", 3.81), ("3.81 metres", 3.81), ("381cm", 3.81), ("3,81 m", 3.81),
      (" 3.81 ", 3.81), ("3.81M", 3.81),
    ])
  func `lengths in all spellings, RT-3`(text: String, metres: Double) throws {
    #expect(abs(try #require(VehicleTags.metres(text)) - metres) < 0.001)
  }

  @Test(
    arguments: [
      ("7.5", 7.5), ("7,5", 7.5), ("7.5t", 7.5), ("7.5 T", 7.5), ("7.5 tonnes", 7.5),
      ("7.5 tons", 7.5), ("7500kg", 7.5), ("16535 lbs", 7.5), ("16535 lb", 7.5),
      ("16535 pounds", 7.5), ("8.267 st", 7.5), ("8.267 short tons", 7.5), ("7.38 lt", 7.5),
    ])
  func `weights in all spellings, RT-3`(text: String, tonnes: Double) throws {
    #expect(abs(try #require(VehicleTags.tonnes(of: text)) - tonnes) < 0.002)
  }

  private static let lorry = VehicleSize(
    heightM: 4, widthM: 2.55, lengthM: 14, weightT: 18, axleLoadT: 8, axles: 3)

  /// Whether a lorry or bus may drive along a road with such tags, by what holds always.
  private func lets(
    _ tags: OSMTags, _ mode: TravelMode = .truck, _ vehicle: VehicleSize = lorry,
    backward: Bool = false
  ) throws -> Bool {
    var tags = tags
    tags["highway"] = "primary"
    let reading = TagReading(tags)
    let road = try #require(backward ? reading.backward : reading.forward)
    let lines = reading.text(road.rules)?.split(separator: "\n") ?? []
    return road.lets(vehicle)
      && lines.compactMap { VehicleSign(line: $0) }.allSatisfy { $0.lets(vehicle, mode) }
  }

  @Test(
    arguments: [
      ("maxweightrating:hgv", "7.5"), ("maxweight:hgv", "7.5"), ("maxweight:goods", "7.5"),
      ("maxweightrating", "7.5"), ("maxgcweight", "12"), ("maxgcweightrating:hgv", "12"),
      ("maxaxles", "2"), ("maxbogieweight", "12"), ("maxaxleload", "6"), ("maxlength", "12"),
      ("maxlength:hgv", "12"), ("maxheight", "3.8;4.2"), ("maxheight:physical", "3.8"),
      ("maxheight:legal", "3.8"), ("maxwidth:physical", "2.2"), ("maxheight:lanes", "3.2|3.8"),
      ("maxweight:forward", "7.5"), ("maxheight:hgv:forward", "3.8"),
      ("maxlength:hgv_articulated", "12"),
    ])
  func `a lorry of 18 t and three axles is barred, RT-3`(key: String, value: String) throws {
    #expect(try !lets([key: value]))
    #expect(try lets([key: value], .truck, VehicleSize(heightM: 2, weightT: 2, axles: 2)))
  }

  @Test(
    arguments: [
      ("maxweight", "none"), ("maxheight", "default"), ("maxheight", "below_default"),
      ("maxweight:bus", "7.5"), ("maxweight:backward", "7.5"), ("maxheight:lanes", "3.2|"),
      ("maxheight:lanes", "3.2|4.2"), ("maxweight:signed", "no"), ("maxaxles", "3"),
      ("maxbogieweight", "19"), ("source:maxheight", "3"),
    ])
  func `a lorry of 18 t and three axles passes, RT-3`(key: String, value: String) throws {
    #expect(try lets([key: value]))
  }

  @Test func `limits are those of the mode and the direction, RT-3`() throws {
    #expect(try lets(["maxlength": "18", "maxlength:hgv": "12"], .bus))
    #expect(try !lets(["maxlength": "18", "maxlength:hgv": "12"], .truck))
    #expect(try !lets(["maxweight:bus": "12"], .bus))
    #expect(try lets(["maxheight:forward": "3"], backward: true))
  }

  @Test func `hazardous goods are barred by any class, RT-3`() throws {
    let load = VehicleSize(carriesHazardousGoods: true)
    for (key, value) in [
      ("hazmat", "no"), ("hazmat:B", "no"), ("hazmat:water", "no"),
      ("hazmat:adr_tunnel_code", "C"),
    ] {
      #expect(try !lets([key: value], .truck, load), "\(key)")
      #expect(try lets([key: value]), "\(key)")
    }
    #expect(try lets(["hazmat": "designated"], .truck, load))
  }

  @Test func `what cannot be read is counted by its key, RT-3`() {
    let road = TagReading([
      "highway": "primary", "maxheight": "3 bananas", "maxweight": "7.5 apples;3.5",
      "maxspeed": "5O", "maxlength:conditional": "5 @ (", "maxwidth": "default",
    ]).road
    #expect(
      road?.unreadableValues.sorted() == [
        "maxheight", "maxlength:conditional", "maxspeed", "maxweight",
      ])
    #expect(road?.forward?.maxWeight10Kg == 350)
  }

  @Test func `limits under a condition are rules, and conditions lift limits, RT-3`() throws {
    func rules(_ tags: OSMTags) -> [RoadRule] {
      var tags = tags
      tags["highway"] = "primary"
      let reading = TagReading(tags)
      return (reading.text(reading.forward?.rules) ?? "").split(separator: "\n").compactMap {
        RoadRule(line: $0)
      }
    }
    let night = try #require(rules(["maxweight:conditional": "7.5 @ (22:00-06:00)"]).first)
    #expect(night.when == "22:00-06:00 AND weight>7.5")
    #expect(night.effect == .access(.no))
    let business: OSMTags = ["maxweight": "7.5", "maxweight:conditional": "none @ destination"]
    let freight = try #require(rules(business).first)
    #expect(freight.when == "weight>7.5")
    #expect(freight.effect == .access(.destination))
    #expect(try lets(business))
    let hours: OSMTags = ["maxweight": "7.5", "maxweight:conditional": "none @ (06:00-22:00)"]
    #expect(rules(hours).first?.when == "outside 06:00-22:00 AND weight>7.5")
    #expect(try lets(hours))
    let heavy = Circumstances(measures: [.weight: 18])
    for word in ["maxweight", "weightrating", "maxweightrating", "weight"] {
      let rule = try #require(rules(["hgv:conditional": "no @ (\(word)>7.5)"]).first)
      #expect(rule.condition.holds(heavy) == true, "\(word)")
    }
    let load = try #require(rules(["hazmat:conditional": "no @ (06:00-22:00)"]).first)
    #expect(load.when == "06:00-22:00 AND hazmat")
  }
}
