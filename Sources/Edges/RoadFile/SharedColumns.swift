import Glibc
import RoadGraph

/// The columns of a map in their memory layout, in a cache file that all processes map.
///
/// A map file is encoded; decoded, it would need memory in each process that opens it. So the first
/// process writes what it decoded, and all processes share it. The files are only a cache: they are
/// written again if one is missing, damaged or of another version.
enum SharedColumns {
  /// Minimum size; smaller maps are decoded by each process, which costs less than a file.
  static let worthwhileBytes = 1 << 20
  /// Must rise with every change of `RoadColumns` that does not change the sizes of its records.
  static let version = 2
  /// Maximum number of cached maps; a process that has mapped a removed one can continue to use it.
  private static let mostKept = 8
  private static let suffix = ".columns"

  typealias Decoded = (columns: RoadColumns, order: Column<EdgeID>)

  /// The graph that `make` creates from the columns of the map in `table`, shared if possible.
  ///
  /// The checksums of files longer than `verifiedUpTo` are not verified, as for maps; a file that
  /// does not make a valid graph is written again.
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
      // If the cache cannot be written, the map is still usable.
      return try make(decoded)
    }
  }

  private static let order = "order"

  /// The path contains a checksum of the map's sections, in addition to the hash that its header
  /// claims.
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
      throw .structure(path: path, reason: "it belongs to another map")
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

  /// Removes the files with the oldest modification times.
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
