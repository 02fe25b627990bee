import BusProtocol
import Fuzzing
import MessagePack

/// Messages of three parts, and topic names.
struct FrameTarget: FuzzTarget {
  static let name = "frames"
  static let about = "topic names, headers, whole messages: read, written, read again"

  private let makers: MessageMaker

  init(_ corpus: Corpus) { makers = MessageMaker(corpus) }

  mutating func make(_ dice: inout Dice) -> [[UInt8]] { makers.spoilt(&dice) }

  mutating func run(_ input: [[UInt8]]) throws(Broken) -> String {
    if let name = input.first { try probe(name: name) }
    if input.count > 1 { try probe(header: input[1]) }
    let frame: Frame
    do throws(Frame.Malformed) {
      frame = try Frame(input)
    } catch {
      return error.rawValue
    }
    let again: Frame
    do throws(Frame.Malformed) {
      again = try Frame(frame.parts)
    } catch {
      throw Broken("what was written is refused: \(error.rawValue)")
    }
    try promise(again == frame, "another message comes back than was written")
    return "read"
  }

  /// The broker reads headers by a reader of its own.
  private func probe(header bytes: [UInt8]) throws(Broken) {
    try promise(
      Header(scanning: bytes) == (try? Header(decoding: bytes)),
      "the broker and a node read a header differently")
  }

  private func probe(name: [UInt8]) throws(Broken) {
    guard TopicName.isValid(name) else { return }
    guard let text = String(validating: name, as: UTF8.self) else {
      throw Broken("a topic name that is not UTF-8 was taken")
    }
    let (vehicle, leaf) = TopicName.split(text)
    try promise(!leaf.isEmpty, "\(text) has no leaf")
    try promise(
      vehicle.map { TopicName.isValidVehicle($0) } ?? text.hasPrefix("_"),
      "\(text) has a vehicle that is none")
    try promise(TopicName.matches(text, text), "\(text) does not match itself")
  }
}
