import BusProtocol
import Testing

@testable import StackFile

@Suite struct BusNameTests {
  @Test(arguments: [
    "location/raw", "a", "9/b_c.d-e", "a/b/c", "", "/", "a/", "/a", "a//b", "_a", "a/_b", "A/b",
    "a/ü", "a b", String(repeating: "x", count: 196), String(repeating: "x", count: 197),
  ])
  func `a stack file and the bus accept the same names`(name: String) {
    #expect(BusName.isValid(name) == TopicName.isValid("ego/\(name)"))
  }

  @Test(arguments: ["ego/location/raw", "location", "_clock", "_node/x/status", "a/", "/a"])
  func `a stack file and the bus find the same vehicle in a name`(name: String) {
    #expect(BusName.withoutVehicle(name) == TopicName.split(name).leaf)
  }
}
