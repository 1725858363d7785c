/* Live updates of the table page: fetches the viewer's part of the page when there is a new version, highlights the
   locations an option affects, and selects options by clicks on the board.  Without it every page works as a form. */
"use strict";

(() => {
  const main = document.getElementById("table");
  if (!main) return;
  const body = document.body, news = document.getElementById("news"), trouble = document.getElementById("trouble");
  const key = body.dataset.key;
  let version = Number(sheet().dataset.version), fetching = null, again = false, sending = false, source = null;
  let poll = 0, lost = 0, armed = null, typed = "", typedAt = 0, heard = version;
  // True after a submission until the next input: the next update then scrolls to the part that matters.
  let led = false;
  for (const kind of ["wheel", "touchstart", "pointerdown", "keydown"]) addEventListener(kind, () => { led = false; }, { passive: true });

  function sheet() { return document.getElementById("sheet"); }
  function all(selector, inside = main) { return [...inside.querySelectorAll(selector)]; }

  /* ---- updates ---- */

  async function refresh() {
    if (fetching) { again = true; return fetching; }
    fetching = (async () => {
      try {
        const shown = sheet(), query = shown.dataset.unfinished ? "" : `?version=${version}`;
        const answer = await fetch(key + "/part" + query, { headers: { "X-Part": "1" }, cache: "no-store" });
        if (answer.status === 200) {
          const text = await answer.text();
          await released();
          swap(text);
        }
        else if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) { location.reload(); return; }
        if (answer.status < 400) reached();
      } catch { unreached(); } finally { fetching = null; }
      if (again) { again = false; await refresh(); }
    })();
    return fetching;
  }

  /* Wait until no pointer is pressed: a click is lost if its target is replaced between press and release. */
  const LONGEST_PRESS = 1000;
  let pressed = false, ended = 0;
  const press = (down) => { clearTimeout(ended); pressed = down; };
  addEventListener("pointerdown", () => press(true), true);
  for (const kind of ["click", "pointercancel"]) addEventListener(kind, () => press(false), true);
  // On touch screens the click follows in a later task; a press that moved off its target ends without a click.
  addEventListener("pointerup", () => { clearTimeout(ended); ended = setTimeout(press, 100, false); }, true);
  async function released() {
    const last = performance.now() + LONGEST_PRESS;
    while (pressed && performance.now() < last) await new Promise((done) => setTimeout(done, 20));
  }

  function listen() {
    if (!window.EventSource) { poll = setInterval(refresh, 3000); return; }
    source = new EventSource(key + "/events");
    source.onmessage = (event) => {
      reached();
      let now = NaN;
      try { now = JSON.parse(event.data).version; } catch { return; }
      heard = Math.max(heard, now);
      // The answer to a submission contains the new part; later versions are fetched after it.
      if (now !== version && !sending) refresh();
    };
    source.onerror = () => {
      // The browser reconnects by itself, but not after every error status.
      if (!poll) poll = setInterval(() => { refresh(); if (source.readyState === 2) { source.close(); stop(); listen(); } }, 4000);
    };
    source.onopen = () => { stop(); reached(); };
  }
  function stop() { clearInterval(poll); poll = 0; }
  function reached() { clearTimeout(lost); lost = 0; trouble.hidden = true; }
  function unreached() {
    if (!lost) lost = setTimeout(() => { trouble.textContent = body.dataset.wrong; trouble.hidden = false; }, 1500);
  }

  /* Replace the old part by the new one.  Unchanged sections are kept, to avoid flicker and interrupted input.  In the
     others the focus, open details, typed text and scroll positions are restored, and the choice if the question is the
     same. */
  function swap(text, own) {
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("sheet");
    // The server has been updated: the part needs a different script.
    if (!fresh || fresh.dataset.made !== sheet().dataset.made) { location.reload(); return; }
    // Ignore an answer that arrives after a newer one.
    if (Number(fresh.dataset.version) < version) return;
    const old = sheet(), same = fresh.dataset.version === old.dataset.version;
    const part = old.querySelector("input[name=part]");
    // Late forecasts do not interrupt a choice made part by part.
    if (same && part && !fresh.querySelector("input[name=part]")) return;
    const asked = question(old) === question(fresh), laying = old.querySelector(".puzzle") !== null;
    const focus = mark(document.activeElement), seen = inView(old), kept = keep(asked);
    if (!asked) { armed = null; for (const form of all("form.options, form.counts")) form.reset(); }
    learn(fresh);
    for (const name of ["class", "data-version", "data-title", "data-since", "data-unfinished"]) {
      if (fresh.hasAttribute(name)) old.setAttribute(name, fresh.getAttribute(name)); else old.removeAttribute(name);
    }
    patch(old, fresh);
    version = Number(fresh.dataset.version);
    restore(kept);
    begin(!same && !asked);
    const target = find(focus);
    if (target && target !== document.activeElement) target.focus({ preventScroll: true });
    // After a submission, or if the focused element is gone, the focus moves to the question.
    const ask = document.getElementById("question");
    if ((own || focus) && document.activeElement === body && ask) ask.focus({ preventScroll: true });
    const puzzle = main.querySelector(".puzzle");
    // A new puzzle is scrolled into view, because its clock is running.
    if (puzzle && !laying) puzzle.scrollIntoView({ block: "start" });
    else if (led && !asked) lead();
    else if (seen) {
      const here = main.querySelector(seen[0]);
      if (here) window.scrollBy(0, here.getBoundingClientRect().top - seen[1]);
    }
    if (!same) announce();
  }

  /* Scroll to the part that matters: the end, the news, the hints of a lesson, the question, or the board while others
     decide. */
  function lead() {
    const part = sheet(), first = ["over", "mine"].find((name) => part.classList.contains(name));
    const goals = [first === "over" ? ".ending" : ".news", ".lesson", first ? ".question" : ".boards"];
    const goal = goals.map((name) => part.querySelector(name)).find(Boolean);
    const box = goal && goal.getBoundingClientRect();
    if (box && (box.top < 0 || box.bottom > innerHeight)) scrollBy(0, box.top - 8);
  }

  /* Return the selector and position of the option or section in view; null at the top of the page. */
  function inView(part) {
    if (window.scrollY <= 0) return null;
    const top = (one) => one.getBoundingClientRect().top, seen = (one) => top(one) >= 0 && top(one) < innerHeight;
    const options = all(".option:not(.off)", part).filter(seen);
    const option = options.find((one) => one.matches(":focus-within, :has(:checked)")) || options[0];
    if (option) return [`.option[data-number="${option.dataset.number}"]`, top(option)];
    const one = [...part.children].find((each) => each.getBoundingClientRect().bottom > 40);
    return one ? [one.id ? "#" + one.id : "#sheet > ." + one.classList[0], top(one)] : null;
  }

  /* Return a key of the question: the viewer's last decision, the title, the chosen parts and the options. */
  function question(part) {
    const title = part.querySelector("#question-title"), values = all("[name=choice]", part).map((one) => one.value);
    const before = part.querySelector("input[name=part]");
    return JSON.stringify([part.dataset.since, title ? title.textContent : "", before ? before.value : "", values]);
  }

  /* HTML of each section as received, so that changes made by the script do not count as differences. */
  const told = new WeakMap();
  function learn(part) {
    for (const one of [...part.children, ...all(".puzzle > *", part)]) told.set(one, plain(one));
  }
  function plain(one) {
    return one.outerHTML.replace(/(name="(?:once|version)" value=")[^"]*/g, "$1");
  }
  function sort(one) { return one.tagName + (one.id ? "#" + one.id : "." + (one.classList[0] || "")); }
  function patch(old, fresh) {
    const known = new Map([...old.children].map((one) => [sort(one), one]));
    const next = [...fresh.children].map((one) => {
      const before = known.get(sort(one));
      if (!before) return one;
      if (told.get(before) === told.get(one)) { renew(before, one); return before; }
      // Keep the pieces of a puzzle in progress.
      if (before.matches(".laying") && before.dataset.puzzle === one.dataset.puzzle) return before;
      if (before.matches(".puzzle")) { patch(before, one); told.set(before, told.get(one)); return before; }
      return one;
    });
    for (const one of [...old.children]) if (!next.includes(one)) one.remove();
    let at = old.firstElementChild;
    for (const one of next) {
      if (one === at) at = at.nextElementSibling;
      else old.insertBefore(one.ownerDocument === document ? one : document.adoptNode(one), at);
    }
  }
  /* Update the hidden fields (version and form id) of a kept section. */
  function renew(old, fresh) {
    const from = all("input[type=hidden]", fresh);
    all("input[type=hidden]", old).forEach((one, number) => { one.value = from[number].value; });
  }

  function named(details) { return details.querySelector("summary").getAttribute("aria-label") || details.className; }
  function framed(frame) { return frame.className.replace(" zoomed", ""); }
  function keep(asked) {
    const filtered = main.querySelector(".filter:not([hidden]) .filter-text"), place = main.querySelector(".place.tapped");
    const chosen = asked ? main.querySelector("input[name=choice]:checked") : null;
    return {
      open: all("details[open]").map(named),
      values: all("input[type=number], textarea").filter((one) => one.id && (asked || one.matches("textarea"))).map((one) => [one.id, one.value]),
      frames: all(".frame").map((one) => [framed(one), one.scrollLeft, one.scrollTop]),
      chosen: chosen && chosen.value, armed: Boolean(armed), place: asked && place ? place.dataset.place : null,
      filter: asked && filtered ? [filtered.textContent, all(".option:not(.off)").map((one) => one.dataset.number)] : null,
    };
  }
  function restore(kept) {
    for (const one of all("details")) if (kept.open.includes(named(one))) one.open = true;
    for (const [id, value] of kept.values) { const one = document.getElementById(id); if (one && value) one.value = value; }
    for (const [name, left, down] of kept.frames) {
      const one = all(".frame").find((frame) => framed(frame) === name);
      if (one && zoomed.has(name)) one.classList.add("zoomed");
      if (one && (one.scrollLeft !== left || one.scrollTop !== down)) one.scrollTo(left, down);
    }
    if (kept.chosen) for (const one of all("input[name=choice]")) if (one.value === kept.chosen) one.checked = true;
    if (kept.place) for (const one of all(".place")) one.classList.toggle("tapped", one.dataset.place === kept.place);
    if (kept.filter) {
      filter(all(".option").filter((one) => kept.filter[1].includes(one.dataset.number)), "");
      const line = main.querySelector(".filter-text");
      if (line) line.textContent = kept.filter[0];
    }
    const option = main.querySelector(".option.risky:has(:checked)");
    if (kept.armed && kept.chosen && option && armed !== option) arm(option);
  }

  function mark(one) {
    if (!one || one === body || !main.contains(one)) return null;
    if (one.id) return "#" + CSS.escape(one.id);
    const own = (name) => `[${name}="${CSS.escape(one.getAttribute(name))}"]`;
    if (one.name && one.value) return `[name="${CSS.escape(one.name)}"][value="${CSS.escape(one.value)}"]`;
    const frame = one.closest(".frame");
    if (one.dataset.place) return (frame ? "." + [...frame.classList].filter((name) => name !== "zoomed").join(".") + " " : "") + own("data-place");
    if (one.dataset.do) return `[data-do="${one.dataset.do}"]`;
    if (one.hasAttribute("aria-label")) return one.tagName + own("aria-label");
    const holder = one.closest("[id]");
    if (!holder || holder.id === "sheet") return "#question";
    const inside = one.type === "submit" ? " .go" : one.tagName === "SUMMARY" ? " summary" : "";
    return "#" + CSS.escape(holder.id) + inside;
  }
  function find(selector) {
    if (!selector) return null;
    return main.querySelector(selector) || document.getElementById("question");
  }

  let announced = "";
  function announce() {
    const lines = all("#digest li").map((one) => one.textContent);
    const question = main.querySelector("#puzzle-title, #question-title, #ending-title");
    const now = [...lines, question ? question.textContent : ""].join(" ");
    // Do not repeat the last announcement if only the presence of players has changed.
    if (now !== announced) news.textContent = announced = now;
    document.title = sheet().dataset.title || document.title;
  }

  /* ---- submitting each form once ---- */

  async function send(form, button) {
    if (sending) return;
    sending = led = true;
    const data = new URLSearchParams(new FormData(form));
    if (button && button.name) data.append(button.name, button.value);
    for (const one of all("button", form)) one.disabled = true;
    try {
      const answer = await fetch(form.action, { method: "POST", body: data, headers: { "X-Part": "1" } });
      const text = await answer.text();
      sending = false;
      for (const one of all("button", form)) one.disabled = false;
      if (text.includes('id="sheet"')) { swap(text, true); reached(); } else if (answer.ok) await refresh();
      else location.reload();
      if (heard > version) refresh();
    } catch {
      sending = false;
      unreached();
      if (heard > version) refresh();
      for (const one of all("button", form)) one.disabled = false;
    }
  }

  main.addEventListener("submit", (event) => {
    const form = event.target, option = form.querySelector(".option:has(:checked)");
    event.preventDefault();
    if (option && option.classList.contains("risky") && armed !== option) {
      // A risky option must be confirmed.
      arm(option);
      return;
    }
    send(form, event.submitter);
  });

  /* ---- options and locations ---- */

  function places(option) { return option.dataset.places ? option.dataset.places.split(" ") : []; }
  function near(option) { return option.dataset.near ? option.dataset.near.split(" ") : []; }
  function touched(option) { return [...places(option), ...near(option)]; }
  function light(names) {
    for (const one of all("[data-place]")) one.classList.toggle("lit", names.includes(one.dataset.place));
    for (const one of all("[data-part]")) one.classList.toggle("lit", names.includes(one.dataset.part) && Boolean(one.closest(".place.lit")));
  }
  function arm(option) {
    const go = option.closest("form").querySelector(".go");
    armed = option;
    if (!go.classList.contains("sure")) go.dataset.plain = go.textContent;
    go.textContent = go.dataset.sure;
    go.classList.add("sure");
    show(option, option.querySelector("input").dataset.warning);
  }
  function disarm() {
    armed = null;
    const go = main.querySelector(".go.sure");
    if (go) { go.textContent = go.dataset.plain; go.classList.remove("sure"); }
  }
  function show(option, warning) {
    const line = main.querySelector(".chosen"), input = option.querySelector("input");
    if (!line || !input) return;
    const forecast = option.querySelector(".forecast") || option.parentElement.querySelector(":scope > .shared") || main.querySelector("#options > .shared");
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
  main.addEventListener("reset", () => setTimeout(() => { clear(); counting(); }));
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

  /* Show only the given options, for example those of a clicked location; null shows all. */
  function filter(kept, label) {
    const line = main.querySelector(".filter");
    for (const option of all(".option")) option.classList.toggle("off", kept !== null && !kept.includes(option));
    for (const group of all(".group")) group.hidden = !group.querySelector(".option:not(.off)");
    if (!line) return;
    line.hidden = kept === null;
    line.querySelector(".filter-text").textContent = kept === null ? "" : `${body.dataset.here} ${label}`;
  }
  function column(place) {
    // If the options name squares of one row, a click anywhere in a column means its square.
    const named = new Set(all(".option").flatMap(places)), own = place.dataset.place;
    const grid = place.closest(".squares, .paper-board");
    if (named.has(own) || !grid || !place.dataset.column) return own;
    const other = all(`.place[data-column="${place.dataset.column}"]`, grid).find((one) => one.classList.contains("open"));
    return other ? other.dataset.place : own;
  }
  /* Handle a click on a location; a clicked part of it narrows the options further. */
  function tap(place, part) {
    const name = column(place), label = place.getAttribute("aria-label") || place.textContent.trim();
    let found = all(".option").filter((option) => places(option).includes(name));
    if (!found.length) found = all(".option").filter((option) => near(option).includes(name));
    const there = part ? found.filter((option) => places(option).includes(part.dataset.part)) : [];
    if (there.length) found = there;
    for (const one of all(".tapped")) one.classList.remove("tapped");
    for (const one of all(".here")) one.hidden = true;
    place.classList.add("tapped");
    if (!found.length) { lies(place, label); return; }
    if (found.length === 1 && more(found[0])) return;
    filter(there.length === 1 ? null : found, place.querySelector(".name")?.textContent.trim() || label);
    if (found.length === 1) { choose(found[0]); news.textContent = main.querySelector(".chosen")?.textContent || ""; }
    else { light([name]); news.textContent = `${body.dataset.here} ${label}`; }
    const form = main.querySelector("#options"), bar = main.querySelector("#bar");
    // The only option can be confirmed without scrolling if the bar is fixed on the screen.
    if (found.length === 1 && bar && getComputedStyle(bar).position === "fixed") return;
    const box = form && form.getBoundingClientRect();
    if (box && (box.top > innerHeight - 140 || box.bottom < 0)) form.scrollIntoView({ block: "nearest", behavior: calm() });
  }
  /* For a location without options, describe its contents below the board. */
  function lies(place, label) {
    const line = place.closest(".framed")?.querySelector(".here"), asked = main.querySelector("#options");
    if (asked) clear();
    news.textContent = [`${body.dataset.lies}: ${label}`, asked ? body.dataset.nothing : ""].filter(Boolean).join(". ");
    if (!line) return;
    const heading = document.createElement("strong");
    heading.textContent = body.dataset.lies;
    line.replaceChildren(heading, " ", label, ...(asked ? [document.createElement("br"), body.dataset.nothing] : []));
    line.hidden = false;
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
    if (place && !event.target.closest(".options")) tap(place, event.target.closest("[data-part]"));
  });

  /* ---- news and their locations ---- */

  /* Hide the older news if the question below would otherwise not be on the screen (up to the share MUCH of its
     height).  At least LINES lines remain, and a button shows all. */
  const LINES = 6, MUCH = 0.65, wide = matchMedia("(min-width: 56rem)");
  function shorten() {
    const digest = document.getElementById("digest"), button = main.querySelector("[data-do=whole]");
    if (!digest || !button || button.dataset.read) return;
    const lines = [...digest.children], ask = document.getElementById("question");
    for (const one of lines) one.hidden = false;
    const free = 0.9 * innerHeight - digest.getBoundingClientRect().top - scrollY - Math.min(ask?.offsetHeight || 0, MUCH * innerHeight);
    const room = Math.max(free, 1.25 * LINES * parseFloat(getComputedStyle(digest).lineHeight));
    const few = wide.matches && sheet().classList.contains("mine");
    while (few && lines.length > 1 && digest.getBoundingClientRect().height > room) lines.shift().hidden = true;
    button.hidden = !digest.querySelector("[hidden]");
  }
  wide.addEventListener("change", shorten);
  main.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do=whole]");
    if (!button) return;
    for (const one of all("#digest li")) one.hidden = false;
    button.dataset.read = "1";
    button.hidden = true;
    document.getElementById("digest").querySelector("button")?.focus({ preventScroll: true });
  });

  /* Turn lines of the digest that refer to locations into buttons that show these on the board. */
  function tellable() {
    for (const line of all("#digest li[data-about], .advice[data-about]")) {
      if (line.querySelector("button") || !spoken(line).length) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "telling";
      button.append(...line.childNodes);
      line.append(button);
    }
  }
  function spoken(line) {
    const names = line.dataset.about.split(" ");
    return all(".boards [data-place]").filter((one) => names.includes(one.dataset.place));
  }
  function point(line) {
    const found = line ? spoken(line) : [];
    for (const one of all("[data-place].spoken, [data-place].flash")) if (!found.includes(one)) one.classList.remove("spoken", "flash");
    for (const one of found) one.classList.add("spoken");
    return found;
  }
  function flash(line) {
    const found = point(line), first = found[0], box = first && first.getBoundingClientRect();
    if (!first) return;
    if (box.top < 0 || box.bottom > innerHeight || box.left < 0 || box.right > innerWidth) {
      first.scrollIntoView({ block: "center", inline: "center", behavior: calm() });
    }
    for (const one of found) {
      one.classList.remove("flash");
      one.getBoundingClientRect();
      one.classList.add("flash");
    }
    const names = found.map((one) => (one.getAttribute("aria-label") || one.querySelector(".line-name")?.textContent || "").trim());
    news.textContent = names.filter(Boolean).join(". ");
  }
  for (const kind of ["pointerover", "focusin"]) main.addEventListener(kind, (event) => {
    const line = event.target.closest(".telling");
    if (line) point(line.parentElement);
  });
  for (const kind of ["pointerout", "focusout"]) main.addEventListener(kind, (event) => {
    // After a touch, the mark stays until another line is touched.
    if (event.target.closest(".telling") && event.pointerType !== "touch") point(null);
  });
  main.addEventListener("click", (event) => {
    const line = event.target.closest(".telling");
    if (line) flash(line.parentElement);
  });

  /* ---- counts of a repeated question ---- */

  function count(form) {
    const fields = all("input[type=number]", form), sum = fields.reduce((n, one) => n + (Number(one.value) || 0), 0);
    const times = Number(form.dataset.times), line = form.querySelector(".counted");
    for (const button of all("[data-step]", form)) {
      const field = button.parentElement.querySelector("input"), value = Number(field.value) || 0;
      button.hidden = false;
      // A disabled button would lose the focus, so only aria-disabled is set.
      button.setAttribute("aria-disabled", String(button.dataset.step === "1" ? sum >= times || value >= Number(field.max) : value <= 0));
    }
    const said = form.dataset.sum.replace("%", sum);
    if (line.textContent !== said) line.textContent = said;
    form.querySelector(".go").disabled = sum < 1 || sum > times || !fields.every((one) => one.validity.valid);
  }
  /* If the form of counts is open, a click on the board increases the count of the option. */
  function more(option) {
    const input = option.querySelector("input"), form = main.querySelector(".several[open] .counts");
    const field = input && form && all("input[type=number]", form).find((one) => one.name === "count " + input.value);
    if (!field) return false;
    field.parentElement.querySelector("[data-step='1']").click();
    light(touched(option));
    news.textContent = `${input.dataset.whole}: ${field.value}`;
    return true;
  }
  function counting() { for (const form of all(".counts")) count(form); }
  main.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    const field = button.parentElement.querySelector("input");
    field.value = Math.max(0, (Number(field.value) || 0) + Number(button.dataset.step));
    count(button.form);
  });
  main.addEventListener("input", (event) => { if (event.target.closest(".counts")) count(event.target.form); });

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
    if (event.target.closest("#question") && /^[0-9]$/.test(event.key) && event.target.type !== "number" && !event.ctrlKey && !event.altKey && !event.metaKey) number(event.key);
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

  /* ---- clock ---- */

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

  const zoomed = new Set(), READABLE = 11, LARGEST = 8;
  function enlarge(moved) {
    for (const button of all("[data-do=zoom]")) {
      const frame = button.parentElement.querySelector(".frame"), large = zoomed.has(frame.className.replace(" zoomed", ""));
      button.hidden = false;
      button.setAttribute("aria-pressed", String(large));
      frame.classList.toggle("zoomed", large);
      magnify(frame, large);
      if (moved && large) {
        const target = frame.querySelector(".tapped, .place.open, .place.changed") || frame.querySelector(".place");
        if (target) target.scrollIntoView({ block: "nearest", inline: "center" });
      }
    }
  }

  /* Enlarge a board until its smallest letters are legible. */
  function magnify(frame, large) {
    const board = frame.querySelector(".board");
    if (!board) return;
    board.style.width = "";
    const letters = large ? all("text", board).map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a) : [];
    const least = Math.min(...letters, Infinity), wide = board.getBoundingClientRect().width;
    if (least < READABLE) board.style.width = `${Math.min(LARGEST * frame.clientWidth, Math.ceil(wide * READABLE / least))}px`;
  }

  /* ---- begin ---- */

  function begin(fresh) {
    clock();
    if (sheet().dataset.unfinished) setTimeout(refresh, 700);
    const chosenNow = main.querySelector(".option:has(:checked)");
    if (chosenNow && chosenNow !== armed) chosen(chosenNow);
    else if (armed) light(touched(armed));
    enlarge(false);
    counting();
    tellable();
    shorten();
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
  learn(sheet());
  begin(false);
  listen();
})();
