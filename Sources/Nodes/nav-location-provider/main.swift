import Harness
import LocationStage
import Stage

NodeMain.run(LocationStage.self) { (settings, _) throws(StageFailure) in
  settings.receivers.isEmpty ? [] : [ReceiverAttachment(settings)]
}
