import { escapeUTF8 } from 'entities';

/** Characters that no XML document contains, even escaped. */
// eslint-disable-next-line no-control-regex -- removes control characters
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/** An XML element. Attributes and texts are escaped; `children` are elements. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (string | { readonly text: string })[]
): string {
  const names = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  const content = children.map((child) => (typeof child === 'string' ? child : escaped(child.text))).join('');
  return `<${name}${names.join('')}>${content}</${name}>`;
}

/** Returns a document with its declaration. */
export function xmlDocument(root: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

function escaped(text: string): string {
  return escapeUTF8(text.toWellFormed().replace(FORBIDDEN, ''));
}
