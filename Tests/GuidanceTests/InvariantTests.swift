import Guidance
import Testing

@Suite struct InvariantTests {
  // Ten thousand runs, a hundred a case.
  @Test(arguments: 0..<100 as Range<UInt64>)
  func `whatever happens on a drive, nothing comes back or comes twice, PR-4, PR-5, PR-11, MS-1`(
    block: UInt64
  ) {
    for seed in block * 100..<block * 100 + 100 {
      var drive = RandomDrive(seed: seed)
      let faults = drive.run(steps: 120)
      #expect(faults.isEmpty, "seed \(seed): \(faults.prefix(3))")
    }
  }
}
