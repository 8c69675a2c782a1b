import { escapeBytes, originForm } from './request-target.js';

describe('originForm', () => {
  it.each([
    ['/events?a=1', '/events?a=1'],
    ['//events', '//events'],
    ['http://host/events?a=http://x', '/events?a=http://x'],
    ['http://ann:secret@host/events', '/events'],
    ['http://host?a=1', '/?a=1'],
    ['*', '/*'],
  ])('converts %s to %s', (target, expected) => {
    expect(originForm(target)).toBe(expected);
  });
});

describe('escapeBytes', () => {
  it.each([
    ['/a%20b?c=d+e', '/a%20b?c=d+e'],
    ['/caf\u00c3\u00a9', '/caf%C3%A9'],
    ['/a#b\u0009', '/a%23b%09'],
  ])('escapes %s as %s', (text, expected) => {
    expect(escapeBytes(text)).toBe(expected);
  });
});
