/* Makes the pages of a table live: fetches this viewer's own part of the page when there is a new version, lights up
   what an option touches, and lets places on the board choose.  Without it every page works as a form. */
"use strict";

(() => {
  const main = document.getElementById("table");
  if (!main) return;
  const body = document.body, news = document.getElementById("news"), trouble = document.getElementById("trouble");
  const key = body.dataset.key;
  let version = Number(sheet().dataset.version), fetching = null, again = false, sending = false, source = null;
  let poll = 0, lost = 0, armed = null, typed = "", typedAt = 0;

  function sheet() { return document.getElementById("sheet"); }
  function all(selector, inside = main) { return [...inside.querySelectorAll(selector)]; }

  /* ---- staying up to date ---- */

  async function refresh() {
    if (fetching) { again = true; return fetching; }
    fetching = (async () => {
      try {
        const shown = sheet(), query = shown.dataset.unfinished ? "" : `?version=${version}`;
        const answer = await fetch(key + "/part" + query, { headers: { "X-Part": "1" }, cache: "no-store" });
        if (answer.status === 200) swap(await answer.text());
        else if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) { location.reload(); return; }
        if (answer.status < 400) reached();
      } catch { unreached(); } finally { fetching = null; }
      if (again) { again = false; await refresh(); }
    })();
    return fetching;
  }

  function listen() {
    if (!window.EventSource) { poll = setInterval(refresh, 3000); return; }
    source = new EventSource(key + "/events");
    source.onmessage = (event) => {
      reached();
      let told = NaN;
      try { told = JSON.parse(event.data).version; } catch { return; }
      if (told !== version && !sending) refresh();
    };
    source.onerror = () => {
      // The browser tries again by itself, but not after every refusal.
      if (!poll) poll = setInterval(() => { refresh(); if (source.readyState === 2) { source.close(); stop(); listen(); } }, 4000);
    };
    source.onopen = () => { stop(); reached(); };
  }
  function stop() { clearInterval(poll); poll = 0; }
  function reached() { clearTimeout(lost); lost = 0; trouble.hidden = true; }
  function unreached() {
    if (!lost) lost = setTimeout(() => { trouble.textContent = body.dataset.wrong; trouble.hidden = false; }, 1500);
  }

  /* Puts the new part in the place of the old one; what is focused, open, typed and scrolled to stays. */
  function swap(text) {
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("sheet");
    if (!fresh) { location.reload(); return; }
    const old = sheet(), same = fresh.dataset.version === old.dataset.version;
    const focus = mark(document.activeElement), top = window.scrollY;
    const part = old.querySelector("input[name=part]");
    // Somebody in the middle of a choice is not disturbed by forecasts that came later.
    if (same && part && !fresh.querySelector("input[name=part]")) return;
    const open = all("details[open]").map((one) => one.querySelector("summary").getAttribute("aria-label") || one.className);
    const values = all("input[type=number], textarea").map((one) => [one.id, one.value]);
    const frames = all(".frame").map((one) => [one.className.replace(" zoomed", ""), one.scrollLeft, one.scrollTop]);
    const chosen = same ? main.querySelector("input[name=choice]:checked") : null;
    const laying = main.querySelector(".laying"), next = fresh.querySelector(".laying");
    // A puzzle that is being laid stays as it lies.
    if (laying && next && laying.dataset.puzzle === next.dataset.puzzle) next.replaceWith(laying);
    old.replaceWith(document.adoptNode(fresh));
    version = Number(fresh.dataset.version);
    for (const one of all("details")) {
      const name = one.querySelector("summary").getAttribute("aria-label") || one.className;
      if (open.includes(name)) one.open = true;
    }
    for (const [id, value] of values) { const one = id && document.getElementById(id); if (one && !one.value) one.value = value; }
    for (const [name, left, down] of frames) {
      const one = all(".frame").find((frame) => frame.className === name);
      if (one && zoomed.has(name)) one.classList.add("zoomed");
      if (one) one.scrollTo(left, down);
    }
    if (chosen) for (const one of all("input[name=choice]")) if (one.value === chosen.value) one.checked = true;
    begin(!same);
    const target = find(focus);
    if (target && target !== document.activeElement) target.focus({ preventScroll: true });
    window.scrollTo(window.scrollX, top);
    if (!same) announce();
  }

  function mark(one) {
    if (!one || one === body || !main.contains(one)) return null;
    if (one.id) return "#" + CSS.escape(one.id);
    if (one.name === "choice") return `[name=choice][value="${CSS.escape(one.value)}"]`;
    const holder = one.closest("[id]");
    return holder && holder !== main ? "#" + CSS.escape(holder.id) : "#question";
  }
  function find(selector) {
    if (!selector) return null;
    return main.querySelector(selector) || document.getElementById("question");
  }

  function announce() {
    const lines = all("#digest li").map((one) => one.textContent);
    const question = main.querySelector("#puzzle-title") || main.querySelector("#question-title");
    news.textContent = [...lines, question ? question.textContent : ""].join(" ");
    document.title = sheet().dataset.title || document.title;
  }

  /* ---- sending, once ---- */

  async function send(form, button) {
    if (sending) return;
    sending = true;
    const data = new URLSearchParams(new FormData(form));
    if (button && button.name) data.append(button.name, button.value);
    for (const one of all("button", form)) one.disabled = true;
    try {
      const answer = await fetch(form.action, { method: "POST", body: data, headers: { "X-Part": "1" } });
      const text = await answer.text();
      sending = false;
      if (text.includes('id="sheet"')) { swap(text); reached(); } else if (answer.ok) await refresh();
      else location.reload();
    } catch {
      sending = false;
      unreached();
      for (const one of all("button", form)) one.disabled = false;
    }
  }

  main.addEventListener("submit", (event) => {
    const form = event.target, option = form.querySelector(".option:has(:checked)");
    event.preventDefault();
    if (option && option.classList.contains("risky") && armed !== option) {
      // What costs much is asked once more.
      armed = option;
      const go = form.querySelector(".go");
      go.dataset.plain = go.textContent;
      go.textContent = go.dataset.sure;
      go.classList.add("sure");
      show(option, option.querySelector("input").dataset.warning);
      return;
    }
    send(form, event.submitter);
  });

  /* ---- options and places ---- */

  function places(option) { return option.dataset.places ? option.dataset.places.split(" ") : []; }
  function near(option) { return option.dataset.near ? option.dataset.near.split(" ") : []; }
  function touched(option) { return [...places(option), ...near(option)]; }
  function light(names) {
    for (const one of all("[data-place]")) one.classList.toggle("lit", names.includes(one.dataset.place));
  }
  function disarm() {
    armed = null;
    const go = main.querySelector(".go.sure");
    if (go) { go.textContent = go.dataset.plain; go.classList.remove("sure"); }
  }
  function show(option, warning) {
    const line = main.querySelector(".chosen"), input = option.querySelector("input");
    if (!line || !input) return;
    const forecast = option.querySelector(".forecast");
    line.textContent = warning || [input.dataset.whole, forecast ? forecast.textContent : ""].filter(Boolean).join(" – ");
    const cancel = main.querySelector("#bar [type=reset]");
    if (cancel) cancel.hidden = false;
  }
  function choose(option) {
    const input = option.querySelector("input");
    if (!input) return;
    input.checked = true;
    chosen(option);
  }
  function chosen(option) {
    disarm();
    light(touched(option));
    show(option);
  }
  function clear() {
    disarm();
    light([]);
    filter(null);
    const line = main.querySelector(".chosen"), cancel = main.querySelector("#bar [type=reset]");
    if (line) line.textContent = "";
    if (cancel) cancel.hidden = true;
  }
  main.addEventListener("change", (event) => {
    if (event.target.name === "choice" && event.target.type === "radio") chosen(event.target.closest(".option"));
  });
  main.addEventListener("reset", () => setTimeout(clear));
  main.addEventListener("dblclick", (event) => {
    const pick = event.target.closest("label.pick");
    if (pick) pick.closest("form").requestSubmit();
  });
  for (const kind of ["pointerover", "focusin"]) main.addEventListener(kind, (event) => {
    const option = event.target.closest(".option");
    if (option) light(touched(option));
  });
  main.addEventListener("pointerout", (event) => {
    if (!event.target.closest(".option")) return;
    const kept = main.querySelector(".option:has(:checked)");
    light(kept ? touched(kept) : []);
  });

  /* A place that somebody touches: the options that lead there, or what lies there. */
  function filter(kept, label) {
    const line = main.querySelector(".filter");
    for (const option of all(".option")) option.classList.toggle("off", kept !== null && !kept.includes(option));
    for (const group of all(".group")) group.hidden = !group.querySelector(".option:not(.off)");
    if (!line) return;
    line.hidden = kept === null;
    line.querySelector(".filter-text").textContent = kept === null ? "" : `${body.dataset.here} ${label}`;
  }
  function column(place) {
    // Where options name the squares of one row, each column stands for its square.
    const named = new Set(all(".option").flatMap(places)), own = place.dataset.place;
    const grid = place.closest(".squares, .paper-board");
    if (named.has(own) || !grid || !place.dataset.column) return own;
    const other = all(`.place[data-column="${place.dataset.column}"]`, grid).find((one) => one.classList.contains("open"));
    return other ? other.dataset.place : own;
  }
  function tap(place) {
    const name = column(place), label = place.getAttribute("aria-label") || place.textContent.trim();
    let found = all(".option").filter((option) => places(option).includes(name));
    if (!found.length) found = all(".option").filter((option) => near(option).includes(name));
    for (const one of all(".tapped")) one.classList.remove("tapped");
    place.classList.add("tapped");
    if (!found.length) {
      news.textContent = `${label} – ${body.dataset.nothing}`;
      const line = main.querySelector(".filter");
      if (line) { clear(); line.hidden = false; line.querySelector(".filter-text").textContent = news.textContent; }
      return;
    }
    filter(found, label);
    if (found.length === 1) { choose(found[0]); news.textContent = main.querySelector(".chosen")?.textContent || ""; }
    else { light([name]); news.textContent = `${body.dataset.here} ${label}`; }
    const bar = main.querySelector("#options");
    const box = bar && bar.getBoundingClientRect();
    if (box && (box.top > innerHeight - 140 || box.bottom < 0)) bar.scrollIntoView({ block: "nearest", behavior: calm() });
  }
  function calm() { return matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth"; }

  main.addEventListener("click", (event) => {
    if (event.target.closest("[data-do=all]")) { filter(null); return; }
    const zoom = event.target.closest("[data-do=zoom]");
    if (zoom) {
      const frame = zoom.parentElement.querySelector(".frame"), name = frame.className.replace(" zoomed", "");
      if (!zoomed.delete(name)) zoomed.add(name);
      enlarge(true);
      return;
    }
    const place = event.target.closest("[data-place]");
    if (place && !event.target.closest(".options")) tap(place);
  });

  /* ---- keys ---- */

  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  main.addEventListener("keydown", (event) => {
    const place = event.target.closest("[role=gridcell]");
    if (place && !event.ctrlKey && !event.altKey && !event.metaKey) {
      if (WAYS[event.key]) { event.preventDefault(); walk(place, WAYS[event.key]); }
      else if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        tap(place);
        const input = main.querySelector(".option:not(.off) input, .option:not(.off) button");
        if (input && place.classList.contains("tapped") && main.querySelector(".filter:not([hidden])")) input.focus();
      } else if (event.key === "Home" || event.key === "End") {
        event.preventDefault();
        const cells = all("[role=gridcell]", place.closest("svg"));
        step(cells[event.key === "Home" ? 0 : cells.length - 1]);
      }
      return;
    }
    if (event.target.closest("#options") && /^[0-9]$/.test(event.key) && event.target.type !== "number") number(event.key);
    if (event.key === "Escape" && event.target.closest("#options")) event.target.closest("form").reset();
  });
  function walk(from, [dx, dy]) {
    const middle = (one) => { const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
    const [x, y] = middle(from);
    let best = null, least = Infinity;
    for (const one of all("[role=gridcell]", from.closest("svg"))) {
      if (one === from) continue;
      const [a, b] = middle(one), along = (a - x) * dx + (b - y) * dy, aside = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
      if (along > 1 && along + 2.5 * aside < least) { best = one; least = along + 2.5 * aside; }
    }
    if (best) step(best);
  }
  function step(cell) {
    for (const one of all("[role=gridcell]", cell.closest("svg"))) one.setAttribute("tabindex", one === cell ? "0" : "-1");
    cell.focus();
  }
  function number(digit) {
    const now = performance.now();
    typed = now - typedAt < 900 ? typed + digit : digit;
    typedAt = now;
    const option = main.querySelector(`.option[data-number="${Number(typed)}"]`);
    if (!option) return;
    choose(option);
    const input = option.querySelector("input, button");
    if (input) input.focus();
  }

  /* ---- the clock of the server ---- */

  let ends = 0;
  function clock() {
    const line = main.querySelector(".clock");
    if (!line) return;
    ends = performance.now() + Number(line.dataset.left);
  }
  setInterval(() => {
    const line = main.querySelector(".clock");
    if (!line) return;
    const left = Math.max(0, ends - performance.now()), text = line.querySelector(".clock-text");
    const said = text.dataset.text.replace("%", Math.ceil(left / 1000));
    if (text.textContent !== said) text.textContent = said;
    line.querySelector("progress").value = left;
    line.classList.toggle("late", left < 10000);
    if (left <= 0 && !line.dataset.over) { line.dataset.over = "1"; setTimeout(refresh, 700); }
  }, 200);

  /* ---- larger boards ---- */

  const zoomed = new Set();
  function enlarge(moved) {
    for (const button of all("[data-do=zoom]")) {
      const frame = button.parentElement.querySelector(".frame"), large = zoomed.has(frame.className.replace(" zoomed", ""));
      button.hidden = false;
      button.setAttribute("aria-pressed", String(large));
      frame.classList.toggle("zoomed", large);
      if (moved && large) {
        const target = frame.querySelector(".tapped, .place.open, .place.changed") || frame.querySelector(".place");
        if (target) target.scrollIntoView({ block: "nearest", inline: "center" });
      }
    }
  }

  /* ---- begin ---- */

  function begin(fresh) {
    clock();
    if (sheet().dataset.unfinished) setTimeout(refresh, 700);
    if (fresh) { armed = null; }
    const chosenNow = main.querySelector(".option:has(:checked)");
    if (chosenNow) chosen(chosenNow);
    enlarge(false);
    for (const one of all(".frame")) {
      const target = fresh && one.scrollWidth > one.clientWidth ? one.querySelector(".place.open, .place.changed") : null;
      if (target) target.scrollIntoView({ block: "nearest", inline: "center" });
    }
    if (window.layPuzzle) for (const one of all(".laying")) window.layPuzzle(one, (drawing) => {
      const form = document.getElementById("drawing");
      form.querySelector("textarea").value = drawing;
      send(form, null);
    });
  }
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
  window.addEventListener("pageshow", (event) => { if (event.persisted) refresh(); });
  window.addEventListener("online", refresh);
  begin(false);
  listen();
})();
