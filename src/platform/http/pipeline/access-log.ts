import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Log } from '../../observability/log.js';
import { Metrics } from '../../observability/metrics.js';
import { Tracing } from '../../observability/tracing.js';
import { traceOf } from '../../observability/trace-context.js';
import type { KalendsRequest } from '../request.js';

/** Logs one line per request, without headers, passwords and tokens (contract 5.6). */
@Injectable()
export class AccessLog {
  constructor(
    private readonly log: Log,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
  ) {}

  follow(request: KalendsRequest, response: Response): void {
    const end = this.metrics.begin(request.method);
    const began = performance.now();
    const { method, originalUrl, requestId, clientAddress } = request;
    const trace = { ...traceOf(request.headers.traceparent), ...this.tracing.ids() };
    response.once('close', () => {
      const ms = Math.round((performance.now() - began) * 10) / 10;
      const status = response.writableFinished ? response.statusCode : 499;
      end(request.matched?.path, status);
      this.log.info(
        { requestId, ...trace, clientAddress, method, url: withoutSecrets(originalUrl), status, ms },
        'request',
      );
    });
  }
}

/** Returns the URL with passwords and tokens redacted, even if their names are percent-encoded. */
export function withoutSecrets(url: string): string {
  const [path = '', ...rest] = url.split('?');
  if (rest.length === 0) return path;
  const pairs = rest
    .join('?')
    .split('&')
    .map((pair) => (hasSecret(pair) ? `${pair.split('=', 1)[0]}=[redacted]` : pair));
  return `${path}?${pairs.join('&')}`;
}

function hasSecret(pair: string): boolean {
  const name = pair.split('=', 1)[0] as string;
  return /password|token|authorization/i.test(unescaped(name));
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  }
}
