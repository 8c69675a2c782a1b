import type { PostDto } from '../posts/post.dto.js';

/** The fields that venues and organizers have in common, as accepted; null clears (contract 2.2). */
export interface LinkedPostDto extends PostDto {
  phone?: string | null;
  website?: string | null;
}
