import { textOfHtml } from '../kernel/text/html.js';
import { filled, presentGlobalId, presentPost } from '../posts/post.presenter.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { presentImage } from '../platform/images/image.presenter.js';
import type { Shown } from '../posts/post.columns.js';
import type { SpeakerRow } from './speaker.entity.js';
import { SPEAKER } from './speaker.kind.js';
import type { SpeakerLinkedData, SpeakerResponse } from './speaker.response.js';

export function presentSpeaker(
  row: Shown<SpeakerRow>,
  context: RequestContext,
  { jsonLd }: { readonly jsonLd: boolean },
): SpeakerResponse {
  return {
    id: row.id,
    ...presentPost(row, SPEAKER, context),
    speaker: row.title,
    ...filled({ description: row.description }),
    slug: row.slug,
    ...filled({
      image: presentImage(row),
      topic: row.topic,
      phone: row.phone,
      website: row.website,
      json_ld: jsonLd ? speakerJsonLd(row) : undefined,
    }),
    ...presentGlobalId(row.id, SPEAKER, context),
  };
}

/** The schema.org description. */
function speakerJsonLd(row: Shown<SpeakerRow>): SpeakerLinkedData {
  return {
    '@type': 'Person',
    name: row.title,
    description: textOfHtml(row.description),
    ...filled({ image: row.image_url }),
    url: row.website,
    sameAs: row.website,
  };
}
