/* Shows the page itself instead of a message that does not hold for this guest: a link on another site sends no cookies,
   so that the server does not recognise the guest who follows it. */
"use strict";

(async () => {
  const main = document.querySelector("main.message");
  if (!main) return;
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
    if (answer.ok && fresh && fresh.textContent !== main.textContent) location.replace(location.href);
  } catch { /* The message stays. */ }
})();
