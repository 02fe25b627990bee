import ArgumentParser

/// `nav topic`: shows the messages on the bus.
struct TopicCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "topic", abstract: "List, watch, measure and publish topics.",
    subcommands: [
      TopicListCommand.self, TopicInfoCommand.self, TopicEchoCommand.self, TopicRateCommand.self,
      TopicBandwidthCommand.self, TopicDelayCommand.self, TopicFindCommand.self,
      TopicPublishCommand.self,
    ])
}
