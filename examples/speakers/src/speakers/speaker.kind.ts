import { linkedPostKind } from '../linked-posts/linked-post.kind.js';
import { SpeakerDto } from './speaker.dto.js';

export const SPEAKER = linkedPostKind('speaker', SpeakerDto, {
  searched: ['description', 'topic'],
  filters: ['topic'],
});
