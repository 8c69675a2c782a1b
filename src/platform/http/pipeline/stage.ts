import { DiscoveryService } from '@nestjs/core';
import type { Response } from 'express';
import { discovered } from '../discovered.js';
import type { KalendsRequest } from '../request.js';

/** A step of the pipeline before the controllers. */
export interface Stage {
  /** Returns whether it has sent the response. */
  handle(request: KalendsRequest, response: Response): boolean | Promise<boolean>;
  /**
   * Of a stage of another module: whether it treats an equal request alike, whatever the database, the time and the client.
   * The fast path skips the stage for such requests (fast-path.ts). Without this method it skips no request's stages.
   */
  isRepeatable?(request: KalendsRequest): boolean;
}

/** Where a stage of another module can run (pipeline.ts). */
export type StagePlace = 'before-url' | 'before-body' | 'authenticated' | 'before-route';

const PLACE = DiscoveryService.createDecorator<StagePlace>();

/** Adds a provider of any module to the pipeline. It must have the default scope. */
export function PipelineStage(place: StagePlace): ClassDecorator {
  return PLACE(place);
}

/** Returns the stages added at a place, in the order of their modules. */
export function stagesAt(place: StagePlace, discovery: DiscoveryService): readonly Stage[] {
  return discovered<StagePlace, Stage>(discovery, PLACE)
    .filter(({ options }) => options === place)
    .map(({ provider }) => provider);
}
