public import BaseMap
import Contraction
import Foundations
public import MapMaking
public import RoadGraph

/// Builds map files from OSM data, opens them by memory-mapping, describes and verifies them.
public enum RoadFile {
  /// Version of the map files that are written, and the only one that can be read.
  public static let formatVersion = Int(FileLayout.version)
  /// Maximum size of files whose checksums are verified whenever they are opened.
  public static let verifiedAtOpen = 64 << 20

  /// Opens a `.navmap`, or, through the cache of built maps, an OSM file or a folder of either.
  ///
  /// A map file takes milliseconds; an OSM file is built and a folder joined once, which takes
  /// seconds.
  public static func open(path: String) throws(RoadFileError) -> RoadGraph {
    try open(path: path, options: MapOptions(), progress: { _ in true })
  }

  /// Opens as `open(path:)` does, with options and progress for a build.
  public static func open(
    path: String, options: MapOptions, progress: @escaping (BuildProgress) -> Bool
  ) throws(RoadFileError) -> RoadGraph {
    try read(path: mapPath(of: path, options: options, progress: progress))
  }

  /// The map file that stands for a path: itself, or that in the cache of an OSM file or a folder.
  static func mapPath(
    of path: String, options: MapOptions, progress: @escaping (BuildProgress) -> Bool
  ) throws(RoadFileError) -> String {
    if MapFolder.isFolder(path) {
      return try MapCache.joined(MapFolder.maps(in: path), options: options, progress: progress)
    }
    return isOSM(path) ? try MapCache.built(path, options: options, progress: progress) : path
  }

  /// A hash as sixteen hexadecimal digits.
  static func hexadecimal(_ hash: UInt64) -> String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Whether a file's name is that of OSM data and not of a built map.
  public static func isOSM(_ path: String) -> Bool {
    MapName.isOSM(path)
  }

  /// Opens a map file whose bytes are in memory; `name` stands for the path in errors.
  public static func open(bytes: [UInt8], name: String) throws(RoadFileError) -> RoadGraph {
    let table = try FileTable(MappedFile(bytes: bytes, name: name))
    try table.verify()
    return try graph(table)
  }

  private static func read(path: String) throws(RoadFileError) -> RoadGraph {
    let table = try FileTable(MappedFile(path: path))
    if table.file.bytes.count <= verifiedAtOpen { try table.verify() }
    guard table.file.bytes.count >= SharedColumns.worthwhileBytes else { return try graph(table) }
    return try SharedColumns.graph(
      of: table, decode: { () throws(RoadFileError) in try decoded(table) },
      make: { (decoded) throws(RoadFileError) in
        try graph(table, decoded.columns, decoded.order)
      })
  }

  private static func graph(_ table: FileTable) throws(RoadFileError) -> RoadGraph {
    let (columns, order) = try decoded(table)
    return try graph(table, columns, order)
  }

  private static func decoded(
    _ table: FileTable
  ) throws(RoadFileError) -> SharedColumns.Decoded {
    let order =
      try table.sections.contains { $0.name == orderSection }
      ? table.column(orderSection, of: EdgeID.self) : Column([])
    return (try RoadColumns(from: table), order)
  }

  private static func graph(
    _ table: FileTable, _ columns: RoadColumns, _ order: Column<EdgeID>
  ) throws(RoadFileError) -> RoadGraph {
    do throws(GraphFault) {
      return try RoadGraph(
        columns: columns, hash: table.hash, order: order, dataTime: dataTime(of: table))
    } catch {
      throw .structure(path: table.file.path, reason: error.description)
    }
  }

  /// The time of the OSM data; nil if the map does not contain it.
  static func dataTime(of table: FileTable) -> Instant? {
    guard table.sections.contains(where: { $0.name == dataTimeSection }),
      let column = try? table.column(dataTimeSection, of: Int64.self),
      let seconds = column.records.first, (1...Int64.max / 1_000_000_000).contains(seconds)
    else { return nil }
    return Instant(nanoseconds: seconds * 1_000_000_000)
  }

  /// The order in which a hierarchy eliminates the edges; optional in a map.
  private static let orderSection = "hierarchy.order"

  /// The time of the OSM data from which the map was made, in seconds since 1970; optional in a
  /// map.
  private static let dataTimeSection = "data.time"

  /// Writes a graph as a map file; returns its length in bytes.
  ///
  /// The order of its hierarchy, the time of its data (seconds since 1970) and the base map are
  /// written if they are given.
  @discardableResult
  public static func write(
    _ columns: RoadColumns, hash: UInt64, order: [EdgeID] = [], dataTimeS: Int64? = nil,
    baseMap: BaseMap? = nil, to path: String
  ) throws(RoadFileError) -> Int {
    guard columns.isCanonical else {
      throw .structure(path: path, reason: "its columns are not in the order of a map file")
    }
    var writer = FileWriter(path: path)
    try columns.write(to: &writer)
    if !order.isEmpty { try writer.write(orderSection, Column(order), .deltas) }
    if let dataTimeS { try writer.write(dataTimeSection, Column([dataTimeS]), .raw) }
    if let baseMap, !baseMap.isEmpty { try write(baseMap, to: &writer) }
    return try writer.finish(hash: hash)
  }

  /// Builds a map file from one or more OSM files, which may overlap.
  ///
  /// `progress` receives each step and returns whether to continue.
  @discardableResult
  public static func build(
    from paths: [String], to output: String, options: MapOptions = MapOptions(),
    progress: @escaping (BuildProgress) -> Bool = { _ in true }
  ) throws(RoadFileError) -> BuildReport {
    let start = ContinuousClock().now
    let (made, dataTimeS) = try MapImport.make(from: paths, options: options, progress: progress)
    let base =
      options.hasBaseMap
      ? try BaseMapImport.make(from: paths, progress: progress) : (map: nil, problem: nil)
    var report = try finish(
      made, dataTimeS: dataTimeS, baseMap: base.map, to: output, since: start, progress: progress)
    report.baseMapProblem = base.problem
    return report
  }

  /// Checks the result, computes the order of its hierarchy, and writes both.
  static func finish(
    _ made: MapMakingResult, dataTimeS: Int64?, baseMap: BaseMap? = nil, to output: String,
    since start: ContinuousClock.Instant,
    progress: @escaping (BuildProgress) -> Bool
  ) throws(RoadFileError) -> BuildReport {
    let graph: RoadGraph
    do throws(GraphFault) {
      graph = try made.graph()
    } catch {
      throw .structure(path: output, reason: error.description)
    }
    let order = DissectionOrder.order(of: graph, inParallel: Processors.inParallel) { share in
      progress(BuildProgress(step: "order", bytes: UInt64(share * 1000), total: 1000))
    }
    guard let order else { throw .stopped(path: output) }
    let size = try write(
      made.columns, hash: made.hash, order: order, dataTimeS: dataTimeS, baseMap: baseMap,
      to: output)
    let elapsed = (ContinuousClock().now - start).components
    return BuildReport(
      output: output, bytes: size, hash: hexadecimal(made.hash), making: made.report,
      elapsedS: Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18)
  }

  /// Verifies all checksums of a file, and that it is a road graph with the hash it claims.
  public static func verify(path: String) throws(RoadFileError) {
    let table = try FileTable(MappedFile(path: path))
    try table.verify()
    let graph = try graph(table)
    guard ContentHash.hash(graph.columns) == graph.hash else {
      throw .structure(path: path, reason: "its content does not match its hash")
    }
  }
}

/// The result of a build.
public struct BuildReport: Hashable, Sendable, Codable {
  public var output: String
  /// Length of the map file.
  public var bytes: Int
  /// Hash of the contents, as sixteen hexadecimal digits.
  public var hash: String
  public var making: MapMakingReport
  /// Why the map has no water, land use and buildings although it should; nil if it has them.
  public var baseMapProblem: String?
  /// Elapsed wall-clock time in seconds.
  public var elapsedS: Double
}
