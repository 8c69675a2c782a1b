import { Injectable } from '@nestjs/common';
import express, { type RequestHandler, type Response } from 'express';
import { Environment } from '../config/environment.js';
import { apiError } from '../errors/api-error.js';
import { invalidJson, parseJsonBody } from './json-body.js';
import { parseQueryString, TooManyParameters } from './query-string.js';
import { announcesBody, readOff } from './read-off.js';
import { isSafe } from './methods.js';
import type { KalendsRequest } from './request.js';
import type { Stage } from './stage.js';

const READERS = { json: parseJsonBody, form: parseForm };

/** Reads JSON and form bodies (contract 2.1); bodies of reads count for nothing. */
@Injectable()
export class BodyStage implements Stage {
  private readonly readBytes: RequestHandler;
  private readonly mostBytes: number;

  constructor(environment: Environment) {
    this.mostBytes = environment.MAX_BODY_BYTES;
    this.readBytes = express.raw({ type: () => true, limit: this.mostBytes });
  }

  async handle(request: KalendsRequest, response: Response): Promise<boolean> {
    request.bodyValues = {};
    const form = formOf(request.headers['content-type']);
    if (isSafe(request.method) || !announcesBody(request)) {
      await readOff(request);
    } else if (form === undefined) {
      if ((await readOff(request)) > 0) throw apiError('rest_unsupported_media_type');
    } else {
      const bytes = await this.bytesOf(request, response);
      request.bodyValues = bytes.length === 0 ? {} : READERS[form](bytes);
    }
    return false;
  }

  private async bytesOf(request: KalendsRequest, response: Response): Promise<Buffer> {
    await new Promise<void>((resolve, reject) => {
      // The parser would read a body without a length to its end before it refuses it for its size.
      let size = 0;
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > this.mostBytes) reject(apiError('rest_body_too_large'));
      });
      this.readBytes(request, response, (error?: unknown) =>
        error instanceof Error ? reject(translate(error)) : resolve(),
      );
    });
    const body: unknown = request.body;
    return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  }
}

function formOf(contentType: string | undefined): keyof typeof READERS | undefined {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters.map(charsetOf).find(Boolean);
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') return undefined;
  if (/^\s*application\/(json|[\w.+-]+\+json)\s*$/.test(type)) return 'json';
  return type.trim() === 'application/x-www-form-urlencoded' ? 'form' : undefined;
}

/** The value of `charset = "utf-8"`; undefined: another parameter. */
function charsetOf(parameter: string): string | undefined {
  const [name = '', ...rest] = parameter.split('=');
  return name.trim() === 'charset' ? rest.join('=').trim().replace(/^"|"$/g, '') : undefined;
}

function parseForm(bytes: Buffer): Record<string, unknown> {
  try {
    return parseQueryString(bytes.toString('latin1'));
  } catch (error) {
    throw error instanceof TooManyParameters ? apiError('rest_body_too_large') : error;
  }
}

/** The body parser's errors: too large, an unknown content encoding, a body that does not come. */
function translate(error: Error & { status?: number; type?: string }): Error {
  const { status, type } = error;
  if (status === 413) return apiError('rest_body_too_large');
  if (status === 415) return apiError('rest_unsupported_media_type');
  // Bytes that do not unpack, or that never came: nothing that could be parsed.
  if (type === 'request.aborted' || status === 400) return invalidJson(4);
  return error;
}
