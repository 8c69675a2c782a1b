import { Injectable } from '@nestjs/common';
import type { ApiError } from '../../../errors/api-error.js';
import type { KalendsRequest } from '../request.js';

/** An error as people see it. */
export interface ErrorPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes the HTML of errors outside the mounts. The module of the pages sets how; without it errors are JSON. */
@Injectable()
export class ErrorPages {
  private render: ((error: ApiError, request: KalendsRequest) => ErrorPage | undefined) | undefined;

  /** Sets how an error is shown. For providers in `onModuleInit`. `render` must not read the database. */
  use(render: (error: ApiError, request: KalendsRequest) => ErrorPage | undefined): void {
    this.render = render;
  }

  /** Returns the page of an error, or undefined if the client gets JSON: it must ask for HTML by name (pages P4.8). */
  of(error: ApiError, request: KalendsRequest): ErrorPage | undefined {
    const { render } = this;
    const isOutside = request.context !== undefined && request.routePath === undefined && !request.namespaces;
    return render !== undefined && isOutside && asksForHtml(request) ? render(error, request) : undefined;
  }
}

function asksForHtml(request: KalendsRequest): boolean {
  const isNamed = /\btext\/(html|\*)/i.test(request.headers.accept ?? '');
  return isNamed && request.accepts(['application/json', 'text/html']) === 'text/html';
}
