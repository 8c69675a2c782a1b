/** The destination of a request: the service, or the validating proxy in front of it. */
interface Target {
  readonly port: number;
  readonly path: string;
}

/** A service as its client knows it. Without `document` its requests never use the proxy. */
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

/** The response header with the violations that Prism found. test/proxy/run.mjs has recorded them already. */
export const VIOLATIONS = 'sl-violations';

const COMPAT_MOUNT = '/wp-json/tribe/events/v1';

/** The URL that starts proxies, set by test/proxy/run.mjs. */
const control = process.env.PROXY_CONTROL;
const ports = new Map<string, Promise<number>>();

/** Returns the proxy for requests that it can carry, if the run has one, otherwise the service. */
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

/** Returns the part of a path up to the mount, including the language. */
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

/** Headers that Prism changes, or that lead to responses that it cannot read. */
const NOT_CARRIED = ['host', 'if-none-match', 'expect', 'transfer-encoding', 'connection'];
/** Credentials without a value count as none (contract AUTH-03). */
const NO_CREDENTIALS = /^\w+ *$/;
const BODY_TYPE = /^application\/(json|x-www-form-urlencoded)(; *charset="?utf-8"?)?$/i;

/**
 * Returns whether Prism can carry a request. Prism parses requests and writes them again, and would change these:
 * - improper URLs, and a trailing slash, which it reads as an empty id
 * - bodies of GET, and bodies that are neither a form nor a JSON object as JavaScript writes it
 * - the Host header
 * HEAD and OPTIONS are not in the document. Prism reads a response without a body as invalid JSON.
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
