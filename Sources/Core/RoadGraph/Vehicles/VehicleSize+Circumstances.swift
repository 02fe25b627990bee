public import OpeningHours

extension VehicleSize {
  /// The circumstances for conditions of rules; a measure of 0 is unknown, but the number of
  /// trailers is always known.
  public var circumstances: Circumstances {
    var measures: [Condition.Measure: Double] = [.trailers: Double(trailers)]
    let known: [(Condition.Measure, Double)] = [
      (.height, heightM), (.width, widthM), (.length, lengthM), (.weight, weightT),
      (.axleLoad, axleLoadT), (.axles, Double(axles)),
    ]
    for (measure, value) in known where value > 0 { measures[measure] = value }
    let cargo: Set = ["hazmat"]
    return Circumstances(
      measures: measures, words: carriesHazardousGoods ? cargo : [],
      falseWords: carriesHazardousGoods ? [] : cargo)
  }
}
