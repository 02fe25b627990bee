import Testing

@testable import OpeningHours

@Suite struct ConditionTests {
  private func holds(_ text: String, _ circumstances: Circumstances) throws -> Bool? {
    try Condition(text).holds(circumstances)
  }

  @Test func `hours, weather, sizes and words hold together, EV-2`() throws {
    var here = Circumstances(moment: moment(2026, 3, 2, 8), measures: [.weight: 12, .height: 3.5])
    #expect(try holds("Mo-Fr 07:00-09:00", here) == true)
    #expect(try holds("Mo-Fr 09:00-10:00", here) == false)
    #expect(try holds("weight>7.5", here) == true)
    #expect(try holds("weight <= 7.5 t", here) == false)
    #expect(try holds("height>10ft AND weight>11000 kg", here) == true)
    #expect(try holds("wet", here) == nil)
    #expect(try holds("wet AND weight<1", here) == false)
    #expect(try holds("wet AND weight>1", here) == nil)
    here.weather = [.wet]
    #expect(try holds("wet AND Mo-Fr 07:00-09:00", here) == true)
    #expect(try holds("snow", here) == false)
    #expect(try holds("axleload>10", here) == nil)
    #expect(try holds("permit_holder", here) == nil)
    here.words = ["destination"]
    here.falseWords = ["delivery"]
    #expect(try holds("destination", here) == true)
    #expect(try holds("delivery", here) == false)
    here.moment = nil
    #expect(try holds("Mo-Fr 07:00-09:00", here) == nil)
    #expect(try holds("sunset-sunrise", here) == nil)
  }

  @Test(arguments: [
    ("no @ (Mo-Fr 07:00-09:00)", ["no|Mo-Fr 07:00-09:00"]),
    ("no @ Mo-Fr 07:00-09:00", ["no|Mo-Fr 07:00-09:00"]),
    ("80 @ wet; 100 @ (22:00-06:00)", ["80|wet", "100|22:00-06:00"]),
    (
      "no @ (Mo-Fr 07:00-09:00; Sa 10:00-12:00); yes @ (weight<3.5)",
      ["no|Mo-Fr 07:00-09:00; Sa 10:00-12:00", "yes|weight<3.5"]
    ),
    ("no @ Mo-Fr 07:00-09:00; Sa 10:00-12:00", ["no|Mo-Fr 07:00-09:00; Sa 10:00-12:00"]),
    ("no @ ((sunset-01:00)-(sunrise+01:00))", ["no|(sunset-01:00)-(sunrise+01:00)"]),
    ("destination @ (weight>7.5 AND Mo-Sa)", ["destination|weight>7.5 AND Mo-Sa"]),
    ("none @ (22:00-06:00);", ["none|22:00-06:00"]),
    (
      "no @ (Mo-Fr 07:00-19:00 \"residents and guests :)\")",
      ["no|Mo-Fr 07:00-19:00 \"residents and guests :)\""]
    ),
    ("no @ (Sa \"x\naccess 7f 0 @ 24/7\n\")", ["no|Sa \"x access 7f 0 @ 24/7 \""]),
  ])
  func `a conditional tag is cut into values and conditions`(tag: String, parts: [String]) throws {
    #expect(try ConditionalValue.parse(tag).map { "\($0.value)|\($0.text)" } == parts)
  }

  @Test(arguments: [
    "no", "no @", "@ Mo-Fr", "no @ (Mo-Fr", "no @ Mo-Fr)", "no @ (weight>)", "no @ (weight 7)",
    "no @ (weight>7 bananas)", "no @ \"comment", "no @ (Mo-Fr 7-9)", "no @ (wet AND )",
  ])
  func `what is no condition is refused`(tag: String) {
    #expect(throws: HoursFault.self) { _ = try ConditionalValue.parse(tag) }
  }
}
