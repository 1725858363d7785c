/* Puzzle solved by dragging, tapping or with the keys.  A tap rotates a piece, a long tap flips it; a tap on the area
   places the selected piece.  When all pieces are placed, the answer is sent. */
"use strict";

window.layPuzzle = (() => {
  const SIDE = 40, NS = "http://www.w3.org/2000/svg", LONG = 450, SLACK = 8;

  function spots(rows) {
    return rows.flatMap((row, r) => [...row].flatMap((sign, c) => (sign === "x" ? [[r, c]] : [])));
  }
  function settled(cells) {
    const top = Math.min(...cells.map(([r]) => r)), left = Math.min(...cells.map(([, c]) => c));
    return cells.map(([r, c]) => [r - top, c - left]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  }
  const turned = (cells) => settled(cells.map(([r, c]) => [c, -r]));
  const flipped = (cells) => settled(cells.map(([r, c]) => [r, -c]));
  function make(name, attributes, ...children) {
    const one = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
    one.append(...children);
    return one;
  }

  return function lay(holder, done) {
    if (holder.dataset.live) return;
    holder.dataset.live = "1";
    const data = JSON.parse(holder.dataset.puzzle), text = holder.dataset;
    const area = spots(data.area), inside = new Set(area.map(String));
    const height = data.area.length, width = Math.max(...data.area.map((row) => row.length));
    const pieces = data.pieces.map((one, number) => ({
      letter: one.letter, number, cells: settled(spots(one.rows)), at: null, laid: false, home: [0, 0], group: null,
    }));
    // The pieces are placed below the area, or beside it if that makes the squares larger; each has room to rotate.
    const size = (one) => Math.max(...one.cells.flat()) + 1;
    function tray(room, from, right) {
      let across = 0, down = 0, high = 0, most = 0;
      const homes = pieces.map((one) => {
        if (across && across + size(one) > room) { across = 0; down += high + 0.3; high = 0; }
        const home = [from + down, right + across];
        across += size(one) + 0.4;
        high = Math.max(high, size(one));
        most = Math.max(most, across - 0.4);
        return home;
      });
      return { homes, wide: most, high: down + high };
    }
    function layouts() {
      const box = [holder.clientWidth || 320, Math.max(300, innerHeight * 0.6)], found = [];
      for (let room = Math.max(...pieces.map(size)); room < 20; room++) {
        const below = tray(room, height + 0.6, 0), beside = tray(room, 0, width + 1);
        const columns = Math.max(width, below.wide);
        found.push({ homes: below.homes, columns, total: height + 0.6 + below.high, left: Math.floor((columns - width) / 2) });
        found.push({ homes: beside.homes, columns: width + 1 + beside.wide, total: Math.max(height, beside.high), left: 0 });
      }
      const square = (one) => Math.min(box[0] / one.columns, box[1] / one.total, 64);
      return found.reduce((best, one) => (square(one) > square(best) + 0.5 ? one : best));
    }
    const { homes, columns, total, left } = layouts();
    pieces.forEach((one, n) => { one.home = homes[n]; });
    let held = null, sent = false;

    const field = make("g", {});
    for (const [r, c] of area) field.append(make("rect", { x: (c + left) * SIDE, y: r * SIDE, width: SIDE, height: SIDE, class: "field" }));
    const svg = make("svg", { viewBox: `-4 -4 ${columns * SIDE + 8} ${total * SIDE + 8}`, role: "application", "aria-label": text.name, "text-anchor": "middle" }, field);
    const status = document.createElement("p");
    status.className = "unseen";
    status.setAttribute("role", "status");
    const tools = document.createElement("div");
    tools.className = "tools";
    const how = document.createElement("p");
    how.className = "hint";
    how.textContent = text.how;
    for (const [label, act] of [[text.turn, () => turn(turned)], [text.flip, () => turn(flipped)], [text.back, takeUp]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.addEventListener("click", () => { if (held) act(); });
      tools.append(button);
    }
    for (const one of pieces) {
      one.group = make("g", { class: `piece piece-${one.number % 6}`, role: "button", tabindex: "0" });
      svg.append(one.group);
      draw(one);
      one.group.addEventListener("focus", () => hold(one));
      one.group.addEventListener("pointerdown", (event) => grip(one, event));
      one.group.addEventListener("keydown", (event) => press(one, event));
    }
    holder.replaceChildren(svg, tools, how, status);
    const form = document.getElementById("drawing");
    if (form) { for (const one of form.querySelectorAll("p, textarea, .go")) one.hidden = true; }
    field.addEventListener("click", (event) => {
      if (!held || held.laid) return;
      const [r, c] = spot(event);
      held.at = [r - held.cells[0][0], c - left - held.cells[0][1]];
      settle(held);
    });
    hold(pieces[0]);

    function where(one) { return one.at ? [one.at[0], one.at[1] + left] : one.home; }
    function covered(one) { return one.at ? one.cells.map(([r, c]) => [r + one.at[0], c + one.at[1]]) : []; }
    function fits(one) {
      const taken = new Set(pieces.filter((other) => other !== one && other.laid).flatMap(covered).map(String));
      return one.at !== null && covered(one).every((cell) => inside.has(String(cell)) && !taken.has(String(cell)));
    }
    function say(message) { status.textContent = message; }
    function name(one) { return text.piece.replace("%", one.letter); }

    function draw(one) {
      const own = new Set(one.cells.map(String));
      const parts = one.cells.map(([r, c]) => make("rect", { x: c * SIDE, y: r * SIDE, width: SIDE, height: SIDE, class: "wash" }));
      const [r, c] = one.cells[0];
      const letter = make("text", { x: (c + 0.5) * SIDE, y: (r + 0.68) * SIDE, "font-size": "22", "font-weight": "bold" });
      letter.textContent = one.letter;
      one.group.replaceChildren(...parts, letter);
      place(one);
      const rowsSaid = one.cells.map(([a]) => a), last = Math.max(...rowsSaid);
      const shape = Array.from({ length: last + 1 }, (_, a) =>
        Array.from({ length: 6 }, (_, b) => (own.has(`${a},${b}`) ? one.letter : ".")).join("").replace(/\.+$/, ""));
      one.group.dataset.shape = shape.join("/");
      label(one);
    }
    function label(one) {
      const at = one.at ? text.at.replace("%r", one.at[0] + 1).replace("%c", one.at[1] + 1).replace("%", one.letter) : "";
      one.group.setAttribute("aria-label", [name(one), one.group.dataset.shape, at, one.laid ? text.fits.replace("%", one.letter) : ""].filter(Boolean).join(", "));
    }
    function place(one, dx = 0, dy = 0) {
      const [r, c] = where(one);
      one.group.setAttribute("transform", `translate(${c * SIDE + dx} ${r * SIDE + dy})`);
      one.group.classList.toggle("bad", one.at !== null && !one.laid && !fits(one));
    }
    function hold(one) {
      held = one;
      for (const other of pieces) other.group.classList.toggle("held", other === one);
    }
    function turn(change) {
      const one = held;
      if (one.laid) one.laid = false;
      one.cells = change(one.cells);
      stay(one);
      draw(one);
      say(one.group.dataset.shape);
    }
    function takeUp() {
      held.at = null;
      held.laid = false;
      draw(held);
      say(text.taken.replace("%", held.letter));
    }
    function stay(one) {
      if (!one.at) return;
      const high = Math.max(...one.cells.map(([r]) => r)) + 1, wide = Math.max(...one.cells.map(([, c]) => c)) + 1;
      one.at = [Math.max(0, Math.min(one.at[0], height - high)), Math.max(0, Math.min(one.at[1], width - wide))];
    }
    /* Place a piece at its position if it fits there; otherwise return it to its place beside the area. */
    function settle(one, keep = false) {
      one.laid = fits(one);
      if (one.laid) say(text.fits.replace("%", one.letter));
      else { say(text.misfits.replace("%", one.letter)); if (!keep) one.at = null; }
      draw(one);
      if (one.laid) {
        const next = pieces.find((other) => !other.laid);
        if (next) hold(next);
        else finish();
      }
    }
    function finish() {
      if (sent) return;
      sent = true;
      const rowsOut = data.area.map((row) => [...row].map(() => "."));
      for (const one of pieces) for (const [r, c] of covered(one)) rowsOut[r][c] = one.letter;
      done(rowsOut.map((row) => row.join("")).join("/"));
      setTimeout(() => { sent = false; }, 2000);
    }

    /* ---- pointers ---- */

    function point(event) {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      return [at.x, at.y];
    }
    function spot(event) { const [x, y] = point(event); return [Math.floor(y / SIDE), Math.floor(x / SIDE)]; }
    function grip(one, event) {
      if (event.button) return;
      event.preventDefault();
      one.group.focus({ preventScroll: true });
      hold(one);
      svg.append(one.group);
      one.group.setPointerCapture(event.pointerId);
      const [x, y] = point(event), begun = [event.clientX, event.clientY];
      const [row, column] = where(one), was = one.at;
      let moved = false, flip = setTimeout(() => { flip = 0; if (!moved) turn(flipped); }, LONG);
      const move = (other) => {
        if (!moved && Math.hypot(other.clientX - begun[0], other.clientY - begun[1]) < SLACK) return;
        if (!moved) { moved = true; clearTimeout(flip); one.laid = false; }
        const [a, b] = point(other);
        one.group.setAttribute("transform", `translate(${column * SIDE + a - x} ${row * SIDE + b - y})`);
        one.at = [Math.round(row + (b - y) / SIDE), Math.round(column + (a - x) / SIDE) - left];
        one.group.classList.toggle("bad", !fits(one));
      };
      const up = (other) => {
        one.group.removeEventListener("pointermove", move);
        one.group.removeEventListener("pointerup", up);
        one.group.removeEventListener("pointercancel", up);
        clearTimeout(flip);
        // Restore the order of the pieces in the document, which is their Tab order.
        for (const each of pieces) svg.append(each.group);
        one.group.focus({ preventScroll: true });
        if (other.type === "pointercancel") { one.at = was; draw(one); return; }
        if (moved) settle(one);
        else if (flip) { turn(turned); if (one.at) settle(one, true); }
      };
      one.group.addEventListener("pointermove", move);
      one.group.addEventListener("pointerup", up);
      one.group.addEventListener("pointercancel", up);
    }

    /* ---- keys ---- */

    const WAYS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    function press(one, event) {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const way = WAYS[event.key];
      if (way) {
        one.laid = false;
        one.at = one.at ? [one.at[0] + way[0], one.at[1] + way[1]] : [0, 0];
        stay(one);
        draw(one);
        say(text.at.replace("%r", one.at[0] + 1).replace("%c", one.at[1] + 1).replace("%", one.letter));
      } else if (event.key === " ") turn(turned);
      else if (event.key === "f" || event.key === "F") turn(flipped);
      else if (event.key === "Enter") {
        if (one.laid) takeUp();
        else { if (!one.at) one.at = [0, 0]; settle(one, true); if (one.laid && held !== one) held.group.focus(); }
      } else if (event.key === "Backspace" || event.key === "Delete") takeUp();
      else if (/^[1-9]$/.test(event.key) && pieces[event.key - 1]) pieces[event.key - 1].group.focus();
      else return;
      event.preventDefault();
    }
  };
})();
