import NavCLI

/// The program `nav`; its commands are the module NavCLI.
@main
enum Program {
  static func main() {
    NavProgram.run(Array(CommandLine.arguments.dropFirst()))
  }
}
