import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import type { Answer } from './answer.js';
import { sendAnswer } from './send.js';

/** Express, but answers leave as bytes with our own validators: its way would hash and serialise them a second time. */
export class AnsweringAdapter extends ExpressAdapter {
  constructor(private readonly limits: ServerOptions) {
    super();
  }

  override reply(response: Response, answer: Answer): void {
    sendAnswer(response, answer);
  }

  override initHttpServer(): void {
    this.httpServer = createServer(this.limits, this.getInstance<RequestListener>());
  }
}
