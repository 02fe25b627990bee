import Foundation
import Harness
import MessagePack
import NodeKit
import StackFile
import Stage

/// The stages of a stack file as nodes of this process, and the drive that the file describes.
struct StackDrive {
  let stack: CheckedStack

  /// Reads and checks a stack file.
  ///
  /// - Throws: `Problem` with all its problems.
  init(file: String, settings: [String], without: [String]) throws {
    let text: String
    do {
      text = try String(contentsOfFile: file, encoding: .utf8)
    } catch {
      throw Problem("\(file): cannot be read")
    }
    let (parsed, parseProblems) = StackFile.parse(
      text, environment: ProcessInfo.processInfo.environment)
    var problems = parseProblems
    guard var parsed, !problems.hasErrors else { throw Self.report(problems, file) }
    let overrides = StackOverrides(settings: settings, without: without)
    problems += overrides.apply(to: &parsed)
    var manifests: [String: Manifest] = [:]
    for node in parsed.nodes { manifests[node.name.value] = try Self.entry(of: node).manifest }
    let folder = URL(filePath: file).deletingLastPathComponent().path
    let (checked, found) = StackCheck.check(
      parsed, manifests: manifests, leftOut: overrides.leftOut(of: parsed), folder: folder,
      environment: ProcessInfo.processInfo.environment)
    problems += found
    for node in parsed.nodes {
      guard let wire = node.wire.first else { continue }
      problems.append(
        StackProblem(
          "stages in one process cannot be renamed: remove \"wire\"",
          path: "nodes.\(node.name.value).wire", at: wire.name.place))
    }
    guard !problems.hasErrors else { throw Self.report(problems, file) }
    stack = checked
  }

  /// Vehicles of the stack; `ego` for stacks that serve any.
  var vehicles: [String] { stack.file.vehicles.isEmpty ? ["ego"] : stack.file.vehicles }

  /// The loaded stages in starting order; only those of `only` if it is not nil.
  ///
  /// After `handsOverEvery` events of a vehicle its stage is handed over to a fresh one, as a test.
  func nodes(only: Set<String>? = nil, handsOverEvery: Int? = nil) throws -> [LocalNode] {
    var nodes: [LocalNode] = []
    for name in stack.order.names where only?.contains(name) ?? true {
      guard let node = stack.nodes.first(where: { $0.name.value == name }) else { continue }
      nodes.append(
        try Self.entry(of: node).node(name, stack.parameters[name] ?? [:], handsOverEvery))
    }
    return nodes
  }

  func drive(limitS: Double) -> Drive {
    Drive(
      start: stack.file.start.map {
        Drive.Call(name: $0.name.value, payload: $0.requestBytes)
      },
      until: stack.file.until.map { end in
        Drive.End(
          topic: end.topic.value, vehicle: end.vehicle ?? stack.file.vehicles.first,
          fields: end.fields.map { MessagePackValue.Entry($0.key.value, $0.value.messagePack) },
          count: end.leastCount)
      }, limitS: limitS)
  }

  private static func report(_ problems: [StackProblem], _ file: String) -> Problem {
    Problem(problems.inOrder.map { $0.text(file: file) }.joined(separator: "\n"))
  }

  private static func entry(of node: NodeSettings) throws -> StageCatalogue.Entry {
    let program = node.run.value.first.map { URL(filePath: $0).lastPathComponent } ?? ""
    guard let entry = StageCatalogue.entry(of: program) else {
      if let near = Suggestion.nearest(to: program, among: StageCatalogue.programs) {
        throw Problem(
          "nodes.\(node.name.value).run: there is no program \"\(program)\" (did you mean \"\(near)\"?)"
        )
      }
      throw Problem(
        "nodes.\(node.name.value).run: \"\(program)\" is a separate program and cannot run in "
          + "this process; leave it out with --without \(node.name.value)")
    }
    return entry
  }
}
