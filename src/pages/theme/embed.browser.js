// Writes the frame of the calendar where its script stands, and follows the height of the page in it.
(() => {
  const script = /** @type {HTMLScriptElement | null} */ (document.currentScript);
  if (script === null) return;
  const address = new URL('./embed/', script.src);
  for (const [name, value] of Object.entries(script.dataset)) {
    if (value) address.searchParams.set(name, value);
  }
  const frame = document.createElement('iframe');
  frame.src = address.href;
  frame.title = script.title || 'Events';
  frame.style.cssText = 'border:0;width:100%;height:600px';
  script.after(frame);
  addEventListener('message', (event) => {
    if (event.origin !== address.origin || event.source !== frame.contentWindow) return;
    /** @type {unknown} */
    const message = event.data;
    const height = Number(/** @type {{ kalendsHeight?: unknown } | null} */ (message)?.kalendsHeight);
    if (height > 0) frame.style.height = `${Math.min(5000, Math.max(100, height))}px`;
  });
})();
