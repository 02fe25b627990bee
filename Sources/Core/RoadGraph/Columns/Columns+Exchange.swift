extension RoadColumns {
  /// Passes every column, including derived ones, to `exchange` by the names of their properties.
  ///
  /// For users that keep the columns in their memory layout, such as a file shared by processes.
  public mutating func exchange<Exchange: ColumnExchange>(
    with exchange: inout Exchange
  ) throws(Exchange.Failure) {
    try exchange.exchange("nodeLatitude", &nodeLatitude)
    try exchange.exchange("nodeLongitude", &nodeLongitude)
    try exchange.exchange("nodeOSM", &nodeOSM)
    try exchange.exchange("nodeFlags", &nodeFlags)
    try exchange.exchange("firstOut", &firstOut)
    try exchange.exchange("firstIn", &firstIn)
    try exchange.exchange("inEdge", &inEdge)
    try exchange.exchange("tail", &tail)
    try exchange.exchange("head", &head)
    try exchange.exchange("twin", &twin)
    try exchange.exchange("lengthMM", &lengthMM)
    try exchange.exchange("attributeIndex", &attributeIndex)
    try exchange.exchange("piece", &piece)
    try exchange.exchange("pieceEdge", &pieceEdge)
    try exchange.exchange("pieceWay", &pieceWay)
    try exchange.exchange("wayID", &wayID)
    try exchange.exchange("pointByte", &pointByte)
    try exchange.exchange("pointBlock", &pointBlock)
    try exchange.exchange("pointIDByte", &pointIDByte)
    try exchange.exchange("pointIDBlock", &pointIDBlock)
    try exchange.exchange("attributes", &attributes)
    try exchange.exchange("firstRestriction", &firstRestriction)
    try exchange.exchange("restrictionEdge", &restrictionEdge)
    try exchange.exchange("restrictionModes", &restrictionModes)
    try exchange.exchange("firstTimedRestriction", &firstTimedRestriction)
    try exchange.exchange("timedRestrictionEdge", &timedRestrictionEdge)
    try exchange.exchange("timedRestrictionModes", &timedRestrictionModes)
    try exchange.exchange("timedRestrictionWhen", &timedRestrictionWhen)
    try exchange.exchange("firstText", &firstText)
    try exchange.exchange("textByte", &textByte)
    try exchange.exchange("placeLatitude", &placeLatitude)
    try exchange.exchange("placeLongitude", &placeLongitude)
    try exchange.exchange("placeName", &placeName)
    try exchange.exchange("placeKind", &placeKind)
    try exchange.exchange("junctionNode", &junctionNode)
    try exchange.exchange("junctionNumber", &junctionNumber)
    try exchange.exchange("junctionName", &junctionName)
    try exchange.exchange("barrierNode", &barrierNode)
    try exchange.exchange("barrierAttribute", &barrierAttribute)
    try exchange.exchange("boxes", &boxes)
    try exchange.exchange("pieceBoxes", &pieceBoxes)
  }
}

/// Receives columns, and may replace them.
public protocol ColumnExchange {
  associatedtype Failure: Error
  mutating func exchange<Element: BitwiseCopyable>(
    _ name: String, _ column: inout Column<Element>
  ) throws(Failure)
}
