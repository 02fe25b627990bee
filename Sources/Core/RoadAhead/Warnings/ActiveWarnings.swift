import Route

/// An event of a warning.
public struct RoadWarning: Hashable, Sendable {
  public enum Event: String, Codable, Hashable, Sendable {
    case ahead
    case reached
    case passed
    /// The path turned off before it.
    case cancelled
  }

  public var object: RoadObject
  public var event: Event
  /// Distance to it in metres; 0 once it is reached.
  public var distanceM: Double
}

/// The active warnings, at most one of each kind, from AHEAD (or REACHED) to their end.
///
/// A second one of a kind is active only if it would come too late after the first.
///
/// A point ends in PASSED, and a zone is REACHED first; an object that is no longer on the path is
/// CANCELLED.
public struct ActiveWarnings: Codable, Hashable, Sendable {
  struct Active: Codable, Hashable, Sendable {
    var object: RoadObject
    var isReached: Bool
  }

  /// In the order in which they were issued.
  var active: [Active] = []
  /// The last few that ended by being passed, so that noise does not bring them back.
  private(set) var passed: [Passed] = []

  struct Passed: Codable, Hashable, Sendable {
    var id: String
    var atM: Double
  }

  // A warning that may require a stop is issued this far ahead, even during another of its kind.
  private static let inTimeM = 200.0
  private static let inTime: Set<WarningKind> = [.railwayCrossing]

  // A passed object is not reported again until this distance has been driven.
  private static let againM = 300.0

  init() {}

  /// The active warnings from before a restart.
  init(active: [Active]) { self.active = active }

  /// Restores the earlier list of passed objects, since later ones may lie ahead again.
  mutating func rollBack(to passed: [Passed]) { self.passed = passed }

  /// Processes a new position on the path, given all objects on the path sorted by start, and
  /// returns the new events.
  mutating func moved(
    toM positionM: Double, objects: [RoadObject], aheadM: Double
  ) -> [RoadWarning] {
    var reported: [RoadWarning] = []
    settle(positionM, objects, &reported)
    passed.removeAll { positionM - $0.atM > Self.againM }
    for object in objects where (object.endM ?? object.startM) > positionM {
      guard object.startM - positionM <= aheadM else { break }
      let mayWait =
        !Self.inTime.contains(object.kind) || object.startM - positionM > Self.inTimeM
        || active.contains { $0.object.id == object.id }
      guard !(mayWait && active.contains { $0.object.kind == object.kind }),
        !passed.contains(where: { $0.id == object.id })
      else { continue }
      if object.startM <= positionM {
        active.append(Active(object: object, isReached: true))
        reported.append(RoadWarning(object: object, event: .reached, distanceM: 0))
      } else {
        active.append(Active(object: object, isReached: false))
        reported.append(
          RoadWarning(object: object, event: .ahead, distanceM: object.startM - positionM))
      }
    }
    return reported
  }

  // Ends what is passed or no longer on the path, and marks the zones that have been entered.
  private mutating func settle(
    _ positionM: Double, _ objects: [RoadObject], _ reported: inout [RoadWarning]
  ) {
    var left: [Active] = []
    for var one in active {
      guard let now = Self.same(one, in: objects, at: positionM) else {
        let isOver = one.isReached || (one.object.endM ?? one.object.startM) <= positionM
        // After a long gap a zone may be entered and left in one step.
        if isOver, one.object.endM != nil, !one.isReached {
          reported.append(RoadWarning(object: one.object, event: .reached, distanceM: 0))
        }
        reported.append(
          RoadWarning(object: one.object, event: isOver ? .passed : .cancelled, distanceM: 0))
        if isOver { passed.append(Passed(id: one.object.id, atM: positionM)) }
        continue
      }
      let id = one.object.id
      one.object = now
      one.object.id = id
      if now.endM != nil, !one.isReached, now.startM <= positionM {
        one.isReached = true
        reported.append(RoadWarning(object: one.object, event: .reached, distanceM: 0))
      }
      if (now.endM ?? now.startM) <= positionM {
        reported.append(RoadWarning(object: one.object, event: .passed, distanceM: 0))
        passed.append(Passed(id: id, atM: positionM))
      } else {
        left.append(one)
      }
    }
    active = left
  }

  // A zone whose beginning has been passed is recognised by its kind, key and position.
  private static func same(
    _ one: Active, in objects: [RoadObject], at positionM: Double
  ) -> RoadObject? {
    let own = objects.filter { $0.id == one.object.id }
    // An object on a road that is driven twice is on the path twice: take the occurrence that was
    // reported.
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
