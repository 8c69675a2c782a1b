import type { Sql } from '../database/dialect.js';
import { can } from '../kernel/caller.js';
import type { Input, InputMode } from '../platform/http/input.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { checkTexts } from '../platform/http/stored-texts.js';
import type { ImageMeasures } from '../platform/images/image-probe.js';
import type { ImagesService } from '../platform/images/images.service.js';
import { checkAuthor, findAuthors } from '../posts/post.author.js';
import { readPublication, type SentPublication } from '../posts/post.publication.js';
import type { LinkedPostDto } from './linked-post.dto.js';
import type { LinkedPostKind } from './linked-post.kind.js';
import { sentColumns } from './linked-post.values.js';

/** A create or an update whose parameters were looked at: all that the transaction needs. */
export interface LinkedPostWrite {
  readonly dto: LinkedPostDto;
  readonly publication: SentPublication;
  /** What IMAGE_PROBE found out about a new image. */
  readonly measures?: ImageMeasures;
}

/** Looks at the fields of a write beyond their form; what is wrong becomes a problem (contract section 6). */
export async function checkWrite(
  sql: Sql,
  images: ImagesService,
  kind: LinkedPostKind,
  input: Input<LinkedPostDto>,
  mode: InputMode,
  context: RequestContext,
): Promise<LinkedPostWrite> {
  const { dto, problems } = input;
  const publication = readPublication(dto, context, problems);
  kind.checkTogether?.({ ...(mode === 'create' ? kind.columns : {}), ...sentColumns(kind, dto) }, problems);
  // Texts are cleaned where nothing is wrong, and measured as they will be stored.
  if (mode === 'create' && problems.isEmpty) checkTexts(dto, undefined, context, problems);
  // References are looked up for those who may write only: nobody else learns which exist.
  if (!can(context.caller, 'edit_posts')) return { dto, publication };
  return { dto, publication, measures: await checkReferences(sql, images, input, context) };
}

async function checkReferences(
  sql: Sql,
  images: ImagesService,
  { dto, problems }: Input<LinkedPostDto>,
  { caller }: RequestContext,
): Promise<ImageMeasures | undefined> {
  checkAuthor(dto, await findAuthors(sql, [dto]), problems);
  await images.check(sql, dto.image, caller, problems, 'image');
  return images.probe(dto.image, caller, problems, 'image');
}
