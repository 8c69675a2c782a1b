import { LABELS_DE } from './labels.de.js';
import { LABELS_FR } from './labels.fr.js';
import type { Labels } from './labels.js';

const LANGUAGES: Readonly<Record<string, Labels>> = { de: LABELS_DE, fr: LABELS_FR };

/** The labels of Swagger UI in a language; empty: they stay in English. */
export function labelsIn(language: string): Partial<Labels> {
  return LANGUAGES[language] ?? {};
}
