import { Injectable } from '@nestjs/common';
import type { ApiError } from '../errors/api-error.js';
import type { KalendsRequest } from '../platform/http/request.js';
import type { ErrorPage } from '../platform/http/responses/error-page.js';
import { PageFrames } from './page.frame.js';
import { htmlOf, pageHeaders } from './page.reply.js';
import type { Frame } from './views/frame.js';
import { ProblemPage, type ProblemContent } from './views/problem.js';
import type { Words } from './words.js';

/** Errors as pages. They read nothing from the database, which may be what failed. */
@Injectable()
export class ProblemPages {
  constructor(private readonly frames: PageFrames) {}

  of(error: ApiError, request: KalendsRequest): ErrorPage {
    const frame = this.frames.of(request);
    const { site } = request.context.urls;
    const content = contentOf(error, request, frame);
    return {
      html: htmlOf(<ProblemPage frame={frame} canonical={`${site}/`} content={content} />),
      headers: pageHeaders(),
    };
  }
}

function contentOf(error: ApiError, request: KalendsRequest, frame: Frame): ProblemContent {
  const { words } = frame;
  const { code } = error;
  const status = error.getStatus();
  if (status === 429) {
    const seconds = Number(error.extras.headers?.['Retry-After'] ?? 1);
    return { title: words.of('problem.429'), text: words.count('problem.429.text', seconds) };
  }
  const known = KNOWN.find((one) => one === status);
  if (known === undefined) return { title: words.of('problem.other'), text: words.of('problem.other.text') };
  const values = { fields: fieldsOf(error, words), id: request.requestId };
  const isBeyond = code.endsWith('-archive-page-not-found') && request.page !== undefined;
  return {
    title: words.of(`problem.${known}`),
    text: words.of(`problem.${known}.text`, values),
    firstPage: isBeyond && request.page !== undefined ? frame.link(request.page.path) : undefined,
  };
}

const KNOWN = [400, 404, 405, 413, 414, 500, 503] as const;
/** The names of the query where they differ from those of the API. */
const FIELDS = {
  page: 'field.page',
  search: 'field.q',
  q: 'field.q',
  limit: 'field.limit',
  view: 'field.view',
  month: 'field.month',
  theme: 'field.theme',
} as const;

function fieldsOf({ extras }: ApiError, words: Words): string {
  const names = Object.keys(extras.data?.params ?? {});
  const texts = names.map((name) => words.of(name in FIELDS ? FIELDS[name as keyof typeof FIELDS] : 'field.other'));
  return (texts.length === 0 ? [words.of('field.other')] : texts).join(', ');
}
