import { ModulesContainer } from '@nestjs/core';
import type { INestApplication } from '@nestjs/common';
import { DataSource } from 'typeorm';

type Thing = Record<string, unknown>;

/** A snapshot of the state of all providers of a service: their properties and nested values. */
export class ServiceMemory {
  private readonly restores: (() => void)[] = [];
  private readonly seen = new Set<object>();

  constructor(private readonly app: INestApplication) {
    for (const provider of providersOf(app)) this.keep(provider);
  }

  /** Restores the state, including properties that tests have replaced. */
  restore(): void {
    for (const restore of this.restores) restore();
  }

  /** Waits for background work of the providers: the promises in their properties. */
  async settled(): Promise<void> {
    const work = providersOf(this.app).flatMap((provider) => Object.values(provider));
    await Promise.allSettled(work.filter((value) => value instanceof Promise));
  }

  private keep(value: unknown): void {
    if (typeof value !== 'object' || value === null || this.seen.has(value)) return;
    this.seen.add(value);
    if (value instanceof Map) this.keepMap(value as Map<unknown, unknown>);
    else if (value instanceof Set) this.keepSet(value as Set<unknown>);
    else if (ArrayBuffer.isView(value)) this.keepBytes(value);
    else if (!isOfOthers(value)) this.keepProperties(value as Thing);
  }

  private keepMap(map: Map<unknown, unknown>): void {
    const entries = [...map];
    this.restores.push(() => {
      map.clear();
      for (const [key, value] of entries) map.set(key, value);
    });
    for (const [, value] of entries) this.keep(value);
  }

  private keepSet(set: Set<unknown>): void {
    const values = [...set];
    this.restores.push(() => {
      set.clear();
      for (const value of values) set.add(value);
    });
    values.forEach((value) => this.keep(value));
  }

  private keepBytes(view: ArrayBufferView): void {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    const before = bytes.slice();
    this.restores.push(() => bytes.set(before));
  }

  private keepProperties(thing: Thing): void {
    const before = Object.getOwnPropertyDescriptors(thing);
    const names = new Set(Reflect.ownKeys(before));
    if (!Object.isFrozen(thing)) {
      this.restores.push(() => {
        for (const name of Reflect.ownKeys(thing)) if (!names.has(name)) Reflect.deleteProperty(thing, name);
        for (const name of names) {
          const { writable, value } = Reflect.get(before, name) as PropertyDescriptor;
          if (writable === true && !(Array.isArray(thing) && name === 'length')) Reflect.set(thing, name, value);
        }
        if (Array.isArray(thing)) thing.length = before.length!.value as number;
      });
    }
    // The nested values of a data source belong to its connections.
    if (thing instanceof DataSource) return;
    for (const { value } of Object.values(before)) this.keep(value);
  }
}

function providersOf(app: INestApplication): object[] {
  const modules = [...app.get(ModulesContainer).values()];
  const wrappers = modules.flatMap((module) => [...module.providers.values(), ...module.controllers.values()]);
  const instances = wrappers.map(({ instance }): unknown => instance);
  return instances.filter((instance): instance is object => typeof instance === 'object' && instance !== null);
}

/** Sockets, timers and the container are not part of the state of a service. */
function isOfOthers(value: object): boolean {
  return (
    value instanceof Promise ||
    value instanceof WeakMap ||
    value instanceof WeakSet ||
    'addListener' in value ||
    ['Timeout', 'Immediate', 'NestContainer', 'ModulesContainer', 'Module', 'Injector', 'AsyncLocalStorage'].includes(
      value.constructor?.name ?? '',
    )
  );
}
