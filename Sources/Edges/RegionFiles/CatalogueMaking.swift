import Foundations
import Geodesy
import Glibc
public import Regions
import RoadFile
import RoadGraph

/// Writes the catalogue of a folder of maps, which makes the folder a source of regions.
public enum CatalogueMaking {
  /// Verifies every `.navmap` of the folder and writes `regions.json` into it.
  ///
  /// `progress` receives the name of each region before its file is read. Linear in the bytes of the maps.
  /// The catalogue is replaced atomically.
  ///
  /// - Throws: `RegionFault` if the folder contains no map, a map is damaged, or the catalogue cannot be written.
  @discardableResult
  public static func write(
    _ folder: String, progress: (String) -> Void
  ) throws(RegionFault) -> RegionCatalogue {
    let files = try InstalledRegions.list(folder).filter {
      access("\(folder)/\($0.name)\(MapName.builtSuffix)", R_OK) == 0
    }
    guard !files.isEmpty else {
      throw RegionFault("\(folder) contains no .navmap; build one with nav map build")
    }
    var regions: [Region] = []
    for file in files {
      progress(file.name)
      regions.append(try region(file.name, in: folder))
    }
    let catalogue = RegionCatalogue(regions: regions)
    try put(catalogue.json, at: "\(folder)/\(RegionCatalogue.fileName)")
    return catalogue
  }

  private static func region(_ name: String, in folder: String) throws(RegionFault) -> Region {
    let file = name + MapName.builtSuffix
    let path = "\(folder)/\(file)"
    let graph: RoadGraph
    do throws(RoadFileError) {
      try RoadFile.verify(path: path)
      graph = try RoadFile.open(path: path)
    } catch {
      throw RegionFault(error.description)
    }
    let cover = RegionCover.boxes(
      around: (0..<graph.pieceCount).lazy.flatMap { graph.shape(graph.columns.pieceEdge[$0]) })
    let (bytes, sha256) = try FileDigest.of(path)
    return Region(
      name: name, file: file, bytes: bytes, sha256: sha256, dataTime: graph.dataTime, cover: cover)
  }

  private static func put(_ text: String, at path: String) throws(RegionFault) {
    let beside = "\(path).\(getpid()).part"
    guard let file = fopen(beside, "w") else { throw failure("write", path) }
    let bytes = Array(text.utf8)
    let isWritten =
      fwrite(bytes, 1, bytes.count, file) == bytes.count && fflush(file) == 0
      && fsync(fileno(file)) == 0
    let isClosed = fclose(file) == 0
    guard isWritten, isClosed, rename(beside, path) == 0 else {
      let failure = failure("write", path)
      unlink(beside)
      throw failure
    }
  }

  private static func failure(_ action: String, _ path: String) -> RegionFault {
    RegionFault("cannot \(action) \(path): \(String(cString: strerror(errno)))")
  }
}
