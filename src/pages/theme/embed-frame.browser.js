// Tells the page around the frame how high this one is.
if (parent !== window) {
  const tell = () => parent.postMessage({ kalendsHeight: document.body.scrollHeight }, '*');
  new ResizeObserver(tell).observe(document.body);
  addEventListener('load', tell);
}
