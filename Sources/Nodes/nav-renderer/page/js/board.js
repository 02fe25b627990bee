// Shared by the pages about the whole stack: their colours, and the text about the link.

const SUN = '<circle cx="12" cy="12" r="4.2"/><path d="M12 2.5V5M12 19V21.5M2.5 12H5M19 12H21.5M5.3 5.3L7 7M17 17L18.7 18.7M18.7 5.3L17 7M7 17L5.3 18.7"/>';
const MOON = '<path d="M20 14.5A8.2 8.2 0 0 1 9.5 4A8.2 8.2 0 1 0 20 14.5Z"/>';
const picture = (shape) => `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shape}</svg>`;
export const CROSS = picture('<path d="M5 5L19 19M19 5L5 19"/>');
const KEY = "navstack-board-theme";

function kept() {
  try { return window.localStorage.getItem(KEY); } catch { return null; }
}

/** Day or night by the address, by what was chosen on this device, or else by the system; `onChange(theme)` for each change. */
export function serveTheme(button, onChange = () => {}) {
  const asked = new URLSearchParams(window.location.search).get("theme");
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const current = () => asked ?? kept() ?? (dark.matches ? "night" : "day");
  let theme = null;
  const apply = (next) => {
    if (next === theme) return;
    theme = next;
    document.documentElement.dataset.theme = next;
    document.documentElement.style.colorScheme = next === "night" ? "dark" : "light";
    button.innerHTML = picture(next === "night" ? SUN : MOON);
    button.setAttribute("aria-pressed", String(next === "night"));
    onChange(next);
  };
  button.onclick = () => {
    const next = theme === "night" ? "day" : "night";
    try { window.localStorage.setItem(KEY, next); } catch { /* It lasts until the page is closed. */ }
    apply(next);
  };
  dark.addEventListener("change", () => apply(current()));
  apply(current() === "night" ? "night" : "day");
  return () => theme;
}

/** A tab that is hidden for this long lets go of its link, so that the stack is not observed for it. */
const HIDDEN_MS = 20_000;

export function restWhenHidden(connection) {
  let timer;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(() => connection.rest(), HIDDEN_MS);
    else connection.wake();
  });
}

/** Shows that the renderer or its bus does not answer; `heard(isOnBus)` is called for each heartbeat. */
export class LinkNotice {
  constructor(element, timeout = 3500) {
    this.element = element;
    this.timeout = timeout;
    this.heardAt = performance.now();
    this.isOpen = false;
    this.isOnBus = true;
    /** What stays wrong until the page is loaded again. */
    this.fault = "";
    setInterval(() => this.show(), 500);
  }

  state(isOpen) {
    this.isOpen = isOpen;
    this.heardAt = performance.now();
    this.show();
  }

  heard({ bus }) {
    this.isOnBus = bus;
    this.heardAt = performance.now();
    this.show();
  }

  show() {
    const text = this.fault ? this.fault : !this.isOpen ? "No connection to navstack: trying again…"
      : performance.now() - this.heardAt > this.timeout ? "navstack does not answer: what is shown may be old."
        : this.isOnBus ? "" : "navstack has lost its bus: what is shown may be old.";
    if (this.element.textContent !== text) this.element.textContent = text;
    this.element.hidden = !text;
    document.documentElement.dataset.link = this.isOpen ? "open" : "lost";
  }
}
