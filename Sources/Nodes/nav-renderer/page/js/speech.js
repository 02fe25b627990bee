// The voice of the browser: speaks the announcements of the stack after the user has turned it on.

import { BUTTONS } from "./icons.js";
import { SpeechModel } from "./speech-model.js";

const KEY = "navstack.voice";
const byID = (id) => document.getElementById(id);

export class Speech {
  /**
   * `volume()` gives 0 to 1. `repeat()` asks the stack to repeat the last announcement. Without an engine in the browser the buttons
   * stay hidden.
   */
  constructor(repeat, volume) {
    this.volume = volume;
    this.engine = window.speechSynthesis ?? null;
    this.model = new SpeechModel({ speak: (announcement) => this.speak(announcement), cancel: () => this.engine.cancel() });
    this.sound = byID("sound");
    this.again = byID("repeat");
    this.again.innerHTML = BUTTONS.repeat;
    if (!this.engine) return;
    this.sound.hidden = false;
    this.sound.onclick = () => this.turn(!this.model.isOn);
    this.again.onclick = repeat;
    this.turn(this.stored === "on");
  }

  get stored() {
    try {
      return window.localStorage.getItem(KEY);
    } catch {
      return null;
    }
  }

  /** Whether the voice is on; null where the browser has none. */
  get isOn() { return this.engine ? this.model.isOn : null; }

  turn(isOn) {
    this.model.turn(isOn);
    this.sound.innerHTML = isOn ? BUTTONS.sound : BUTTONS.muted;
    this.sound.setAttribute("aria-pressed", String(isOn));
    this.again.hidden = !isOn;
    try {
      window.localStorage.setItem(KEY, isOn ? "on" : "off");
    } catch {
      // Without storage the next page begins silent.
    }
  }

  /** Speaks `view.announcement` where it is another. */
  draw(announcement) {
    if (announcement === this.shown) return;
    this.shown = announcement;
    if (announcement) this.model.announce(announcement);
  }

  speak(announcement) {
    const utterance = new SpeechSynthesisUtterance(announcement.text);
    utterance.lang = announcement.language ?? "";
    utterance.volume = this.volume();
    utterance.onend = () => this.model.ended(announcement);
    utterance.onerror = () => this.model.ended(announcement);
    // Browsers forget the handlers of an utterance that nobody holds.
    this.utterance = utterance;
    this.engine.speak(utterance);
  }
}
