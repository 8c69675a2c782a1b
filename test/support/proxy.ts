/** Where a request goes: the service itself, or the validating proxy before it. */
interface Target {
  readonly port: number;
  readonly path: string;
}

/** A service as its client knows it; one that is not described is not watched. */
interface Service {
  readonly port: number;
  readonly mount: string;
  readonly document?: () => Promise<object>;
}

interface Outgoing {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes?: Buffer;
}

/** The header in which Prism tells what it found; test/proxy/run.mjs knows already. */
export const VIOLATIONS = 'sl-violations';

const COMPAT_MOUNT = '/wp-json/tribe/events/v1';

/** Set by test/proxy/run.mjs: who starts the proxies. */
const control = process.env.PROXY_CONTROL;
const ports = new Map<string, Promise<number>>();

/** In a run with the proxy the requests that it can carry go there; the others, and those of all other runs, do not. */
export async function targetOf({ port, mount, document }: Service, outgoing: Outgoing): Promise<Target> {
  const { path } = outgoing;
  const root = rootOf(path, mount);
  if (control === undefined || document === undefined || root === undefined || !canBeCarried(outgoing))
    return { port, path };
  const address = `http://127.0.0.1:${port}${root}`;
  const proxy = ports.get(address) ?? startProxy(address, document());
  ports.set(address, proxy);
  return { port: await proxy, path: path.slice(root.length).replace(/^(?!\/)/, '/') };
}

/** The part of a path down to the mount, a language included. */
function rootOf(path: string, mount: string): string | undefined {
  return [mount, COMPAT_MOUNT]
    .map((root) => new RegExp(`^(?:/[a-z]{2})?${root}(?=[/?]|$)`).exec(path)?.[0])
    .find((root) => root !== undefined);
}

async function startProxy(root: string, document: Promise<object>): Promise<number> {
  const body = JSON.stringify(await document);
  const reply = await fetch(`${control}/?root=${encodeURIComponent(root)}`, { method: 'POST', body });
  if (!reply.ok) throw new Error(await reply.text());
  return Number(await reply.text());
}

/** Of these Prism says something else, or they ask for what it cannot read. */
const NOT_CARRIED = ['host', 'if-none-match', 'expect', 'transfer-encoding', 'connection'];
/** Credentials without a value are none (contract AUTH-03). */
const NO_CREDENTIALS = /^\w+ *$/;
const BODY_TYPE = /^application\/(json|x-www-form-urlencoded)(; *charset="?utf-8"?)?$/i;

/**
 * Prism reads requests and writes them anew. What would not arrive as it was sent goes directly: addresses that are no
 * proper URL, a slash at their end (which Prism takes for an empty id), bodies that are no JSON of an object as
 * JavaScript writes it or no form, bodies of GET, and a Host. So does what is answered without a body, which Prism
 * takes for broken JSON, and what is not in the document: HEAD and OPTIONS.
 */
function canBeCarried({ method, path, headers, bytes }: Outgoing): boolean {
  if (['HEAD', 'OPTIONS'].includes(method) || (method === 'GET' && bytes !== undefined)) return false;
  const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (NOT_CARRIED.some((name) => sent.has(name)) || NO_CREDENTIALS.test(sent.get('authorization') ?? '')) return false;
  return isProperUrl(path) && (bytes === undefined || isPlainBody(bytes, sent.get('content-type') ?? ''));
}

function isProperUrl(path: string): boolean {
  const [address = '', query = ''] = path.split(/\?(.*)/s);
  if (new URL(path, 'http://localhost').pathname !== address || /\/(\/|$)/.test(address)) return false;
  try {
    decodeURIComponent(address);
    decodeURIComponent(query);
    return true;
  } catch {
    return false;
  }
}

function isPlainBody(bytes: Buffer, type: string): boolean {
  const text = bytes.toString();
  if (!BODY_TYPE.test(type) || text === '' || !Buffer.from(text).equals(bytes)) return false;
  if (!/json/i.test(type)) return true;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && JSON.stringify(value) === text;
  } catch {
    return false;
  }
}
