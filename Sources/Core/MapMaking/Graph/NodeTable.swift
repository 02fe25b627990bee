/// The nodes of the kept ways, sorted by id, with what is known about each.
struct NodeTable {
  private(set) var ids: [Int64] = []
  /// Degrees times 10^7; `Int32.min` if the node was not in the file.
  private(set) var latitude: [Int32] = []
  private(set) var longitude: [Int32] = []
  /// Index into `tagged` plus one; 0 for nodes without relevant tags.
  private(set) var tagIndex: [UInt32] = []
  private(set) var tagged: [NodeTags] = []
  /// Access restrictions at nodes, by the place of the node.
  private(set) var barriers: [Int: NodeBarrier] = [:]
  // Files contain nodes in the order of their ids, so the next one is nearly always here.
  private var cursor = 0

  init() {}

  /// A table of the distinct ids among `references`.
  init(references: [Int64]) {
    var sorted = references
    sorted.sort()
    var count = 0
    for id in sorted where count == 0 || sorted[count - 1] != id {
      sorted[count] = id
      count += 1
    }
    sorted.removeLast(sorted.count - count)
    ids = sorted
    latitude = Array(repeating: .min, count: count)
    longitude = Array(repeating: .min, count: count)
    tagIndex = Array(repeating: 0, count: count)
  }

  var count: Int { ids.count }

  func isKnown(_ index: Int) -> Bool { latitude[index] != .min }

  func tags(_ index: Int) -> NodeTags? {
    tagIndex[index] == 0 ? nil : tagged[Int(tagIndex[index]) - 1]
  }

  /// The place of `id` in the table; logarithmic.
  func index(of id: Int64) -> Int? {
    var low = 0
    var high = ids.count
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low < ids.count && ids[low] == id ? low : nil
  }

  /// Sets the location of a node; nil if no way needs it.
  mutating func set(_ id: Int64, latitudeE7: Int32, longitudeE7: Int32) -> Int? {
    let found: Int
    if cursor < ids.count, ids[cursor] == id {
      found = cursor
    } else if let index = index(of: id) {
      found = index
    } else {
      return nil
    }
    cursor = found + 1
    guard abs(Int(latitudeE7)) <= 900_000_000, abs(Int(longitudeE7)) <= 1_800_000_000 else {
      return nil
    }
    latitude[found] = latitudeE7
    longitude[found] = longitudeE7
    return found
  }

  /// Releases everything about the nodes except their places.
  mutating func forgetIDs() { (ids, tagIndex, tagged, barriers) = ([], [], [], [:]) }

  mutating func setBarrier(_ barrier: NodeBarrier, at index: Int) { barriers[index] = barrier }

  mutating func setTags(_ tags: NodeTags, at index: Int) {
    guard !tags.flags.isEmpty || !tags.barred.isEmpty else { return }
    tagged.append(tags)
    tagIndex[index] = UInt32(tagged.count)
  }
}
