import CLinux
import Harness
import MatcherStage

// The answers to whole traces come and go by the megabyte.
clinux_keep_freed_memory(16 << 20)
NodeMain.run(MatcherStage.self)
