// Translates the labels of Swagger UI as they appear on the page. Runs in the browser.

/** @type {unknown} */
const SENT = JSON.parse(document.getElementById('labels')?.textContent ?? '{}');
const LABELS = /** @type {Record<string, string>} */ (SENT);

/** Labels with placeholders: `Error: {}`. */
const PATTERNS = Object.entries(LABELS)
  .filter(([label]) => label.includes('{}'))
  .map(([label, text]) => ({ pattern: new RegExp(`^${escaped(label).replaceAll('\\{\\}', '(.*)')}$`), text }));

/** Texts and examples of the document, which the server has translated already. */
const NOT_LABELS = [
  'pre, code, samp, textarea, option, .model, .opblock-summary-path',
  '.renderedMarkdown:not([class*="parameter__"], .live-responses-table *)',
].join();
const ATTRIBUTES = ['title', 'placeholder', 'aria-label'];

/**
 * @param {string} label as Swagger UI writes it
 * @returns {string} the translation, or the text itself if it is not a label
 */
export function translated(label) {
  const whole = LABELS[label];
  if (whole !== undefined) return whole;
  for (const { pattern, text } of PATTERNS) {
    const [, ...values] = pattern.exec(label) ?? [];
    if (values.length > 0) return text.replaceAll('{}', () => translated(values.shift() ?? ''));
  }
  return label;
}

/** Translates the page and everything that is added to it later. */
export function translatePage() {
  if (Object.keys(LABELS).length === 0) return;
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) for (const node of [target, ...addedNodes]) translateNode(node);
  }).observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ATTRIBUTES,
  });
  translateNode(document.body);
}

/** @param {Node} root */
function translateNode(root) {
  if (root instanceof Text) translateText(root);
  if (!(root instanceof Element)) return;
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) translateText(/** @type {Text} */ (node));
  for (const element of [root, ...root.querySelectorAll(ATTRIBUTES.map((name) => `[${name}]`).join())]) {
    for (const name of ATTRIBUTES) {
      const value = element.getAttribute(name);
      const text = translated(value ?? '');
      if (value !== null && text !== value) element.setAttribute(name, text);
    }
  }
}

/** @param {Text} node */
function translateText(node) {
  if (node.parentElement?.closest(NOT_LABELS)) return;
  if (translateParts(node.parentElement)) return;
  const label = node.data.trim();
  if (label === '') return;
  const text = node.data.replace(label, () => translated(label));
  // Only if it differs, because any assignment triggers the MutationObserver again.
  if (text !== node.data) node.data = text;
}

/**
 * Translates a label of several text nodes, such as `Add `, `string` and ` item`. Returns whether there is one.
 *
 * @param {Element | null} element
 */
function translateParts(element) {
  const parts = [...(element?.childNodes ?? [])];
  if (parts.length < 2 || !parts.every((part) => part instanceof Text)) return false;
  const label = parts
    .map(({ data }) => data)
    .join('')
    .trim();
  const text = translated(label);
  if (text === label) return false;
  for (const [place, part] of parts.entries()) part.data = place === 0 ? text : '';
  return true;
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
