// What the tests ask of a page; runs in the browser, before the scripts of the page.

/** What is no prose: code, values, names of the interface. */
const NO_PROSE = 'pre, code, samp, textarea, option, script, style, .opblock-summary-path, .parameter__name, .base-url';

/** `GET /events` and so on, in the order of the page, by tag. */
function operations() {
  const partsOf = (/** @type {Element} */ operation) =>
    ['.opblock-summary-method', '.opblock-summary-path'].map(
      (part) => operation.querySelector(part)?.textContent ?? '',
    );
  return [...document.querySelectorAll('.opblock-tag-section')].map((section) => [
    section.querySelector('.opblock-tag')?.getAttribute('data-tag') ?? '',
    // Swagger UI allows line breaks at the slashes.
    [...section.querySelectorAll('.opblock')].map((operation) => partsOf(operation).join(' ').replaceAll('\u200b', '')),
  ]);
}

/** What a reader sees, and what is read out. */
function texts() {
  const found = /** @type {Set<string>} */ (new Set());
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (parent?.closest(NO_PROSE) === null && parent.checkVisibility()) found.add(walker.currentNode.textContent ?? '');
  }
  for (const name of ['title', 'aria-label', 'placeholder'])
    for (const element of document.querySelectorAll(`[${name}]`)) found.add(element.getAttribute(name) ?? '');
  return [...found].map((text) => text.replace(/\s+/g, ' ').trim());
}

/** @type {(element: Element | null) => boolean} */
function scrolls(element) {
  if (element === null) return false;
  return ['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement);
}

/** @type {(element: Element) => boolean} */
function isBeyondWindow(element) {
  const { left, right, width } = element.getBoundingClientRect();
  return (
    width > 0 && (right > document.documentElement.clientWidth + 1 || left < -1) && !scrolls(element.parentElement)
  );
}

/** Whether the choice of a select is longer than its box. */
function isCutChoice(/** @type {HTMLSelectElement} */ select) {
  const { font, paddingLeft, paddingRight } = getComputedStyle(select);
  const canvas = document.createElement('canvas').getContext('2d');
  if (canvas === null || select.clientWidth === 0) return false;
  canvas.font = font;
  const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  return canvas.measureText(select.selectedOptions[0]?.text ?? '').width > room + 1;
}

/** Whether a button of an answer covers the one before it. */
function isCovering(/** @type {Element} */ button) {
  const below = button.previousElementSibling?.getBoundingClientRect();
  const box = button.getBoundingClientRect();
  return (
    below !== undefined &&
    box.left < below.right &&
    below.left < box.right &&
    box.top < below.bottom &&
    below.top < box.bottom
  );
}

/** What reaches beyond the window or its box, or is covered; what stands in a part that scrolls can be seen. */
function cut() {
  const beyond = [...document.body.querySelectorAll('*')].filter(
    (element) => isBeyondWindow(element) && element.checkVisibility(),
  );
  const covering = [...document.querySelectorAll('.highlight-code > .download-contents')].filter(isCovering);
  const choices = [...document.querySelectorAll('select')].filter(isCutChoice);
  return [
    ...(document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['the page'] : []),
    ...beyond.map(({ tagName, className, textContent }) => `${tagName} ${className}: ${textContent?.slice(0, 40)}`),
    ...covering.map(({ textContent }) => `covering: ${textContent}`),
    ...choices.map(({ value }) => `choice: ${value}`),
  ];
}

addEventListener('securitypolicyviolation', ({ violatedDirective }) => console.error(`policy: ${violatedDirective}`));
Object.assign(globalThis, { reading: { operations, texts, cut } });
