import Bus

// The launcher as a part of the bus.
extension StackRunner {
  /// The broker is ready, for the first time or again.
  func busIsReady() {
    guard !hasShared else {
      shareAgainAtS = nowS + Self.sharePauseS
      return
    }
    hasShared = true
    connectToBus()
    shareOutVehicles()
  }

  func connectToBus() {
    guard witness == nil else { return }
    do {
      witness = try BusWitness(address)
    } catch {
      log.say("nav", error.message)
      perform(.stop(reason: error.message, code: Supervisor.ExitCode.failure))
    }
  }

  /// How long replicas have to tell a new broker what they serve, before the rest is shared out.
  private static let sharePauseS = 4.0

  /// Tells the broker which lanes share the vehicles of each node that has replicas.
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
      guard let failure = report.failure else { continue }
      log.say("nav", "\(name): its vehicles cannot be shared out: \(failure)", isError: true)
      if shareAgainAtS == nil { shareAgainAtS = nowS + Self.sharePauseS }
    }
    guard let atS = shareAgainAtS, atS <= nowS, operation == nil, !supervisor.isStopping else {
      return
    }
    shareOutVehicles()
  }

  func hearBus() {
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
