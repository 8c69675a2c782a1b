// The table of results in docs/nightly.md: one row a part, written when the part has ended.

const START = '<!-- prettier-ignore-start -->\n\n';
const END = '\n\n<!-- prettier-ignore-end -->';
const HEAD = ['| Part | Command | Minutes | Began (UTC) | Commit | Result |', '| --- | --- | ---: | --- | --- | --- |'];

/** Returns the page with the result of a part. The results of the other parts stay; parts that are no more are left out. */
export function withResult(page, commands, part, result) {
  const rows = rowsOf(page);
  rows.set(part, rowOf(part, commands[part], result));
  const table = Object.entries(commands).map(([name, command]) => rows.get(name) ?? rowOf(name, command));
  return page.slice(0, start(page)) + [...HEAD, ...table].join('\n') + page.slice(end(page));
}

function rowOf(part, command, { minutes, began, commit, hasPassed } = {}) {
  const told = hasPassed === undefined ? 'not run yet' : hasPassed ? 'passed' : '**FAILED**';
  return `| ${part} | \`${command}\` | ${minutes?.toFixed(1) ?? ''} | ${began ?? ''} | ${commit ?? ''} | ${told} |`;
}

/** Returns the rows of the page by part. */
function rowsOf(page) {
  const lines = page.slice(start(page), end(page)).split('\n').slice(HEAD.length);
  return new Map(lines.filter((line) => line.startsWith('| ')).map((line) => [line.split(' ')[1], line]));
}

function start(page) {
  return page.indexOf(START) + START.length;
}

function end(page) {
  return page.indexOf(END);
}
