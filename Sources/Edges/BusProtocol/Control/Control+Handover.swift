import MessagePack

extension Control {
  func packHandover(_ packer: inout Packer, _ map: inout OpenMap) {
    packer.field(&map, "seq", sequence)
    packer.field(&map, "limit_ms", limitMS)
    packer.field(&map, "held_ms", heldMS)
    packer.field(&map, "bytes", bytes)
    packer.field(&map, "moves", moves)
    packer.field(&map, "standby", isStandby)
    packer.field(&map, "ready", isReady)
    packer.field(&map, "group", group)
    packer.field(&map, "lane", lane)
    if !lanes.isEmpty { packer.field(&map, "lanes", lanes) }
    if let slots { packer.field(&map, "slots", slots) }
    packer.field(&map, "compared", compared)
    packer.field(&map, "different", different)
    packer.field(&map, "difference", difference)
    packer.field(&map, "rest", hasRest)
    if !sizes.isEmpty { packer.field(&map, "sizes", sizes) }
    packer.field(&map, "parts", inParts)
  }

  mutating func readHandover(_ index: Int, _ reader: inout Unpacker) throws(DecodeError) {
    switch index {
    case 0: sequence = try reader.uint()
    case 1: limitMS = try reader.uint()
    case 2: heldMS = try reader.double()
    case 3: bytes = try reader.uint()
    case 4: moves = try reader.uint()
    case 5: isStandby = try reader.bool()
    case 6: isReady = try reader.bool()
    case 7: group = try reader.string()
    case 8: lane = try reader.uint()
    case 9: lanes = try reader.list()
    case 10: slots = try reader.list()
    case 11: compared = try reader.uint()
    case 12: different = try reader.uint()
    default: difference = try reader.string()
    }
  }
}
