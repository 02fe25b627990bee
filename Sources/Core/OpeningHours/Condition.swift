/// The condition of a road rule: hours, weather, vehicle and purpose, all of which must be
/// fulfilled.
///
/// https://wiki.openstreetmap.org/wiki/Conditional_restrictions
public struct Condition: Hashable, Sendable {
  /// All terms must be fulfilled.
  public var terms: [Term]

  public init(terms: [Term]) { self.terms = terms }

  /// One term that must be fulfilled.
  public enum Term: Hashable, Sendable {
    case hours(OpeningHours)
    /// Outside opening hours: fulfilled while they are closed.
    case outside(OpeningHours)
    case comparison(Measure, Comparison, Double)
    case weather(Weather)
    /// A fact that only the traveller knows: `destination`, `permit_holder`, `disabled`.
    case word(String)
  }

  /// A property of the vehicle: tonnes, metres or a count.
  public enum Measure: String, Hashable, Sendable, CaseIterable {
    case weight
    case axleLoad = "axleload"
    case height
    case length
    case width
    case axles
    case occupants
    case trailers
    case seats

    /// The measure with a name, including names that refer to the sign instead of the vehicle.
    init?(word: String) {
      if let measure = Measure(rawValue: word) {
        self = measure
        return
      }
      switch word {
      case "weightrating", "maxweight", "maxweightrating", "gcweight", "gcweightrating",
        "maxgcweight", "maxgcweightrating":
        self = .weight
      case "maxaxleload": self = .axleLoad
      case "maxheight": self = .height
      case "maxwidth": self = .width
      case "maxlength": self = .length
      case "maxaxles": self = .axles
      default: return nil
      }
    }
  }

  public enum Comparison: String, Hashable, Sendable, CaseIterable {
    case less = "<"
    case atMost = "<="
    case equal = "="
    case atLeast = ">="
    case more = ">"

    /// The comparison that is true if this one is false; nil for equality.
    var opposite: Comparison? {
      switch self {
      case .less: .atLeast
      case .atMost: .more
      case .equal: nil
      case .atLeast: .less
      case .more: .atMost
      }
    }

    func holds(_ a: Double, _ b: Double) -> Bool {
      switch self {
      case .less: a < b
      case .atMost: a <= b
      case .equal: a == b
      case .atLeast: a >= b
      case .more: a > b
      }
    }
  }

  public enum Weather: String, Hashable, Sendable, CaseIterable {
    case wet
    case dry
    case snow
    case ice
    case fog
    case winter
    case summer
  }
}

/// The traveller, the vehicle and the time for which a condition is evaluated.
///
/// Missing values make a condition unknown, never true.
public struct Circumstances: Hashable, Sendable {
  /// nil if the time is not known.
  public var moment: LocalMoment?
  public var measures: [Condition.Measure: Double]
  /// nil if the weather is not known.
  public var weather: Set<Condition.Weather>?
  /// Words that are true for the traveller; see `falseWords`.
  public var words: Set<String>
  /// Words that are known to be false.
  public var falseWords: Set<String>

  public init(
    moment: LocalMoment? = nil, measures: [Condition.Measure: Double] = [:],
    weather: Set<Condition.Weather>? = nil, words: Set<String> = [], falseWords: Set<String> = []
  ) {
    self.moment = moment
    self.measures = measures
    self.weather = weather
    self.words = words
    self.falseWords = falseWords
  }
}

extension Condition {
  /// The condition that is true while the hours of this one are closed; nil if it does not consist
  /// only of hours.
  public var outside: Condition? {
    guard terms.count == 1, case .hours(let hours) = terms.first else { return nil }
    return Condition(terms: [.outside(hours)])
  }

  /// The text of the opposite of this condition, which is written as `text`.
  ///
  /// The result is nil if it has several terms, or depends on something that is neither a time nor
  /// a measure.
  public func opposite(text: String) -> String? {
    guard terms.count == 1, let term = terms.first else { return nil }
    switch term {
    case .hours: return "outside " + text
    case .comparison(let measure, let comparison, let value):
      return comparison.opposite.map { "\(measure.rawValue)\($0.rawValue)\(value)" }
    case .outside, .weather, .word: return nil
    }
  }

  /// Whether the condition is true; nil if that depends on something unknown.
  public func holds(_ circumstances: Circumstances) -> Bool? {
    var isKnown = true
    for term in terms {
      switch term.holds(circumstances) {
      case true: break
      case false: return false
      case nil: isKnown = false
      }
    }
    return isKnown ? true : nil
  }
}

extension Condition.Term {
  /// Whether it depends on the time of day, week or year.
  public var isHours: Bool {
    openingHours != nil
  }

  /// The hours that it depends on; nil for a term without hours.
  public var openingHours: OpeningHours? {
    switch self {
    case .hours(let hours), .outside(let hours): hours
    case .comparison, .weather, .word: nil
    }
  }

  func holds(_ circumstances: Circumstances) -> Bool? {
    switch self {
    case .hours(let hours):
      guard let moment = circumstances.moment else { return nil }
      switch hours.state(at: moment) {
      case .open: return true
      case .closed: return false
      case .unknown: return nil
      }
    case .outside(let hours):
      guard let moment = circumstances.moment else { return nil }
      switch hours.state(at: moment) {
      case .open: return false
      case .closed: return true
      case .unknown: return nil
      }
    case .comparison(let measure, let comparison, let value):
      return circumstances.measures[measure].map { comparison.holds($0, value) }
    case .weather(let weather): return circumstances.weather?.contains(weather)
    case .word(let word):
      if circumstances.words.contains(word) { return true }
      return circumstances.falseWords.contains(word) ? false : nil
    }
  }
}
