/**
 * What Prism found that counts. Answers have to be as they are documented, and so have the requests that succeed; the
 * others are wrong on purpose. Not counted is what OpenAPI 3.0 has no words for: answers that `_fields` reduces, paths
 * that are no route, and the further forms of a value which the interface takes beside the documented type
 * (contract 2.2). Each of those forms is named here, so that a type which is documented wrongly is found all the same.
 */
export function judge({ root, request, error, output, validations }) {
  const { method, url } = request;
  const at = (part) => (violation) => ({ part, method, root, url, status: output?.statusCode, ...violation });
  if (error !== undefined)
    return { violations: [at('proxy')({ message: `${error.message} ${error.detail}` })], forms: 0 };
  const answer = output.body?.code === 'rest_no_route' ? [] : validations.output;
  const isReduced = Object.keys(url.query).some((name) => /^_fields(\[.*)?$/.test(name));
  const wrongAnswers = answer.filter(({ path }) => !(isReduced && path?.[0] === 'body'));
  const requests = output.statusCode < 300 ? validations.input : [];
  const wrongRequests = requests.filter((violation) => !isAnotherForm(violation, request, requests));
  return {
    violations: [...wrongAnswers.map(at('answer')), ...wrongRequests.map(at('request'))],
    forms: requests.length - wrongRequests.length,
  };
}

/** By documented type: which other values are read as that type. */
const FORMS = {
  boolean: (value) => /^\s*(true|false|1|0|yes|no|on|off)?\s*$/i.test(value),
  integer: (value) => /^\s*(-?\d+)?\s*$/.test(value),
  number: (value) => /^\s*(-?\d+(\.\d+)?)?\s*$/.test(value),
  // Numbers as text; ids and flags of fields that are documented as text.
  string: (value) => ['number', 'boolean'].includes(typeof value) || value?.id !== undefined,
  // CSV, one alone, an object that stands alone.
  array: (value) => ['string', 'number'].includes(typeof value) || (typeof value === 'object' && !Array.isArray(value)),
};

function isAnotherForm(violation, request, all) {
  const { code, path = [], message } = violation;
  // Fields may stand in the query, and the parameters of DELETE in a body.
  if (message === 'Body parameter is required') return Object.keys(request.url.query).length > 0;
  if (code === 415) return request.method === 'delete';
  // Names of schemes are the same in any case; Prism knows `Bearer` and `Basic`.
  if (code === 401) return /^(bearer|basic) /i.test(request.headers.authorization);
  const value = valueAt(request, path);
  // As absent, or clearing (contract 2.2).
  if (value === null) return true;
  // Of a single parameter that is repeated the last one counts.
  if (path[0] === 'query' && Array.isArray(value)) return code === 'type';
  if (code === 'enum') return hasWord(message, value);
  if (code === 'type' && isForm(message, value)) return true;
  return branches(all, path).some((other) => other !== violation && isAnotherForm(other, request, []));
}

function isForm(message, value) {
  const [, types = ''] = /must be ([\w,]+)$/.exec(message) ?? [];
  return types.split(',').some((type) => FORMS[type]?.(value));
}

/** Words count in any case; booleans are words, too, where there is a third value. */
function hasWord(message, value) {
  const words = /allowed values: (.*)$/.exec(message)?.[1].split(', ') ?? [];
  const isSwitch = ['true', '1'].some((word) => words.includes(word));
  return words.includes(String(value).toLowerCase()) || (isSwitch && FORMS.boolean(value));
}

/** What else Prism says of a value none of whose documented forms fits, each form for itself, or of its members. */
function branches(all, path) {
  const key = path.join('.');
  const place = all.find(({ code, path: [...at] }) => code === 'anyOf' && `${key}.`.startsWith(`${at.join('.')}.`));
  if (place === undefined) return [];
  return all.filter(
    (other) => other.code === 'type' && `${other.path.join('.')}.`.startsWith(`${place.path.join('.')}.`),
  );
}

function valueAt({ url, body, headers }, [part, ...path]) {
  const isForm = typeof body === 'string' && /urlencoded/.test(headers['content-type']);
  const whole = { query: url.query, body: isForm ? Object.fromEntries(new URLSearchParams(body)) : body, headers }[
    part
  ];
  return path.reduce((value, name) => value?.[name], whole);
}
