import { type INestApplication, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Moment } from '../http/field-default.js';
import { type Root, rootUrl } from '../http/root.js';
import { RouteTable } from '../http/route-table.js';
import { withMovingDefaults } from './moving-defaults.js';
import { translated } from './translation.js';

/** The documents of `/doc`: one a language, made, and what makes them loaded, when it is first asked for. */
@Injectable()
export class ApiDocuments {
  private readonly byLanguage = new Map<string, OpenAPIObject>();
  private app: INestApplication | undefined;

  constructor(private readonly routes: RouteTable) {}

  /** Tells which application is described; the scanner needs all of it. */
  describe(app: INestApplication): void {
    this.app = app;
  }

  async of(root: Root, moment: Moment): Promise<OpenAPIObject> {
    const document = await this.inLanguage(root.language);
    return {
      ...document,
      servers: [{ url: rootUrl(root) }],
      paths: withMovingDefaults(document.paths, this.routes.all(), moment),
    };
  }

  private async inLanguage(language: string): Promise<OpenAPIObject> {
    const { openApiDocument } = await import('./openapi.js');
    const known = this.byLanguage.get(language);
    if (known !== undefined) return known;
    if (this.app === undefined) throw new Error('There is no application to describe.');
    const document = translated(openApiDocument(this.app, this.routes.all()), language);
    this.byLanguage.set(language, document);
    return document;
  }
}
