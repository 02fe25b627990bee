import Foundation
import StackFile
import Stage
import Testing

@testable import Launcher

/// Manifests of programs and files, in JSON or YAML.
@Suite struct ManifestSourceTests {
  private func read(_ text: String) -> DescribedManifest {
    ProgramFinder.read(text, file: "m.json")
  }

  @Test func `a manifest may be YAML, and JSON with any escape, BUS-1`() {
    let yaml =
      "name: x\nabout: Says it.\ninputs: [route/active]\noutputs:\n  - voice/announcement\n"
    #expect(read(yaml).manifest?.outputs == ["voice/announcement"])
    #expect(read(yaml).problems.isEmpty)
    let face =
      #"{"name":"x","about":"\ud83d\ude00","parameters":[],"inputs":[],"outputs":[],"serves":[],"calls":[]}"#
    #expect(read(face).manifest?.about == "😀")
  }

  @Test func `faults of a manifest follow those of the stack file, and name its own file, BUS-14`()
    throws
  {
    let ground = try StackFolder()
    try ground.write("{\"name\": \"v\", \"about\": \"\", \"reads\": []}", to: "v.json")
    try ground.stack(
      "stack: s\n@BUS\nnodes:\n  a: {run: @NODE, manifest: v.json, stopp: 3s}\n")
    let launched = try LauncherProcess(ground, "stack.yaml")
    #expect(launched.end() == 2)
    #expect(
      launched.lines == [
        "stack.yaml:4:42: error: nodes.a: unknown key \"stopp\" (did you mean \"stop\": a time such "
          + "as 5s, 500 ms, 2 min?)",
        "v.json:1:28: error: unknown key \"reads\" (did you mean \"inputs\": a list, each text?)",
        "2 errors; nothing was started.",
      ])
  }
}
