import type { OpenAPIObject } from '@nestjs/swagger';

/** The parts of a schema from which an example is made. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly example?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  /** A reference that has its own description. */
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
type Content = Record<string, { schema?: Schema; example?: unknown; examples?: unknown }>;

const EMPTY: Record<string, unknown> = { string: '', integer: 0, number: 0, boolean: false, array: [], object: {} };

/** Adds an example to every successful response, composed from the examples of its members. */
export function withSamples(document: OpenAPIObject): OpenAPIObject {
  for (const path of Object.values(document.paths)) {
    for (const { responses } of Object.values(path) as { responses: Record<string, { content?: Content }> }[]) {
      for (const [status, { content }] of Object.entries(responses)) {
        const media = content?.['application/json'];
        if (Number(status) < 300 && media?.schema !== undefined) media.example = sampleOf(media.schema, document) ?? {};
      }
    }
  }
  return document;
}

/** Returns an example of a schema, or undefined without one. */
function sampleOf(schema: Schema, document: OpenAPIObject): unknown {
  if (schema.$ref !== undefined) return sampleOf(resolved(schema.$ref, document), document);
  if (schema.example !== undefined) return schema.example;
  if (schema.enum !== undefined) return schema.enum[0];
  const [form] = schema.oneOf ?? schema.anyOf ?? schema.allOf ?? [];
  if (form !== undefined) return sampleOf(form, document);
  if (schema.properties !== undefined) return objectOf(schema, document);
  const item = schema.items && sampleOf(schema.items, document);
  return item === undefined ? undefined : [item];
}

/** Returns an example object. Members without an example are omitted, or empty if they are required. */
function objectOf({ properties = {}, required = [] }: Schema, document: OpenAPIObject): object | undefined {
  const members = Object.entries(properties).map(([name, schema]) => [name, sampleOf(schema, document)] as const);
  const known = members.filter(([, value]) => value !== undefined);
  if (known.length === 0) return undefined;
  const kept = members.filter(([name, value]) => value !== undefined || required.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, value ?? EMPTY[properties[name]?.type ?? '']]));
}

function resolved(reference: string, document: OpenAPIObject): Schema {
  const name = reference.slice('#/components/schemas/'.length);
  return (document.components?.schemas?.[name] ?? {}) as Schema;
}
