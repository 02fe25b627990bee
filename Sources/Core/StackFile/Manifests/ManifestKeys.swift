/// The keys of a manifest, which is the output of `--describe` or the file of `manifest:`.
enum ManifestKeys {
  static let root: [StackKey] = [
    StackKey("$schema", .text, "The JSON Schema of this file, for editors."),
    StackKey(
      "name", .text, required: true, insteadOf: ["program", "id", "node"],
      "The program's name: nav-map-matcher."),
    StackKey(
      "about", .text, required: true, insteadOf: ["description", "summary", "help"],
      "One sentence that describes its purpose."),
    StackKey(
      "parameters", .list(.object(parameter)), insteadOf: ["params", "options", "settings"],
      "Parameters that a stack file may set in `params:`."),
    StackKey(
      "inputs", .list(.text),
      insteadOf: ["reads", "read", "subscribes", "subscriptions", "topics", "consumes", "in"],
      "Topics that it reads, without the vehicle: location/matched."),
    StackKey(
      "requires", .list(.text), insteadOf: ["needs", "required", "requiredinputs"],
      "Inputs that it requires; the node is degraded while one of them is stale or missing."),
    StackKey(
      "optionalInputs", .list(.text), insteadOf: ["optional", "optional_inputs"],
      "Inputs that no node of the stack needs to publish."),
    StackKey(
      "outputs", .list(.text),
      insteadOf: ["writes", "write", "publishes", "publications", "produces", "out"],
      "Topics that it publishes, without the vehicle."),
    StackKey(
      "serves", .list(.text), insteadOf: ["answers", "services", "provides", "server"],
      "Calls that it answers: voice/repeat."),
    StackKey(
      "calls", .list(.text), insteadOf: ["requests", "clients", "asks", "client"],
      "Calls that it makes."),
    StackKey(
      "optionalCalls", .list(.text), insteadOf: ["optional_calls"],
      "Further calls that it makes if a node of the stack serves them."),
    StackKey(
      "ownVehicles", .list(.name), insteadOf: ["vehicles", "own_vehicles"],
      "Vehicles that it adds to the stack."),
    StackKey(
      "demandedBy", .list(.text), insteadOf: ["demanded_by", "ondemand"],
      "Outputs whose subscribers make it serve a vehicle: scene/frame. Without them it serves all."),
  ]

  static let parameter: [StackKey] = [
    StackKey("name", .text, required: true, "snake_case with the unit: poll_interval_s."),
    StackKey(
      "kind", .choice(["bool", "int", "double", "string", "path", "strings"]), required: true,
      insteadOf: ["type"],
      "Type of its values; a path is relative to the stack file, strings is a list."),
    StackKey(
      "about", .text, required: true, insteadOf: ["description", "help"],
      "One sentence that describes its purpose."),
    StackKey(
      "defaultValue", .any, insteadOf: ["default", "default_value", "value"],
      "Its value if the stack file sets none; without a default it is absent."),
    StackKey(
      "isRequired", .bool, insteadOf: ["required", "is_required", "mandatory"],
      "Whether the stack file must set it. false"),
    StackKey("unit", .text, insteadOf: ["units"], "Unit, such as m, s, m/s."),
    StackKey("minimum", .number, insteadOf: ["min", "least"], "Minimum of a number."),
    StackKey("maximum", .number, insteadOf: ["max", "most"], "Maximum of a number."),
    StackKey(
      "values", .list(.text), insteadOf: ["enum", "choices", "allowed"],
      "Allowed values of a string. Any"),
  ]
}
