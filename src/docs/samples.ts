import type { OpenAPIObject } from '@nestjs/swagger';

/** What is read of a schema to make a value of it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly example?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  /** One reference, where it has a description of its own. */
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
type Content = Record<string, { schema?: Schema; example?: unknown; examples?: unknown }>;

const EMPTY: Record<string, unknown> = { string: '', integer: 0, number: 0, boolean: false, array: [], object: {} };

/** Gives every successful answer an example, put together of the examples of its members. */
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

/** A value of a schema; undefined where nobody has said what one looks like. */
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

/** Members that nobody has an example of are left out, or empty where they must be there. */
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
