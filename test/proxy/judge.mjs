/**
 * Selects the violations reported by Prism that count. Responses and successful requests must match the document.
 * Failed requests are wrong on purpose. OpenAPI 3.0 cannot describe responses that `_fields` reduces, paths that are no
 * route, and other forms of a value that the service accepts (contract 2.2). These do not count. Each form is listed
 * here, so that a wrongly documented type is still found.
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

/** By documented type: the other values that the service accepts for it. */
const FORMS = {
  boolean: (value) => /^\s*(true|false|1|0|yes|no|on|off)?\s*$/i.test(value),
  integer: (value) => /^\s*(-?\d+)?\s*$/.test(value),
  number: (value) => /^\s*(-?\d+(\.\d+)?)?\s*$/.test(value),
  // Numbers, flags and objects with an id, in fields that are documented as text.
  string: (value) => ['number', 'boolean'].includes(typeof value) || value?.id !== undefined,
  // CSV, a single value, a single object.
  array: (value) => ['string', 'number'].includes(typeof value) || (typeof value === 'object' && !Array.isArray(value)),
};

function isAnotherForm(violation, request, all) {
  const { code, path = [], message } = violation;
  // Fields may be sent in the query, and the parameters of DELETE in a body.
  if (message === 'Body parameter is required') return Object.keys(request.url.query).length > 0;
  if (code === 415) return request.method === 'delete';
  // Names of schemes are case-insensitive, but Prism accepts only `Bearer` and `Basic`.
  if (code === 401) return /^(bearer|basic) /i.test(request.headers.authorization);
  const value = valueAt(request, path);
  // null counts as absent, or clears the field (contract 2.2).
  if (value === null) return true;
  // The last value of a repeated parameter counts.
  if (path[0] === 'query' && Array.isArray(value)) return code === 'type';
  if (code === 'enum') return hasWord(message, value);
  if (code === 'type' && isForm(message, value)) return true;
  return branches(all, path).some((other) => other !== violation && isAnotherForm(other, request, []));
}

function isForm(message, value) {
  const [, types = ''] = /must be ([\w,]+)$/.exec(message) ?? [];
  return types.split(',').some((type) => FORMS[type]?.(value));
}

/** Enum values are case-insensitive. An enum with `true` or `1` also accepts all forms of a boolean. */
function hasWord(message, value) {
  const words = /allowed values: (.*)$/.exec(message)?.[1].split(', ') ?? [];
  const isSwitch = ['true', '1'].some((word) => words.includes(word));
  return words.includes(String(value).toLowerCase()) || (isSwitch && FORMS.boolean(value));
}

/** Returns the violations of each `anyOf` branch, for a value that fits none of them and for its members. */
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
