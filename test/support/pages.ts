import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fenced block of a page. */
export interface Block {
  /** The language after the opening fence: sh, json, http, text, diff, sql. */
  readonly language: string;
  readonly text: string;
  /** The line number of its first line in the page. */
  readonly line: number;
}

/** Returns the Markdown pages for readers, by path. */
export function pages(): Map<string, string> {
  const names = ['README.md', 'CONTRIBUTING.md', 'STYLE.md', ...readdirSync('docs').map((name) => join('docs', name))];
  return new Map(names.filter((name) => name.endsWith('.md')).map((name) => [name, readFileSync(name, 'utf8')]));
}

export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(({ 1: language = '', 2: text = '', index }) => ({
    language,
    text,
    line: page.slice(0, index).split('\n').length + 1,
  }));
}

/** Returns the rows, as texts of cells, of the table whose first headings are these. */
export function tableOf(page: string, ...headings: string[]): string[][] {
  const lines = page.split('\n');
  const isHead = (cells: string[]) => headings.every((heading, at) => cells[at] === heading);
  const from = lines.findIndex((line) => line.startsWith('|') && isHead(cellsOf(line)));
  if (from < 0) throw new Error(`there is no table with the headings ${headings.join(', ')}`);
  const length = lines.slice(from).findIndex((line) => !line.startsWith('|'));
  return lines.slice(from + 2, length < 0 ? undefined : from + length).map(cellsOf);
}

/** Returns the texts in backticks. */
export function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, line.lastIndexOf('|'))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/**
 * Yields the commands of a block as lists of words like a shell: quotes, comments, continued lines, variables.
 * `expand` returns the value of `NAME` or of `(command)`. It is called in the order of the text.
 */
export function* commandsOf(text: string, expand: (name: string) => string): Generator<string[]> {
  let words: string[] = [];
  let word: string | undefined;
  const add = (more: string) => (word = (word ?? '') + more);
  const endWord = () => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const value = (form: string) => expand(form.replace(/^\$/, ''));
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '\\\n' || (token.startsWith('#') && word === undefined)) continue;
    if (token === '\n') {
      endWord();
      if (words.length > 0) yield words;
      words = [];
    } else if (/^\s/.test(token)) endWord();
    else if (token.startsWith("'")) add(token.slice(1, -1));
    else if (token.startsWith('"')) add(token.slice(1, -1).replace(VARIABLE, value).replace(/\\(.)/g, '$1'));
    else if (token.startsWith('$')) add(value(token));
    else if (token.startsWith('\\')) add(token.slice(1));
    else add(token);
  }
}

const VARIABLE = /\$(\w+|\([^)]*\))/g;
const TOKENS = /\\\n|\\.|'[^']*'|"(?:\\.|[^"\\])*"|\$\w+|\$\([^)]*\)|\n|[^\S\n]+|#[^\n]*|[^\s\\'"$#]+|./g;
