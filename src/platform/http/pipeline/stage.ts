import { DiscoveryService } from '@nestjs/core';
import type { Response } from 'express';
import type { KalendsRequest } from '../request.js';

/** A step of the pipeline before the controllers. */
export interface Stage {
  /** Returns whether it has sent the response. */
  handle(request: KalendsRequest, response: Response): boolean | Promise<boolean>;
}

/** Where a stage of another module can run (pipeline.ts). */
export type StagePlace = 'before-body' | 'authenticated' | 'before-route';

const PLACE = DiscoveryService.createDecorator<StagePlace>();

/** Adds a provider of any module to the pipeline. */
export function PipelineStage(place: StagePlace): ClassDecorator {
  return PLACE(place);
}

/** Returns the stages added at a place, in the order of their modules. */
export function stagesAt(place: StagePlace, discovery: DiscoveryService): readonly Stage[] {
  return discovery
    .getProviders({ metadataKey: PLACE.KEY })
    .filter((provider) => discovery.getMetadataByDecorator(PLACE, provider) === place)
    .map(({ instance }) => instance as Stage);
}
