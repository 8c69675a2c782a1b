import { Ajv, type ValidateFunction } from 'ajv';
import type { Reply, Sent } from './client.js';

type Json = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- documents of every shape

/** Checks every response in the tests against the OpenAPI document of the service. */
export class Contract {
  private readonly ajv = new Ajv({
    strict: false,
    validateFormats: false,
    // Every test file compiles the schemas, so fast compilation matters more than fast validation.
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  private readonly validators = {
    whole: new Map<object, ValidateFunction>(),
    sparse: new Map<object, ValidateFunction>(),
  };
  private readonly operations: readonly { readonly pattern: RegExp; readonly path: string; readonly item: Json }[];

  /** `document`: the response of `/doc`. */
  constructor(private readonly document: Json) {
    const operations = Object.entries<Json>(document.paths).map(([path, item]) => ({
      path,
      item,
      pattern: new RegExp(
        `^${path
          .replaceAll('.', '\\.')
          .replace('{id}', '\\d+')
          .replace(/\{(slug|message)\}/, '[^/]+')}$`,
      ),
    }));
    // `by-slug/{slug}.ics` comes before `by-slug/{slug}`, which matches its paths.
    this.operations = operations.sort((a, b) => Number(a.path.endsWith('}')) - Number(b.path.endsWith('}')));
  }

  /** Throws when the response is not as documented. Ignores paths outside the mounts. */
  check(target: string, sent: Sent, reply: Reply): void {
    const below = belowMount(target, reply);
    if (below === undefined) return;
    const problem = this.problemOf(below, sent.method ?? 'GET', reply);
    if (problem === undefined) return;
    const { status, text } = reply;
    throw new Error(`${sent.method ?? 'GET'} ${target} → ${status} is not as documented: ${problem}\n${text}`);
  }

  private problemOf({ path, query }: Below, method: string, reply: Reply): string | undefined {
    const found = this.find(path);
    if (method === 'OPTIONS' && reply.status < 400) return this.optionsProblem(found !== undefined, reply);
    const operation = found?.item[method === 'HEAD' ? 'get' : method.toLowerCase()];
    // The service checks URL, body and credentials before the route, so any of their errors may come first.
    if (operation === undefined || reply.body?.code === 'rest_no_route') return this.errorProblem(method, reply);
    const answer = operation.responses[reply.status];
    if (answer === undefined) return 'the status';
    if (method === 'HEAD' || reply.status === 304) return reply.text === '' ? undefined : 'there is a body';
    const content = answer.content?.[mediaType(reply)];
    if (content === undefined) return `the content type ${mediaType(reply)}`;
    if (reply.body === undefined) return undefined;
    if (reply.status >= 400 && !Object.hasOwn(content.examples as object, reply.body.code as string)) {
      return `the code ${reply.body.code}`;
    }
    const isSparse = reply.status < 400 && /(^|&)_fields(=|\[|%5b|&|$)/i.test(query);
    return this.invalid(content.schema as object, reply, isSparse ? 'sparse' : 'whole');
  }

  private optionsProblem(isKnown: boolean, reply: Reply): string | undefined {
    if (!isKnown && reply.status !== 204) return 'the path';
    if (reply.status === 204) return reply.text === '' ? undefined : 'there is a body';
    const index = this.document.paths['/'].get.responses[200].content['application/json'].schema;
    return this.invalid(index.properties.routes.additionalProperties as object, reply);
  }

  private errorProblem(method: string, reply: Reply): string | undefined {
    if (reply.status < 400) return 'the operation';
    if (method === 'HEAD') return reply.text === '' ? undefined : 'there is a body';
    if (reply.body?.data?.status !== reply.status) return 'data.status';
    return this.invalid(ERROR, reply);
  }

  private find(path: string) {
    return this.operations.find(({ pattern }) => pattern.test(path));
  }

  /** Compiles each schema once, at its first use, because compiling is slow. */
  private invalid(schema: object, { body }: Reply, form: Form = 'whole'): string | undefined {
    const validate = this.validators[form].get(schema) ?? this.compile(schema, form);
    this.validators[form].set(schema, validate);
    return validate(body) ? undefined : this.ajv.errorsText(validate.errors, { dataVar: 'body' });
  }

  private compile(schema: object, form: Form): ValidateFunction {
    if (this.ajv.getSchema(form) === undefined) {
      const { schemas } = this.document.components;
      this.ajv.addSchema(closed({ components: { schemas } }, form) as object, form);
    }
    return this.ajv.compile(closed(schema, form) as object);
  }
}

/** `sparse`: a response reduced by `_fields`, in which any member may be missing. */
type Form = 'whole' | 'sparse';

const ERROR = { $ref: '#/components/schemas/Error' };

interface Below {
  readonly path: string;
  readonly query: string;
}

/** Returns path and query below the mount of the request. The response names the mount in X-TEC-API-ROOT. */
function belowMount(target: string, { headers }: Reply): Below | undefined {
  const root = headers['x-tec-api-root'];
  // Pages have no headers of the API (pages P9).
  if (root === undefined && !/\/events\/v1(\/|\?|$)/.test(target)) return undefined;
  if (root === undefined) throw new Error(`${target} was answered without X-TEC-API-ROOT`);
  const [, path = '', query = ''] = /^(?:\w+:\/\/[^/]*)?([^?]*)\??(.*)$/s.exec(target) ?? [];
  // The base URL includes the prefix of a gateway, the request does not.
  const segments = new URL(root).pathname.replace(/\/$/, '').split('/');
  for (let from = 1; from < segments.length; from += 1) {
    const mount = `/${segments.slice(from).join('/')}`;
    if (path !== mount && !path.startsWith(`${mount}/`)) continue;
    return { path: path.slice(mount.length).replace(/\/$/, '') || '/', query };
  }
  return undefined;
}

function mediaType({ headers }: Reply): string {
  return headers['content-type']?.replace(/;.*$/, '') ?? '';
}

/** Returns a schema that rejects undocumented members and refers to the components of that form. */
function closed(schema: object, form: Form): Json {
  const text = JSON.stringify(schema, (key, value: Json) => {
    if (key === 'example' || key === 'examples') return undefined;
    if (key === '$ref') return `${form}${value}`;
    if (value?.type !== 'object' || value.properties === undefined) return value;
    const { required, ...rest } = value;
    return { additionalProperties: false, ...rest, ...(form === 'whole' ? { required } : {}) };
  });
  return JSON.parse(text);
}
