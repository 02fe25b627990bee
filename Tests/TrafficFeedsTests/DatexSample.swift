/// DATEX II documents of our own making, with the names and the order of the schemas 3.7 and 2.3; members that the schemas ask
/// for and that nothing reads are left out.
enum DatexSample {
  /// A publication of version 3 with one situation for each text of records.
  static func v3(_ situations: String..., status: String = "real") -> String {
    let all = situations.enumerated().map { number, records in
      """
      <sit:situation id="S\(number)">
        <sit:overallSeverity>medium</sit:overallSeverity>
        <sit:headerInformation><com:informationStatus>\(status)</com:informationStatus></sit:headerInformation>
        \(records)
      </sit:situation>
      """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <mc:messageContainer xmlns:mc="http://datex2.eu/schema/3/messageContainer"
        xmlns:sit="http://datex2.eu/schema/3/situation" xmlns:com="http://datex2.eu/schema/3/common"
        xmlns:loc="http://datex2.eu/schema/3/locationReferencing"
        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" modelBaseVersion="3">
        <mc:payload xsi:type="sit:SituationPublication" lang="de" modelBaseVersion="3">
          <com:publicationTime>2026-03-02T08:00:00Z</com:publicationTime>
          <com:publicationCreator>
            <com:country>de</com:country><com:nationalIdentifier>drawn</com:nationalIdentifier>
          </com:publicationCreator>
          \(all.joined(separator: "\n"))
        </mc:payload>
      </mc:messageContainer>
      """
  }

  /// A record: what stands before and after its location in the order of the schema.
  static func record(
    _ type: String, id: String = "R1", version: Int = 1, validity: String = validity(),
    severity: String? = nil, before: String = "", location: String = point(), after: String = "",
    probability: String = "certain"
  ) -> String {
    """
    <sit:situationRecord xsi:type="sit:\(type)" id="\(id)" version="\(version)">
      <sit:situationRecordCreationTime>2026-03-01T08:00:00Z</sit:situationRecordCreationTime>
      <sit:situationRecordVersionTime>2026-03-01T09:00:00Z</sit:situationRecordVersionTime>
      <sit:probabilityOfOccurrence>\(probability)</sit:probabilityOfOccurrence>
      \(severity.map { "<sit:severity>\($0)</sit:severity>" } ?? "")
      \(validity)\(before)\(location)\(after)
    </sit:situationRecord>
    """
  }

  static func validity(
    _ status: String = "definedByValidityTimeSpec", from: String = "2026-03-01T08:00:00+01:00",
    until: String? = "2026-03-05T08:00:00+01:00", periods: String = "", overrunning: Bool = false
  ) -> String {
    """
    <sit:validity>
      <com:validityStatus>\(status)</com:validityStatus>
      \(overrunning ? "<com:overrunning>true</com:overrunning>" : "")
      <com:validityTimeSpecification>
        <com:overallStartTime>\(from)</com:overallStartTime>
        \(until.map { "<com:overallEndTime>\($0)</com:overallEndTime>" } ?? "")\(periods)
      </com:validityTimeSpecification>
    </sit:validity>
    """
  }

  static func point(
    _ latitude: Double = 47.1, _ longitude: Double = 9.5, bearing: Int? = nil,
    description: String = ""
  ) -> String {
    """
    <sit:locationReference xsi:type="loc:PointLocation">\(description)
      <loc:pointByCoordinates>
        \(bearing.map { "<loc:bearing>\($0)</loc:bearing>" } ?? "")
        <loc:pointCoordinates>
          <loc:latitude>\(latitude)</loc:latitude><loc:longitude>\(longitude)</loc:longitude>
        </loc:pointCoordinates>
      </loc:pointByCoordinates>
    </sit:locationReference>
    """
  }

  static func line(
    _ positions: String, attributes: String = #"srsName="EPSG:4326" srsDimension="2""#,
    description: String = ""
  ) -> String {
    """
    <sit:locationReference xsi:type="loc:LinearLocation">\(description)
      <loc:gmlLineString \(attributes)><loc:posList>\(positions)</loc:posList></loc:gmlLineString>
    </sit:locationReference>
    """
  }

  static func comment(_ values: String) -> String {
    """
    <sit:generalPublicComment><sit:comment><com:values>\(values)</com:values></sit:comment></sit:generalPublicComment>
    """
  }

  /// An accident as version 2 writes it.
  static let v2 = """
    <d2LogicalModel xmlns="http://datex2.eu/schema/2/2_0" modelBaseVersion="2"
      xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
      <exchange><supplierIdentification><country>de</country>
        <nationalIdentifier>drawn</nationalIdentifier></supplierIdentification></exchange>
      <payloadPublication xsi:type="SituationPublication" lang="en">
        <publicationTime>2026-03-02T08:00:00Z</publicationTime>
        <publicationCreator><country>de</country>
          <nationalIdentifier>drawn</nationalIdentifier></publicationCreator>
        <situation id="S1" version="1">
          <overallSeverity>high</overallSeverity>
          <headerInformation><confidentiality>noRestriction</confidentiality>
            <informationStatus>real</informationStatus></headerInformation>
          <situationRecord xsi:type="Accident" id="R1" version="1">
            <situationRecordCreationTime>2026-03-02T07:00:00Z</situationRecordCreationTime>
            <situationRecordVersionTime>2026-03-02T07:00:00Z</situationRecordVersionTime>
            <probabilityOfOccurrence>certain</probabilityOfOccurrence>
            <validity><validityStatus>definedByValidityTimeSpec</validityStatus>
              <validityTimeSpecification><overallStartTime>2026-03-02T07:00:00Z</overallStartTime>
              </validityTimeSpecification></validity>
            <impact><numberOfLanesRestricted>1</numberOfLanesRestricted>
              <originalNumberOfLanes>3</originalNumberOfLanes>
              <trafficConstrictionType>lanesBlocked</trafficConstrictionType>
              <delays><delayTimeValue>600</delayTimeValue></delays></impact>
            <generalPublicComment><comment><values><value lang="en">Accident</value></values>
              </comment></generalPublicComment>
            <groupOfLocations xsi:type="Linear">
              <locationForDisplay><latitude>47.3</latitude><longitude>9.3</longitude></locationForDisplay>
              <supplementaryPositionalDescription><affectedCarriagewayAndLanes>
                <carriageway>mainCarriageway</carriageway><lane>lane1</lane>
              </affectedCarriagewayAndLanes></supplementaryPositionalDescription>
              <tpegLinearLocation><tpegDirection>northBound</tpegDirection>
                <tpegLinearLocationType>segment</tpegLinearLocationType>
                <to xsi:type="TpegNonJunctionPoint"><pointCoordinates><latitude>47.2</latitude>
                  <longitude>9.5</longitude></pointCoordinates></to>
                <from xsi:type="TpegNonJunctionPoint"><pointCoordinates><latitude>47.1</latitude>
                  <longitude>9.5</longitude></pointCoordinates></from>
              </tpegLinearLocation>
            </groupOfLocations>
            <accidentType>collision</accidentType>
          </situationRecord>
        </situation>
      </payloadPublication>
    </d2LogicalModel>
    """
}
