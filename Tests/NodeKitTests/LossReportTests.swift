import Testing

@testable import Harness

@Suite struct LossReportTests {
  @Test func `losses of many vehicles are one line when no more come, BUS-4`() {
    var report = LossReport()
    #expect(report.lines(adding: [("car1/location/raw", 2), ("car2/location/raw", 3)]) == [])
    #expect(report.lines(adding: [("car3/location/raw", 1)]) == [])
    #expect(report.lines(adding: []) == ["location/raw: 6 messages of 3 vehicles lost"])
    #expect(report.lines(adding: []) == [])
  }

  @Test func `a topic alone is named whole, and losses that go on are reported`() {
    var report = LossReport()
    var lines: [String] = []
    for _ in 0..<LossReport.mostRounds {
      #expect(lines == [])
      lines = report.lines(adding: [("ego/location/raw", 1)])
    }
    #expect(lines == ["ego/location/raw: 5 messages lost"])
  }
}
