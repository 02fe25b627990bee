import Foundation
import Testing

@Suite struct DoorTests {
  let house = House.asDeclared

  @Test func `the floor plan is read whole`() {
    for room in house.rooms {
      #expect(Tree.exists(room.folder), "\(room.name) is declared, its folder is not there")
    }
    #expect(house.rooms.count { $0.kind == .core } >= 13)
    #expect(house.rooms.count { $0.kind == .stage } >= 8)
    #expect(Set(house.rooms.map(\.name)).count == house.rooms.count)
  }
}
