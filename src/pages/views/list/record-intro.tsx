import type { ImageResponse } from '../../../platform/images/image.response.js';
import type { VenueResponse } from '../../../venues/venue.response.js';
import { addressOf, safeLink } from '../../calendar/event-facts.js';
import { mapLink } from '../../machines/map-link.js';
import { pageHtml } from '../../page-html.js';
import { PhoneLink } from '../contact.js';
import type { Frame } from '../frame.js';
import { Picture } from '../picture.js';
import { Prose } from '../raw.js';

interface Record {
  /** HTML as stored. */
  readonly description: string;
  /** Plain text. */
  readonly text?: string;
  readonly venue?: VenueResponse;
  readonly phone?: string;
  readonly website?: string;
  readonly email?: string;
  readonly image?: ImageResponse;
}

/** What is known of a venue, an organizer, a category or a tag, above its events. */
export function RecordIntro({ frame, record }: { frame: Frame; record: Record }) {
  const { words } = frame;
  const { venue, phone, email, image, description, text } = record;
  const website = safeLink(record.website);
  const address = venue === undefined ? '' : addressOf(venue);
  const map = venue === undefined ? undefined : mapLink(venue);
  const hasContact = address !== '' || map !== undefined || [phone, email, website].some(Boolean);
  return (
    <div class="k-intro">
      {hasContact && (
        <ul class="k-plain k-soft">
          {(address !== '' || map !== undefined) && (
            <li>
              {address} {map !== undefined && <a href={map}>{words.of('map')}</a>}
            </li>
          )}
          {phone !== undefined && (
            <li>
              <PhoneLink phone={phone} />
            </li>
          )}
          {email !== undefined && (
            <li>
              <a href={`mailto:${email}`}>{email}</a>
            </li>
          )}
          {website !== undefined && (
            <li>
              <a href={website} rel="noreferrer">
                {words.of('website')}
              </a>
            </li>
          )}
        </ul>
      )}
      {text !== undefined && text !== '' && <p class="k-lead">{text}</p>}
      {image !== undefined && <Picture image={image} />}
      {description !== '' && <Prose html={pageHtml(description, words.of('table'))} />}
    </div>
  );
}
