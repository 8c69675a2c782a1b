import { DiscoveryService } from '@nestjs/core';
import type { Response } from 'express';
import type { KalendsRequest } from '../request.js';

/** One step of a request before the router. */
export interface Stage {
  /** Answers `true` when it has sent the answer itself. */
  handle(request: KalendsRequest, response: Response): boolean | Promise<boolean>;
}

/** Where a stage of another module runs; pipeline.ts has these places in its list. */
export type StagePlace = 'before-body' | 'authenticated' | 'before-route';

const JOINED = DiscoveryService.createDecorator<StagePlace>();

/** Lets a provider, of whichever module, join the pipeline as a stage. */
export function PipelineStage(place: StagePlace): ClassDecorator {
  return JOINED(place);
}

/** The stages that join at a place, in the order of their modules. */
export function joinedStages(place: StagePlace, discovery: DiscoveryService): readonly Stage[] {
  return discovery
    .getProviders({ metadataKey: JOINED.KEY })
    .filter((provider) => discovery.getMetadataByDecorator(JOINED, provider) === place)
    .map(({ instance }) => instance as Stage);
}
