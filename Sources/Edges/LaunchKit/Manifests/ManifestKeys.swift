/// The keys of a manifest, which is the output of `--describe` or the file of `manifest:`.
enum ManifestKeys {
  static let root: [StackKey] = [
    StackKey("$schema", .text, "The JSON Schema of this file, for editors."),
    StackKey(
      "name", .text, required: true, insteadOf: ["program", "id", "node"],
      "The program's name: nav-map-matcher."),
    StackKey(
      "about", .text, required: true, insteadOf: ["description", "summary", "help"],
      "One sentence that says what it does."),
    StackKey(
      "parameters", .list(.object(parameter)), insteadOf: ["params", "options", "settings"],
      "What a stack file may set in `params:`."),
    StackKey(
      "inputs", .list(.text),
      insteadOf: ["reads", "read", "subscribes", "subscriptions", "topics", "consumes", "in"],
      "Topics that it reads, without the vehicle: location/matched."),
    StackKey(
      "requires", .list(.text), insteadOf: ["needs", "required", "requiredinputs"],
      "Inputs without which it cannot work; the node is degraded while one of them is not well."),
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
      "ownVehicles", .list(.name), insteadOf: ["vehicles", "own_vehicles"],
      "Vehicles that it adds to the stack itself."),
    StackKey(
      "demandedBy", .list(.text), insteadOf: ["demanded_by", "ondemand"],
      "Outputs whose readers make it serve a vehicle: scene/frame. Without them it serves all."),
  ]

  static let parameter: [StackKey] = [
    StackKey("name", .text, required: true, "snake_case with the unit: poll_interval_s."),
    StackKey(
      "kind", .choice(["bool", "int", "double", "string", "path", "strings"]), required: true,
      insteadOf: ["type"],
      "Kind of its values; a path counts from the stack file, strings is a list."),
    StackKey(
      "about", .text, required: true, insteadOf: ["description", "help"],
      "One sentence that says what it does."),
    StackKey(
      "defaultValue", .any, insteadOf: ["default", "default_value", "value"],
      "Its value where the stack file has none; without one it is absent there."),
    StackKey(
      "isRequired", .bool, insteadOf: ["required", "is_required", "mandatory"],
      "Whether the stack file must set it. false"),
    StackKey("unit", .text, insteadOf: ["units"], "Unit as people write it: m, s, m/s."),
    StackKey("minimum", .number, insteadOf: ["min", "least"], "Least value of a number."),
    StackKey("maximum", .number, insteadOf: ["max", "most"], "Greatest value of a number."),
    StackKey(
      "values", .list(.text), insteadOf: ["enum", "choices", "allowed"],
      "Allowed words of a string. Any"),
  ]
}
