// A list of stops that can be put into another order: by dragging, by buttons, and with the keyboard.

import { TRIP_ICONS } from "./trip-icons.js";
import { rowAt } from "./trip-model.js";
import { language, words } from "./words.js";

export class StopList {
  /** `move(from, to)` and `remove(index)` are called for changes; the list shows them when it is drawn again. */
  constructor(element, { move, remove }) {
    Object.assign(this, { element, move, remove, shown: "", focused: null, dragged: null });
  }

  /** Draws rows {key, name, detail, isVia, isDestination}; nothing can be changed while `isBusy`. */
  draw(rows, isBusy = false) {
    // A row that is held by a finger is not taken out of its hand.
    if (this.dragged) return;
    const key = JSON.stringify([rows.map((row) => [row.key, row.name]), isBusy, language()]);
    if (key !== this.shown) {
      this.shown = key;
      this.element.replaceChildren(...rows.map((row, index) => this.row(row, index, rows.length, isBusy)));
      this.focusAgain();
    }
    rows.forEach(({ detail }, index) => {
      const element = this.element.children[index].querySelector(".detail");
      if (element.textContent !== detail) element.textContent = detail;
    });
  }

  row({ name, isVia, isDestination }, index, count, isBusy) {
    const item = document.createElement("li");
    item.className = isVia ? "via" : isDestination ? "end" : "";
    const handle = part("span", "handle", TRIP_ICONS.handle);
    handle.title = words("trip.order");
    handle.onpointerdown = (event) => { if (!isBusy && count > 1) this.drag(event, item, index); };
    handle.hidden = count < 2;
    const text = part("div", "");
    const title = part("b", "");
    title.textContent = name;
    text.append(title, part("span", "detail"));
    item.append(handle, text);
    if (count < 2) return item;
    item.append(
      this.button("up", words("trip.up", { name }), isBusy || index === 0, () => this.shift(index, index - 1, "up")),
      this.button("down", words("trip.down", { name }), isBusy || index === count - 1, () => this.shift(index, index + 1, "down")),
      this.button("remove", words("trip.remove", { name }), isBusy, () => this.remove(index)));
    return item;
  }

  button(icon, label, isDisabled, action) {
    const button = part("button", icon, TRIP_ICONS[icon]);
    button.type = "button";
    button.setAttribute("aria-label", label);
    button.title = label;
    button.disabled = isDisabled;
    button.onclick = action;
    return button;
  }

  shift(from, to, icon) {
    this.focused = { index: to, icon };
    this.move(from, to);
  }

  /** The button that was pressed has moved with its row, and keeps the focus, or the other one where the row has reached the end. */
  focusAgain() {
    if (!this.focused) return;
    const { index, icon } = this.focused;
    const row = this.element.children[index];
    const wanted = row?.querySelector(`.${icon}:not(:disabled)`) ?? row?.querySelector("button:not(:disabled)");
    if (!wanted) return;
    this.focused = null;
    wanted.focus({ preventScroll: true });
  }

  drag(event, item, from) {
    event.preventDefault();
    const rows = [...this.element.children];
    const middles = rows.map((row) => {
      const { top, height } = row.getBoundingClientRect();
      return top + height / 2;
    });
    const grabbedAt = event.clientY - middles[from];
    this.dragged = { to: from };
    item.classList.add("dragged");
    const handle = event.currentTarget;
    handle.setPointerCapture(event.pointerId);
    const end = (isDropped) => {
      handle.onpointermove = null;
      handle.onpointerup = null;
      handle.onpointercancel = null;
      const { to } = this.dragged;
      this.dragged = null;
      this.shown = "";
      for (const row of rows) row.style.transform = "";
      item.classList.remove("dragged");
      if (isDropped && to !== from) this.move(from, to);
    };
    handle.onpointermove = ({ clientY }) => {
      const y = clientY - grabbedAt;
      const to = rowAt(middles, from, y);
      this.dragged.to = to;
      const height = rows[from].offsetHeight;
      rows.forEach((row, index) => {
        const gap = index === from ? y - middles[from]
          : index > from && index <= to ? -height : index < from && index >= to ? height : 0;
        row.style.transform = gap ? `translateY(${gap}px)` : "";
      });
    };
    handle.onpointerup = () => end(true);
    handle.onpointercancel = () => end(false);
  }
}

function part(name, look, html = "") {
  const element = document.createElement(name);
  element.className = look;
  element.innerHTML = html;
  return element;
}
