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
  static let version = 1
  /// So many maps are kept; whoever has another one mapped goes on with it.
  private static let mostKept = 8
  private static let suffix = ".columns"

  /// Columns and order of the map in `table`, shared; nil where they cannot be.
  static func open(
    _ table: FileTable, folder: String = MapCache.folder,
    decode: () throws(RoadFileError) -> (RoadColumns, Column<EdgeID>)
  ) throws(RoadFileError) -> (RoadColumns, Column<EdgeID>) {
    let path = place(of: table, folder: folder)
    if let known = try? read(path, of: table) { return known }
    var decoded = try decode()
    do throws(RoadFileError) {
      return try MapCache.alone(at: path) { () throws(RoadFileError) in
        if let known = try? read(path, of: table) { return known }
        var writer = Exporter(writer: FileWriter(path: path))
        try decoded.0.exchange(with: &writer)
        try writer.exchange(order, &decoded.1)
        _ = try writer.writer.finish(hash: table.hash)
        prune(folder)
        return try read(path, of: table)
      }
    } catch {
      // A cache that cannot be written is no reason to be without a map.
      return decoded
    }
  }

  private static let order = "order"

  static func place(of table: FileTable, folder: String) -> String {
    "\(folder)/\(RoadFile.hexadecimal(table.hash)).\(FileLayout.version).\(version)\(suffix)"
  }

  private static func read(
    _ path: String, of map: FileTable
  ) throws(RoadFileError) -> (RoadColumns, Column<EdgeID>) {
    let table = try FileTable(MappedFile(path: path))
    guard table.hash == map.hash else {
      throw .structure(path: path, reason: "it is of another map")
    }
    if table.file.bytes.count <= RoadFile.verifiedAtOpen { try table.verify() }
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
