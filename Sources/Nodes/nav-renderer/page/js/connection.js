// The live link to the renderer: what the stack publishes comes in, calls go out.

const RETRY_MS = [250, 500, 1000, 2000, 4000];
const CALL_TIMEOUT_MS = 50_000;

export class Connection {
  /**
   * Follows `vehicle`; null follows none, and lists vehicles only. A `view` of the whole stack follows that instead.
   * `onMessage(message)` for each live message, an ArrayBuffer for a binary one, null for a text that is none;
   * `onState(isOpen)` on each change.
   */
  constructor(vehicle, onMessage, onState, view = null) {
    this.vehicle = vehicle;
    this.view = view;
    this.onMessage = onMessage;
    this.onState = onState;
    this.calls = new Map();
    this.nextID = 1;
    this.attempt = 0;
    this.received = 0;
    // A browser keeps a page that was left for a while, with its connection: the renderer would go on serving it.
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    window.addEventListener("pagehide", () => this.rest(), { signal });
    window.addEventListener("pageshow", ({ persisted }) => { if (persisted) this.wake(); }, { signal });
    this.open();
  }

  /** Lets go of the link until `wake`. */
  rest() {
    this.isResting = true;
    clearTimeout(this.retry);
    this.socket.close();
  }

  wake() {
    if (!this.isResting) return;
    this.isResting = false;
    this.open();
  }

  /** Ends the link for good. */
  close() {
    this.listeners.abort();
    this.rest();
  }

  open() {
    const url = new URL("live", document.baseURI);
    if (this.vehicle) url.searchParams.set("vehicle", this.vehicle);
    if (this.view) url.searchParams.set("view", this.view);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    clearTimeout(this.retry);
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    // A socket that another one has replaced says nothing any more.
    const isCurrent = () => socket === this.socket;
    socket.onopen = () => {
      if (!isCurrent()) return;
      this.attempt = 0;
      this.onState(true);
    };
    socket.onmessage = ({ data }) => { if (isCurrent()) this.receive(data); };
    socket.onclose = () => {
      if (!isCurrent()) return;
      this.onState(false);
      for (const call of this.calls.values()) call.fail("", "unavailable");
      this.calls.clear();
      if (this.isResting) return;
      const wait = RETRY_MS[Math.min(this.attempt, RETRY_MS.length - 1)];
      this.attempt += 1;
      this.retry = setTimeout(() => this.open(), wait);
    };
  }

  receive(text) {
    this.received += 1;
    const message = typeof text === "string" ? parsed(text) : text;
    const call = this.calls.get(message?.id);
    if (message === null || message.topic || message instanceof ArrayBuffer) this.onMessage(message);
    else if (call) {
      this.calls.delete(message.id);
      if (message.ok) call.succeed(message.payload);
      else call.fail(message.error?.message ?? "", message.error?.code);
    }
  }

  /** Makes a call of the stack; resolves with the reply's payload, rejects with a sentence and the stack's `code`. */
  call(name, payload = {}) {
    return new Promise((resolve, reject) => {
      if (this.socket.readyState !== WebSocket.OPEN) {
        reject(Object.assign(new Error("there is no connection"), { code: "unavailable" }));
        return;
      }
      const id = this.nextID;
      this.nextID += 1;
      const timer = setTimeout(() => {
        this.calls.delete(id);
        reject(Object.assign(new Error("no answer came"), { code: "timeout" }));
      }, CALL_TIMEOUT_MS);
      this.calls.set(id, {
        succeed: (reply) => { clearTimeout(timer); resolve(reply); },
        fail: (sentence, code) => {
          clearTimeout(timer);
          reject(Object.assign(new Error(sentence), { code }));
        },
      });
      this.socket.send(JSON.stringify({ id, call: name, payload }));
    });
  }
}

/** The value of a text of JSON; null for another text. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
