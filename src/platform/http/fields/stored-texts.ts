import { fitsAsJson } from '../../../kernel/text/json-size.js';
import type { Problems } from '../../../errors/problems.js';
import type { RequestContext } from '../request-context.js';

/** The long texts of a record, cleaned. */
interface Texts {
  readonly description?: string | null;
  readonly excerpt?: string | null;
}

/**
 * Notes texts that are longer than MAX_TEXT_BYTES, in bytes of their JSON: what is stored must be short enough to be sent
 * back. One that is stored already stays, and may be sent back unchanged (contract 3, "Longest values"). `stored`:
 * undefined on create.
 */
export function checkTexts(
  sent: Texts,
  stored: Texts | undefined,
  { site: { maxTextBytes } }: RequestContext,
  problems: Problems,
): void {
  for (const name of ['description', 'excerpt'] as const) {
    const text = sent[name] ?? '';
    if (text === (stored?.[name] ?? '') || fitsAsJson(text, maxTextBytes)) continue;
    problems.add(name, 'rest_too_long', `must not be longer than ${maxTextBytes} bytes as JSON.`);
  }
}
