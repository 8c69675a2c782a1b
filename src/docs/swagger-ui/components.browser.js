// Changes components of Swagger UI. Runs in the browser.

import { translated } from './labels.browser.js';

/**
 * What we use of React, of Immutable maps and of the components of Swagger UI:
 * https://swagger.io/docs/open-source-tools/swagger-ui/customization/plug-points/
 *
 * @typedef {(type: unknown, props?: object | null, ...children: unknown[]) => unknown} CreateElement
 * @typedef {{ createElement: CreateElement, Fragment: unknown, useEffect(effect: () => void, on: unknown[]): void }} React
 * @typedef {{ readonly React: React }} System
 * @typedef {{
 *   readonly size: number,
 *   get(key: string): unknown,
 *   getIn(path: string[]): unknown,
 *   delete(key: string): ImmutableMap,
 *   filter(keep: (value: ImmutableMap, key: string) => boolean): ImmutableMap,
 *   some(is: (value: ImmutableMap) => boolean): boolean,
 *   first(): ImmutableMap,
 *   entrySeq(): { toArray(): [string, ImmutableMap][] }
 * }} ImmutableMap
 */

/**
 * Shows a lock only where credentials are needed, because reading accepts them everywhere.
 *
 * @param {unknown} Original
 * @param {System} system
 */
const OperationSummary =
  (Original, { React }) =>
  (/** @type {{ operationProps: ImmutableMap }} */ props) => {
    const security = /** @type {ImmutableMap | undefined} */ (props.operationProps.get('security'));
    const isOptional = security?.some((requirement) => requirement.size === 0);
    const operationProps = isOptional ? props.operationProps.delete('security') : props.operationProps;
    return React.createElement(Original, { ...props, operationProps });
  };

/**
 * Shows errors as a list behind one line, because each takes half a screen in the table.
 *
 * @param {unknown} Original
 * @param {System} system
 */
const responses =
  (Original, { React }) =>
  (/** @type {{ responses: ImmutableMap }} */ props) => {
    const { createElement: element, Fragment } = React;
    const isError = (/** @type {string} */ status) => Number(status) >= 400;
    const errors = props.responses.filter((_, status) => isError(status));
    const others = props.responses.filter((_, status) => !isError(status));
    const statuses = errors.entrySeq().toArray().flat();
    return element(
      Fragment,
      null,
      element(Original, { ...props, responses: others }),
      errors.size > 0 &&
        element(
          'details',
          { className: 'errors-folded' },
          element(
            'summary',
            null,
            translated(`Errors: ${statuses.filter((one) => typeof one === 'string').join(', ')}`),
          ),
          ...errors
            .entrySeq()
            .toArray()
            .flatMap(([status, response]) => errorLines(React, status, response)),
        ),
    );
  };

/**
 * @param {React} React
 * @param {string} status
 * @param {ImmutableMap} response
 */
function errorLines({ createElement: element }, status, response) {
  const examples = /** @type {ImmutableMap | undefined} */ (
    response.getIn(['content', 'application/json', 'examples'])
  );
  if (examples === undefined)
    return [element('p', { key: status }, `${status} ${String(response.get('description'))}`)];
  return examples
    .entrySeq()
    .toArray()
    .map(([code, example]) =>
      element(
        'details',
        { key: `${status} ${code}` },
        element(
          'summary',
          null,
          element('b', null, status),
          element('code', null, code),
          element('samp', null, example.getIn(['value', 'message'])),
        ),
        element('pre', null, JSON.stringify(example.get('value'), null, 2)),
      ),
    );
}

/**
 * Shows a simple value of a schema at once. Swagger UI shows `[...]`, which a click opens.
 *
 * @param {unknown} Original
 * @param {System} system
 */
const PrimitiveModel =
  (Original, { React }) =>
  (/** @type {{ getComponent: (name: string, ...rest: unknown[]) => unknown }} */ props) => {
    const getComponent = (/** @type {string} */ name, /** @type {unknown[]} */ ...rest) =>
      name === 'ModelCollapse' ? Opened : props.getComponent(name, ...rest);
    return React.createElement(Original, { ...props, getComponent });
  };

/** @param {{ children: unknown }} props */
const Opened = ({ children }) => children;

/**
 * Opens lists, so that a schema shows what they consist of.
 *
 * @param {unknown} Original
 * @param {System} system
 */
const ArrayModel =
  (Original, { React }) =>
  (/** @type {{ depth: number, expandDepth: number }} */ props) =>
    React.createElement(Original, { ...props, expandDepth: Math.max(props.depth, props.expandDepth) });

/**
 * Downloads the document. A link to its URL would lead browsers to this page.
 *
 * @param {unknown} _
 * @param {System} system
 */
const InfoUrl =
  (_, { React }) =>
  () =>
    React.createElement(
      'a',
      { href: '', className: 'download-document', onClick: downloadDocument },
      translated('Download the OpenAPI document'),
    );

/** @param {Event} event */
async function downloadDocument(event) {
  event.preventDefault();
  const response = await fetch(location.pathname, { headers: { Accept: 'application/json' } });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = 'openapi.json';
  link.click();
  URL.revokeObjectURL(link.href);
}

/**
 * Shows the base URL as text, because there is nothing to select.
 *
 * @param {unknown} Original
 * @param {System} system
 */
const ServersContainer =
  (Original, { React }) =>
  (/** @type {{ specSelectors: { servers(): ImmutableMap } }} */ props) => {
    const servers = props.specSelectors.servers();
    if (servers.size !== 1) return React.createElement(Original, props);
    return React.createElement('div', { className: 'base-url' }, servers.first().get('url'));
  };

/**
 * A box that filters operations (filter.browser.js).
 *
 * @param {unknown} _
 * @param {System} system
 */
const FilterContainer =
  (_, { React }) =>
  (
    /** @type {{ layoutSelectors: { currentFilter(): unknown }, layoutActions: { updateFilter(text: string): void } }} */
    { layoutSelectors, layoutActions },
  ) => {
    const label = translated('Find operations, such as: slug');
    const text = layoutSelectors.currentFilter();
    return React.createElement(
      'div',
      { className: 'filter-box wrapper' },
      React.createElement('input', {
        type: 'search',
        placeholder: label,
        'aria-label': label,
        value: typeof text === 'string' ? text : '',
        onChange: (/** @type {{ target: { value: string } }} */ { target }) => layoutActions.updateFilter(target.value),
      }),
    );
  };

/**
 * Focuses the first field of the dialog. Swagger UI focuses the last one.
 *
 * @param {unknown} Original
 * @param {System} system
 */
const authorizationPopup =
  (Original, { React }) =>
  (/** @type {object} */ props) => {
    React.useEffect(() => {
      const [first] = document.querySelectorAll('.modal-ux input');
      if (first instanceof HTMLElement) first.focus();
    }, []);
    return React.createElement(Original, props);
  };

/**
 * Does not send empty fields of a form, unless their box is ticked.
 *
 * @param {unknown} Original
 * @param {System} system
 */
const ParameterIncludeEmpty =
  (Original, { React }) =>
  (/** @type {{ isIncludedOptions: object }} */ props) => {
    const isIncludedOptions = { ...props.isIncludedOptions, defaultValue: false };
    return React.createElement(Original, { ...props, isIncludedOptions });
  };

/** By the names of Swagger UI. */
export const COMPONENTS = {
  OperationSummary,
  responses,
  PrimitiveModel,
  ArrayModel,
  ServersContainer,
  FilterContainer,
  authorizationPopup,
  ParameterIncludeEmpty,
  InfoUrl,
};
