import type { PostStatus } from '../kernel/post-status.js';
import type { LinkedPostDto } from '../linked-posts/linked-post.kind.js';
import { LinkedPostParams } from '../linked-posts/linked-post.params.js';
import { Html, Text, WebAddress } from '../platform/http/fields/text-fields.js';
import type { ImageReference } from '../platform/images/image.reference.js';
import { AuthorField, DateField, DateUtcField, ImageField, PostStatusField, SlugField } from '../posts/post.dto.js';

/** The fields of a speaker in a write. Null clears a field. */
export class SpeakerDto implements LinkedPostDto {
  @Text('the name of the speaker', { max: 500, required: true, whenEmpty: 'refuse' }) speaker?: string;
  @Html('the biography') description?: string | null;
  @Text('what the speaker talks about', { max: 200 }) topic?: string | null;
  @PostStatusField() status?: PostStatus;
  @AuthorField() author?: number;
  @DateField() date?: string | number;
  @DateUtcField() date_utc?: string | number;
  @Text('the telephone number', { max: 100 }) phone?: string | null;
  @WebAddress('the URL of the speaker website') website?: string | null;
  @ImageField() image?: ImageReference | null;
  @SlugField() slug?: string | null;
}

/** The parameters of GET /speakers. */
export class SpeakerParams extends LinkedPostParams {
  @Text('speakers who talk about exactly this', { max: 200, example: 'Indexes' }) topic?: string;
}
