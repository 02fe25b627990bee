import Glibc
import RoadGraph

/// The columns of a map as they lie in memory, in a file of the cache that all processes map.
///
/// A map file is coded; decoded, it would be in the memory of each process that opens it. So the
/// first one writes what it decoded, and all of them share it. The files are no maps to keep: they
/// are made again wherever one is missing, damaged or of another version.
enum SharedColumns {
  /// Smaller maps are decoded by each process: it costs less than a file.
  static let worthwhileBytes = 1 << 20
  /// Rises with every change of `RoadColumns` that the sizes of its records do not tell.
  static let version = 2
  /// So many maps are kept; whoever has another one mapped goes on with it.
  private static let mostKept = 8
  private static let suffix = ".columns"

  typealias Decoded = (columns: RoadColumns, order: Column<EdgeID>)

  /// The graph that `make` makes of the columns of the map in `table`, shared where they can be.
  ///
  /// Files longer than `verifiedUpTo` are not compared with their checksums, as maps are not; where one does
  /// not make a graph it is made again.
  static func graph(
    of table: FileTable, folder: String = MapCache.folder,
    verifiedUpTo: Int = RoadFile.verifiedAtOpen,
    decode: () throws(RoadFileError) -> Decoded,
    make: (Decoded) throws(RoadFileError) -> RoadGraph
  ) throws(RoadFileError) -> RoadGraph {
    let path = place(of: table, folder: folder)
    if let known = try? make(read(path, of: table, verifiedUpTo)) { return known }
    var decoded = try decode()
    do throws(RoadFileError) {
      return try MapCache.alone(at: path) { () throws(RoadFileError) in
        if let known = try? make(read(path, of: table, verifiedUpTo)) { return known }
        var writer = Exporter(writer: FileWriter(path: path))
        try decoded.columns.exchange(with: &writer)
        try writer.exchange(order, &decoded.order)
        _ = try writer.writer.finish(hash: table.hash)
        prune(folder)
        return try make(read(path, of: table, verifiedUpTo))
      }
    } catch {
      // A cache that cannot be written is no reason to be without a map.
      return try make(decoded)
    }
  }

  private static let order = "order"

  /// Named by what the map's sections hold, and not by the hash that its header claims.
  static func place(of table: FileTable, folder: String) -> String {
    let content = UInt64(table.checksum) << 32 | UInt64(truncatingIfNeeded: table.file.bytes.count)
    return
      "\(folder)/\(RoadFile.hexadecimal(table.hash))-\(RoadFile.hexadecimal(content))"
      + ".\(FileLayout.version).\(version)\(suffix)"
  }

  private static func read(
    _ path: String, of map: FileTable, _ verifiedUpTo: Int
  ) throws(RoadFileError) -> Decoded {
    let table = try FileTable(MappedFile(path: path))
    guard table.hash == map.hash else {
      throw .structure(path: path, reason: "it is of another map")
    }
    if table.file.bytes.count <= verifiedUpTo { try table.verify() }
    var reader = Importer(table: table)
    var columns = RoadColumns()
    var order = Column<EdgeID>([])
    try columns.exchange(with: &reader)
    try reader.exchange(Self.order, &order)
    return (columns, order)
  }

  private struct Exporter: ColumnExchange {
    var writer: FileWriter

    mutating func exchange<Element: BitwiseCopyable>(
      _ name: String, _ column: inout Column<Element>
    ) throws(RoadFileError) {
      try writer.write(name, column, .raw)
    }
  }

  private struct Importer: ColumnExchange {
    let table: FileTable

    func exchange<Element: BitwiseCopyable>(
      _ name: String, _ column: inout Column<Element>
    ) throws(RoadFileError) {
      column = try table.column(name, of: Element.self)
    }
  }

  /// Lets go of the files that were not written for longest.
  private static func prune(_ folder: String) {
    guard let listing = opendir(folder) else { return }
    defer { closedir(listing) }
    var files: [(path: String, changed: Int)] = []
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      var status = stat()
      let path = "\(folder)/\(name)"
      guard name.hasSuffix(suffix), stat(path, &status) == 0 else { continue }
      files.append((path, status.st_mtim.tv_sec))
    }
    files.sort { ($0.changed, $0.path) > ($1.changed, $1.path) }
    for file in files.dropFirst(mostKept) { unlink(file.path) }
  }
}
