import { fitsAsJson } from '../../../kernel/text/json-size.js';
import type { Problems } from '../../../errors/problems.js';
import type { RequestContext } from '../request-context.js';

/** The long texts of a record, sanitised. */
interface Texts {
  readonly description?: string | null;
  readonly excerpt?: string | null;
}

/**
 * Reports texts longer than MAX_TEXT_BYTES as JSON, because a client must be able to send back what it reads. An
 * unchanged text always passes (contract 3, "Longest values"). `stored`: undefined on create.
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
