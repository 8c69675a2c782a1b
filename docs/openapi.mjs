// Writes docs/openapi.yaml, the OpenAPI document as it is reviewed: npm run openapi
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Document, visit } from 'yaml';

const CLI = new URL('../dist/cli.js', import.meta.url).pathname;
const PAGE = new URL('openapi.yaml', import.meta.url).pathname;
const COMMENT = ` What \`kalends openapi\` prints, with what is repeated written once. Made by \`npm run openapi\`.`;

const printed = execFileSync(process.execPath, [CLI, 'openapi', '--url', '/calendar/events/v1'], { maxBuffer: 1e8 });
const known = new Map();
const document = new Document(shared(JSON.parse(printed)), { aliasDuplicateObjects: true });
nameAnchors();
document.commentBefore = COMMENT;
writeFileSync(PAGE, document.toString({ lineWidth: 120 }));

/** The same value with equal parts being one object: three verbs of an update differ in their name only. */
function shared(value) {
  if (typeof value !== 'object' || value === null) return value;
  const copy = Array.isArray(value)
    ? value.map(shared)
    : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shared(member)]));
  const text = JSON.stringify(copy);
  if (text.length < 200) return copy;
  if (!known.has(text)) known.set(text, copy);
  return known.get(text);
}

/** Numbers would all change with the first of them; a name made of the content changes with it. */
function nameAnchors() {
  const names = new Map();
  visit(document, {
    Node(_, node) {
      if (node.anchor !== undefined) names.set(node.anchor, `same-${digest(JSON.stringify(node.toJSON(document)))}`);
    },
  });
  visit(document, {
    Alias: (_, alias) => void (alias.source = names.get(alias.source)),
    Collection: (_, node) => void (node.anchor &&= names.get(node.anchor)),
  });
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
