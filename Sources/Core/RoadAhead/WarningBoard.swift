/// What is told of a warning.
public struct RoadWarning: Hashable, Sendable {
  public enum Event: String, Codable, Hashable, Sendable {
    case ahead
    case reached
    case passed
    /// The way turned off before it.
    case cancelled
  }

  public var object: RoadObject
  public var event: Event
  /// Metres to it; 0 once it is reached.
  public var distanceM: Double
}

/// The active warnings, at most one of each kind, from AHEAD (or REACHED) to their end.
///
/// A second one of a kind is active only if it would come too late after the first.
///
/// A point ends in PASSED, a zone is REACHED first; what the way no longer leads to is CANCELLED.
public struct WarningBoard: Codable, Hashable, Sendable {
  struct Active: Codable, Hashable, Sendable {
    var object: RoadObject
    var isReached: Bool
  }

  /// In the order in which they were told.
  var active: [Active] = []
  /// The last few that ended by being passed: noise does not bring them back.
  private(set) var passed: [Passed] = []

  struct Passed: Codable, Hashable, Sendable {
    var id: String
    var atM: Double
  }

  // A warning that may require a stop is issued this far ahead, even during another of its kind.
  private static let inTimeM = 200.0
  private static let inTime: Set<WarningKind> = [.railwayCrossing]

  // A passed object is not told of again until so much has been driven.
  private static let againM = 300.0

  init() {}

  /// A board as it was before a restart.
  init(active: [Active]) { self.active = active }

  /// Forgets what was passed since: it may lie ahead again.
  mutating func takeBack(to passed: [Passed]) { self.passed = passed }

  /// What a new place on the way means, given all that lies on the way.
  mutating func moved(
    toM positionM: Double, objects: [RoadObject], aheadM: (RoadObject) -> Double
  ) -> [RoadWarning] {
    var told: [RoadWarning] = []
    settle(positionM, objects, &told)
    passed.removeAll { positionM - $0.atM > Self.againM }
    let coming = objects.filter { ($0.endM ?? $0.startM) > positionM }
      .sorted { ($0.startM, $0.id) < ($1.startM, $1.id) }
    for object in coming {
      let mayWait =
        !Self.inTime.contains(object.kind) || object.startM - positionM > Self.inTimeM
        || active.contains { $0.object.id == object.id }
      guard !(mayWait && active.contains { $0.object.kind == object.kind }),
        !passed.contains(where: { $0.id == object.id })
      else { continue }
      if object.startM <= positionM {
        active.append(Active(object: object, isReached: true))
        told.append(RoadWarning(object: object, event: .reached, distanceM: 0))
      } else if object.startM - positionM <= aheadM(object) {
        active.append(Active(object: object, isReached: false))
        told.append(
          RoadWarning(object: object, event: .ahead, distanceM: object.startM - positionM))
      }
    }
    return told
  }

  // Ends what is passed or no longer on the way, and reaches what has come.
  private mutating func settle(
    _ positionM: Double, _ objects: [RoadObject], _ told: inout [RoadWarning]
  ) {
    var left: [Active] = []
    for var one in active {
      guard let now = Self.same(one, in: objects, at: positionM) else {
        let isOver = one.isReached || (one.object.endM ?? one.object.startM) <= positionM
        // A long gap may lead beyond a zone at one step.
        if isOver, one.object.endM != nil, !one.isReached {
          told.append(RoadWarning(object: one.object, event: .reached, distanceM: 0))
        }
        told.append(
          RoadWarning(object: one.object, event: isOver ? .passed : .cancelled, distanceM: 0))
        if isOver { passed.append(Passed(id: one.object.id, atM: positionM)) }
        continue
      }
      let id = one.object.id
      one.object = now
      one.object.id = id
      if now.endM != nil, !one.isReached, now.startM <= positionM {
        one.isReached = true
        told.append(RoadWarning(object: one.object, event: .reached, distanceM: 0))
      }
      if (now.endM ?? now.startM) <= positionM {
        told.append(RoadWarning(object: one.object, event: .passed, distanceM: 0))
        passed.append(Passed(id: id, atM: positionM))
      } else {
        left.append(one)
      }
    }
    active = left
  }

  // A zone whose beginning has been left behind goes by what it is and where.
  private static func same(
    _ one: Active, in objects: [RoadObject], at positionM: Double
  ) -> RoadObject? {
    let own = objects.filter { $0.id == one.object.id }
    // On a road driven twice it lies on the way twice: its own time is the one where it was told of.
    if let same = own.first(where: { abs($0.startM - one.object.startM) < 1 }) { return same }
    let isRecalled = one.object.startM == .greatestFiniteMagnitude
    let isBehind = (one.object.endM ?? one.object.startM) <= positionM
    if isRecalled || !isBehind {
      if let next = own.first(where: { ($0.endM ?? $0.startM) > positionM }) ?? own.last {
        return next
      }
    }
    guard one.isReached else { return nil }
    return objects.first {
      $0.kind == one.object.kind && $0.key == one.object.key && $0.startM <= positionM
        && ($0.endM ?? $0.startM) >= positionM
    }
  }
}
