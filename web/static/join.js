/* Keeps the seats on the page of an invitation up to date: others may take one meanwhile.  The first request also
   recognises a guest who came by a link on another site, which sends no cookies.  Without it the form works too. */
"use strict";

(() => {
  const INTERVAL_MS = 2000, offer = (page) => page.getElementById("offer");
  if (!offer(document)) return;
  let shown = offer(document).outerHTML, chosen = null;
  document.addEventListener("change", (event) => { if (event.target.name === "seat") chosen = event.target.value; });

  async function refresh() {
    if (document.hidden) return;
    try {
      const answer = await fetch(`?lang=${document.documentElement.lang}`, { cache: "no-store" });
      if (!answer.ok && answer.status !== 404) return;
      const fresh = offer(new DOMParser().parseFromString(await answer.text(), "text/html"));
      if (!fresh) location.replace(location.href);
      else if (fresh.outerHTML !== shown) show(fresh);
    } catch { /* The next attempt follows. */ }
  }
  /* Show the seats on offer, with the choice as long as it is possible, and with the focus. */
  function show(fresh) {
    shown = fresh.outerHTML;
    const active = document.activeElement, focus = active && active.name === "seat" ? active.value : null;
    const seat = (value) => fresh.querySelector(`input[name=seat][value="${value}"]:enabled`);
    if (chosen !== null && seat(chosen)) seat(chosen).checked = true; else chosen = null;
    offer(document).replaceWith(document.adoptNode(fresh));
    if (focus !== null) (seat(focus) || fresh.querySelector("input:enabled") || document.body).focus({ preventScroll: true });
  }
  refresh();
  setInterval(refresh, INTERVAL_MS);
  document.addEventListener("visibilitychange", refresh);
})();
