// Plays recordings of the live link into the view model.

import { readFileSync } from "node:fs";

import { ViewModel } from "../../Sources/Nodes/nav-renderer/page/js/view-model.js";

/** A recording of the folder next to this file: {config, lines}, each line {at, message}. */
export function recording(name) {
  const text = readFileSync(new URL(`recordings/${name}.jsonl`, import.meta.url), "utf8");
  const [{ config }, ...lines] = text.trim().split("\n").map((line) => JSON.parse(line));
  return { config, lines };
}

/** The views of a recording, {at, message, view}, with one every `tickMs` in between, whose message is null. */
export function replay({ config, lines }, { tickMs = 250, model = new ViewModel({ ...config, theme: null }) } = {}) {
  const steps = [];
  let atMs = lines[0]?.at ?? 0;
  for (const { at, message } of lines) {
    for (; atMs < at; atMs += tickMs) steps.push({ at: atMs, message: null, view: model.at(atMs) });
    steps.push({ at, message, view: model.take(message, at) });
  }
  return { model, steps };
}
