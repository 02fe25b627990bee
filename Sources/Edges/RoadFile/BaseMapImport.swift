import BaseMap
import COsmium
import Foundations

/// Reads the base map of OSM files through libosmium.
enum BaseMapImport {
  /// The base map of `paths`, with two passes over each file; nil with the reason if a file cannot
  /// give one, such as one whose objects are not sorted.
  ///
  /// - Throws: `RoadFileError` if `progress` stops it.
  static func make(
    from paths: [String], progress: @escaping MapImport.Progress
  ) throws(RoadFileError) -> (map: BaseMap?, problem: String?) {
    let sink = BaseMapSink(progress: progress)
    for path in paths {
      sink.startStep("areas of \(path)")
      var text = [CChar](repeating: 0, count: 1024)
      let result = withExtendedLifetime(sink) {
        var handler = sink.handler
        return text.withUnsafeMutableBufferPointer {
          cosmium_read_base_map(path, &handler, $0.baseAddress, $0.count)
        }
      }
      switch result {
      case cosmium_ok: continue
      case cosmium_stopped: throw .stopped(path: path)
      default:
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return (nil, String(decoding: bytes, as: UTF8.self))
      }
    }
    return (sink.map(isJoined: paths.count > 1), nil)
  }
}

/// The callback target of libosmium, which collects features.
private final class BaseMapSink {
  private var features: [BaseMapFeature] = []
  private let progress: MapImport.Progress
  private var step = ""

  init(progress: @escaping MapImport.Progress) { self.progress = progress }

  func startStep(_ step: String) {
    self.step = step
    _ = progress(BuildProgress(step: step))
  }

  /// The base map of what was read; features that several files contain are in it once.
  func map(isJoined: Bool) -> BaseMap {
    defer { features = [] }
    return isJoined ? BaseMap(Array(Set(features))) : BaseMap(features)
  }

  /// The C callbacks of this object; valid while the object lives.
  var handler: cosmium_base_handler {
    cosmium_base_handler(
      context: Unmanaged.passUnretained(self).toOpaque(),
      feature: { context, isArea, tags, tagCount, sizes, ringCount, xy in
        guard let sink = BaseMapSink.from(context), let xy else { return }
        sink.add(
          isArea, UnsafeBufferPointer(start: tags, count: tagCount),
          UnsafeBufferPointer(start: sizes, count: ringCount), xy)
      },
      progress: { context, bytes, total in
        guard let sink = BaseMapSink.from(context) else { return false }
        return sink.progress(BuildProgress(step: sink.step, bytes: bytes, total: total))
      })
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> BaseMapSink? {
    context.map { Unmanaged<BaseMapSink>.fromOpaque($0).takeUnretainedValue() }
  }

  private func add(
    _ isArea: Bool, _ tags: UnsafeBufferPointer<cosmium_tag>,
    _ sizes: UnsafeBufferPointer<Int>, _ xy: UnsafePointer<Int32>
  ) {
    var values: [String: String] = [:]
    for tag in tags { values[String(cString: tag.key)] = String(cString: tag.value) }
    let value = { (key: String) in values[key] }
    guard let kind = isArea ? BaseMapTags.area(value) : BaseMapTags.line(value) else { return }
    var rings: [[BaseMapPoint]] = []
    var first = 0
    for size in sizes {
      rings.append(Self.ring(xy + 2 * first, isArea ? size - 1 : size))
      first += size
    }
    guard let outer = rings.first, outer.count >= (isArea ? 3 : 2) else { return }
    rings = [outer] + rings.dropFirst().filter { $0.count >= 3 }
    features.append(
      BaseMapFeature(
        kind: kind, heightDM: kind == .building ? BaseMapTags.heightDM(value) : 0, rings: rings))
  }

  /// The points in millionths of a degree, without those that then equal the one before.
  private static func ring(_ xy: UnsafePointer<Int32>, _ count: Int) -> [BaseMapPoint] {
    var points: [BaseMapPoint] = []
    points.reserveCapacity(count)
    for index in 0..<count {
      let point = BaseMapPoint(
        longitudeE6: rounded(xy[2 * index]), latitudeE6: rounded(xy[2 * index + 1]))
      if points.last != point { points.append(point) }
    }
    return points
  }

  /// Ten-millionths as millionths.
  private static func rounded(_ e7: Int32) -> Int32 {
    let (whole, rest) = e7.quotientAndRemainder(dividingBy: 10)
    return rest >= 5 ? whole + 1 : rest <= -5 ? whole - 1 : whole
  }
}
