import { textOfHtml } from '../kernel/text/html.js';
import { filled, presentGlobalId, presentPost } from '../posts/post.presenter.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { presentImage } from '../platform/images/image.presenter.js';
import type { Shown } from '../posts/post.columns.js';
import type { OrganizerRow } from './organizer.entity.js';
import { ORGANIZER } from './organizer.kind.js';
import type { OrganizerLinkedData, OrganizerResponse } from './organizer.response.js';

/** Returns an organizer with its members in the order of contract section 12. */
export function presentOrganizer(
  row: Shown<OrganizerRow>,
  context: RequestContext,
  { jsonLd }: { readonly jsonLd: boolean },
): OrganizerResponse {
  return {
    id: row.id,
    ...presentPost(row, ORGANIZER, context),
    organizer: row.title,
    ...filled({ description: row.description }),
    slug: row.slug,
    ...filled({
      image: presentImage(row),
      phone: row.phone,
      website: row.website,
      email: row.email,
      json_ld: jsonLd ? organizerJsonLd(row) : undefined,
    }),
    ...presentGlobalId(row.id, ORGANIZER, context),
  };
}

/** Returns the schema.org description (contract section 8). */
export function organizerJsonLd(row: Shown<OrganizerRow>): OrganizerLinkedData {
  return {
    '@type': 'Person',
    name: row.title,
    description: textOfHtml(row.description),
    ...filled({ image: row.image_url }),
    url: row.website,
    telephone: row.phone,
    email: row.email,
    sameAs: row.website,
  };
}
