public import HTTP
import NIOCore
import NIOEmbedded
import NIOHTTP1

/// Reads requests with the handlers of a server, without a socket.
public enum RequestReading {
  /// The heads in pieces of bytes as they arrive, and the fault that ended the reading.
  public static func read(_ pieces: [[UInt8]]) -> (heads: [HTTPHead], fault: HTTPFault?) {
    let channel = EmbeddedChannel()
    let collector = HeadCollector()
    do {
      try channel.pipeline.syncOperations.addHandlers([
        collector.framer,
        ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: HTTPHead.parserLimits)),
        collector,
      ])
      for piece in pieces { try channel.writeInbound(ByteBuffer(bytes: piece)) }
    } catch {
      return (collector.heads, HTTPFault(error))
    }
    return (collector.heads, collector.fault)
  }
}

/// Answers each request at once by asking for the next one.
private final class HeadCollector: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart

  let framer = HTTPRequestFramer()
  var heads: [HTTPHead] = []
  var fault: HTTPFault?

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let request) = unwrapInboundIn(data), fault == nil else { return }
    do throws(HTTPFault) {
      let head = try HTTPHead(request)
      heads.append(head)
      framer.hold(bodyLength: head.bodyLength)
      framer.release()
    } catch {
      fault = error
      framer.end()
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    fault = fault ?? HTTPFault(error)
  }
}
