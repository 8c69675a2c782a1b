import type { DiscoverableDecorator, DiscoveryService } from '@nestjs/core';

/** A provider that a decorator marks, and the options of the decorator. */
export interface Discovered<Options, Provider> {
  readonly options: Options;
  readonly provider: Provider;
}

/**
 * Returns the providers of all modules that a decorator marks, in the order of their modules. Throws if one has the scope
 * of a request, because it would be called without its dependencies: an error of the module that ends the start.
 */
export function discovered<Options, Provider>(
  discovery: DiscoveryService,
  decorator: DiscoverableDecorator<Options>,
): Discovered<Options, Provider>[] {
  return discovery.getProviders({ metadataKey: decorator.KEY }).map((wrapper) => {
    if (!wrapper.isDependencyTreeStatic())
      throw new Error(
        `The provider ${String(wrapper.name)} must have the default scope, and so must its dependencies.`,
      );
    const options = discovery.getMetadataByDecorator(decorator, wrapper) as Options;
    return { options, provider: wrapper.instance as Provider };
  });
}
