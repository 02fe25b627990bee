import Bag
import Foundation
import Foundations
import Geodesy
import MessagePack
import Messages
public import Positioning
import RouteWire

/// The reason why an MCAP recording contains no readable fixes.
public struct FixBagFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence, without the name of the file.
  public var description: String
}

/// Reads the fixes of an MCAP recording: bags of ROS, files of Foxglove, and recordings of this
/// bus.
///
/// Each topic with fixes becomes a trace with its name. Topics of other messages are skipped.
public enum FixBag {
  /// The format of a channel's messages.
  private enum Form {
    case foreign(FixMessageForm)
    /// `location/raw` as it is sent on the bus.
    case own
  }

  private static let magic: [UInt8] = [0x89] + Array("MCAP".utf8)
  /// The part of the schema name of `location/raw` before its version.
  private static let ownSchema = LocationRaw.schema.prefix { $0 != "/" }

  /// Whether a file starts with the MCAP magic.
  public static func isBag(path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    return (try? file.read(upToCount: magic.count)).map { Array($0) } == magic
  }

  /// The fixes of each topic, in the order of the file; linear in its length.
  ///
  /// A file that was not closed is read up to its end. Remarks report what was left out.
  ///
  /// - Throws: `FixBagFault` for a file that is damaged or contains no fix.
  public static func read(path: String) throws(FixBagFault) -> TraceRecording {
    var reading = Reading()
    do throws(BagError) {
      let stream = try BagStream(path: path)
      while let message = try stream.nextMessage() {
        guard let channel = stream.channels[message.channelID] else { continue }
        reading.read(message, of: channel, stream.schemas[channel.schemaID]?.name ?? "")
      }
    } catch {
      guard error.isTruncation else {
        throw FixBagFault(description: "byte \(error.byteOffset): \(error.reason.text)")
      }
      reading.remarks.add("the recording was not closed; it is read up to its end")
    }
    return try reading.recording()
  }

  /// The supported formats, for people.
  private static let known = FixMessageForm.known + ", and location/raw of this bus"

  private struct Reading {
    var remarks = TraceRemarks()
    private var forms: [UInt16: Form?] = [:]
    private var traces: [Trace] = []
    private var indexByTopic: [String: Int] = [:]
    /// Topics whose messages are not fixes, with their types.
    private var others: [String: String] = [:]
    private var countByTopic: [String: Int] = [:]

    mutating func read(_ message: BagMessage, of channel: BagChannel, _ schema: String) {
      guard let form = self.form(of: channel, schema) else {
        if others[channel.topic] == nil {
          others[channel.topic] = [schema, channel.messageEncoding].filter { !$0.isEmpty }
            .joined(separator: ", ")
        }
        return
      }
      let number = (countByTopic[channel.topic] ?? 0) + 1
      countByTopic[channel.topic] = number
      do throws(MessageFault) {
        guard var fix = try FixBag.fix(message.payload, form) else {
          return remarks.count("messages without a position fix are left out") {
            "message \(number) of \(channel.topic)"
          }
        }
        if fix.time == nil, message.logTimeNS > 0 {
          fix.time = Instant(nanoseconds: Int64(clamping: message.logTimeNS))
          remarks.count("fixes without a stamp get the time of their recording") {
            "message \(number) of \(channel.topic)"
          }
        }
        append(fix, to: channel.topic)
      } catch {
        remarks.count("unreadable messages are left out") {
          "message \(number) of \(channel.topic), \(error)"
        }
      }
    }

    private mutating func form(of channel: BagChannel, _ schema: String) -> Form? {
      if let known = forms[channel.id] { return known }
      var form = FixMessageForm(schema: schema, encoding: channel.messageEncoding)
        .map { Form.foreign($0) }
      if form == nil, channel.messageEncoding == "msgpack",
        schema.prefix(while: { $0 != "/" }) == FixBag.ownSchema
      {
        form = .own
      }
      forms[channel.id] = .some(form)
      return form
    }

    private mutating func append(_ fix: Fix, to topic: String) {
      if let index = indexByTopic[topic] {
        traces[index].fixes.append(fix)
      } else {
        indexByTopic[topic] = traces.count
        traces.append(Trace(name: topic, fixes: [fix]))
      }
    }

    func recording() throws(FixBagFault) -> TraceRecording {
      guard traces.isEmpty else { return TraceRecording(traces: traces, remarks: remarks) }
      guard countByTopic.isEmpty else {
        throw FixBagFault(
          description: "the recording contains no fix; " + remarks.sentences.joined(separator: "; ")
        )
      }
      let topics = others.sorted { $0.key < $1.key }.prefix(10)
        .map { $0.value.isEmpty ? $0.key : "\($0.key) (\($0.value))" }
      let rest = others.count > 10 ? ", …" : ""
      throw FixBagFault(
        description: others.isEmpty
          ? "the recording contains no message"
          : "the recording contains no topic with fixes; it contains \(topics.joined(separator: ", "))\(rest); "
            + "supported are \(FixBag.known)")
    }
  }

  private static func fix(_ bytes: [UInt8], _ form: Form) throws(MessageFault) -> Fix? {
    switch form {
    case .foreign(let form): return try form.fix(bytes)
    case .own:
      do throws(DecodeError) {
        var fix = Fix(wire: try LocationRaw(decoding: bytes))
        // The fixes of a topic are one trace, whichever providers published them.
        (fix.source, fix.priority) = (nil, 0)
        return fix
      } catch {
        throw MessageFault(offset: 0, problem: error.message)
      }
    }
  }
}
