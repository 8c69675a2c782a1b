import { withoutTags } from './plain-text.js';

/** The elements that stand in lines of their own, as far as they are allowed (contract section 3, "HTML"). */
export const BLOCK =
  'p hr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre div figure figcaption ' +
  'table caption thead tbody tfoot tr th td';

/** Stored HTML without its tags; what blocks and `br` hold apart is parted by one blank (contract section 3, "Comparing"). */
export function textIn(html: string): string {
  const pieces = html.split(BREAK);
  if (pieces.length === 1) return withoutTags(html);
  return pieces
    .map((piece) => withoutTags(piece).trim())
    .filter((piece) => piece !== '')
    .join(' ');
}

const BREAK = new RegExp(`</?(?:br|${BLOCK.replaceAll(' ', '|')})(?:[ /][^<>]*)?>`);
