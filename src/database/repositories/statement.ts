/**
 * What a statement is for. `definition`: MySQL and MariaDB commit an open transaction before it. `setting`: it would change
 * the connection for later users. `isolation`: for the next BEGIN only.
 */
export type StatementKind =
  'read' | 'write' | 'definition' | 'begin' | 'commit' | 'rollback' | 'savepoint' | 'isolation' | 'setting';

/** What the first words of a statement tell. Everything else is a write. */
const KINDS: readonly (readonly [RegExp, StatementKind])[] = [
  [/^(BEGIN|START TRANSACTION)\b/, 'begin'],
  [/^(COMMIT|END)\b/, 'commit'],
  [/^(SAVEPOINT|RELEASE|ROLLBACK .*\bTO)\b/, 'savepoint'],
  [/^ROLLBACK\b/, 'rollback'],
  // TypeORM sends these before BEGIN.
  [/^(SET TRANSACTION|PRAGMA READ_UNCOMMITTED)\b/, 'isolation'],
  [/^PRAGMA (\w+\.)?(TABLE|INDEX|FOREIGN_KEY|DATABASE)_\w+\b(?! ?=)/, 'read'],
  // All other pragmas with a value may change the connection.
  [/^(SET|USE|LOCK|UNLOCK|ATTACH|DETACH|PRAGMA [^;]*[=(])/, 'setting'],
  [/^(SELECT|VALUES|TABLE|SHOW|DESCRIBE|DESC|EXPLAIN|PRAGMA|\()/, 'read'],
  [/^(CREATE|DROP) TEMPORARY\b/, 'write'],
  [/^(CREATE|ALTER|DROP|RENAME|TRUNCATE|ANALYZE TABLE|OPTIMIZE|REPAIR|GRANT|REVOKE|FLUSH)\b/, 'definition'],
];

/** Returns what a statement is for, by its first words. */
export function kindOf(sql: string): StatementKind {
  const words = firstWords(sql);
  const kind = KINDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'write';
  return kind === 'write' && /^WITH\b/.test(words) && verbOf(sql) === 'SELECT' ? 'read' : kind;
}

const COMMENT = String.raw`--[^\n]*|#[^\n]*|/\*(?!!)[\s\S]*?\*/`;
const LEADING_COMMENTS = new RegExp(`^(?:\\s|${COMMENT})+`);
/** Long enough for every pattern of `KINDS`. A statement of thousands of values is not looked at as a whole. */
const HEAD_LENGTH = 100;

function firstWords(sql: string): string {
  const start = LEADING_COMMENTS.exec(sql)?.[0].length ?? 0;
  return sql
    .slice(start, start + HEAD_LENGTH)
    .replaceAll(/\s+/g, ' ')
    .toUpperCase();
}

/** A word or a name, without its quotes, or a sign. */
interface Token {
  readonly text: string;
  /** How many parentheses are open. */
  readonly depth: number;
  readonly isQuoted: boolean;
}

const TOKEN = new RegExp(
  String.raw`${COMMENT}|'((?:[^'\\]|''|\\.)*)'|"((?:[^"]|"")*)"|\`((?:[^\`]|\`\`)*)\`|\[([^\]]*)\]|([\w$\u0080-\uffff]+)|\S`,
  'g',
);

function* tokensOf(sql: string): Generator<Token> {
  let depth = 0;
  for (const [whole, single, double, back, bracket, word] of sql.matchAll(TOKEN)) {
    // SQLite takes a text for a name where only a name can stand.
    const quoted = single ?? double ?? back ?? bracket;
    if (quoted !== undefined) yield { text: quoted, depth, isQuoted: true };
    else if (word !== undefined) yield { text: word.toUpperCase(), depth, isQuoted: false };
    else if (whole === ')') depth -= 1;
    else if (whole.length === 1) yield { text: whole, depth: whole === '(' ? depth++ : depth, isQuoted: false };
  }
}

/** What a server takes for a comment, a text, a name, or a sign. Comments with `!` are carried out. */
const SERVER_TOKEN = new RegExp(
  String.raw`(--(?=\s|$)[^\n]*|#[^\n]*|/\*(?![!M])[\s\S]*?\*/)` +
    String.raw`|'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"|\`(?:[^\`]|\`\`)*\`|[\w$]+|\S`,
  'g',
);
const COMPOUND = /^CREATE\b.*\b(TRIGGER|PROCEDURE|FUNCTION|EVENT)\b/;

/** Whether a text has another statement after its first one. Those of a trigger or a procedure belong to it. */
export function hasSeveralStatements(sql: string): boolean {
  if (!sql.includes(';') || COMPOUND.test(firstWords(sql))) return false;
  let isOver = false;
  for (const [token, comment] of sql.matchAll(SERVER_TOKEN)) {
    if (token === ';') isOver = true;
    else if (isOver && comment === undefined) return true;
  }
  return false;
}

const VERBS = new Set(['SELECT', 'VALUES', 'INSERT', 'REPLACE', 'UPDATE', 'DELETE']);

/** Returns the verb of a statement that may begin with WITH. */
function verbOf(sql: string): string | undefined {
  for (const { text, depth, isQuoted } of tokensOf(sql)) if (depth === 0 && !isQuoted && VERBS.has(text)) return text;
  return undefined;
}

/** Where the names of the written tables stand. */
interface Clause {
  readonly after: ReadonlySet<string>;
  /** Behind these words there are no further names. */
  readonly until: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const INSERT: Clause = { after: words('INSERT REPLACE INTO'), until: words('( VALUES VALUE SELECT SET DEFAULT WITH') };
/** A join may write each of its tables. */
const UPDATE: Clause = { after: words('UPDATE , JOIN STRAIGHT_JOIN'), until: words('SET') };
const DELETE: Clause = {
  after: words('DELETE FROM , JOIN STRAIGHT_JOIN USING'),
  until: words('WHERE ORDER LIMIT RETURNING'),
};
/** Definitions, TRUNCATE, and the statements of a trigger. */
const OTHER: Clause = { after: words('TABLE TRUNCATE VIEW ON TO UPDATE INTO DELETE FROM ,'), until: words('AS ADD') };
const CLAUSES: Readonly<Record<string, Clause>> = { INSERT, REPLACE: INSERT, UPDATE, DELETE };

/** Words that may stand between the verb and the name. */
const MODIFIERS = words(
  'INTO LOW_PRIORITY HIGH_PRIORITY DELAYED IGNORE QUICK OR ROLLBACK ABORT FAIL REPLACE IF NOT EXISTS TABLE FROM ON',
);

/**
 * Returns the names of the tables that a write may change, in lower case. Tables that it only reads in a subquery, in
 * INSERT … SELECT or by a foreign key are not among them. Understands what TypeORM and people write; it guards against
 * mistakes, not against malice.
 */
export function writtenTables(sql: string): string[] {
  const tables: string[] = [];
  const { clause, tokens } = clauseOf(sql);
  let next: 'name' | 'dot' | 'any' = 'name';
  for (const { text, depth, isQuoted } of tokens) {
    if (depth > 0) continue;
    const word = isQuoted ? '' : text;
    if (next === 'name') {
      if (MODIFIERS.has(word)) continue;
      tables.push(text.toLowerCase());
      next = 'dot';
    } else if (next === 'dot' && word === '.') {
      // The name was that of a schema.
      tables.pop();
      next = 'name';
    } else if (clause.until.has(word)) break;
    else next = clause.after.has(word) ? 'name' : 'any';
  }
  return tables;
}

/** Returns the index that a statement deletes without naming its table, as on SQLite, in lower case. */
export function droppedIndex(sql: string): string | undefined {
  if (!/^DROP INDEX\b/.test(firstWords(sql))) return undefined;
  const tokens = [...tokensOf(sql)].filter(({ text }) => text !== ';');
  const namesTable = tokens.some(({ text, isQuoted }) => text === 'ON' && !isQuoted);
  return namesTable ? undefined : tokens.at(-1)?.text.toLowerCase();
}

/** Returns the clause of a write, and the tokens that begin with the first name or its modifiers. */
function clauseOf(sql: string): { clause: Clause; tokens: Iterable<Token> } {
  const tokens = tokensOf(sql);
  let isWith = false;
  let clause: Clause | undefined;
  for (let token = tokens.next(); token.done !== true; token = tokens.next()) {
    const { text, depth, isQuoted } = token.value;
    if (depth > 0 || isQuoted) continue;
    isWith ||= text === 'WITH';
    if (isWith && !VERBS.has(text)) continue;
    clause ??= CLAUSES[text] ?? OTHER;
    if (clause.after.has(text)) break;
  }
  return { clause: clause ?? OTHER, tokens };
}
