import { textOfHtml } from '../kernel/html.js';
import { filled } from '../linked-posts/linked-post.presenter.js';
import type { RequestContext } from '../platform/http/request-context.js';
import type { ImageRow } from '../platform/images/image.entity.js';
import { presentImage } from '../platform/images/image.presenter.js';
import { presentGlobalId, presentPost } from '../posts/post.presenter.js';
import type { SpeakerRow } from './speaker.entity.js';
import { SPEAKER } from './speaker.kind.js';
import type { SpeakerLinkedData, SpeakerResponse } from './speaker.response.js';

export function presentSpeaker(
  row: SpeakerRow,
  image: ImageRow | undefined,
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
      image: image && presentImage(image),
      topic: row.topic,
      phone: row.phone,
      website: row.website,
      json_ld: jsonLd ? speakerJsonLd(row, image) : undefined,
    }),
    ...presentGlobalId(row.id, context),
  };
}

/** The schema.org description. */
function speakerJsonLd(row: SpeakerRow, image: ImageRow | undefined): SpeakerLinkedData {
  return {
    '@type': 'Person',
    name: row.title,
    description: textOfHtml(row.description),
    ...filled({ image: image?.url }),
    url: row.website,
    sameAs: row.website,
  };
}
