import { Inject, Injectable, NotFoundException, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import type { Request } from 'express';
import { IslandError } from '../common/island-error.filter.js';
import { Colour } from './bird.dto.js';
import type { BirdChangeDto, BirdQueryDto, NewBirdDto } from './bird.dto.js';
import { Bird } from './bird.entity.js';

export const ISLAND = Symbol('island');

@Injectable()
export class BirdsService {
  readonly #birds = new Map<number, Bird>();
  #next = 1;

  constructor(@Inject(ISLAND) readonly island: string) {
    for (const name of ['Fulmar', 'Kittiwake', 'Guillemot', 'Razorbill', 'Puffin', 'Gannet', 'Möwe ☃', '海鷗']) {
      this.add({ name, colour: Colour.White, owner: 'owner@cliff.example' });
    }
  }

  list({ search = '', page, limit, exact }: BirdQueryDto): { island: string; total: number; items: Bird[] } {
    const has = (name: string): boolean => (exact ? name === search : name.toLowerCase().includes(search.toLowerCase()));
    const found = [...this.#birds.values()].filter(({ name }) => has(name));
    return { island: this.island, total: found.length, items: found.slice((page - 1) * limit, page * limit) };
  }

  find(id: number): Bird {
    const bird = this.#birds.get(id);
    if (bird === undefined) throw new NotFoundException(`No bird ${id} on ${this.island}`);
    return bird;
  }

  add(values: NewBirdDto): Bird {
    if ([...this.#birds.values()].some(({ name }) => name === values.name))
      throw new IslandError('TWICE', `${values.name} nests here already`);
    const bird = new Bird({ ...values, id: this.#next });
    this.#birds.set(this.#next, bird);
    this.#next += 1;
    return bird;
  }

  change(id: number, values: BirdChangeDto): Bird {
    return Object.assign(this.find(id), values);
  }

  remove(id: number): void {
    this.find(id);
    this.#birds.delete(id);
  }
}

/** Made anew for each request. */
@Injectable({ scope: Scope.REQUEST })
export class VisitService {
  static made = 0;
  readonly number = (VisitService.made += 1);

  constructor(@Inject(REQUEST) private readonly request: Request) {}

  describe(): { number: number; url: string; query: unknown } {
    return { number: this.number, url: this.request.url, query: this.request.query };
  }
}
