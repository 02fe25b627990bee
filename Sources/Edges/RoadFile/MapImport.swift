import COsmium
import Foundations
import MapMaking

/// Reads OSM files through libosmium into a graph maker.
enum MapImport {
  /// Progress of an import: the pass and the file, with bytes read and in total.
  typealias Progress = (BuildProgress) -> Bool

  /// Creates the columns of the roads of `paths`, with two passes over each file.
  ///
  /// `dataTimeS` is the time of the oldest data, in seconds since 1970; nil if no file contains it.
  ///
  /// - Throws: `RoadFileError` with the file and the position in it.
  static func make(
    from paths: [String], options: MapOptions, progress: @escaping Progress
  ) throws(RoadFileError) -> (made: MapMakingResult, dataTimeS: Int64?) {
    let sink = ImportSink(GraphMaker(options: options), progress: progress)
    var times: [Int64] = []
    for path in paths {
      sink.startStep("roads of \(path)")
      var dataTimeS: Int64 = 0
      try read(path, sink) { handler, error, size in
        cosmium_read_roads(path, handler, &dataTimeS, error, size)
      }
      if dataTimeS > 0 { times.append(dataTimeS) }
    }
    let needed = sink.completeWays()
    guard !needed.isEmpty else { throw .noRoads(paths: paths) }
    for path in paths {
      sink.startStep("nodes of \(path)")
      try read(path, sink) { handler, error, size in
        needed.withUnsafeBufferPointer {
          cosmium_read_nodes(path, $0.baseAddress, $0.count, handler, error, size)
        }
      }
    }
    sink.startStep("graph")
    let made: MapMakingResult
    do throws(MapMakingFault) {
      made = try sink.moveMaker().finish()
    } catch {
      throw .osm(reason: "\(paths.joined(separator: ", ")): \(error)")
    }
    guard made.report.edges > 0 else {
      guard made.report.roadsKept == 0 || made.report.missingNodes == 0 else {
        throw .osm(
          reason:
            "\(paths.joined(separator: ", ")): contains \(made.report.roadsKept) roads, but none of "
            + "their nodes; save it with the nodes, from Overpass by (._;>;); out; or by out geom;")
      }
      throw .noRoads(paths: paths)
    }
    return (made, times.min())
  }

  private static func read(
    _ path: String, _ sink: ImportSink,
    _ call: (
      _ handler: UnsafePointer<cosmium_handler>, _ error: UnsafeMutablePointer<CChar>?,
      _ size: Int
    ) -> cosmium_result
  ) throws(RoadFileError) {
    var text = [CChar](repeating: 0, count: 1024)
    let result = withExtendedLifetime(sink) {
      var handler = sink.handler
      return text.withUnsafeMutableBufferPointer { call(&handler, $0.baseAddress, $0.count) }
    }
    switch result {
    case cosmium_ok: return
    case cosmium_stopped: throw .stopped(path: path)
    default:
      let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw .osm(reason: String(decoding: bytes, as: UTF8.self))
    }
  }
}

/// Progress of a build.
public struct BuildProgress: Hashable, Sendable {
  /// A description of the current step.
  public var step: String
  /// Bytes read of this step's file, and its size; 0 and 0 if nothing is read.
  public var bytes: UInt64
  public var total: UInt64

  public init(step: String, bytes: UInt64 = 0, total: UInt64 = 0) {
    self.step = step
    self.bytes = bytes
    self.total = total
  }
}

/// The callback target of libosmium, which converts C values into OSM objects for the maker.
private final class ImportSink {
  private var maker: GraphMaker
  private let progress: MapImport.Progress
  private var step = ""
  /// Positions of nodes that the ways themselves contained.
  private var inlinePlaces: [Int64: (latitude: Int32, longitude: Int32)] = [:]
  // Tags repeat: strings for the few hundred keys and common values are created once.
  private var texts = StringCache()

  init(_ maker: GraphMaker, progress: @escaping MapImport.Progress) {
    self.maker = maker
    self.progress = progress
  }

  func startStep(_ step: String) {
    self.step = step
    _ = progress(BuildProgress(step: step))
  }

  /// Ends the ways: returns the ids of the needed nodes, ascending.
  func completeWays() -> [Int64] {
    let needed = maker.completeWays()
    if !inlinePlaces.isEmpty {
      for id in needed {
        guard let place = inlinePlaces[id] else { continue }
        maker.addLocation(id: id, latitudeE7: place.latitude, longitudeE7: place.longitude)
      }
      inlinePlaces = [:]
    }
    return needed
  }

  /// Moves the maker out, so that its memory is not held twice; no more objects are read.
  func moveMaker() -> GraphMaker {
    let taken = maker
    maker = GraphMaker()
    texts = StringCache()
    return taken
  }

  /// The C callbacks of this object; valid while the object lives.
  var handler: cosmium_handler {
    cosmium_handler(
      context: Unmanaged.passUnretained(self).toOpaque(),
      node: { context, id, latitude, longitude, tags, count in
        guard let sink = ImportSink.from(context) else { return }
        if count == 0 {
          sink.maker.addLocation(id: id, latitudeE7: latitude, longitudeE7: longitude)
        } else {
          let tags = sink.tags(tags, count)
          sink.maker.add(
            OSMNode(id: id, latitudeE7: latitude, longitudeE7: longitude, tags: tags))
        }
      },
      way: { context, id, nodes, nodeCount, tags, count in
        guard let sink = ImportSink.from(context) else { return }
        let nodes = Array(UnsafeBufferPointer(start: nodes, count: nodeCount))
        sink.maker.add(OSMWay(id: id, nodes: nodes, tags: sink.tags(tags, count)))
      },
      relation: { context, id, members, memberCount, tags, count in
        guard let sink = ImportSink.from(context) else { return }
        let members = UnsafeBufferPointer(start: members, count: memberCount).map { member in
          OSMMember(
            OSMMember.Kind(rawValue: UInt8(truncatingIfNeeded: member.kind.rawValue)) ?? .node,
            member.id, role: String(cString: member.role))
        }
        sink.maker.add(OSMRelation(id: id, members: members, tags: sink.tags(tags, count)))
      },
      inline_place: { context, id, latitude, longitude in
        ImportSink.from(context)?.inlinePlaces[id] = (latitude, longitude)
      },
      deleted: { context, count in ImportSink.from(context)?.maker.countDeleted(count) },
      progress: { context, bytes, total in
        guard let sink = ImportSink.from(context) else { return false }
        return sink.progress(BuildProgress(step: sink.step, bytes: bytes, total: total))
      })
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> ImportSink? {
    context.map { Unmanaged<ImportSink>.fromOpaque($0).takeUnretainedValue() }
  }

  private func tags(_ tags: UnsafePointer<cosmium_tag>?, _ count: Int) -> OSMTags {
    OSMTags(
      UnsafeBufferPointer(start: tags, count: count).map { tag in
        OSMTags.Tag(key: texts.string(tag.key), value: texts.string(tag.value))
      })
  }
}

/// Cache of strings for earlier C texts, found by a hash of their bytes.
private struct StringCache {
  private var slots: [(text: String, count: Int)] = Array(repeating: ("", 0), count: 1 << 12)

  mutating func string(_ text: UnsafePointer<CChar>?) -> String {
    guard let text else { return "" }
    var hash = FNV1a()
    var count = 0
    while text[count] != 0 {
      hash.combine(UInt8(bitPattern: text[count]))
      count += 1
    }
    // Short texts are stored in the string itself: nothing to share.
    let bytes = UnsafeRawBufferPointer(start: text, count: count)
    if count <= 15 { return String(decoding: bytes, as: UTF8.self) }
    let slot = Int(truncatingIfNeeded: (hash.value ^ (hash.value >> 29)) & UInt64(slots.count - 1))
    if slots[slot].count == count, slots[slot].text.utf8.elementsEqual(bytes) {
      return slots[slot].text
    }
    let made = String(decoding: bytes, as: UTF8.self)
    slots[slot] = (made, count)
    return made
  }
}
