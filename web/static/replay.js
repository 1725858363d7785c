/* Replay of a finished game with the keys: each step replaces the previous one in the page. */
"use strict";

(() => {
  const main = document.getElementById("replay"), WAYS = { ArrowLeft: "before", ArrowRight: "next", Home: "first", End: "last" };
  if (!main) return;
  let going = 0;

  async function go(address, push) {
    const number = ++going, focus = document.activeElement && document.activeElement.id;
    try {
      const answer = await fetch(address, { cache: "no-store" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const step = page.getElementById("step");
      // After several fast requests, only the answer to the last one is shown.
      if (number !== going) return;
      if (!answer.ok || !step) { location.assign(address); return; }
      put(document.adoptNode(step));
      document.title = page.title;
      if (push) history.pushState(null, "", address);
      const target = focus && document.getElementById(focus);
      if (target) target.focus({ preventScroll: true });
      ready();
    } catch { location.assign(address); }
  }
  /* Replace the step but keep the element of the log, so that screen readers announce its new text. */
  function put(step) {
    const old = document.getElementById("step"), told = old.querySelector("#told"), fresh = step.querySelector("#told");
    told.replaceChildren(...fresh.childNodes);
    fresh.replaceWith(told.cloneNode(false));
    old.dataset.number = step.dataset.number;
    const next = [...step.children].map((one) => (one.id === "told" ? told : one));
    for (const one of [...old.children]) if (one !== told) one.remove();
    for (const one of next.slice(0, next.indexOf(told))) old.insertBefore(one, told);
    old.append(...next.slice(next.indexOf(told) + 1));
  }
  function ready() {
    for (const one of main.querySelectorAll(".keys")) one.hidden = false;
  }

  main.addEventListener("click", (event) => {
    const link = event.target.closest("a.way[href], a.view");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    go(link.href, true);
  });
  main.addEventListener("submit", (event) => {
    event.preventDefault();
    go(`${event.target.action}?${new URLSearchParams(new FormData(event.target))}`, true);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select")) return;
    const way = WAYS[event.key] && document.getElementById(`way-${WAYS[event.key]}`);
    if (!way) return;
    event.preventDefault();
    if (way.href) go(way.href, true);
  });
  window.addEventListener("popstate", () => go(location.href, false));
  ready();
})();
