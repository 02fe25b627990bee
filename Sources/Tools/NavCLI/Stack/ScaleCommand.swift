import ArgumentParser
import BusClient
import Messages

/// `nav scale STAGE N`: changes the number of processes for the vehicles of a stage.
struct ScaleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scale",
    abstract:
      "Change the number of processes that share the vehicles of a stage; no message is lost.",
    discussion:
      "Exit codes: 0 done, 1 not done, the stack is unchanged, 2 the launcher cannot be reached.")

  @Argument(help: "A node that has replicas in the stack file.")
  var stage: String

  @Argument(help: "Number of processes.")
  var count: UInt64

  @OptionGroup var stack: StackOptions

  func run() throws {
    let client = try StackCall.connect(stack)
    defer { client.close() }
    let reply = try StackCall.make(
      StackScaleRequest(node: stage, replicas: count), client, timeoutS: SwapCommand.patienceS,
      as: StackScaleReply.self)
    if stack.json {
      struct Answer: Encodable {
        var stage: String
        var before: UInt64
        var after: UInt64
        var slotsMoved: UInt64
        var handovers: UInt64
        var heldMs: Double
      }
      let answer = Answer(
        stage: stage, before: reply.before, after: reply.after, slotsMoved: reply.slotsMoved,
        handovers: reply.handovers, heldMs: reply.heldMs)
      return print(try Lines.json(answer))
    }
    print(
      "\(stage): scaled from \(reply.before) to \(reply.after) replicas; \(reply.slotsMoved) of 256 slots moved "
        + "in \(reply.handovers) handovers, input held \(StackCall.milliseconds(reply.heldMs)) at most"
    )
  }
}
