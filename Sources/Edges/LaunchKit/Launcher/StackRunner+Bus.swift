// The launcher's connection to the bus.
extension StackRunner {
  /// Handles the broker's report that it is ready.
  ///
  /// For the nodes it is ready once it also records and has assigned all vehicles.
  func brokerBecameReady(_ note: String?) {
    guard heldReadiness == nil,
      let bus = supervisor.nodes.first(where: { $0.name == Supervisor.bus }),
      case .starting = bus.phase
    else { return }
    let groups = hasShared ? [] : stack.nodes.filter { $0.replicas != nil }.map(\.name.value)
    heldReadiness = HeldReadiness(
      note: note, mustRecord: recording != nil, unshared: Set(groups))
    connectToBus()
    startRecording()
    if hasShared { shareAgainAtS = nowS + Self.sharePauseS } else { shareOutVehicles() }
    releaseReadiness()
  }

  func releaseReadiness() {
    guard let held = heldReadiness, !held.mustRecord, held.unshared.isEmpty else { return }
    heldReadiness = nil
    hasShared = true
    perform(.ready(Supervisor.bus, note: held.note))
  }

  func connectToBus() {
    guard witness == nil else { return }
    do {
      witness = try LauncherBusClient(address)
    } catch {
      log.say("nav", error.message)
      perform(.stop(reason: error.message, code: Supervisor.ExitCode.failure))
    }
  }

  /// Time for replicas to register at a new broker with their slots, before the rest is assigned.
  private static let sharePauseS = 4.0
  /// Delay before a broker that has not answered is asked again.
  private static let shareRetryS = 0.05

  /// Sends the broker the lanes that share the vehicles of each node with replicas.
  private func shareOutVehicles() {
    shareAgainAtS = nil
    for node in stack.nodes where node.replicas != nil {
      let name = node.name.value
      let mail = shareMail
      witness?.rescale(name, lanes: memberPlans(of: name).compactMap(\.process.lane)) {
        mail.put((name, $0))
      }
    }
  }

  func tickShares() {
    for (name, report) in shareMail.take() {
      if report.failure == nil {
        heldReadiness?.unshared.remove(name)
        releaseReadiness()
      } else if heldReadiness != nil {
        // It has only just started to listen.
        shareAgainAtS = nowS + Self.shareRetryS
      } else {
        let reason = report.failure ?? ""
        log.say("nav", "\(name): its vehicles were not redistributed: \(reason)", isError: true)
        shareAgainAtS = nowS + Self.sharePauseS
      }
    }
    guard let atS = shareAgainAtS, atS <= nowS, operation == nil, !supervisor.isStopping else {
      return
    }
    shareOutVehicles()
  }

  func handleBusEvents() {
    guard let witness else { return }
    let now = nowS
    for news in witness.take() {
      switch news {
      case .call(let call): answer(call)
      case .seen(let sighting): expectations?.observe(sighting, atS: now)
      case .status(let status): losses.hear(status)
      }
    }
  }
}

/// The broker's report of readiness, and what it waits for.
struct HeldReadiness {
  var note: String?
  var mustRecord: Bool
  /// Groups whose vehicles are not assigned yet.
  var unshared: Set<String>
}
