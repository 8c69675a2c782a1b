/** What the OpenAPI document says about the operations on categories and tags, as Markdown. */
export const TERM_TEXTS = {
  list:
    'Returns a page of terms. Those that no published event carries are left out; `hide_empty=false` lists them, too. ' +
    '`next_rest_url` leads to the next page.',
  read: 'Returns one term, with the number of published events that carry it.',
  create: 'Creates a term. If its name is taken, the response is 400 `term_exists` with the id of the existing term.',
  delete: 'Deletes the term permanently. Its events lose it.',
  deleteWithChildren: 'Deletes the term permanently. Its events lose it, and its children move up.',
} as const;
