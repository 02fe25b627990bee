/// When a rule of the road holds: hours, weather, what one drives and why, all at once.
///
/// https://wiki.openstreetmap.org/wiki/Conditional_restrictions
public struct Condition: Hashable, Sendable {
  /// Each must hold.
  public var terms: [Term]

  public init(terms: [Term]) { self.terms = terms }

  /// One thing that must hold.
  public enum Term: Hashable, Sendable {
    case hours(OpeningHours)
    /// Outside opening hours: holds while they are closed.
    case outside(OpeningHours)
    case comparison(Measure, Comparison, Double)
    case weather(Weather)
    /// What only the traveller knows: `destination`, `permit_holder`, `disabled`.
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

    /// The measure of a word, among them those that name the sign instead of the vehicle.
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

    /// The comparison that holds where this one does not; nil for equality.
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

/// Who travels when: what a condition is judged by.
///
/// What is not known makes a condition unknown, never true.
public struct Circumstances: Hashable, Sendable {
  /// nil where no clock is known.
  public var moment: LocalMoment?
  public var measures: [Condition.Measure: Double]
  /// nil where the weather is not known.
  public var weather: Set<Condition.Weather>?
  /// Words that are true of the traveller; see `falseWords`.
  public var words: Set<String>
  /// Words that are known not to be.
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
  /// The condition that holds while the hours of this one are closed; nil where it is not of hours alone.
  public var outside: Condition? {
    guard terms.count == 1, case .hours(let hours) = terms.first else { return nil }
    return Condition(terms: [.outside(hours)])
  }

  /// The text of the condition that holds where this one, written as `text`, does not.
  ///
  /// nil where it has several terms, or where it depends on something that is neither a time nor a measure.
  public func opposite(text: String) -> String? {
    guard terms.count == 1, let term = terms.first else { return nil }
    switch term {
    case .hours: return "outside " + text
    case .comparison(let measure, let comparison, let value):
      return comparison.opposite.map { "\(measure.rawValue)\($0.rawValue)\(value)" }
    case .outside, .weather, .word: return nil
    }
  }

  /// Whether the condition holds; nil where that needs something that is not known.
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
  /// Whether the time of day, week or year decides.
  public var isHours: Bool {
    openingHours != nil
  }

  /// The hours that decide; nil for a term without any.
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
