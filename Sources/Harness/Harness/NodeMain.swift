public import Stage

/// The main of a node: puts a stage on the bus.
public enum NodeMain {
  /// What makes the attachments of a node from what its stage loaded.
  public typealias Attachments<S: Stage> = (S.Shared, Parameters) throws(StageFailure) ->
    [any NodeAttachment]

  /// Runs `stage` as this process until a signal, the launcher's death or a failure ends it.
  ///
  /// Reads the arguments `--describe`, `--print-params`, `--params FILE.json`, `--name`,
  /// `--version`, and the environment that navlaunch gives (NAV_BUS, NAV_NODE, NAV_PARAMS,
  /// NAV_VEHICLE, NOTIFY_SOCKET). Exits with 0, with 64 for wrong usage, 78 for a configuration
  /// that a restart cannot mend, or 1.
  public static func run<S: Stage>(
    _ stage: S.Type,
    attachments: Attachments<S> = { (_, _) throws(StageFailure) in [] }
  ) -> Never {
    preconditionFailure("the bus harness is being built")
  }
}
