/** What the OpenAPI document says about the operations on events, as Markdown. */
export const EVENT_TEXTS = {
  list:
    'Returns the events that match every parameter, the soonest first. Without dates these are the events from ' +
    'yesterday to 24 months ahead. `next_rest_url` leads to the next page.',
  create:
    'Creates an event. `title`, `start_date` and `end_date` are required. Venues, organizers, categories and tags ' +
    'may be ids or data; those that do not exist yet are created in the same transaction.',
  read: 'Returns an event with its venue, organizers, categories and tags. If it has a password, `password` opens it.',
  update:
    'Changes only the fields that are sent. POST, PUT and PATCH do the same. A new list of venues, organizers, ' +
    'categories or tags replaces the previous one.',
} as const;
