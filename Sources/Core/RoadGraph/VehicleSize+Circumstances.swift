public import OpeningHours

extension VehicleSize {
  /// What conditions of rules are judged by; a measure of 0 is not known, but nobody has a trailer unawares.
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
