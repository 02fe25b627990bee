import Foundations
import Geodesy
import OpeningHours
import Testing
import TrafficFeeds

/// Places, times and broken documents of DATEX II.
@Suite struct DatexDetailTests {
  private func read(_ text: String) throws(FeedFault) -> FeedDocument {
    try DatexFeed.read(Array(text.utf8))
  }

  private func place(_ location: String) throws -> (place: FeedPlace?, notes: [FeedProblem]) {
    let document = try read(DatexSample.v3(DatexSample.record("Accident", location: location)))
    return (document.incidents.first?.place, document.notes)
  }

  private func coordinates(_ pairs: (Double, Double)...) -> [Coordinate] {
    pairs.map { Coordinate(latitudeDeg: $0.0, longitudeDeg: $0.1) }
  }

  // MARK: Places

  @Test func `a line string has latitudes first, except in CRS84, TR-1`() throws {
    let expected = [coordinates((47.1, 9.5), (47.2, 9.6))]
    let usual = try place(DatexSample.line("47.1 9.5\n 47.2 9.6"))
    #expect(usual.place?.lines == expected)
    let swapped = try place(
      DatexSample.line("9.5 47.1 9.6 47.2", attributes: #"srsName="urn:ogc:def:crs:OGC:1.3:CRS84""#)
    )
    #expect(swapped.place?.lines == expected)
    let high = try place(
      DatexSample.line("47.1 9.5 400 47.2 9.6 401", attributes: #"srsDimension="3""#))
    #expect(high.place?.lines == expected)
    #expect((usual.notes + swapped.notes + high.notes).isEmpty)
  }

  @Test(arguments: [
    ("47.1 9.5 47.2", ""), ("47.1 x 47.2 9.6", ""), ("47.1 9.5", ""), ("97.1 9.5 47.2 9.6", ""),
    ("500000 5200000 500001 5200001", #"srsName="EPSG:25832""#),
  ])
  func `a line that is none is noted, and coordinates for display count, TR-1`(
    positions: String, attributes: String
  ) throws {
    let display =
      "<loc:coordinatesForDisplay><loc:latitude>47.3</loc:latitude><loc:longitude>9.3</loc:longitude></loc:coordinatesForDisplay>"
    let found = try place(
      DatexSample.line(positions, attributes: attributes, description: display))
    #expect(found.place?.lines == [])
    #expect(found.place?.points == coordinates((47.3, 9.3)))
    #expect(found.notes.map(\.reason) == [.unsupportedLocation])
  }

  @Test(arguments: [
    ("alertCPoint", "Alert-C"), ("openlrPointLocationReference", "OpenLR"),
    ("predefinedLocationReference", "predefined"),
  ])
  func `references without coordinates are named, and leave nothing to place, TR-1`(
    name: String, words: String
  ) throws {
    let found = try place(
      """
      <sit:locationReference xsi:type="loc:PointLocation"><loc:\(name)/></sit:locationReference>
      """)
    #expect(found.place == nil)
    #expect(found.notes.map(\.reason) == [.unsupportedLocation, .useless])
    #expect(found.notes.first?.problem.contains(words) == true)
    #expect(found.notes.first?.place == "record R1")
  }

  @Test func `an OpenLR line as the code of an external system is read, TR-1`() throws {
    func found(_ code: String) throws -> (place: FeedPlace?, notes: [FeedProblem]) {
      let found = try place(
        """
        <sit:locationReference xsi:type="loc:LinearLocation"><loc:externalReferencing>
        <loc:externalLocationCode>\(code)</loc:externalLocationCode>
        <loc:externalReferencingSystem>OpenLR binary v3</loc:externalReferencingSystem>
        </loc:externalReferencing></sit:locationReference>
        """)
      return (found.place, found.notes)
    }
    let good = try found("CwRbWyNG9RpsCQCb/jsbtAT/6/+jK1lE")
    #expect(good.place?.references.map(\.points.count) == [3])
    #expect(good.notes.isEmpty)
    let bad = try found("CwRbWyNG9Rps")
    #expect(bad.place == nil)
    #expect(bad.notes.first?.problem.contains("too short for a line") == true)
  }

  @Test func `a group has the places of all its members, TR-1`() throws {
    func inner(_ location: String) -> String {
      location.replacing("sit:locationReference", with: "loc:locationContainedInGroup")
    }
    let found = try place(
      """
      <sit:locationReference xsi:type="loc:LocationGroupByList">
      \(inner(DatexSample.point()))\(inner(DatexSample.line("47.1 9.5 47.2 9.6")))
      </sit:locationReference>
      """)
    #expect(found.place?.points.count == 1)
    #expect(found.place?.lines.count == 1)
  }

  @Test func `areas are read with their holes, TR-1`() throws {
    let ring = "<loc:posList>47 9 47 9.1 47.1 9.1 47 9</loc:posList>"
    let found = try place(
      """
      <sit:locationReference xsi:type="loc:AreaLocation"><loc:gmlMultiPolygon><loc:gmlPolygon>
      <loc:exterior>\(ring)</loc:exterior><loc:interior>\(ring)</loc:interior>
      </loc:gmlPolygon></loc:gmlMultiPolygon></sit:locationReference>
      """)
    #expect(found.place?.areas.map(\.count) == [2])
    #expect(found.notes.isEmpty)
  }

  @Test func `a part of a linear element is cut out by its metres, TR-1`() throws {
    func end(_ name: String, _ metres: Int) -> String {
      """
      <loc:\(name) xsi:type="loc:DistanceFromLinearElementStart">
      <loc:distanceAlong>\(metres)</loc:distanceAlong></loc:\(name)>
      """
    }
    let found = try place(
      """
      <sit:locationReference xsi:type="loc:SingleRoadLinearLocation"><loc:linearWithinLinearElement>
      <loc:directionRelativeOnLinearSection>opposite</loc:directionRelativeOnLinearSection>
      <loc:linearElement xsi:type="loc:LinearElementByLineString"><loc:gmlLineString>
      <loc:posList>47.0 9.5 47.1 9.5</loc:posList></loc:gmlLineString></loc:linearElement>
      \(end("fromPoint", 1000))\(end("toPoint", 3000))
      </loc:linearWithinLinearElement></sit:locationReference>
      """)
    let line = try #require(found.place?.lines.first)
    #expect(abs(Polyline(line).lengthM - 2000) < 0.1)
    #expect(abs(line[0].distanceM(to: coordinates((47, 9.5))[0]) - 1000) < 0.1)
    #expect(found.place?.direction == .against)
    #expect(found.notes.isEmpty)
  }

  // MARK: Times

  private func validity(_ text: String) throws -> (FeedValidity?, [FeedProblem]) {
    let document = try read(DatexSample.v3(DatexSample.record("Accident", validity: text)))
    return (document.incidents.first?.validity, document.notes)
  }

  @Test func `active holds whatever the times say, suspended is not published, TR-1`() throws {
    // Published on the second of March at eight.
    let early = DatexSample.validity("active", from: "2026-03-04T00:00:00Z")
    let published = TimeText.iso8601("2026-03-02T08:00:00Z")
    #expect(try validity(early).0?.from == published)
    let late = DatexSample.validity("active", until: "2026-03-02T07:00:00Z")
    #expect(try validity(late).0 != nil)
    #expect(try validity(late).0?.until == nil)
    #expect(try validity(DatexSample.validity(overrunning: true)).0?.until != nil)
    #expect(try validity(DatexSample.validity("active", overrunning: true)).0?.until == nil)
    let suspended = try validity(DatexSample.validity("suspended"))
    #expect(suspended.0 == nil)
    #expect(suspended.1.map(\.reason) == [.suspended])
  }

  @Test func `periods come again by day and hour, TR-1`() throws {
    let periods = """
      <com:validPeriod><com:recurringTimePeriodOfDay>
        <com:startTimeOfPeriod>21:00:00</com:startTimeOfPeriod>
        <com:endTimeOfPeriod>23:59:59</com:endTimeOfPeriod></com:recurringTimePeriodOfDay>
        <com:recurringDayWeekMonthPeriod><com:applicableDay>monday</com:applicableDay>
        <com:applicableDay>tuesday</com:applicableDay></com:recurringDayWeekMonthPeriod></com:validPeriod>
      <com:exceptionPeriod><com:startOfPeriod>2026-03-02T00:00:00+01:00</com:startOfPeriod>
        <com:endOfPeriod>2026-03-03T00:00:00+01:00</com:endOfPeriod></com:exceptionPeriod>
      """
    let (found, notes) = try validity(DatexSample.validity(periods: periods))
    #expect(notes.isEmpty, "\(notes)")
    let now = try #require(TimeText.iso8601("2026-03-01T12:00:00Z"))
    let window = try #require(found?.window(at: now, zone: TimeZoneRule(60, .europe)))
    // Monday the second is an exception.
    #expect(window.from == TimeText.iso8601("2026-03-03T20:00:00Z"))
    #expect(window.until == TimeText.iso8601("2026-03-03T23:00:00Z"))
  }

  @Test(arguments: [
    "<com:validPeriod><com:recurringSpecialDay/></com:validPeriod>",
    "<com:validPeriod><com:recurringDayWeekMonthPeriod><com:applicableDay>doomsday</com:applicableDay></com:recurringDayWeekMonthPeriod></com:validPeriod>",
    "<com:validPeriod><com:recurringDayWeekMonthPeriod><com:applicableInstanceOfDayWithinMonth>firstInstance</com:applicableInstanceOfDayWithinMonth></com:recurringDayWeekMonthPeriod></com:validPeriod>",
    "<com:validPeriod><com:recurringTimePeriodOfDay><com:startTimeOfPeriod>25:00:00</com:startTimeOfPeriod></com:recurringTimePeriodOfDay></com:validPeriod>",
    "<com:validPeriod><com:startOfPeriod>soon</com:startOfPeriod></com:validPeriod>",
  ])
  func `what cannot be read of a period is noted, TR-1`(periods: String) throws {
    let (found, notes) = try validity(DatexSample.validity(periods: periods))
    #expect(found != nil)
    #expect(notes.map(\.reason) == [.badValue])
  }

  // MARK: Documents

  @Test
  func `exercises are left out, newer versions replace older ones, ids are reported apart, TR-1`()
    throws
  {
    let record = DatexSample.record("Accident")
    let test = try read(DatexSample.v3(record, status: "technicalExercise"))
    #expect(test.incidents.isEmpty)
    #expect(test.notes.map(\.reason) == [.notReal])
    let newer = DatexSample.record("PublicEvent", version: 2)
    let versions = try read(DatexSample.v3(newer + record, record + newer))
    #expect(versions.incidents.map(\.kind) == [.event, .event])
    #expect(versions.incidents.map(\.id) == ["R1", "S1/R1"])
    #expect(versions.notes.map(\.reason) == [.repeated, .repeated])
  }

  @Test func `a record of an unknown type counts by its cause, TR-1`() throws {
    let cause = "<sit:cause><sit:causeType>roadMaintenance</sit:causeType></sit:cause>"
    let document = try read(DatexSample.v3(DatexSample.record("Dragon", before: cause)))
    #expect(document.incidents.first?.kind == .construction)
    #expect(document.notes.map(\.reason) == [.badValue])
    let generic = try read(
      DatexSample.v3(DatexSample.record("GenericSituationRecord", before: cause)))
    #expect(generic.incidents.first?.kind == .construction)
    #expect(generic.notes.isEmpty)
  }

  @Test(arguments: [
    ("", "no element"), ("{}", "not XML"), ("<a/>", "<a>"),
    ("<payload type='roa:MeasuredDataPublication'/>", "MeasuredDataPublication"),
    ("<!DOCTYPE a [<!ENTITY b 'c'>]><payload/>", "document type"),
    (
      "<payload xsi:type='SituationPublication'><situation id='S'>", "truncated inside <situation>"
    ),
  ])
  func `a document that is none is refused with its reason, TR-1`(text: String, words: String) {
    do throws(FeedFault) {
      let document = try read(text)
      Issue.record("it was read: \(document)")
    } catch {
      #expect(error.description.contains(words), "\(error)")
    }
  }

  @Test func `an empty publication has no incidents, TR-1`() throws {
    let document = try read(DatexSample.v3())
    #expect(document.incidents.isEmpty && document.notes.isEmpty)
  }
}
