import FleetStage
import Harness

NodeMain.run(FleetStage.self)
