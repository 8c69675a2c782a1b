/** A line of the log. Other members are the fields of its event. */
interface LogLine {
  readonly level: number;
  /** ISO 8601, in UTC. */
  readonly time: string;
  readonly msg?: string;
  readonly worker?: number;
  readonly error?: unknown;
  readonly [field: string]: unknown;
}

/** The names of pino's levels. Lines of level info, the usual one, do not show it. */
const LEVELS: Readonly<Record<number, string>> = { 10: 'trace', 20: 'debug', 40: 'warning', 50: 'error' };

/** Returns a JSON line of the log as text for people: the time in UTC, the level, the message, and the fields. */
export function prettyLine(json: string): string {
  const { level, time, worker, ...rest } = JSON.parse(json) as LogLine;
  const parts = [
    time.slice(11, 19),
    worker === undefined ? '' : `worker ${worker}`,
    LEVELS[level] ?? '',
    rest.msg === 'request' ? requestText(rest) : eventText(rest),
  ];
  return `${parts.filter((part) => part !== '').join('  ')}\n`;
}

function requestText({ method, url, status, ms }: Partial<LogLine>): string {
  return printable(`${String(method)} ${String(url)}  ${String(status)}  ${String(ms)} ms`);
}

function eventText({ msg = '', error, ...fields }: Partial<LogLine>): string {
  const named = Object.entries(fields).map(([name, value]) => `${name}=${textOf(value)}`);
  return [printable([msg, ...named].join('  ')), ...errorLines(error)].join('\n');
}

/** Returns the message and the stack of an error as `loggedError` gives it. */
function errorLines(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { name, code, message, stack } = error as Readonly<Record<string, string | undefined>>;
  const text = [name, code, message].filter((part) => part !== undefined).join(' ');
  return [
    `  ${printable(text)}`,
    ...(stack ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map(printable),
  ];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Escapes control characters, by which clients could move the cursor of the terminal or forge a line. */
function printable(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what must not be there
  return text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
